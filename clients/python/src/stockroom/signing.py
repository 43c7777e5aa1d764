from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, Union


def sign(secret: str, timestamp: str) -> str:
    """The signature of the interface: MD5 of secret and timestamp, in upper case."""
    return hashlib.md5((secret + timestamp).encode("utf-8")).hexdigest().upper()


def sign_hmac(
    secret: str, method: str, path: str, timestamp: str, token: str, body: bytes, nonce: str = "", key: str = ""
) -> str:
    """The stronger signature, which covers the whole request; ``path`` as sent, with its query string."""
    lines = [method, path, timestamp, token, hashlib.sha256(body).hexdigest()]
    lines += [nonce, key] if key else [nonce] if nonce else []
    text = "\n".join(lines)
    return hmac.new(secret.encode("utf-8"), text.encode("utf-8"), hashlib.sha256).hexdigest().upper()


class WebhookVerificationError(Exception):
    """A request that is not a delivery of the server. Answer it with status 400."""

    def __init__(self, reason: str, words: str) -> None:
        super().__init__(words)
        #: HEADER_MISSING, TIMESTAMP_FORMAT, TIMESTAMP_TOO_OLD, TIMESTAMP_TOO_NEW, SIGNATURE_WRONG or BODY_FORMAT.
        self.reason = reason


@dataclass(frozen=True)
class WebhookMessage:
    """A verified delivery. Its id is the same if it arrives twice."""

    id: str
    type: str
    timestamp: str
    data: dict[str, Any]


def verify_webhook(
    headers: Mapping[str, str],
    body: bytes,
    secrets: Union[str, Sequence[str]],
    *,
    tolerance: int = 300,
    now: Optional[float] = None,
) -> WebhookMessage:
    """Verifies and reads a delivery, which follows the Standard Webhooks specification.

    ``headers`` of the request in any case, ``body`` exactly as received, ``secrets`` as ``webhooks.create``
    returned them; both during a rotation.
    """
    found = {name.lower(): str(value).strip() for name, value in headers.items()}
    keys = [_key(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    if not keys:
        raise ValueError("At least one webhook secret is required.")
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not found.get(name):
            raise WebhookVerificationError("HEADER_MISSING", f"The header {name} is missing.")
    message_id, timestamp = found["webhook-id"], found["webhook-timestamp"]
    if not re.fullmatch(r"[0-9]{1,11}", timestamp):
        raise WebhookVerificationError("TIMESTAMP_FORMAT", "The header webhook-timestamp is not a number of seconds.")
    age = int(time.time() if now is None else now) - int(timestamp)
    if age > tolerance:
        raise WebhookVerificationError(
            "TIMESTAMP_TOO_OLD", f"The delivery is {age} seconds old; at most {tolerance} are allowed."
        )
    if -age > tolerance:
        raise WebhookVerificationError(
            "TIMESTAMP_TOO_NEW",
            f"The delivery is {-age} seconds in the future; at most {tolerance} are allowed. Check the clocks.",
        )
    signed = f"{message_id}.{timestamp}.".encode("utf-8") + body
    expected = [hmac.new(key, signed, hashlib.sha256).digest() for key in keys]
    parts = [_decode(part[3:]) for part in found["webhook-signature"].split(" ") if part.startswith("v1,")]
    if not any([hmac.compare_digest(part, one) for part in parts if part is not None for one in expected]):
        raise WebhookVerificationError(
            "SIGNATURE_WRONG", "No signature of version v1 fits. Check the secret, and pass the body as received."
        )
    try:
        message = json.loads(body)
        return WebhookMessage(message_id, message["type"], message["timestamp"], message.get("data") or {})
    except (ValueError, KeyError, TypeError) as broken:
        raise WebhookVerificationError("BODY_FORMAT", "The delivery is signed, but not a message.") from broken


def _decode(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        return None


def _key(secret: str) -> bytes:
    key = _decode(secret[6:] if secret.startswith("whsec_") else secret)
    if not key:
        raise ValueError('A webhook secret is "whsec_" and Base64, as /Webhook/Create returned it.')
    return key
