"""Storing the profile at the end of a session and after every few turns, with its confidence and its time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from edge_memory.review.profile import Profile, project
from edge_memory.store import Connection, Transaction, jobs, profiles
from edge_memory.store.erase import users
from edge_memory.store.jobs import JobKind

_EVERY_TURNS = 5


def due_profile(connection: Connection, user_id: str, now: float) -> None:
    """Leaves the job after five turns, and when a turn in another session shows that the last session has ended."""
    sessions = profiles.turns_since(connection, user_id, _EVERY_TURNS)
    if len(sessions) >= _EVERY_TURNS or len(set(sessions)) > 1:
        _leave(connection, user_id, now)


def due_profiles_at_start(connection: Connection, now: float) -> None:
    """No session outlives the process: leaves the job for everybody who has spoken since their profile was stored."""
    for user_id in users(connection):
        if profiles.turns_since(connection, user_id, 1):
            _leave(connection, user_id, now)


def store_profile(
    payload: Mapping[str, Any], is_sensitive: Callable[[str | None], bool], clock: Callable[[], float]
) -> Transaction[None]:
    """The effect of the job `profile`."""
    user_id = str(payload["user_id"])

    def effect(connection: Connection) -> None:
        profile = project(connection, user_id, is_sensitive)
        profiles.store(connection, user_id, asdict(profile), confidence_of(profile), clock())

    return effect


def confidence_of(profile: Profile) -> float:
    """The mean of how sure its entries are, each record counted once; 0 for an empty profile."""
    slots = (profile.identity, profile.hard_preferences, profile.soft_preferences)
    entries = [entry for section in slots for slot in section.values() for entry in slot] + profile.current_tasks
    sure = {entry["record_id"]: entry["confidence"] for entry in entries}
    return round(sum(sure.values()) / len(sure), 3) if sure else 0.0


def _leave(connection: Connection, user_id: str, now: float) -> None:
    jobs.enqueue(connection, JobKind.PROFILE, user_id, {"user_id": user_id}, now)
