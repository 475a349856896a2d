"""Every word of the program, in Russian and in English. Nothing here knows a rule."""

from coyote.text.refusals import Refusal, Refused
from coyote.text.words import LANGUAGES, Lang, Words, language_of_locale

__all__ = ["LANGUAGES", "Lang", "Refusal", "Refused", "Words", "language_of_locale"]
