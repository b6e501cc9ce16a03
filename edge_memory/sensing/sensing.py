"""Readings of devices: the newest in memory, rows in the file at a bounded rate, episodes for notable changes."""

from __future__ import annotations

import math
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from edge_memory.config import MemoryConfig
from edge_memory.errors import StoreError
from edge_memory.records import Kind, Layer, NewRecord, Origin, UserTurn
from edge_memory.sensing.moments import moment_of
from edge_memory.sensing.notable import Watcher
from edge_memory.sensing.over_time import Series, series_of
from edge_memory.store import Connection, Store, devices, jobs, records, sensors
from edge_memory.store.records import Cause
from edge_memory.store.sensors import Reading, SensorState

_MOST_DEVICES, _MOST_NAMES = 256, 64
_MOST_ROWS = 20_000  # that are read for a chart
_LEAST_GAP_SECONDS = 0.1  # between two rows of whatever devices
_OWNER = "owner"
_LONGEST_NAME, _MOST_NAME_WORDS = 40, 4


@dataclass
class _Newest:
    """Each reading of a device with its time; `written` are ticks."""

    readings: OrderedDict[str, tuple[Reading, float]] = field(default_factory=OrderedDict)
    written: float = -math.inf
    is_written: bool = True
    watcher: Watcher = field(default_factory=Watcher)

    def take(self, readings: Mapping[str, Reading], now: float) -> None:
        for name, value in readings.items():
            self.readings[name] = (value, now)
            self.readings.move_to_end(name)
        while len(self.readings) > _MOST_NAMES:
            self.readings.popitem(last=False)
        self.is_written = False


class Sensing:
    """A flood of readings costs one row in `sensor_seconds` for a device; what comes between is in the next row."""

    def __init__(
        self,
        store: Store,
        config: MemoryConfig,
        clock: Callable[[], float],
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._config = config
        self._clock = clock
        self._ticks = ticks
        self._devices: OrderedDict[str, _Newest] = OrderedDict()
        self._written = -math.inf

    async def sense(self, device_id: str, readings: Mapping[str, Reading]) -> None:
        newest, now, ticks = await self._of(device_id), self._clock(), self._ticks()
        newest.take(readings, now)
        happened = newest.watcher.notice(readings, ticks)
        seconds = self._config.sensor_seconds
        gap = min(seconds, _LEAST_GAP_SECONDS)
        due = ticks - newest.written >= seconds and ticks - self._written >= gap
        if due or happened:
            newest.written = self._written = ticks
            await self._write(device_id, newest, happened)

    async def sensed(self, device_id: str) -> SensorState | None:
        """The fresh readings of a device, None when there are none."""
        return self._fresh(device_id, await self._of(device_id))

    async def over_time(self, since: float, device_id: str | None, name: str | None) -> list[Series]:
        """What was kept since a time, by device and reading."""
        states = await self._store.read(lambda connection: sensors.since(connection, since, device_id, _MOST_ROWS))
        return series_of(states, name)

    def moment(self, turn: UserTurn) -> NewRecord | None:
        """An episode for a turn that marks a moment, with what its device, or any, senses now."""
        known = [turn.device_id] if turn.device_id in self._devices else list(self._devices)
        states = [self._fresh(device_id, self._devices[device_id]) for device_id in known if device_id is not None]
        return next((episode for state in states if (episode := moment_of(turn, state)) is not None), None)

    async def flush(self) -> None:
        """Writes what has come since the last row of each device, as far as the file can be written."""
        with suppress(StoreError):
            for device_id, newest in list(self._devices.items()):
                if not newest.is_written:
                    await self._write(device_id, newest, ())

    def forget(self) -> None:
        self._devices.clear()

    async def _of(self, device_id: str) -> _Newest:
        if device_id not in self._devices:
            newest = _Newest()
            last = await self._store.read(lambda connection: sensors.latest(connection, device_id))
            if last is not None:
                newest.take(last.readings, last.at)
                newest.is_written = True
            self._devices.setdefault(device_id, newest)
            while len(self._devices) > _MOST_DEVICES:
                self._devices.popitem(last=False)
        self._devices.move_to_end(device_id)
        return self._devices[device_id]

    def _fresh(self, device_id: str, newest: _Newest) -> SensorState | None:
        now, most = self._clock(), self._config.sensor_fresh_seconds
        fresh = {name: (value, at) for name, (value, at) in newest.readings.items() if abs(now - at) <= most}
        if not fresh:
            return None
        readings = {name: value for name, (value, _) in fresh.items()}
        return SensorState(device_id, readings, max(at for _, at in fresh.values()))

    async def _write(self, device_id: str, newest: _Newest, happened: Sequence[str]) -> None:
        state, now, keep = self._fresh(device_id, newest), self._clock(), self._config.sensor_rows_per_device
        newest.is_written = True
        if state is None:
            return

        def effect(connection: Connection) -> None:
            sensors.append(connection, device_id, state.readings, now, keep)
            device = devices.get(connection, device_id)
            name, user_id = (device.name, device.user_id) if device else (device_id, _OWNER)
            called = f"The device {name}" if _is_plain(name) else "A device"
            for what in happened:
                keep_episode(connection, _episode(f"{called} {what}", user_id, now), now)

        try:
            await self._store.write(effect)
        except StoreError:
            newest.is_written = False
            raise


def _is_plain(name: str) -> bool:
    """Whether it only names: a sentence in the place of a name would be told to the model as one."""
    return len(name) <= _LONGEST_NAME and len(re.split(r"[\s_.-]+", name)) <= _MOST_NAME_WORDS


def keep_episode(connection: Connection, new: NewRecord, now: float) -> None:
    jobs.enqueue(connection, jobs.JobKind.EMBED, "records", {}, now)
    records.insert(connection, new, Cause("insert", "sensed by a device"), now)


def _episode(text: str, user_id: str, now: float) -> NewRecord:
    return NewRecord(
        layer=Layer.EPISODIC,
        kind=Kind.EVENT,
        text=text,
        many=True,
        confidence=1.0,
        importance=0.2,
        tags=("sensors",),
        user_id=user_id,
        origin=Origin.DEVICE,
        event_time=now,
    )
