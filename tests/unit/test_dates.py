from __future__ import annotations

from datetime import UTC, datetime

import pytest

from edge_memory.observe.english.dates import event_time

SAID = datetime(2031, 3, 12, 18, 30, tzinfo=UTC).astimezone()  # a Wednesday


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("the choir meets tomorrow at eight", (2031, 3, 13, 8, 0)),
        ("the choir met yesterday", (2031, 3, 11, 0, 0)),
        ("the ferry goes on Friday at nine", (2031, 3, 14, 9, 0)),
        ("the ferry goes on Wednesday", (2031, 3, 19, 0, 0)),
        ("the ferry goes next Friday", (2031, 3, 21, 0, 0)),
        ("we came last Monday", (2031, 3, 10, 0, 0)),
        ("the vet comes on the fourteenth at three", (2031, 3, 14, 15, 0)),
        ("the vet comes on the second", (2031, 4, 2, 0, 0)),
        ("the boat leaves on June the first", (2031, 6, 1, 0, 0)),
        ("Ola's birthday is the third of February", (2032, 2, 3, 0, 0)),
        ("the boat leaves on the twenty first of May at half past four", (2031, 5, 21, 16, 30)),
        ("the boat leaves on May 21st at quarter to nine in the morning", (2031, 5, 21, 8, 45)),
        ("we moved two weeks ago", (2031, 2, 26, 0, 0)),
        ("the roof is done in three days", (2031, 3, 15, 0, 0)),
        ("the roof is done in a fortnight", (2031, 3, 26, 0, 0)),
        ("we moved a couple of weeks ago", (2031, 2, 26, 0, 0)),
        ("we moved last month", (2031, 2, 12, 0, 0)),
        ("we get a boat in August", (2031, 8, 1, 0, 0)),
        ("the choir meets today at noon", (2031, 3, 12, 12, 0)),
        ("the mast broke on the ninth", (2031, 3, 9, 0, 0)),
    ],
)
def test_words_become_a_moment(text: str, moment: tuple[int, ...]) -> None:
    found = event_time(text, SAID.timestamp())
    assert found is not None
    local = datetime.fromtimestamp(found, tz=SAID.tzinfo)
    assert (local.year, local.month, local.day, local.hour, local.minute) == moment


@pytest.mark.parametrize(
    "text",
    [
        "my aunt keeps hens",
        "the choir meets every Friday",
        "we row on Sundays",
        "the second one is mine",
        "the third floor",
    ],
)
def test_what_names_no_moment(text: str) -> None:
    assert event_time(text, SAID.timestamp()) is None


def test_a_clock_that_was_never_set_tells_no_date() -> None:
    assert event_time("the choir meets tomorrow", 1_000.0) is None
