"""What waits for a decision, and deciding it. Reading is for everyone who may read memory, deciding for the owner."""

from __future__ import annotations

from aiohttp import web

from edge_memory.memory import Memory
from edge_memory.review import Decision
from edge_memory.store.records import to_json
from firmware_bridge.web.doors import caller_of
from firmware_bridge.web.recollections import own_record


class ReviewRoutes:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/memory/review", self.waiting),
            web.post("/memory/review/{id}/confirm", self.confirm),
            web.post("/memory/review/{id}/reject", self.reject),
        ]

    async def waiting(self, request: web.Request) -> web.Response:
        """Oldest first, each with the `reason` it was proposed for and the ids of what confirming it `replaces`; and
        whether the caller may decide.
        """
        waiting = await self._memory.review.pending(caller_of(request).user_id)
        shown = [to_json(one.record) | {"reason": one.reason, "replaces": list(one.replaces)} for one in waiting]
        may_decide = caller_of(request).is_owner
        return web.json_response({"records": shown, "total": len(shown), "may_decide": may_decide})

    async def confirm(self, request: web.Request) -> web.Response:
        return _decided(await self._memory.review.confirm(await self._own(request)))

    async def reject(self, request: web.Request) -> web.Response:
        return _decided(await self._memory.review.reject(await self._own(request)))

    async def _own(self, request: web.Request) -> int:
        """The id of a record of the caller's. Raises BadRequest and RecordNotFound."""
        record, _ = await own_record(self._memory, request)
        return record.id


def _decided(decision: Decision) -> web.Response:
    return web.json_response(
        {"record": to_json(decision.record), "ended": [to_json(ended) for ended in decision.ended]}
    )
