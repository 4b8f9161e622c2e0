"""Errors of the client. All of them are a `HeraldError`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal


class HeraldError(Exception):
    """What every error of this client is."""


class HeraldConnectionError(HeraldError):
    """No response came: the connection failed, or it took too long. `__cause__` has the reason."""


class HeraldTimeoutError(HeraldError):
    """What was waited for has not happened in time. It goes on."""


class HeraldApiError(HeraldError):
    """Herald has refused a request."""

    def __init__(self, route: str, status: int, headers: Mapping[str, str], body: Any) -> None:
        fields: Mapping[str, Any] = body if isinstance(body, Mapping) else {}
        message = fields.get("message", [])
        code = fields.get("code")
        self.status = status
        #: Stable code for programs, such as `subscriber_not_found`; `unknown` if a proxy answered.
        self.code: str = code if isinstance(code, str) else "unknown"
        #: One text for each fault.
        self.details: tuple[str, ...] = tuple(
            one for one in (message if isinstance(message, list) else [message]) if isinstance(one, str)
        )
        #: Id under which the log of Herald has the request.
        self.request_id: str | None = headers.get("x-request-id")
        self.body: Any = body
        super().__init__(f"{route}: {status} {'; '.join(self.details)}".strip())


class InvalidRequestError(HeraldApiError):
    """400, 413, 415 or 422: the request has to be changed before it is sent again."""


class AuthenticationError(HeraldApiError):
    """401: the API key or the session token is missing or not valid."""


class PermissionDeniedError(HeraldApiError):
    """403: the API key lacks a scope, or the feature is switched off."""


class NotFoundError(HeraldApiError):
    """404: there is no such record."""


class ConflictError(HeraldApiError):
    """409 or 412: the record exists already, or has changed."""


class RateLimitedError(HeraldApiError):
    """429, after all attempts."""


class UnavailableError(HeraldApiError):
    """A status from 500 on, after all attempts."""


_BY_STATUS: Mapping[int, type[HeraldApiError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    412: ConflictError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    422: InvalidRequestError,
    429: RateLimitedError,
}


def api_error(route: str, status: int, headers: Mapping[str, str], body: Any) -> HeraldApiError:
    kind = UnavailableError if status >= 500 else _BY_STATUS.get(status, HeraldApiError)
    return kind(route, status, headers, body)


WebhookFault = Literal["headers_missing", "timestamp_out_of_range", "signature_mismatch", "secret_invalid"]


class WebhookVerificationError(HeraldError):
    """The request does not come from Herald, is too old, or has been changed. Answer with 400."""

    def __init__(self, code: WebhookFault, message: str) -> None:
        super().__init__(message)
        self.code: WebhookFault = code
