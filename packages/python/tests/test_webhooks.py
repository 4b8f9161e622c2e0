from __future__ import annotations

import base64
import hashlib
import hmac

import pytest

from herald_client import WebhookVerificationError, verify_webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"
BODY = '{"id":"1","type":"message.sent","note":"ünï"}'
AT = 1_767_268_800


def signature(secret: str, body: str = BODY, at: int = AT) -> str:
    key = base64.b64decode(secret[6:])
    return "v1," + base64.b64encode(hmac.new(key, f"evt.{at}.{body}".encode(), hashlib.sha256).digest()).decode()


def headers(signatures: str, at: object = AT) -> dict[str, str]:
    return {"Webhook-Id": "evt", "webhook-timestamp": str(at), "WEBHOOK-SIGNATURE": signatures}


@pytest.mark.parametrize("body", [BODY, BODY.encode()])
def test_a_genuine_request_is_accepted(body: str | bytes) -> None:
    event = verify_webhook(headers(signature(SECRET)), body, SECRET, now=AT)
    if event["type"] == "event.completed":
        raise AssertionError("narrowed by its type")
    assert event["type"] == "message.sent"


def test_several_secrets_and_signatures_are_accepted_during_a_rotation() -> None:
    verify_webhook(headers(f"{signature(OTHER)} {signature(SECRET)}"), BODY, SECRET, now=AT)
    verify_webhook(headers(signature(SECRET)), BODY, [OTHER, SECRET], now=AT)
    verify_webhook(headers(signature(SECRET)), BODY, SECRET, now=AT + 900, tolerance_seconds=1_000)


@pytest.mark.parametrize(
    ("given", "body", "secret", "code"),
    [
        (headers(signature(SECRET)), BODY + " ", SECRET, "signature_mismatch"),
        (headers(signature(OTHER)), BODY, SECRET, "signature_mismatch"),
        (headers(signature(SECRET).replace("v1", "v2")), BODY, SECRET, "signature_mismatch"),
        (headers("v1,***"), BODY, SECRET, "signature_mismatch"),
        (headers("v1,ü"), BODY, SECRET, "signature_mismatch"),
        (headers(""), BODY, SECRET, "signature_mismatch"),
        (headers(signature(SECRET, at=AT - 301), AT - 301), BODY, SECRET, "timestamp_out_of_range"),
        (headers(signature(SECRET, at=AT + 301), AT + 301), BODY, SECRET, "timestamp_out_of_range"),
        (headers(signature(SECRET), "1e9"), BODY, SECRET, "timestamp_out_of_range"),
        (headers(signature(SECRET), "9" * 5_000), BODY, SECRET, "timestamp_out_of_range"),
        ({"webhook-id": "evt"}, BODY, SECRET, "headers_missing"),
        (headers(signature(SECRET)), BODY, "whsec_", "secret_invalid"),
        (headers(signature(SECRET)), BODY, "whsec_?", "secret_invalid"),
    ],
)
def test_another_request_is_refused(given: dict[str, str], body: str, secret: str, code: str) -> None:
    with pytest.raises(WebhookVerificationError) as raised:
        verify_webhook(given, body, secret, now=AT)
    assert raised.value.code == code
