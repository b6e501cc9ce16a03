"""Where utterances begin and end, over frames that are written down."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.speech.endpointing import Ending, Endpointer, EndpointRules, Phase, Utterance

FRAME = 0.1  # seconds
RULES = EndpointRules(before=0.3, after=0.2, least=0.25, trailing=0.8, longest=5.0, quietest=-55.0)


SOON, LATE = 0.3, 1.2


def listened(picture: str, *, hold: bool = False, loudness: float = -20.0) -> tuple[Utterance, Phase]:
    """`#` is a frame of speech, `-` one of doubt (between off and on), `.` one of silence."""
    endpointer = Endpointer(RULES, FRAME, hold=hold)
    for frame in picture:
        endpointer.feed({"#": 0.9, "-": 0.4, ".": 0.05}[frame], loudness)
    phase = endpointer.phase
    return endpointer.stop(), phase


@pytest.mark.parametrize(
    ("picture", "ending", "begin", "end"),
    [
        ("......####........", Ending.SILENCE, 3, 12),  # three frames before, two after
        ("####........", Ending.SILENCE, 0, 6),
        (".....###.###........", Ending.SILENCE, 2, 14),  # a pause is no end
        (".....###-----###........", Ending.SILENCE, 2, 18),  # doubt goes on as speech that has begun
        (".....####", Ending.STOPPED, 2, 9),
        (".....####...", Ending.STOPPED, 2, 11),
        ("#" * 60, Ending.LONGEST, 0, 50),
        ("......", Ending.NO_SPEECH, 0, 0),
        ("", Ending.NO_SPEECH, 0, 0),
        ("-----.....", Ending.NO_SPEECH, 0, 0),  # doubt begins nothing
        ("....##....", Ending.TOO_SHORT, 0, 0),
        ("##......" * 6, Ending.TOO_SHORT, 0, 0),  # many clicks are no word
        ("##" + "." * 9 + "####" + "." * 8, Ending.SILENCE, 8, 17),  # a click, then somebody
    ],
)
def test_utterances(picture: str, ending: Ending, begin: int, end: int) -> None:
    assert listened(picture)[0] == Utterance(ending, begin, end)


@pytest.mark.parametrize("picture", ["....####....", "....####..####...", "##......####...", "....##...", "........"])
def test_what_a_pause_promises_is_what_the_end_then_gives(picture: str) -> None:
    endpointer = Endpointer(RULES, FRAME)
    for frame in picture:
        endpointer.feed(0.9 if frame == "#" else 0.05, -20.0)
    promised = endpointer.paused
    for _ in range(8):
        endpointer.feed(0.05, -20.0)

    assert endpointer.stop() == promised


def ended_after(picture: str, *, hold: bool = False) -> int:
    """Frames heard when the utterance ended; `!` asks for a short silence, `?` for a long one; they are no frames."""
    endpointer, frames = Endpointer(RULES, FRAME, hold=hold), 0
    for sign in picture:
        if sign in "!?":
            endpointer.end_after(SOON if sign == "!" else LATE)
            continue
        frames += 1
        if endpointer.feed(0.9 if sign == "#" else 0.05, -20.0) is Phase.ENDED:
            return frames
    return 0


@pytest.mark.parametrize(
    ("picture", "frames"),
    [
        ("####........", 12),  # nobody says that it is whole
        ("####.!.......", 7),  # that much silence it must have at least
        ("####.....!...", 10),
        ("####!........", 12),  # who still speaks has not ended
        ("####..!####........", 18),  # who goes on neither
        ("####....#!........", 12),  # a click may be somebody who goes on
        ("####..?..............", 16),  # what breaks off has longer
        ("####..?..###........", 19),  # and who goes on, as usual
    ],
)
def test_what_is_whole_ends_soon(picture: str, frames: int) -> None:
    assert ended_after(picture) == frames


@pytest.mark.parametrize(
    ("picture", "goes_on"),
    [("####", True), ("..####", True), (".." * 20, False), ("..##....", False), ("##........##......##", False)],
)
def test_what_has_ended_goes_on_where_somebody_speaks_and_is_one(picture: str, goes_on: bool) -> None:
    endpointer = Endpointer(RULES, FRAME)
    for frame in "####........":
        endpointer.feed(0.9 if frame == "#" else 0.05, -20.0)
    ended = endpointer.utterance
    assert endpointer.phase is Phase.ENDED
    for frame in picture:
        endpointer.go_on()
        endpointer.feed(0.9 if frame == "#" else 0.05, -20.0)

    assert (endpointer.spoken_frames > ended.last + 1) is goes_on
    assert endpointer.stop().begin == ended.begin


def test_a_held_recording_never_ends_soon() -> None:
    assert ended_after("####..!.........", hold=True) == 0


def test_a_held_recording_is_one_utterance_whatever_its_pauses() -> None:
    utterance, phase = listened("....###" + "." * 30 + "###....", hold=True)

    assert utterance == Utterance(Ending.STOPPED, 1, 42)
    assert phase is Phase.TRAILING


def test_clicks_in_a_held_recording_never_add_up_to_speech() -> None:
    assert listened("##......" * 20, hold=True)[0].ending is Ending.TOO_SHORT
    utterance, _ = listened("##......" * 2 + "####" + "......##" * 3, hold=True)
    assert (utterance.begin, utterance.end) == (13, 22)


def test_speech_from_far_away_is_refused() -> None:
    assert listened("....#####........", loudness=-60.0)[0].ending is Ending.TOO_QUIET


def test_an_ended_utterance_stays_as_it_is() -> None:
    endpointer = Endpointer(RULES, FRAME)
    for frame in [0.9] * 4 + [0.0] * 8:
        endpointer.feed(frame, -20.0)
    before = endpointer.utterance

    assert endpointer.feed(0.9, -20.0) is Phase.ENDED
    assert endpointer.stop() == before


@given(st.lists(st.floats(0, 1), max_size=200), st.booleans())
def test_an_utterance_lies_within_what_was_heard(likelihoods: list[float], hold: bool) -> None:
    endpointer = Endpointer(RULES, FRAME, hold=hold)
    for likelihood in likelihoods:
        endpointer.feed(likelihood, -20.0)
    utterance = endpointer.stop()

    assert 0 <= utterance.begin <= utterance.end <= len(likelihoods)
    assert utterance.is_speech == (utterance.end > utterance.begin)
    if utterance.is_speech:
        assert max(likelihoods[utterance.begin : utterance.end]) >= RULES.on
