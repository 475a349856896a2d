"""Every word of the program, in Russian and in English. Nothing here knows a rule."""

from coyote.text.words import LANGUAGES, Words, language_of_locale

__all__ = ["LANGUAGES", "Words", "language_of_locale"]
