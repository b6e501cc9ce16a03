"""The events of a turn while it runs, for whoever listens, from the beginning and as often as they like."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from firmware_bridge.contracts import Heard, Said, TurnEvent


class TurnProgress:
    def __init__(self, heard: Heard) -> None:
        self.heard = heard
        self.cut: Callable[[], None] = lambda: None  # ends the reply with what is written of it
        self._events: list[TurnEvent] = []
        self._error: Exception | None = None
        self._changed = asyncio.Event()

    def add(self, event: TurnEvent) -> None:
        self._events.append(event)
        self._wake()

    def fail(self, error: Exception) -> None:
        self._error = error
        self._wake()

    async def follow(self) -> AsyncIterator[TurnEvent]:
        """Every event up to Said. Raises what the turn failed with."""
        told = 0
        while True:
            while told < len(self._events):
                event = self._events[told]
                told += 1
                yield event
                if isinstance(event, Said):
                    return
            if self._error is not None:
                raise self._error
            await self._changed.wait()

    async def over(self) -> None:
        """Waits for the end, whatever it is."""
        while self._error is None and not (self._events and isinstance(self._events[-1], Said)):
            await self._changed.wait()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
