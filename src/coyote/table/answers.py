"""What all requests are asked and answered with: strict bodies, and problems told the same way."""

import traceback
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from coyote.table.bodies import Strict as Strict
from coyote.table.gate import SMALL_BODY, answer
from coyote.table.hall import Broken, Elsewhere, Ended, NoRoom
from coyote.table.limits import Denied as Denied
from coyote.table.passing import ELSEWHERE
from coyote.table.store import StoreError
from coyote.text import Refused

CODES = {400: "room.no_json", 404: "room.none"}  # of what the framework refuses
STATUS: dict[type[Refused], int] = {NoRoom: 404, Ended: 410, StoreError: 503, Elsewhere: 503, Broken: 503}
# any other is 422


class ReasonShown(BaseModel):
    code: str
    text: str
    rule: str | None


class Problem(ReasonShown):
    """What is wrong: the first reason's code and rule, all of them in one text, and each by itself."""

    reasons: list[ReasonShown]


PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in (400, 401, 403, 404, 409, 411, 413, 421, 422, 429, 503)
}


async def refused(request: Request, error: Exception) -> Response:
    """Everything that is refused over HTTP is answered here, and what was sent is let go of: the framework's
    errors and its calls hold each other."""
    traceback.clear_frames(error.__traceback__)
    if isinstance(error, Elsewhere):
        request.scope[ELSEWHERE] = error.address
    status, why = reasons(error)
    return answer(status, why, request.scope)


async def failed(request: Request, _error: Exception) -> Response:
    """What nobody has thought of; the log tells more."""
    return answer(500, Refused("room.failed"), request.scope)


def reasons(error: Exception) -> tuple[int, Refused]:
    match error:
        case Denied():
            return error.status, error
        case Refused():
            return next((status for kind, status in STATUS.items() if isinstance(error, kind)), 422), error
        case RequestValidationError():
            first = error.errors()[0]
            if first["loc"][0] == "path":  # nothing is called so
                return 404, Refused("room.none")
            what = f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
            return 422, Refused("room.malformed", what=what[:200])
        case HTTPException(status_code=413):
            return 413, Refused("room.too_long", most=SMALL_BODY)
        case HTTPException():
            return error.status_code, Refused(CODES.get(error.status_code, "room.no_method"))
    raise error
