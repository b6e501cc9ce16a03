"""The first moment of a reply to what ended early: its speaker may go on, and then there was nothing to reply to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from edge_memory.memory import Memory
from firmware_bridge.app.exchange import Exchange
from firmware_bridge.app.listener import Listener
from firmware_bridge.contracts import Heard


class Talker(Protocol):
    async def take_back(self, heard: Heard) -> bool:
        """Ends the turn of this id and forgets it; False where it did something, and stays."""


class GoingOn:
    """For one early end. Until it is known nothing is digested, so that the turn can be taken back whole."""

    def __init__(
        self, listener: Listener, memory: Memory, talker: Talker, heard: Heard, hush: Callable[[], None]
    ) -> None:
        self._listener = listener
        self._memory = memory
        self._talker = talker
        self._heard = heard
        self._hush = hush
        self.is_true = False
        self.is_taken_back = False

    async def run(self, exchange: Exchange) -> None:
        with self._memory.undecided.hold():
            if not await self._listener.goes_on():
                exchange.heard_out()
                return
            self.is_true = True
            self._hush()
            await exchange.break_off()
            self.is_taken_back = await self._talker.take_back(self._heard)
