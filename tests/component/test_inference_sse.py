from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.inference.sse import EventDecoder, EventTooLong

STREAM = (
    ': keep-alive\r\n\r\ndata: {"a": "é"}\r\n\r\nevent: x\ndata:one\ndata: two\n\n\n: again\n\ndata: [DONE]\n\n'
).encode()


@given(st.integers(1, 80))
def test_events_are_the_same_however_the_stream_is_cut(size: int) -> None:
    decoder = EventDecoder()
    events = [event for at in range(0, len(STREAM), size) for event in decoder.feed(STREAM[at : at + size])]
    assert events == ['{"a": "é"}', "one\ntwo", "[DONE]"]


@given(st.lists(st.binary(max_size=40), max_size=10))
def test_noise_raises_nothing(chunks: list[bytes]) -> None:
    decoder = EventDecoder()
    for chunk in chunks:
        decoder.feed(chunk)


@pytest.mark.parametrize("flood", [b"data: x", b"data: xxxx\n"])
def test_an_event_without_an_end_is_refused(flood: bytes) -> None:
    decoder = EventDecoder()
    decoder.feed(flood)
    with pytest.raises(EventTooLong):
        decoder.feed(flood * 300_000)
