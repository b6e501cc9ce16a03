"""Wyoming's frames: whatever the bytes, whole events or a plain refusal, and never more held than the caps."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wyoming.event import Event

from firmware_bridge.errors import BadEvent
from firmware_bridge.integrations.wyoming.framing import (
    LONGEST_DATA,
    LONGEST_HEAD,
    LONGEST_PAYLOAD,
    EventReader,
)


def wire(event: Event) -> bytes:
    data = json.dumps(event.data).encode() if event.data else b""
    head = {"type": event.type, "data_length": len(data), "payload_length": len(event.payload or b"")}
    return json.dumps(head).encode() + b"\n" + data + (event.payload or b"")


def taken(reader: EventReader) -> list[Event]:
    events = []
    while (event := reader.take()) is not None:
        events.append(event)
    return events


EVENTS = st.builds(
    Event,
    st.text(),
    st.dictionaries(st.text(), st.one_of(st.none(), st.booleans(), st.integers(), st.text()), max_size=4),
    st.one_of(st.none(), st.binary(min_size=1, max_size=300)),
)


@given(st.lists(EVENTS, max_size=5), st.lists(st.integers(1, 80), max_size=30))
def test_events_survive_any_cutting(events: list[Event], cuts: list[int]) -> None:
    left, reader, came = b"".join(map(wire, events)), EventReader(), []
    for cut in [*cuts, len(left) or 1]:
        reader.feed(left[:cut])
        left = left[cut:]
        came += taken(reader)
    reader.feed(left)
    assert came + taken(reader) == events
    assert reader.is_between_events


@given(st.binary(max_size=2_000))
def test_garbage_is_refused_or_waited_on_and_nothing_else(data: bytes) -> None:
    reader = EventReader()
    reader.feed(data)
    with suppress(BadEvent):
        taken(reader)


def test_data_in_the_head_is_joined_with_what_follows() -> None:
    reader = EventReader()
    reader.feed(b'{"type": "ping", "data": {"text": "a", "more": 1}, "data_length": 13}\n{"text": "b"}')
    assert reader.take() == Event("ping", {"text": "b", "more": 1})


@pytest.mark.parametrize(
    "head",
    [
        b"\n",
        b"[]\n",
        b"{}\n",
        b'{"type": 1}\n',
        b'{"type": "x", "data": [1]}\n',
        b'{"type": "x", "data_length": -1}\n',
        b'{"type": "x", "payload_length": "5"}\n',
        b'{"type": "x", "payload_length": 1e400}\n',
        b'{"type": "x", "data_length": 2}\n[]',
        b'{"type": "x", "data_length": %d}\n' % (LONGEST_DATA + 1),
        b'{"type": "x", "payload_length": %d}\n' % (LONGEST_PAYLOAD + 1),
        b"\xff\xfe\n",
        b"[" * 60_000 + b"\n",
        b"x" * (LONGEST_HEAD + 1),
        b"x" * (LONGEST_HEAD + 1) + b"\n",
    ],
)
def test_what_cannot_be_an_event_is_refused_at_once(head: bytes) -> None:
    reader = EventReader()
    reader.feed(head)
    with pytest.raises(BadEvent):
        reader.take()
