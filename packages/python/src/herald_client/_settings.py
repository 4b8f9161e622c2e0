from __future__ import annotations

import json
import re
import time
import uuid
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from ._http import CallOptions, Request, address
from ._retry import RetryPolicy
from .errors import HeraldError, HeraldTimeoutError

_TRIGGERS = re.compile(r"/v1/events/trigger(/broadcast|/bulk)?")
#: Each request of a wait is as long at most, and half as long as an attempt may take.
_MAX_WAIT = 20.0
_MIN_INTERVAL = 0.5


class Settings:
    """What both clients have in common: they write requests, and differ in how they send them."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        session_token: str | None,
        retries: RetryPolicy,
        timeout: float,
        headers: Mapping[str, str] | None,
    ) -> None:
        if (api_key is None) == (session_token is None):
            raise HeraldError("Give either api_key or session_token.")
        if urlsplit(base_url).scheme not in ("http", "https"):
            raise HeraldError(f"'{base_url}' is not an address of Herald, such as https://herald.example.com.")
        self.retries = retries
        self.timeout = timeout
        self._base_url = base_url.rstrip("/")
        self._has_api_key = api_key is not None
        authorization = f"Bearer {session_token}" if api_key is None else f"ApiKey {api_key}"
        self._headers = {"accept": "application/json", "authorization": authorization, **_lower(headers)}

    def request(
        self,
        method: str,
        path: str,
        values: Mapping[str, object],
        query: Mapping[str, object],
        body: object,
        options: CallOptions,
    ) -> Request:
        headers = {**self._headers, **_lower(options.get("headers"))}
        max_attempts = options.get("max_attempts", self.retries.max_attempts)
        # Herald accepts keys with every POST and PATCH that has an API key. What is not repeated needs none.
        if self._has_api_key and method in ("POST", "PATCH"):
            key = options.get("idempotency_key") or headers.get("idempotency-key")
            if key is None and max_attempts > 1:
                key = str(uuid.uuid4())
            if key is not None:
                headers["idempotency-key"] = key
                body = _with_transaction_id(path, body, key)
        content = None if body is None else json.dumps(body, allow_nan=False).encode()
        if content is not None:
            headers["content-type"] = "application/json"
        return Request(
            method=method,
            url=self._base_url + address(path, values, query),
            route=f"{method} {path}",
            headers=headers,
            content=content,
            timeout=options.get("timeout", self.timeout),
            max_attempts=max_attempts,
        )


class Wait:
    """The requests of one wait for the end of an event."""

    def __init__(self, transaction_id: str, timeout: float, request_timeout: float) -> None:
        self._transaction_id = transaction_id
        self._timeout = timeout
        self._end = time.monotonic() + timeout
        self._longest = min(_MAX_WAIT, request_timeout / 2)
        self._asked = 0.0

    def next_seconds(self) -> int:
        """How long Herald may keep the next request."""
        self._asked = time.monotonic()
        left = max(0.0, self._end - self._asked)
        return int(min(self._longest, left + 0.999))

    def pause(self) -> float:
        """The seconds until the next request: Herald answers early if many requests wait.

        :raises HeraldTimeoutError: if the time is over
        """
        now = time.monotonic()
        if now >= self._end:
            message = f"The event '{self._transaction_id}' has not ended within {self._timeout} s. It goes on."
            raise HeraldTimeoutError(message)
        return max(0.0, min(self._end - now, self._asked + _MIN_INTERVAL - now))


def _lower(headers: Mapping[str, str] | None) -> dict[str, str]:
    return {name.lower(): value for name, value in (headers or {}).items()}


def _with_transaction_id(path: str, body: object, key: str) -> object:
    """Gives the events of a trigger a transaction id, if they have none.

    Herald remembers it longer than an idempotency key, and also where it is not known whether a change was stored.
    """
    if _TRIGGERS.fullmatch(path) is None or not isinstance(body, dict):
        return body
    if "events" not in body:
        return _identified(body, key)
    return {**body, "events": [_identified(one, f"{key}-{at}") for at, one in enumerate(body["events"])]}


def _identified(event: Any, key: str) -> Any:
    if not isinstance(event, dict) or event.get("transactionId") is not None:
        return event
    return {**event, "transactionId": key}
