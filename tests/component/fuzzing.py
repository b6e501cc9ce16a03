"""Random requests made from our own OpenAPI document, right ones and wrong ones, to a companion without weights; what
comes back must be what the document says. Used by a test, and at length by `scripts/prove fuzz`.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import positive_data_acceptance
from web_house import open_house

from firmware_bridge.web.openapi import document

_LONGEST_WAIT, _MOST_WAITED = 0.05, 60
_NOT_ASKED = [
    positive_data_acceptance,  # no schema says that a text is more than control characters
    not_a_server_error,  # 503 and 507 are documented where they may come, 500 never is
]


@dataclass
class Fuzzed:
    """`requests` by operation, and what was wrong with the first bad answer of each."""

    requests: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)


@contextmanager
def house_in_a_thread(folder: Path) -> Iterator[str]:
    """The address of a companion whose event loop runs beside the caller."""
    loop, done = asyncio.new_event_loop(), asyncio.Event()
    ready: asyncio.Future[str] = loop.create_future()

    async def run() -> None:
        async with open_house(folder) as house:
            ready.set_result(house.url)
            await done.wait()

    async def address() -> str:
        return await ready

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),), name="house")
    thread.start()
    try:
        yield asyncio.run_coroutine_threadsafe(address(), loop).result(30)
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join(30)
        loop.close()


def fuzz(url: str, examples: int) -> Fuzzed:
    """This many right requests to each operation, and as many wrong ones."""
    found = Fuzzed()
    for result in schemathesis.openapi.from_dict(document()).get_all_operations():
        operation = result.ok()
        modes = [GenerationMode.POSITIVE]
        if operation.query or operation.body:  # a name in a path is never wrong
            modes.append(GenerationMode.NEGATIVE)
        for mode in modes:
            _fuzz(operation, mode, url, examples, found)
    return found


def _fuzz(operation: Any, mode: GenerationMode, url: str, examples: int, found: Fuzzed) -> None:
    @seed(1)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        found.requests[operation.label] = found.requests.get(operation.label, 0) + 1
        wait = case.query.get("wait")
        if isinstance(wait, int | float) and 0 <= wait <= _MOST_WAITED:  # as right as before, and not waited for
            case.query["wait"] = _LONGEST_WAIT
        case.call_and_validate(base_url=url, excluded_checks=_NOT_ASKED)

    try:
        ask()
    except (FailureGroup, AssertionError) as error:
        found.wrong[operation.label] = str(error)
    except Unsatisfiable:
        pass  # nothing can be wrong about a request without members
