from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import uuid4

import pytest

from herald_client import Herald, models


@dataclass(frozen=True)
class Running:
    """The Herald that the tests use: `npm run test:python` starts one."""

    url: str
    api_key: str


@pytest.fixture(scope="session")
def running() -> Running:
    return Running(os.environ["HERALD_URL"], os.environ["HERALD_API_KEY"])


@pytest.fixture
def herald(running: Running) -> Iterator[Herald]:
    with Herald(running.url, api_key=running.api_key) as client:
        yield client


@pytest.fixture
def workflow(herald: Herald) -> str:
    """The trigger identifier of a workflow with one in-app message."""
    return new_workflow(herald)


def new_workflow(herald: Herald, *, delay_hours: int | None = None) -> str:
    steps: list[models.StepDto] = [{"template": {"type": "in_app", "content": "Parcel {{number}} is on its way."}}]
    if delay_hours is not None:
        delay: models.StepDto = {
            "template": {"type": "delay"},
            "metadata": {"type": "regular", "amount": delay_hours, "unit": "hours"},
        }
        steps.insert(0, delay)
    created = herald.workflows.create_workflow({"name": f"Parcel {uuid4().hex[:12]}", "active": True, "steps": steps})
    return created["triggers"][0]["identifier"]
