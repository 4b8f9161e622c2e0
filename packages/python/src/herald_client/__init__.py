"""Typed client of Herald: retries that never trigger twice, iterators over lists, verification of webhooks."""

from ._events import Recipient, Recipients
from ._http import CallOptions
from ._operations import WebhookEvent
from ._retry import RetryPolicy
from .async_client import AsyncHerald
from .client import Herald
from .errors import (
    AuthenticationError,
    ConflictError,
    HeraldApiError,
    HeraldConnectionError,
    HeraldError,
    HeraldTimeoutError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitedError,
    UnavailableError,
    WebhookFault,
    WebhookVerificationError,
)
from .webhooks import verify_webhook

__all__ = [
    "AsyncHerald",
    "AuthenticationError",
    "CallOptions",
    "ConflictError",
    "Herald",
    "HeraldApiError",
    "HeraldConnectionError",
    "HeraldError",
    "HeraldTimeoutError",
    "InvalidRequestError",
    "NotFoundError",
    "PermissionDeniedError",
    "RateLimitedError",
    "Recipient",
    "Recipients",
    "RetryPolicy",
    "UnavailableError",
    "WebhookEvent",
    "WebhookFault",
    "WebhookVerificationError",
    "verify_webhook",
]
