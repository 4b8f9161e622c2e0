"""The bodies of triggers, from the arguments of Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from . import models

#: The id of a subscriber, a subscriber to create or update, or a topic.
Recipient: TypeAlias = "str | models.SubscriberRecipientDto | models.TopicRecipientDto"
Recipients: TypeAlias = "Recipient | Sequence[Recipient]"


def trigger_body(
    name: str,
    to: Recipients,
    payload: Mapping[str, Any] | None,
    overrides: models.EventOverridesDto | None,
    actor: str | models.SubscriberRecipientDto | None,
    tenant: str | models.EventTenantDto | None,
    transaction_id: str | None,
) -> models.TriggerEventDto:
    body: models.TriggerEventDto = {"name": name, "to": to if isinstance(to, (str, dict)) else list(to)}
    if payload is not None:
        body["payload"] = dict(payload)
    if overrides is not None:
        body["overrides"] = overrides
    if actor is not None:
        body["actor"] = actor
    if tenant is not None:
        body["tenant"] = tenant
    if transaction_id is not None:
        body["transactionId"] = transaction_id
    return body


def broadcast_body(
    name: str,
    payload: Mapping[str, Any] | None,
    overrides: models.EventOverridesDto | None,
    actor: str | models.SubscriberRecipientDto | None,
    tenant: str | models.EventTenantDto | None,
    transaction_id: str | None,
) -> models.BroadcastEventDto:
    body: models.BroadcastEventDto = {"name": name, "payload": dict(payload or {})}
    if overrides is not None:
        body["overrides"] = overrides
    if actor is not None:
        body["actor"] = actor
    if tenant is not None:
        body["tenant"] = tenant
    if transaction_id is not None:
        body["transactionId"] = transaction_id
    return body
