from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Unpack

import httpx

from . import models
from ._events import Recipients, broadcast_body, trigger_body
from ._http import Answer, CallOptions, Request, unwrapped
from ._operations import Operations
from ._paging import Pager
from ._retry import Attempts, RetryPolicy
from ._settings import Settings, Wait
from .errors import HeraldConnectionError


class Herald(Operations):
    """A client of Herald: a method for each operation by group, and the usual ones by name.

    :param base_url: address of Herald, such as `https://herald.example.com`
    :param api_key: key of an environment
    :param session_token: token of a subscriber instead, for the routes of widgets and the Inbox
    :param timeout: seconds to connect, and for the response to come, of each attempt
    :param headers: of every request, such as those that a proxy wants
    :param http_client: a client of httpx with your proxies or certificates; you close it
    """

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        session_token: str | None = None,
        retries: RetryPolicy = RetryPolicy(),
        timeout: float = 30.0,
        headers: Mapping[str, str] | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        self._settings = Settings(base_url, api_key, session_token, retries, timeout, headers)
        self._http = httpx.Client() if http_client is None else http_client
        self._is_own = http_client is None
        super().__init__(self._data, self._rows)

    def __enter__(self) -> Herald:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        if self._is_own:
            self._http.close()

    def request(
        self,
        method: str,
        path: str,
        *,
        values: Mapping[str, object] | None = None,
        query: Mapping[str, object] | None = None,
        body: object = None,
        **options: Unpack[CallOptions],
    ) -> Any:
        """Sends any request, such as one to a route of a plugin, and returns the body with its envelope.

        :param values: of the places in the path, such as `{"subscriberId": "ada"}` for `/v1/subscribers/{subscriberId}`
        :raises HeraldApiError: if Herald refuses it
        :raises HeraldConnectionError: if no response comes
        """
        request = self._settings.request(method, path, values or {}, query or {}, body, options)
        attempts = Attempts(request, self._settings.retries)
        while True:
            outcome = self._attempt(request)
            wait = attempts.wait_after(outcome)
            if wait is None and isinstance(outcome, Answer):
                return outcome.body
            time.sleep(wait or 0.0)

    def trigger(
        self,
        name: str,
        to: Recipients,
        payload: Mapping[str, Any] | None = None,
        *,
        overrides: models.EventOverridesDto | None = None,
        actor: str | models.SubscriberRecipientDto | None = None,
        tenant: str | models.EventTenantDto | None = None,
        transaction_id: str | None = None,
        **options: Unpack[CallOptions],
    ) -> models.TriggerResponse:
        """Triggers a workflow for each recipient."""
        body = trigger_body(name, to, payload, overrides, actor, tenant, transaction_id)
        return self.events.trigger_event(body, **options)

    def trigger_bulk(
        self, events: Sequence[models.TriggerEventDto], **options: Unpack[CallOptions]
    ) -> list[models.TriggerResponse]:
        """Triggers up to 100 events with one request; each has a result of its own."""
        return self.events.trigger_events({"events": list(events)}, **options)

    def broadcast(
        self,
        name: str,
        payload: Mapping[str, Any] | None = None,
        *,
        overrides: models.EventOverridesDto | None = None,
        actor: str | models.SubscriberRecipientDto | None = None,
        tenant: str | models.EventTenantDto | None = None,
        transaction_id: str | None = None,
        **options: Unpack[CallOptions],
    ) -> models.TriggerResponse:
        """Triggers a workflow for all subscribers."""
        body = broadcast_body(name, payload, overrides, actor, tenant, transaction_id)
        return self.events.broadcast_event(body, **options)

    def cancel(self, transaction_id: str, **options: Unpack[CallOptions]) -> bool:
        """Cancels what an event has not delivered yet. Returns whether there was anything to cancel."""
        return self.events.cancel_event(transaction_id, **options)

    def wait_for(self, transaction_id: str, *, timeout: float = 60.0) -> models.EventResponse:
        """Waits until everything that an event causes is done, and returns the outcome of each step.

        :raises HeraldTimeoutError: if it has not ended in `timeout` seconds; it goes on
        """
        waiting = Wait(transaction_id, timeout, self._settings.timeout)
        while True:
            event = self.events.get_event(transaction_id, wait=waiting.next_seconds())
            if event["ended"]:
                return event
            time.sleep(waiting.pause())

    def _data(
        self,
        method: str,
        path: str,
        values: Mapping[str, object],
        query: Mapping[str, object],
        body: object,
        options: CallOptions,
    ) -> Any:
        return unwrapped(self.request(method, path, values=values, query=query, body=body, **options))

    def _rows(
        self, path: str, values: Mapping[str, object], query: Mapping[str, object], options: CallOptions
    ) -> Iterator[Any]:
        pager = Pager(query)
        while not pager.is_done:
            yield from pager.take(self.request("GET", path, values=values, query=pager.query, **options))

    def _attempt(self, request: Request) -> Answer | HeraldConnectionError:
        try:
            return Answer.of(
                self._http.request(
                    request.method,
                    request.url,
                    headers=request.headers,
                    content=request.content,
                    timeout=request.timeout,
                )
            )
        except httpx.RequestError as cause:
            error = HeraldConnectionError(f"{request.route}: {cause or type(cause).__name__}")
            error.__cause__ = cause
            return error
