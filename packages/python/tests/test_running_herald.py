from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from email.message import Message
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import islice
from uuid import uuid4

import pytest

from herald_client import (
    AsyncHerald,
    AuthenticationError,
    Herald,
    HeraldTimeoutError,
    InvalidRequestError,
    NotFoundError,
    RetryPolicy,
    WebhookVerificationError,
    models,
    verify_webhook,
)

from conftest import Running, new_workflow
from unreliable_proxy import Mishap, UnreliableProxy

FAST = RetryPolicy(base_delay=0.005, max_delay=0.05)


def unique(name: str) -> str:
    return f"{name}-{uuid4().hex[:12]}"


def test_a_trigger_is_delivered_and_can_be_waited_for(herald: Herald, workflow: str) -> None:
    ada = unique("ada")
    triggered = herald.trigger(workflow, to={"subscriberId": ada, "firstName": "Ada"}, payload={"number": 4711})
    assert triggered["status"] == "processed"
    event = herald.wait_for(triggered["transactionId"])
    assert event["ended"]
    assert [(step["type"], step["outcomes"]) for step in event["steps"]] == [("in_app", {"completed": 1})]
    (message,) = herald.messages_of_a_subscriber.get_feed(ada)
    assert message["content"] == "Parcel 4711 is on its way."


def test_a_wait_that_is_too_short_says_so_and_what_waits_can_be_canceled(herald: Herald) -> None:
    name = new_workflow(herald, delay_hours=5)
    transaction_id = unique("order")
    herald.trigger(name, to=[unique("ada"), unique("bob")], transaction_id=transaction_id)
    with pytest.raises(HeraldTimeoutError, match="has not ended within 0.3 s"):
        herald.wait_for(transaction_id, timeout=0.3)
    assert herald.cancel(transaction_id) is True
    assert herald.wait_for(transaction_id, timeout=20)["ended"]
    assert herald.cancel(transaction_id) is False


def test_a_bulk_has_a_result_for_each_event(herald: Herald, workflow: str) -> None:
    events: list[models.TriggerEventDto] = [
        {"name": workflow, "to": unique("ada"), "payload": {"number": 1}},
        {"name": "no-such-workflow", "to": unique("bob")},
    ]
    first, second = herald.trigger_bulk(events)
    assert first["status"] == "processed"
    assert second["status"] == "error"


def test_a_broadcast_reaches_every_subscriber(herald: Herald, workflow: str) -> None:
    people = [unique("reader") for _ in range(3)]
    herald.subscribers.bulk_create_subscribers({"subscribers": [{"subscriberId": one} for one in people]})
    triggered = herald.broadcast(workflow, {"number": 5})
    herald.wait_for(triggered["transactionId"])
    for person in people:
        assert [one["content"] for one in herald.messages_of_a_subscriber.get_feed(person)] == [
            "Parcel 5 is on its way."
        ]


@pytest.mark.parametrize(
    "mishaps",
    [["lost after", "lost after"], ["lost before", "lost after"], ["unavailable", "lost before"]],
    ids=", ".join,
)
def test_a_trigger_whose_response_is_lost_makes_one_notification(
    herald: Herald, running: Running, workflow: str, mishaps: Sequence[Mishap]
) -> None:
    with (
        UnreliableProxy(running.url) as proxy,
        Herald(proxy.url, api_key=running.api_key, retries=FAST) as unreliable,
    ):
        proxy.mishaps = list(mishaps)
        triggered = unreliable.trigger(workflow, to=unique("ada"), payload={"number": 6})
        assert len(proxy.keys) == 3 and len(set(proxy.keys)) == 1
    herald.wait_for(triggered["transactionId"])
    found = list(herald.notifications.list_notifications(transaction_id=triggered["transactionId"]))
    assert [one["status"] for one in found] == ["completed"]


def test_a_record_whose_response_is_lost_is_created_once(herald: Herald, running: Running) -> None:
    name = unique("feed")
    with (
        UnreliableProxy(running.url) as proxy,
        Herald(proxy.url, api_key=running.api_key, retries=FAST) as unreliable,
    ):
        proxy.mishaps = ["lost after"]
        created = unreliable.feeds.create_feed({"name": name})
    assert [one["_id"] for one in herald.feeds.list_feeds() if one["name"] == name] == [created["_id"]]


def test_lists_are_read_page_by_page(herald: Herald) -> None:
    people = [unique("row") for _ in range(7)]
    herald.subscribers.bulk_create_subscribers(
        {"subscribers": [{"subscriberId": one, "lastName": people[0]} for one in people]}
    )
    found = [one["subscriberId"] for one in herald.subscribers.list_subscribers(limit=3, name=people[0])]
    assert sorted(found) == sorted(people)
    assert len(list(islice(herald.subscribers.list_subscribers(limit=2), 3))) == 3


def test_refusals_are_errors_of_their_kind(herald: Herald, running: Running) -> None:
    with pytest.raises(NotFoundError) as missing:
        herald.subscribers.get_subscriber("nobody")
    assert (missing.value.code, missing.value.status) == ("subscriber_not_found", 404)
    with pytest.raises(InvalidRequestError) as unknown:
        herald.trigger("no-such-workflow", to="ada")
    assert unknown.value.code == "workflow_not_found"
    with Herald(running.url, api_key="unknown") as stranger, pytest.raises(AuthenticationError) as refused:
        stranger.feeds.list_feeds()
    assert refused.value.code == "unauthorized"
    assert refused.value.request_id


def test_webhooks_of_herald_are_verified(herald: Herald, workflow: str) -> None:
    received: list[tuple[Message, bytes]] = []
    arrived = threading.Event()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append((self.headers, self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(204)
            self.end_headers()
            arrived.set()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/herald"
    webhook = herald.webhooks.create_webhook({"url": url, "events": ["message.sent"]})
    try:
        ada = unique("ada")
        herald.trigger(workflow, to=ada, payload={"number": 8})
        assert arrived.wait(20)
    finally:
        herald.webhooks.delete_webhook(webhook["_id"])
        server.shutdown()
        server.server_close()
    headers, body = received[0]
    event = verify_webhook(dict(headers.items()), body, webhook["secret"])
    assert event["type"] == "message.sent"
    assert event["data"]["message"]["channel"] == "in_app"
    with pytest.raises(WebhookVerificationError):
        verify_webhook(dict(headers.items()), body + b" ", webhook["secret"])


def test_the_asynchronous_client_does_the_same(running: Running, workflow: str) -> None:
    async def run() -> None:
        async with AsyncHerald(running.url, api_key=running.api_key) as herald:
            people = [unique("async") for _ in range(3)]
            triggered = await asyncio.gather(
                *(herald.trigger(workflow, to=one, payload={"number": at}) for at, one in enumerate(people))
            )
            ends = await asyncio.gather(*(herald.wait_for(one["transactionId"]) for one in triggered))
            assert [one["ended"] for one in ends] == [True, True, True]
            found = [
                one["transactionId"]
                async for one in herald.notifications.list_notifications(subscriber_ids=people, limit=2)
            ]
            assert sorted(found) == sorted(one["transactionId"] for one in triggered)
            with pytest.raises(NotFoundError):
                await herald.subscribers.get_subscriber("nobody")

    asyncio.run(run())
