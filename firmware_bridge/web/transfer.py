"""Memory leaving, for its owner: all of it as a file, or one memory for good."""

from __future__ import annotations

import asyncio
import json
import time

from aiohttp import web

from edge_memory.memory import Memory
from edge_memory.store.records import to_json
from firmware_bridge.errors import BadRequest
from firmware_bridge.web.bodies import ForgetBody, parse, read_json
from firmware_bridge.web.doors import caller_of
from firmware_bridge.web.recollections import own_record


class TransferRoutes:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def routes(self) -> list[web.RouteDef]:
        return [web.get("/memory/export", self.export), web.post("/memory/records/{id}/forget", self.forget)]

    async def export(self, request: web.Request) -> web.Response:
        """What `lobug memory export` writes, under a name of its own."""
        document = await self._memory.export(caller_of(request).user_id)
        name = time.strftime("lobug-memory-%Y%m%d-%H%M%S.json")
        text = await asyncio.to_thread(json.dumps, document, ensure_ascii=False, indent=1)  # of years it takes seconds
        return web.json_response(text=text, headers={"Content-Disposition": f'attachment; filename="{name}"'})

    async def forget(self, request: web.Request) -> web.Response:
        """Without `ids` nothing goes: it names what would, kin and retellings included. With exactly these it goes."""
        record, _ = await own_record(self._memory, request)
        agreed = parse(ForgetBody, await read_json(request)).ids
        doomed = await self._memory.transfer.of_id(record.id)
        ids = sorted(one.id for one in doomed)
        if agreed is None:
            return web.json_response({"forgotten": [], "would_forget": [to_json(one) for one in doomed], "ids": ids})
        if sorted(set(agreed)) != ids:
            raise BadRequest("ids are not what would go now", "ask again without them, and show that to the owner")
        await self._memory.forget(doomed)
        return web.json_response({"forgotten": ids, "would_forget": [], "ids": []})
