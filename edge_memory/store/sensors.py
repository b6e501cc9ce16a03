"""Sensor readings, kept with their time."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from edge_memory.store.connection import Connection

Reading = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class SensorState:
    """The newest readings of a device, with their time."""

    device_id: str
    readings: Mapping[str, Reading]
    at: float


def append(connection: Connection, device_id: str, readings: Mapping[str, Reading], now: float, keep: int) -> None:
    """Also drops what is older than the device's newest `keep` rows."""
    connection.execute(
        "INSERT INTO sensor_log (device_id, readings, created_at) VALUES (?, ?, ?)",
        (device_id, json.dumps(dict(readings)), now),
    )
    connection.execute(
        "DELETE FROM sensor_log WHERE device_id = ?1 AND id <= (SELECT id FROM sensor_log WHERE device_id = ?1"
        " ORDER BY id DESC LIMIT 1 OFFSET ?2)",
        (device_id, keep),
    )


def since(connection: Connection, at: float, device_id: str | None, most: int) -> list[SensorState]:
    """What was kept since a time, of one device or of all; oldest first. Of more than `most` rows the newest."""
    rows = connection.execute(
        "SELECT device_id, readings, created_at FROM sensor_log"
        " WHERE created_at >= ?1 AND (?2 IS NULL OR device_id = ?2) ORDER BY id DESC LIMIT ?3",
        (at, device_id, most),
    ).fetchall()
    return [SensorState(str(who), json.loads(str(readings)), float(str(then))) for who, readings, then in rows[::-1]]


def latest(connection: Connection, device_id: str) -> SensorState | None:
    """None when the device never sent anything."""
    row = connection.execute(
        "SELECT readings, created_at FROM sensor_log WHERE device_id = ? ORDER BY id DESC LIMIT 1",
        (device_id,),
    ).fetchone()
    return None if row is None else SensorState(device_id, json.loads(row[0]), row[1])
