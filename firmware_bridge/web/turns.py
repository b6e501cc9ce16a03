"""Turns that take longer than a device waits: begun and acknowledged at once, fetched or followed afterwards."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any, Literal

from aiohttp import web

from edge_memory.memory import Memory
from firmware_bridge.contracts import Action, Heard, ReplyText, Said, check_id
from firmware_bridge.errors import ModelLoading, TurnBroken, TurnNotFound
from firmware_bridge.web.answers import TurnSoFar, TurnUnderWay
from firmware_bridge.web.bodies import TurnBody, parse, read_json
from firmware_bridge.web.doors import Caller, caller_of, check_still_welcome
from firmware_bridge.web.queries import WaitQuery, read_query
from firmware_bridge.web.talk import Companion, Progress, said_json, stream_turn

_ACKNOWLEDGED_WITHIN_SECONDS = 3.0  # clients on microcontrollers give up after five


class TurnRoutes:
    def __init__(self, companion: Companion, memory: Memory) -> None:
        self._companion = companion
        self._memory = memory

    def routes(self) -> list[web.RouteDef]:
        return [web.post("/turns", self.begin), web.get("/turns/{id}", self.turn)]

    async def begin(self, request: web.Request) -> web.Response:
        """202 once the turn is under way. Sent again with the same `turn_id`, it is not run twice."""
        body = parse(TurnBody, await read_json(request))
        turn_id = body.turn_id or uuid.uuid4().hex
        heard = caller_of(request).heard(body.text, body.session_id, body.device_id, turn_id)
        state = await self._under_way(heard, turn_id)
        told = TurnUnderWay(turn_id=turn_id, session_id=heard.session_id, state=state)
        return web.json_response(told, status=202, headers={"Location": f"/turns/{turn_id}"})

    async def _under_way(self, heard: Heard, turn_id: str) -> Literal["running", "waiting"]:
        """`running` when its words are on disk, `waiting` when it queues behind another turn of its session."""
        try:
            async with asyncio.timeout(_ACKNOWLEDGED_WITHIN_SECONDS):
                await anext(self._companion.talk(heard))
        except TimeoutError:
            if self._companion.running(turn_id) is None:
                told = "not heard yet: the chat model is still loading, or the turns of others wait"
                raise ModelLoading(told, "send it again in some seconds") from None
            return "waiting"
        return "running"

    async def turn(self, request: web.Request) -> web.StreamResponse:
        """The answer, or 202 with what is written so far. `wait` is how many seconds to wait for the answer; with
        `Accept: text/event-stream` the events from the beginning.
        """
        turn_id, caller = check_id("turn_id", request.match_info["id"]), caller_of(request)
        wait = read_query(WaitQuery, request).wait
        progress = self._companion.running(turn_id)
        if progress is None:
            return web.json_response(await self._finished(turn_id, caller))
        _check_own(caller, progress.heard.session_id)
        if "text/event-stream" in request.headers.get("Accept", ""):
            events = progress.follow()
            return await stream_turn(request, await anext(events), events)
        said, text = await _wait(progress, wait)
        await check_still_welcome(request)
        if said is not None:
            return web.json_response(said_json(said))
        so_far = TurnSoFar(turn_id=turn_id, session_id=progress.heard.session_id, state="running", text=text)
        return web.json_response(so_far, status=202)

    async def _finished(self, turn_id: str, caller: Caller) -> dict[str, Any]:
        told = await self._memory.turn(turn_id)
        if told is None:
            raise TurnNotFound(f"no turn {turn_id} was heard", "send it with POST /turns")
        _check_own(caller, told.session_id)
        if told.action is None or (told.action == Action.RESPOND and not told.said):
            raise TurnBroken("this turn was heard and broke off", "send it again with the same turn_id")
        return said_json(Said(Action(told.action), told.said, turn_id, told.session_id, (), told.timings))


async def _wait(progress: Progress, seconds: float) -> tuple[Said | None, str]:
    """How the turn ended, None if it did not within this time, and what was written."""
    text = ""
    try:
        async with asyncio.timeout(seconds):
            async for event in progress.follow():
                if isinstance(event, ReplyText):
                    text += event.text
                elif isinstance(event, Said):
                    return event, event.text
    except TimeoutError:
        pass
    return None, text.strip()


def _check_own(caller: Caller, session_id: str) -> None:
    """A device sees its own turns only, a guest none of a paired device. Nobody is told that there are others."""
    if not caller.may_follow(session_id):
        raise TurnNotFound("this turn was not heard from here", "send it with POST /turns")
