"""`GET /reminders`: what is waiting, missed, told or cancelled."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from aiohttp import web

from edge_memory.reminders import Reminder, Reminders
from firmware_bridge.web.answers import ReminderTold
from firmware_bridge.web.doors import caller_of


class ReminderRoutes:
    def __init__(self, reminders: Reminders) -> None:
        self._reminders = reminders

    def routes(self) -> list[web.RouteDef]:
        return [web.get("/reminders", self.reminders)]

    async def reminders(self, request: web.Request) -> web.Response:
        """Of the caller's user, newest first."""
        found = await self._reminders.all(caller_of(request).user_id)
        return web.json_response({"reminders": [reminder_json(reminder) for reminder in found]})


def reminder_json(reminder: Reminder) -> dict[str, Any]:
    """With `due_local`, the due time in the zone of this machine."""
    local = datetime.fromtimestamp(reminder.due_at, tz=UTC).astimezone()
    return asdict(ReminderTold(**asdict(reminder), due_local=local.isoformat(timespec="seconds")))
