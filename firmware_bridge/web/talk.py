"""The routes that a device talks to: text in, reply out; sensors in."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Any, Protocol

from aiohttp import web
from aiohttp_sse import EventSourceResponse, sse_response

from edge_memory.store.sensors import Reading
from firmware_bridge.contracts import Heard, ReplyText, Said, TurnEvent, check_id
from firmware_bridge.errors import BadRequest
from firmware_bridge.web.bodies import ChatTextBody, parse, parse_readings, read_json
from firmware_bridge.web.doors import caller_of, check_still_welcome
from firmware_bridge.web.failures import describe
from firmware_bridge.web.queries import DeviceQuery, read_query


class Progress(Protocol):
    """A turn that runs."""

    @property
    def heard(self) -> Heard: ...

    def follow(self) -> AsyncIterator[TurnEvent]:
        """Every event from the beginning. Raises what the turn fails with."""


class Companion(Protocol):
    """What the web room needs of the running companion."""

    def talk(self, heard: Heard) -> AsyncIterator[TurnEvent]: ...

    async def sense(self, device_id: str, readings: dict[str, Reading]) -> None: ...

    async def health(self) -> dict[str, Any]: ...

    def running(self, turn_id: str) -> Progress | None:
        """A turn whose id the client gave, while it runs."""


class TalkRoutes:
    def __init__(self, companion: Companion) -> None:
        self._companion = companion

    def routes(self) -> list[web.RouteDef]:
        return [
            web.post("/chat/text", self.chat_text),
            web.post("/context/sensors", self.context_sensors),
            web.get("/health", self.health),
        ]

    async def chat_text(self, request: web.Request) -> web.StreamResponse:
        body = parse(ChatTextBody, await read_json(request))
        heard = caller_of(request).heard(body.text, body.session_id, body.device_id, body.turn_id)
        events = self._companion.talk(heard)
        first = await anext(events)  # what is wrong with the request shows here, before any status is sent
        if body.stream:
            return await stream_turn(request, first, events)
        said = [event async for event in events if isinstance(event, Said)][-1]
        await check_still_welcome(request)
        return web.json_response(said_json(said))

    async def context_sensors(self, request: web.Request) -> web.Response:
        """Readings of the device named as `device_id` in the body or the query; kept with the time."""
        readings = parse_readings(await read_json(request))
        named = readings.pop("device_id", read_query(DeviceQuery, request).device_id)
        if not readings:
            raise BadRequest("there is no reading beside device_id", 'send one such as {"temperature": 21.5}')
        device_id = caller_of(request).device_or_any(None if named is None else str(named))
        await self._companion.sense(check_id("device_id", device_id), readings)
        return web.Response(status=204)

    async def health(self, request: web.Request) -> web.Response:
        return web.json_response(await self._companion.health())


async def stream_turn(request: web.Request, first: TurnEvent, events: AsyncIterator[TurnEvent]) -> EventSourceResponse:
    """The events of a turn as server-sent events. Who is locked out meanwhile is told so, and nothing more."""
    async with sse_response(request, allow_all_methods=True) as response:
        await _send(response, first)
        try:
            async for event in events:
                await check_still_welcome(request)
                await _send(response, event)
        except ConnectionError:
            pass  # the listener left; the turn goes on without it
        except Exception as error:  # noqa: BLE001 - the status is sent already: the error is an event
            await response.send(json.dumps(describe(error)[1]), event="error")
    return response


async def _send(response: EventSourceResponse, event: TurnEvent) -> None:
    if isinstance(event, ReplyText):
        await response.send(json.dumps({"text": event.text}), event="delta")
    elif isinstance(event, Said):
        await response.send(json.dumps(said_json(event)), event="done")
    else:
        await response.send(json.dumps({"turn_id": event.turn_id, "session_id": event.session_id}), event="begin")


def said_json(said: Said) -> dict[str, Any]:
    return asdict(said)
