"""Client of the Stockroom merchant stock and product interface."""

from .client import StockroomClient
from .errors import (
    AuthenticationError,
    CursorExpiredError,
    InvalidRequestError,
    LimitReachedError,
    NoAnswerError,
    NotFoundError,
    Problem,
    RateLimitedError,
    RejectedError,
    ServerError,
    StockroomError,
    UnavailableError,
    UnexpectedAnswerError,
)
from .signing import WebhookMessage, WebhookVerificationError, sign, sign_hmac, verify_webhook

__all__ = [
    "AuthenticationError",
    "CursorExpiredError",
    "InvalidRequestError",
    "LimitReachedError",
    "NoAnswerError",
    "NotFoundError",
    "Problem",
    "RateLimitedError",
    "RejectedError",
    "ServerError",
    "StockroomClient",
    "StockroomError",
    "UnavailableError",
    "UnexpectedAnswerError",
    "WebhookMessage",
    "WebhookVerificationError",
    "sign",
    "sign_hmac",
    "verify_webhook",
]
