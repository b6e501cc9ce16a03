"""The routes that show what memory holds. They only read."""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from typing import Any, TypeVar

from aiohttp import web

from edge_memory.errors import RecordNotFound
from edge_memory.memory import Memory
from edge_memory.recall import found_json
from edge_memory.records import Kind, Layer, Ranker, Status
from edge_memory.store.finding import Wanted
from edge_memory.store.profiles import StoredProfile
from edge_memory.store.records import to_json
from firmware_bridge.errors import BadRequest
from firmware_bridge.web.doors import caller_of

E = TypeVar("E", bound=StrEnum)


class MemoryRoutes:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/memory/records", self.records),
            web.get("/memory/records/{id}", self.record),
            web.get("/memory/search", self.search),
            web.get("/memory/turns", self.turns),
            web.get("/memory/profile", self.profile),
            web.get("/memory/base", self.base),
            web.get("/memory/stats", self.stats),
        ]

    async def records(self, request: web.Request) -> web.Response:
        page, total = await self._memory.select(
            _wanted(request), _number(request, "limit", 50), _number(request, "offset", 0)
        )
        return web.json_response({"records": [to_json(record) for record in page], "total": total})

    async def record(self, request: web.Request) -> web.Response:
        record_id = record_id_of(request)
        record, history = await self._memory.inspect(record_id)
        if record.user_id != caller_of(request).user_id:
            raise RecordNotFound(f"there is no record {record_id}", "GET /memory/records lists them")
        entries = [
            {
                "action": entry.action,
                "reason": entry.reason,
                "before": entry.before,
                "after": entry.after,
                "turn_id": entry.turn_id,
                "at": entry.at,
            }
            for entry in history
        ]
        review = self._memory.review
        lineage = {
            "replaced": [old.id for old in await review.replaced(record.id)],
            "replaced_by": await review.replacement(record.id),
        }
        return web.json_response(to_json(record) | lineage | {"history": entries})

    async def search(self, request: web.Request) -> web.Response:
        query, k = request.query.get("q", ""), _number(request, "k", 10)
        ranker = _one_of(request, "ranker", Ranker) or Ranker.FUSED
        return web.json_response(found_json(await self._memory.look_up(query, k, _wanted(request), ranker)))

    async def turns(self, request: web.Request) -> web.Response:
        user_id, session_id = caller_of(request).user_id, request.query.get("session_id")
        turn_id = request.query.get("turn_id")
        turns = await self._memory.turns(session_id, _number(request, "limit", 20), user_id, turn_id)
        return web.json_response({"turns": turns})

    async def profile(self, request: web.Request) -> web.Response:
        user_id, review = caller_of(request).user_id, self._memory.review
        stored = await review.stored_profile(user_id)
        return web.json_response(asdict(await review.profile(user_id)) | {"stored": stored and stored_json(stored)})

    async def base(self, request: web.Request) -> web.Response:
        current = await self._memory.base_memory(caller_of(request).user_id)
        return web.json_response(
            {"version": current.version, "content": current.content, "created_at": current.created_at}
        )

    async def stats(self, request: web.Request) -> web.Response:
        return web.json_response(await self._memory.stats())


def stored_json(stored: StoredProfile) -> dict[str, Any]:
    """When the profile was stored last, and how sure it was then."""
    return {"version": stored.version, "confidence": stored.confidence, "created_at": stored.created_at}


def _wanted(request: web.Request) -> Wanted:
    """Which of the caller's records are asked for."""
    return Wanted(
        caller_of(request).user_id,
        _one_of(request, "status", Status),
        _one_of(request, "layer", Layer),
        _one_of(request, "kind", Kind),
        request.query.get("scope"),
        request.query.get("session_id"),
    )


def record_id_of(request: web.Request) -> int:
    """Of the path. Raises BadRequest."""
    text = request.match_info["id"]
    if not text.isdecimal() or len(text) > 18:
        raise BadRequest(f"{text!r} is not a record id", "an id is a number")
    return int(text)


def _number(request: web.Request, name: str, default: int) -> int:
    text = request.query.get(name, str(default))
    if not text.isdecimal() or len(text) > 9:
        raise BadRequest(f"{name} is {text!r}", "give a whole number")
    return int(text)


def _one_of(request: web.Request, name: str, kind: type[E]) -> E | None:
    text = request.query.get(name)
    if text is None:
        return None
    try:
        return kind(text)
    except ValueError:
        raise BadRequest(f"{name} is {text!r}", f"one of {', '.join(kind)}") from None
