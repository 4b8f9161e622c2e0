from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from ._http import Answer, Request
from .errors import HeraldConnectionError, api_error

_TRANSIENT = frozenset({429, 502, 503, 504})
#: Repeating one of these has the effect of doing it once.
_IDEMPOTENT = frozenset({"GET", "PUT", "DELETE"})


@dataclass(frozen=True)
class RetryPolicy:
    """When requests are repeated, in seconds."""

    #: Most attempts of a request, the first one included; 1 switches retries off.
    max_attempts: int = 4
    #: Upper limit of the first wait; it doubles with each attempt.
    base_delay: float = 0.25
    max_delay: float = 8.0
    #: No wait that would end later than this after the start of the request.
    max_elapsed: float = 60.0


class Attempts:
    """Decides after each attempt of a request whether it is finished, refused, or repeated."""

    def __init__(self, request: Request, policy: RetryPolicy, clock: Callable[[], float] = time.monotonic) -> None:
        self._request = request
        self._policy = policy
        self._clock = clock
        self._started = clock()
        self._made = 0

    def wait_after(self, outcome: Answer | HeraldConnectionError) -> float | None:
        """The seconds until the next attempt, or None for an answer.

        :raises HeraldApiError: and HeraldConnectionError, if there is no further attempt
        """
        if isinstance(outcome, Answer) and outcome.status < 300:
            return None
        self._made += 1
        if self._made < self._request.max_attempts and _is_transient(outcome, self._request):
            wait = self._wait(outcome)
            if self._clock() - self._started + wait <= self._policy.max_elapsed:
                return wait
        if isinstance(outcome, Answer):
            raise api_error(self._request.route, outcome.status, outcome.headers, outcome.body)
        raise outcome

    def _wait(self, outcome: Answer | HeraldConnectionError) -> float:
        asked = retry_after(outcome.headers.get("retry-after"), time.time()) if isinstance(outcome, Answer) else None
        wait = backoff(self._made, self._policy)
        return wait if asked is None else asked + wait / 2


def backoff(attempt: int, policy: RetryPolicy, chance: Callable[[], float] = random.random) -> float:
    """Half of the wait is random, so that clients which failed together do not return together."""
    limit = min(policy.max_delay, policy.base_delay * float(2 ** (attempt - 1)))
    return limit / 2 + limit / 2 * chance()


def retry_after(value: str | None, now: float) -> float | None:
    """`Retry-After` in seconds: a number or a date."""
    if value is None:
        return None
    try:
        return max(0.0, float(int(value)))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except ValueError:
        return None


def _is_transient(outcome: Answer | HeraldConnectionError, request: Request) -> bool:
    is_repeatable = request.method in _IDEMPOTENT or "idempotency-key" in request.headers
    if isinstance(outcome, HeraldConnectionError):
        return is_repeatable
    if outcome.status == 429:
        return True
    if not is_repeatable:
        return False
    # An earlier attempt with this key, whose response was lost, may still be processed.
    is_in_progress = isinstance(outcome.body, dict) and outcome.body.get("code") == "idempotency_key_in_progress"
    return outcome.status in _TRANSIENT or is_in_progress
