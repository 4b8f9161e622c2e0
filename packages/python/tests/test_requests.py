from __future__ import annotations

import asyncio
import inspect
from datetime import UTC, datetime

import httpx
import pytest

import herald_client
from herald_client import AsyncHerald, Herald, HeraldApiError, HeraldConnectionError, HeraldError, RetryPolicy
from herald_client._operations import AsyncOperations, Operations
from herald_client._paging import Pager
from herald_client._retry import backoff, retry_after

from scripted import ACCEPTED, FAST, Script, answer

DROPPED = httpx.ConnectError("refused")
LATER = answer(503, {"code": "store_unavailable", "message": "Later."})


def test_a_request_fills_the_path_and_repeats_lists_in_the_query() -> None:
    script = Script(answer(200, {"data": []}))
    client = script.client()
    client.request("GET", "/v1/subscribers/{subscriberId}", values={"subscriberId": "a/b ü"})
    list(client.notifications.list_notifications(channels=["email", "sms"], from_=datetime(2026, 1, 1, tzinfo=UTC)))
    assert script.seen[0].url.raw_path == b"/v1/subscribers/a%2Fb%20%C3%BC"
    assert script.seen[0].headers["authorization"] == "ApiKey key"
    assert "idempotency-key" not in script.seen[0].headers
    assert script.seen[1].url.params.multi_items() == [
        ("limit", "100"),
        ("channels", "email"),
        ("channels", "sms"),
        ("from", "2026-01-01T00:00:00+00:00"),
    ]


@pytest.mark.parametrize("name", ["", ".", ".."])
def test_a_place_in_the_path_that_urls_cannot_hold_is_refused_before_it_is_sent(name: str) -> None:
    script = Script(answer(200))
    with pytest.raises(ValueError, match="subscriberId"):
        script.client().subscribers.get_subscriber(name)
    assert script.seen == []


def test_a_trigger_has_one_key_and_one_transaction_id_for_all_attempts() -> None:
    script = Script(DROPPED, LATER, answer(429), answer(201, ACCEPTED))
    assert script.client().trigger("order-shipped", to="ada", payload={"number": 1})["status"] == "processed"
    assert len(script.seen) == 4
    keys = {request.headers["idempotency-key"] for request in script.seen}
    assert len(keys) == 1
    assert [script.body(at) for at in range(4)] == [
        {"name": "order-shipped", "to": "ada", "payload": {"number": 1}, "transactionId": keys.pop()}
    ] * 4


def test_each_event_of_a_bulk_has_a_transaction_id_of_its_own() -> None:
    script = Script(answer(201, {"data": []}))
    script.client().trigger_bulk(
        [{"name": "a", "to": "ada"}, {"name": "a", "to": "bob", "transactionId": "mine"}], idempotency_key="k"
    )
    assert [event["transactionId"] for event in script.body(0)["events"]] == ["k-0", "mine"]


def test_a_request_that_is_not_repeated_has_no_key() -> None:
    script = Script(answer(201, ACCEPTED))
    script.client().trigger("a", "ada", max_attempts=1)
    assert "idempotency-key" not in script.seen[0].headers
    assert "transactionId" not in script.body(0)


def test_a_post_with_a_session_token_is_repeated_after_429_only() -> None:
    busy = Script(answer(429), answer(200, {"data": True}))
    busy.client(session_token="t").request("POST", "/v1/widgets/messages/markAs", body={})
    assert len(busy.seen) == 2
    lost = Script(DROPPED)
    with pytest.raises(HeraldConnectionError):
        lost.client(session_token="t").request("POST", "/v1/widgets/messages/markAs", body={})
    assert len(lost.seen) == 1


def test_a_key_that_is_in_progress_is_waited_for() -> None:
    script = Script(answer(409, {"code": "idempotency_key_in_progress"}), answer(201, ACCEPTED))
    script.client().trigger("a", "ada")
    assert len(script.seen) == 2


def test_attempts_and_time_are_limited() -> None:
    script = Script(DROPPED)
    with pytest.raises(HeraldConnectionError, match="GET /v1/topics: refused") as raised:
        list(script.client().topics.list_topics())
    assert raised.value.__cause__ is DROPPED
    assert len(script.seen) == FAST.max_attempts
    slow = Script(answer(503, {}, retry_after="120"))
    with pytest.raises(herald_client.UnavailableError):
        slow.client().feeds.list_feeds()
    assert len(slow.seen) == 1


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, herald_client.InvalidRequestError),
        (401, herald_client.AuthenticationError),
        (403, herald_client.PermissionDeniedError),
        (404, herald_client.NotFoundError),
        (409, herald_client.ConflictError),
        (412, herald_client.ConflictError),
        (413, herald_client.InvalidRequestError),
        (422, herald_client.InvalidRequestError),
        (429, herald_client.RateLimitedError),
        (301, HeraldApiError),
        (500, herald_client.UnavailableError),
    ],
)
def test_a_refusal_is_an_error_of_its_kind(status: int, kind: type[HeraldApiError]) -> None:
    body = {"code": "a_code", "message": ["one", "two"]}
    script = Script(answer(status, body, x_request_id="r-1"))
    with pytest.raises(kind) as raised:
        script.client(RetryPolicy(max_attempts=1)).feeds.list_feeds()
    error = raised.value
    assert type(error) is kind
    assert (error.status, error.code, error.details, error.request_id, error.body) == (
        status,
        "a_code",
        ("one", "two"),
        "r-1",
        body,
    )
    assert str(error) == f"GET /v1/feeds: {status} one; two"


def test_the_page_of_a_proxy_is_an_error_as_well() -> None:
    script = Script(httpx.Response(502, content=b"<html>"))
    with pytest.raises(herald_client.UnavailableError) as raised:
        script.client(RetryPolicy(max_attempts=1)).feeds.list_feeds()
    assert (raised.value.code, raised.value.body) == ("unknown", "<html>")


def test_credentials_and_address_are_checked() -> None:
    for credentials in ({}, {"api_key": "k", "session_token": "t"}):
        with pytest.raises(HeraldError, match="either"):
            Herald("http://herald.test", **credentials)  # type: ignore[arg-type]
    with pytest.raises(HeraldError, match="not an address"):
        Herald("herald.test", api_key="k")


def test_waits_double_and_retry_after_is_obeyed() -> None:
    policy = RetryPolicy()
    assert [backoff(at, policy, lambda: 1.0) for at in (1, 2, 3, 9)] == [0.25, 0.5, 1.0, 8.0]
    assert backoff(1, policy, lambda: 0.0) == 0.125
    assert [retry_after(value, 0.0) for value in ("3", "0", "Thu, 01 Jan 1970 00:00:05 GMT", "soon", None)] == [
        3.0,
        0.0,
        5.0,
        None,
        None,
    ]


def test_linked_pages_are_followed() -> None:
    linked = Pager({"before": "here"})
    assert linked.take({"data": [{"_id": 1}], "next": "after-1", "previous": None}) == [{"_id": 1}]
    assert linked.query == {"limit": 100, "after": "after-1"}
    assert not linked.is_done
    linked.take({"data": [], "next": None, "previous": "back"})
    assert linked.is_done


def test_pages_yield_each_row_once() -> None:
    numbered = Pager({})
    assert numbered.query == {"limit": 100}
    assert numbered.take({"data": [{"_id": 1}, {"_id": 2}], "page": 0, "hasMore": True}) == [{"_id": 1}, {"_id": 2}]
    assert numbered.query == {"limit": 100, "page": 1}
    assert numbered.take({"data": [{"_id": 2}, {"_id": 3}], "page": 1, "hasMore": False}) == [{"_id": 3}]
    assert numbered.is_done
    by_id = Pager({"limit": 2, "read": None})
    by_id.take({"data": [{"id": "a"}, {"id": "b"}], "hasMore": True})
    assert by_id.query == {"limit": 2, "after": "b"}
    by_id.take({"data": [], "hasMore": True})
    assert by_id.is_done
    plain = Pager({"limit": 1})
    plain.take({"data": [{"_id": 1}]})
    assert plain.query == {"limit": 1, "page": 1}
    plain.take({"data": [{"_id": 1}]})
    assert plain.is_done


def test_the_asynchronous_client_retries_in_the_same_way() -> None:
    script = Script(DROPPED, LATER, answer(201, ACCEPTED))

    async def run() -> None:
        async with script.async_client() as client:
            await client.trigger("a", "ada")
            await client.close()

    asyncio.run(run())
    assert len({request.headers["idempotency-key"] for request in script.seen}) == 1
    assert len(script.seen) == 3


def test_both_clients_have_the_same_methods_and_arguments() -> None:
    def shape(kind: type[object]) -> dict[str, list[str]]:
        members = inspect.getmembers(kind, inspect.isfunction)
        return {name: list(inspect.signature(one).parameters) for name, one in members if not name.startswith("_")}

    assert shape(Herald) == shape(AsyncHerald)
    sync, later = Script().client(), Script().async_client()
    groups = [name for name in vars(sync) if not name.startswith("_")]
    assert len(groups) > 20
    assert isinstance(sync, Operations) and isinstance(later, AsyncOperations)
    for group in groups:
        assert shape(type(getattr(sync, group))) == shape(type(getattr(later, group)))
