"""Verification of the requests that Herald sends to your server."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping
from typing import Any, cast

from ._operations import WebhookEvent
from .errors import WebhookVerificationError

_PREFIX = "whsec_"
_VERSION = "v1,"


def verify_webhook(
    headers: Mapping[str, str],
    raw_body: bytes | str,
    secrets: str | Iterable[str],
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> WebhookEvent:
    """Verifies a request of Herald to your server, in constant time, and returns its body.

    :param raw_body: the bytes or the text as they came, before anything parses them
    :param secrets: the signing secret (`whsec_…`), or several while you rotate them
    :param tolerance_seconds: how far the time of the request may be from now, either way
    :param now: seconds since 1970
    :raises WebhookVerificationError: answer it with 400
    """
    return cast(WebhookEvent, verified_body(headers, raw_body, secrets, tolerance_seconds, now))


def verified_body(
    headers: Mapping[str, str], raw_body: bytes | str, secrets: str | Iterable[str], tolerance: float, now: float | None
) -> Any:
    given = {name.lower(): value for name, value in headers.items()}
    event_id, timestamp, signatures = (given.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if event_id is None or timestamp is None or signatures is None:
        message = "The request lacks webhook-id, webhook-timestamp or webhook-signature."
        raise WebhookVerificationError("headers_missing", message)
    current = time.time() if now is None else now
    if re.fullmatch("[0-9]{1,15}", timestamp) is None or abs(current - int(timestamp)) > tolerance:
        raise WebhookVerificationError("timestamp_out_of_range", "The time of the request is too far from now.")
    body = raw_body.encode() if isinstance(raw_body, str) else raw_body
    signed = f"{event_id}.{timestamp}.".encode() + body
    candidates = [one.removeprefix(_VERSION).encode() for one in signatures.split(" ") if one.startswith(_VERSION)]
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        expected = base64.b64encode(hmac.new(_key(secret), signed, hashlib.sha256).digest())
        if any(hmac.compare_digest(expected, one) for one in candidates):
            return json.loads(body)
    raise WebhookVerificationError("signature_mismatch", "No signature fits the body and the secret.")


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if key == b"":
        raise WebhookVerificationError("secret_invalid", "The secret is not a signing secret of Herald.")
    return key
