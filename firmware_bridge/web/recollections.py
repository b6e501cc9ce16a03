"""The routes that show what memory holds. They only read."""

from __future__ import annotations

from dataclasses import asdict

from aiohttp import web

from edge_memory.errors import RecordNotFound
from edge_memory.memory import Memory
from edge_memory.recall import found_json
from edge_memory.records import Record
from edge_memory.store.finding import Wanted
from edge_memory.store.profiles import StoredProfile
from edge_memory.store.records import HistoryEntry, to_json
from firmware_bridge.web.answers import BaseTold, HistoryTold, ProfileKept
from firmware_bridge.web.doors import caller_of
from firmware_bridge.web.queries import (
    RecordPath,
    RecordsQuery,
    SearchQuery,
    TurnsQuery,
    WhichQuery,
    read_path,
    read_query,
)


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
            web.get("/memory/profile/versions", self.profile_versions),
            web.get("/memory/base/versions", self.base_versions),
            web.get("/memory/stats", self.stats),
        ]

    async def records(self, request: web.Request) -> web.Response:
        asked = read_query(RecordsQuery, request)
        page, total = await self._memory.select(_wanted(request, asked), asked.limit, asked.offset)
        return web.json_response({"records": [to_json(record) for record in page], "total": total})

    async def record(self, request: web.Request) -> web.Response:
        record, history = await own_record(self._memory, request)
        entries = [
            HistoryTold(
                action=entry.action,
                reason=entry.reason,
                before=entry.before,
                after=entry.after,
                turn_id=entry.turn_id,
                at=entry.at,
            )
            for entry in history
        ]
        review = self._memory.review
        lineage = {
            "replaced": [old.id for old in await review.replaced(record.id)],
            "replaced_by": await review.replacement(record.id),
        }
        return web.json_response(to_json(record) | lineage | {"history": entries})

    async def search(self, request: web.Request) -> web.Response:
        asked = read_query(SearchQuery, request)
        found = await self._memory.look_up(asked.q, asked.k, _wanted(request, asked), asked.ranker)
        return web.json_response(found_json(found))

    async def turns(self, request: web.Request) -> web.Response:
        asked = read_query(TurnsQuery, request)
        user_id = caller_of(request).user_id
        turns = await self._memory.turns(asked.session_id, asked.limit, user_id, asked.turn_id)
        return web.json_response({"turns": turns})

    async def profile(self, request: web.Request) -> web.Response:
        user_id, review = caller_of(request).user_id, self._memory.review
        stored = await review.stored_profile(user_id)
        return web.json_response(asdict(await review.profile(user_id)) | {"stored": stored and stored_json(stored)})

    async def base(self, request: web.Request) -> web.Response:
        current = await self._memory.base_memory(caller_of(request).user_id)
        told = BaseTold(version=current.version, content=current.content, created_at=current.created_at)
        return web.json_response(told)

    async def profile_versions(self, request: web.Request) -> web.Response:
        """As they were stored, newest first."""
        stored = await self._memory.review.stored_profiles(caller_of(request).user_id)
        return web.json_response({"versions": [stored_json(one) | {"profile": one.content} for one in stored]})

    async def base_versions(self, request: web.Request) -> web.Response:
        """Newest first."""
        versions = await self._memory.base_memory_versions(caller_of(request).user_id)
        return web.json_response({"versions": [asdict(one) for one in versions]})

    async def stats(self, request: web.Request) -> web.Response:
        return web.json_response(await self._memory.stats())


async def own_record(memory: Memory, request: web.Request) -> tuple[Record, list[HistoryEntry]]:
    """The record that the path names, if it is the caller's, and its history. Raises BadRequest and RecordNotFound."""
    record_id = read_path(RecordPath, request).id
    record, history = await memory.inspect(record_id)
    if record.user_id != caller_of(request).user_id:
        raise RecordNotFound(f"there is no record {record_id}", "GET /memory/records lists them")
    return record, history


def stored_json(stored: StoredProfile) -> ProfileKept:
    """When the profile was stored last, and how sure it was then."""
    return ProfileKept(version=stored.version, confidence=stored.confidence, created_at=stored.created_at)


def _wanted(request: web.Request, asked: WhichQuery) -> Wanted:
    """Which of the caller's records are asked for."""
    user_id = caller_of(request).user_id
    return Wanted(user_id, asked.status, asked.layer, asked.kind, asked.scope, asked.session_id)
