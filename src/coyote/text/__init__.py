"""Every word of the program, in Russian and in English. Nothing here knows a rule."""

from coyote.text.refusals import Refusal, Refused
from coyote.text.titles import game_title, titles, titles_of
from coyote.text.words import GAME_WORDS, LANGUAGES, Lang, Words, language_of_header, language_of_locale

__all__ = [
    "GAME_WORDS",
    "LANGUAGES",
    "Lang",
    "Refusal",
    "Refused",
    "Words",
    "game_title",
    "language_of_header",
    "language_of_locale",
    "titles",
    "titles_of",
]
