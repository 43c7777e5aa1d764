from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence

from .codes import CODES


@dataclass(frozen=True)
class Problem:
    """One problem of a request: where it is, its code, and the server's message."""

    at: str
    code: str
    msg: str
    #: The current quantity, for a rejected adjustment.
    current: Optional[int] = None


class StockroomError(Exception):
    """A call that failed. The subclass tells what a program can do about it."""

    def __init__(
        self,
        words: str,
        *,
        code: Optional[str] = None,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        problems: Sequence[Problem] = (),
        retry_after: Optional[float] = None,
        fix: str = "See the message.",
        temporary: bool = False,
    ) -> None:
        facts = [f"status {status}", code, request_id and f"request {request_id}"]
        super().__init__(f"{words} [{', '.join(fact for fact in facts if fact)}]" if status else words)
        self.code = code
        self.status = status
        self.request_id = request_id
        self.problems = list(problems)
        #: Seconds to wait before the next attempt.
        self.retry_after = retry_after
        #: What to do, in a sentence.
        self.fix = CODES[code][1] if code in CODES else fix
        #: Whether the same call may succeed later, without a change of the request.
        self.temporary = temporary


class InvalidRequestError(StockroomError):
    """An invalid value, found before sending (no ``status``) or by the server. See ``problems``."""


class AuthenticationError(StockroomError):
    """Wrong or expired credentials, a missing scope, a forbidden address, a wrong clock."""


class NotFoundError(StockroomError):
    """No such product of this merchant."""


class CursorExpiredError(StockroomError):
    """The changes after the cursor are no longer kept: take a snapshot."""


class RejectedError(StockroomError):
    """Valid, but not possible now, such as an adjustment below zero. See ``problems``."""


class LimitReachedError(StockroomError):
    """A limit of product detail is reached."""


class RateLimitedError(StockroomError):
    """The rate limit is exceeded (429) and waiting took too long."""


class UnavailableError(StockroomError):
    """The server or a proxy is unavailable (503), after all retries."""


class ServerError(StockroomError):
    """An internal error of the server (500). Tell the operator the ``request_id``."""


class UnexpectedAnswerError(StockroomError):
    """An answer that is not Stockroom's: a proxy's page, or a truncated or empty response."""


class NoAnswerError(StockroomError):
    """Not reachable, connection lost or timeout, after all safe retries."""

    def __init__(self, words: str, unsent: bool) -> None:
        fix = (
            "Check the address and the network, and whether the server is running."
            if unsent
            else "Send it again if that is safe: it is unknown whether the server did the work."
        )
        super().__init__(words, fix=fix, temporary=True)
        #: Whether there was no connection, so that the server cannot have done anything.
        self.unsent = unsent


_CLASSES: dict[str, type[StockroomError]] = {
    "InvalidRequest": InvalidRequestError,
    "Authentication": AuthenticationError,
    "NotFound": NotFoundError,
    "CursorExpired": CursorExpiredError,
    "Rejected": RejectedError,
    "LimitReached": LimitReachedError,
    "RateLimited": RateLimitedError,
    "Unavailable": UnavailableError,
    "Server": ServerError,
}

_BY_STATUS = {
    200: "Rejected",
    400: "InvalidRequest",
    401: "Authentication",
    403: "Authentication",
    404: "InvalidRequest",
    405: "InvalidRequest",
    409: "InvalidRequest",
    413: "InvalidRequest",
    429: "RateLimited",
    500: "Server",
    503: "Unavailable",
}


def failure(
    words: str,
    *,
    code: Optional[str],
    status: int,
    request_id: Optional[str],
    retry_after: Optional[float],
    problems: Sequence[Problem] = (),
) -> StockroomError:
    """The error of a code, or of a status if the code is unknown."""
    kind = CODES[code][0] if code in CODES else _BY_STATUS.get(status, "")
    return _CLASSES.get(kind, UnexpectedAnswerError)(
        words,
        code=code,
        status=status,
        request_id=request_id,
        problems=problems,
        retry_after=retry_after,
        temporary=kind in ("RateLimited", "Unavailable", "Server"),
    )
