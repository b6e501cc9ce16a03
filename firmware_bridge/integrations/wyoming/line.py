"""One connection, as events: nobody is waited for without end, in either direction."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from wyoming.event import Event, Eventable, async_write_event

from firmware_bridge.errors import BodyCutShort, BodyTooSlow
from firmware_bridge.integrations.wyoming.framing import EventReader

PATIENCE_SECONDS = 15.0
_PIECE_BYTES = 64 << 10
_PARTING_SECONDS = 1.0


class EventLine:
    """`patience` in seconds is for each whole event, read or written."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, patience: float = PATIENCE_SECONDS
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._patience = patience
        self._events = EventReader()

    async def read(self, times: float = 1.0) -> Event | None:
        """The next event; None once the client has ended. Waits `times` the patience. Raises BadEvent, BodyTooSlow,
        BodyCutShort."""
        patience = self._patience * times
        try:
            async with asyncio.timeout(patience):
                while (event := self._events.take()) is None:
                    piece = await self._reader.read(_PIECE_BYTES)
                    if not piece:
                        break
                    self._events.feed(piece)
        except TimeoutError:
            raise BodyTooSlow(f"no whole event came for {patience:g} s", "connect again when needed") from None
        except ConnectionError:
            return None
        if event is None and not self._events.is_between_events:
            raise BodyCutShort("the connection ended within an event", "check data_length and payload_length")
        return event

    async def write(self, word: Eventable) -> None:
        """Raises ConnectionError when the client has gone, or does not read."""
        try:
            async with asyncio.timeout(self._patience):
                await async_write_event(word.event(), self._writer)
        except TimeoutError:
            raise ConnectionAbortedError("the client does not read") from None

    async def aclose(self) -> None:
        """What was written still arrives: a socket that is closed with unread bytes in it drops that, too."""
        with suppress(TimeoutError, ConnectionError):
            async with asyncio.timeout(_PARTING_SECONDS):
                self._writer.write_eof()
                while await self._reader.read(_PIECE_BYTES):
                    pass
        self._writer.transport.abort()
