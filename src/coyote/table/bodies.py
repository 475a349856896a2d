"""What a request may bring: objects with the keys that are known, and no more of anything than is needed.

What somebody sends is counted before it is looked at: of thousands of things that are wrong, each would be
explained, and everybody else would wait for it.
"""

from collections.abc import Sized
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

MOST = 60  # keys of an object, or things in a list: more than any deck has cards


def not_too_many(given: Any) -> Any:
    if isinstance(given, Sized) and not isinstance(given, str) and len(given) > MOST:
        raise PydanticCustomError("too_many", "more than {most} of them", {"most": MOST})
    return given


Few = BeforeValidator(not_too_many)
Word = Annotated[str, Field(max_length=40)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def has_few_keys(cls, given: Any) -> Any:
        return not_too_many(given)
