"""The published client of the compatible system checks each answer against its own models."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest
from conftest import Running
from novu_py import Novu, models

from herald_client import Herald


@pytest.fixture
def novu(running: Running) -> Iterator[Novu]:
    with Novu(secret_key=running.api_key, server_url=running.url) as client:
        yield client


def test_messages_are_read(novu: Novu, herald: Herald, workflow: str) -> None:
    ada = f"ada-{uuid4().hex}"
    event = novu.trigger(
        trigger_event_request_dto=models.TriggerEventRequestDto(workflow_id=workflow, to=ada, payload={"number": 7})
    )
    assert event.result.transaction_id is not None
    herald.wait_for(event.result.transaction_id)
    [listed] = novu.messages.retrieve(request={"subscriber_id": ada}).result.data
    [shown] = novu.subscribers.notifications.feed(request={"subscriber_id": ada}).result.data
    assert listed.id == shown.id
    assert [message.cta.action is not None for message in (listed, shown)] == [True, True]


def test_one_wrong_subscriber_refuses_no_other(novu: Novu) -> None:
    [ada, bob] = [uuid4().hex, uuid4().hex]
    sent: models.BulkSubscriberCreateDtoTypedDict = {
        "subscribers": [{"subscriber_id": ada}, {"subscriber_id": bob, "email": "none"}]
    }
    result = novu.subscribers.create_bulk(bulk_subscriber_create_dto=sent).result
    assert [one.subscriber_id for one in result.created] == [ada]
    assert [one.message for one in result.failed] == ["subscribers.1.email must be an email"]


def test_an_integration_becomes_primary(novu: Novu, herald: Herald) -> None:
    made = herald.integrations.create_integration(
        {
            "providerId": "sendgrid",
            "channel": "email",
            "active": True,
            "check": False,
            "credentials": {"apiKey": "SG.1", "from": "shop@example.com", "senderName": "Shop"},
        }
    )
    result = novu.integrations.set_as_primary(integration_id=made["_id"]).result
    assert result.primary
    novu.integrations.delete(integration_id=made["_id"])


def test_refusals_say_why(novu: Novu, workflow: str) -> None:
    with pytest.raises(models.ValidationErrorDto) as unknown:
        novu.trigger(trigger_event_request_dto=models.TriggerEventRequestDto(workflow_id="nothing", to="ada"))
    assert unknown.value.data.errors["general"].messages == ["workflow_not_found"]
    wrong = models.SubscriberPayloadDto(subscriber_id="ada", email="none")
    with pytest.raises(models.PayloadValidationExceptionDto) as invalid:
        novu.trigger(trigger_event_request_dto=models.TriggerEventRequestDto(workflow_id=workflow, to=wrong))
    assert [fault.field for fault in invalid.value.data.errors] == ["to.email"]


def test_a_person_is_made_listed_and_deleted(novu: Novu) -> None:
    [ada, bob] = [f"ada-{uuid4().hex}", f"bob-{uuid4().hex}"]
    for subscriber_id in (ada, bob):
        dto: models.CreateSubscriberRequestDtoTypedDict = {"subscriber_id": subscriber_id, "first_name": "Ada"}
        assert novu.subscribers.create(create_subscriber_request_dto=dto).result.subscriber_id == subscriber_id
    first = novu.subscribers.search(request={"limit": 1}).result
    second = novu.subscribers.search(request={"limit": 1, "after": first.next or ""}).result
    assert [one.subscriber_id for page in (first, second) for one in page.data] == [bob, ada]
    assert novu.subscribers.search(request={"limit": 1, "before": second.previous or ""}).result.data == first.data
    key = uuid4().hex
    novu.topics.create(create_update_topic_request_dto={"key": key})
    made = novu.topics.subscriptions.create(
        topic_key=key, create_topic_subscriptions_request_dto={"subscriptions": [ada, "nobody"]}
    ).result
    assert [one.subscriber.subscriber_id for one in made.data if one.subscriber] == [ada]
    assert made.meta.failed == 1
    preferences = novu.subscribers.preferences.list(subscriber_id=ada).result
    assert preferences.global_.enabled
    assert novu.subscribers.delete(subscriber_id=ada).result.acknowledged
    with pytest.raises(models.ErrorDto) as unknown:
        novu.subscribers.retrieve(subscriber_id=ada)
    assert unknown.value.data.status_code == 404


def test_notifications_of_a_person_are_read_and_archived(novu: Novu, herald: Herald, workflow: str) -> None:
    ada = f"ada-{uuid4().hex}"
    event = novu.trigger(
        trigger_event_request_dto=models.TriggerEventRequestDto(workflow_id=workflow, to=ada, payload={"number": 7})
    )
    assert event.result.transaction_id is not None
    herald.wait_for(event.result.transaction_id)
    [one] = novu.subscribers.notifications.list(request={"subscriber_id": ada}).result.data
    notifications = novu.subscribers.notifications
    assert notifications.mark_as_read(subscriber_id=ada, notification_id=one.id).result.is_read
    assert notifications.archive(subscriber_id=ada, notification_id=one.id).result.is_archived
    assert notifications.count(subscriber_id=ada, filters='[{"read":true}]').result[0].count == 1
    notifications.delete_all(subscriber_id=ada, update_all_subscriber_notifications_dto={})
    assert notifications.list(request={"subscriber_id": ada}).result.data == []
