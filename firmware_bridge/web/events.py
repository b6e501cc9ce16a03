"""`GET /device/events`: what the companion tells a device, as server-sent events or by long poll, and its sounds."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from dataclasses import asdict
from typing import Any

from aiohttp import web
from aiohttp_sse import sse_response

from firmware_bridge.contracts import (
    GrantKey,
    Notice,
    PlayAudio,
    ReminderDue,
    ReplySentence,
    SetVolume,
    ShowFace,
    TellTime,
    check_id,
)
from firmware_bridge.errors import NotPaired, SoundNotFound
from firmware_bridge.web.doors import caller_of, still_welcome
from firmware_bridge.web.mailboxes import Board, Mailboxes, Poll, next_arrival
from firmware_bridge.web.queries import EventsQuery, read_query
from firmware_bridge.web.sounds import Sounds

_PING_SECONDS, _DEAD_SECONDS = 10.0, 30.0
_MOST_SENT = 64
_ARRIVED_SECONDS = 60.0  # a stream that still stands so long after an event has carried it
_NAMES: dict[type[Notice], str] = {
    ReplySentence: "sentence",
    ShowFace: "face",
    SetVolume: "volume",
    ReminderDue: "reminder",
    TellTime: "time",
}


class EventRoutes:
    """After `close`, whoever listens is let go."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._closing = asyncio.Event()
        self._sounds = Sounds()
        self._mailboxes = Mailboxes(board, self._closing)

    def routes(self) -> list[web.RouteDef]:
        return [web.get("/device/events", self.events), web.get("/device/sounds/{name}", self.sound)]

    async def events(self, request: web.Request) -> web.StreamResponse:
        """Server-sent events for `Accept: text/event-stream`; else `{"events": [...]}` as soon as there are some, or
        none after `wait` seconds. A stream begins with the `time`, and every poll's answer has it. A device that polls
        misses nothing while it comes back within half a minute.

        Whose token is revoked meanwhile is told nothing more. A reminder is told again when the stream ends within a
        minute of it, and when the answer to a poll did not arrive: each has a `receipt`, which the next poll names.
        Of a device that names none it is taken to have arrived when the next poll follows within five seconds; later
        than that, the reminder is told once more.
        """
        asked = read_query(EventsQuery, request)
        device_id = check_id("device_id", caller_of(request).device_or_any(asked.device_id))
        if "text/event-stream" in request.headers.get("Accept", ""):
            return await self._stream(request, device_id)
        poll = await self._mailboxes.collect(device_id, asked.wait, asked.receipt)
        try:
            return await self._answer(request, device_id, poll)
        except BaseException:
            self._mailboxes.lost(device_id, poll)
            raise

    async def _answer(self, request: web.Request, device_id: str, poll: Poll) -> web.Response:
        """Sent here, so that it is noticed when it cannot be."""
        if not await still_welcome(request, device_id):
            self._mailboxes.drop(device_id)
            raise NotPaired("this device is not paired any more", "pair it anew with: lobug devices pair")
        told = [event for notice in poll.notices if (event := self._event(device_id, notice)) is not None]
        events = [{"event": name, **data} for name, data in told]
        response = web.json_response({"events": events, "time": asdict(_time_now()), "receipt": poll.receipt})
        try:
            await response.prepare(request)
            await response.write_eof()
        except ConnectionError:
            self._mailboxes.lost(device_id, poll)
        return response

    async def sound(self, request: web.Request) -> web.Response:
        wav = self._sounds.get(caller_of(request).device_id(None), request.match_info["name"])
        if wav is None:
            raise SoundNotFound("there is no such sound for this device", "fetch a sound soon after its event")
        return web.Response(body=wav, content_type="audio/wav")

    async def close(self, _: web.Application) -> None:
        self._closing.set()
        self._mailboxes.close()

    async def _stream(self, request: web.Request, device_id: str) -> web.StreamResponse:
        sent: deque[tuple[float, ReminderDue]] = deque(maxlen=_MOST_SENT)
        try:
            with self._board.listen(device_id) as ear:
                async with sse_response(request, ping_interval=_PING_SECONDS, send_timeout=_DEAD_SECONDS) as response:
                    await response.send(json.dumps(asdict(_time_now())), event=_NAMES[TellTime])
                    while not self._closing.is_set():
                        notice = await next_arrival(ear, self._closing, _PING_SECONDS)
                        if isinstance(notice, ReminderDue):
                            sent.append((time.monotonic(), notice))
                        if not await still_welcome(request, device_id):
                            break
                        event = self._event(device_id, notice) if notice is not None else None
                        if event is not None:
                            await response.send(json.dumps(event[1]), event=event[0])
        finally:
            if not self._closing.is_set():
                since = time.monotonic() - _ARRIVED_SECONDS
                self._board.give_back(notice for at, notice in sent if at > since)
        return response

    def _event(self, device_id: str, notice: Notice) -> tuple[str, dict[str, Any]] | None:
        """None for what never travels this way."""
        if isinstance(notice, PlayAudio):
            name = self._sounds.keep(device_id, notice)
            seconds = round(len(notice.pcm) / 2 / notice.rate, 3)
            return "audio", {"url": f"/device/sounds/{name}", "seconds": seconds, "turn_id": notice.turn_id}
        if isinstance(notice, GrantKey):
            return None
        return _NAMES[type(notice)], asdict(notice)


def _time_now() -> TellTime:
    at = time.time()
    return TellTime(at, time.localtime(at).tm_gmtoff // 60)
