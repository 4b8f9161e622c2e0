"""Clients without a network: their requests are answered by steps in turn, the last of which repeats."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import httpx

from herald_client import AsyncHerald, Herald, RetryPolicy

Step = Exception | httpx.Response
FAST = RetryPolicy(base_delay=0.001)
ACCEPTED = {"data": {"acknowledged": True, "status": "processed", "transactionId": "t"}}


class Script:
    def __init__(self, *steps: Step) -> None:
        self.steps: Sequence[Step] = steps
        self.seen: list[httpx.Request] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        step = self.steps[min(len(self.seen), len(self.steps) - 1)]
        self.seen.append(request)
        if isinstance(step, Exception):
            raise step
        return httpx.Response(step.status_code, headers=step.headers, content=step.content)

    async def answer_later(self, request: httpx.Request) -> httpx.Response:
        return self.answer(request)

    def body(self, at: int) -> Any:
        return json.loads(self.seen[at].content)

    def client(self, retries: RetryPolicy = FAST, **credentials: str) -> Herald:
        http = httpx.Client(transport=httpx.MockTransport(self.answer))
        return Herald("http://herald.test/", retries=retries, http_client=http, **(credentials or {"api_key": "key"}))  # type: ignore[arg-type]

    def async_client(self, retries: RetryPolicy = FAST) -> AsyncHerald:
        http = httpx.AsyncClient(transport=httpx.MockTransport(self.answer_later))
        return AsyncHerald("http://herald.test/", retries=retries, http_client=http, api_key="key")


def answer(status: int, body: object = None, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, headers=named, content=b"" if body is None else json.dumps(body).encode())
