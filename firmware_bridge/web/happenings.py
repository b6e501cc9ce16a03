"""`GET /events`: what happens in the companion, as server-sent events, for pages that show it as it happens."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from aiohttp import web
from aiohttp_sse import sse_response

from firmware_bridge.contracts import Heard, ReplyText, Said, TurnBegun, TurnEvent
from firmware_bridge.web.doors import Caller, caller_of, still_welcome
from firmware_bridge.web.failures import describe
from firmware_bridge.web.mailboxes import next_arrival
from firmware_bridge.web.talk import said_json

_MOST_WAITING = 256
_PING_SECONDS, _DEAD_SECONDS = 10.0, 30.0


@dataclass(frozen=True, slots=True)
class Happening:
    """`user_id` None: everybody may know."""

    name: str
    data: Mapping[str, Any]
    user_id: str | None = None


class Watcher:
    """One page's view. What waits is bounded: the oldest goes first."""

    def __init__(self, user_id: str) -> None:
        self.user_id = user_id
        self._waiting: deque[Happening] = deque(maxlen=_MOST_WAITING)
        self._arrived = asyncio.Event()

    async def next(self) -> Happening:
        """The oldest, waiting for one. Safe to cancel."""
        while not self._waiting:
            self._arrived.clear()
            await self._arrived.wait()
        return self._waiting.popleft()

    def put(self, happening: Happening) -> None:
        """The same again, right after itself, tells nothing new."""
        if happening.user_id in (None, self.user_id) and happening not in list(self._waiting)[-1:]:
            self._waiting.append(happening)
            self._arrived.set()


class Happenings:
    """Turns as they begin and end, and that memory is not what it was."""

    def __init__(self) -> None:
        self._watchers: list[Watcher] = []

    @contextmanager
    def watch(self, user_id: str) -> Iterator[Watcher]:
        watcher = Watcher(user_id)
        self._watchers.append(watcher)
        try:
            yield watcher
        finally:
            self._watchers.remove(watcher)

    def turn(self, heard: Heard, event: TurnEvent | Exception) -> None:
        """Given every event of every turn."""
        if self._watchers and not isinstance(event, ReplyText):
            who = {"session_id": heard.session_id, "device_id": heard.device_id, "heard": heard.text}
            self._tell(_told(event, who, heard.user_id))

    def taken_back(self, heard: Heard) -> None:
        """A turn that was told of counts for nothing."""
        who = {"session_id": heard.session_id, "device_id": heard.device_id, "turn_id": heard.turn_id}
        self._tell(Happening("taken_back", who, heard.user_id))

    def memory_changed(self) -> None:
        self._tell(Happening("memory", {}))

    def _tell(self, happening: Happening) -> None:
        for watcher in self._watchers:
            watcher.put(happening)


class HappeningRoutes:
    """After `close`, whoever watches is let go."""

    def __init__(self, happenings: Happenings) -> None:
        self._happenings = happenings
        self._closing = asyncio.Event()

    def routes(self) -> list[web.RouteDef]:
        return [web.get("/events", self.events)]

    async def close(self, _: web.Application) -> None:
        self._closing.set()

    async def events(self, request: web.Request) -> web.StreamResponse:
        """`begun`, `said`, `failed`, `taken_back` of each turn of the caller's user, and `memory` when it is not what
        it was. Guests are told nothing of paired devices, and who is locked out meanwhile nothing more.
        """
        caller = caller_of(request)
        with self._happenings.watch(caller.user_id) as watcher:
            async with sse_response(request, ping_interval=_PING_SECONDS, send_timeout=_DEAD_SECONDS) as response:
                while (happening := await next_arrival(watcher, self._closing)) is not None:
                    if not await still_welcome(request):
                        break
                    if caller.device is not None or _is_open_to(caller, happening.data):
                        await response.send(json.dumps(happening.data), event=happening.name)
        return response


def _is_open_to(guest: Caller, data: Mapping[str, Any]) -> bool:
    return guest.may_hear(data.get("device_id")) and guest.may_follow(data.get("session_id"))


def _told(event: TurnBegun | Said | Exception, who: Mapping[str, Any], user_id: str) -> Happening:
    if isinstance(event, Exception):
        return Happening("failed", {**who, **describe(event)[1]}, user_id)
    if isinstance(event, Said):
        return Happening("said", {**who, **said_json(event)}, user_id)
    return Happening("begun", {**who, "turn_id": event.turn_id}, user_id)
