"""The forms in which memories are told to the model."""

from __future__ import annotations

import pytest

from edge_memory.records import Kind, Layer, Record, Role
from firmware_bridge.turn.injection import Injection

TEA = Record(Layer.PROFILE, Kind.PREFERENCE, "The user likes\ntea", confidence=0.9, valid_from=1_900_000_000.0)
CAT = Record(Layer.PROFILE, Kind.FACT, "The user has a cat")


@pytest.mark.parametrize(
    ("detail", "told"),
    [
        ("compact", "- The user likes tea\n- The user has a cat"),
        (
            "detailed",
            "- [Preference] The user likes tea (0.90 sure, since 2030-03-17)\n- [Fact] The user has a cat (0.40 sure)",
        ),
    ],
)
def test_a_memory_is_one_line(detail: str, told: str) -> None:
    assert Injection(detail=detail).lines([TEA, CAT]) == told


def test_the_assistant_tells_it_only_where_it_is_asked_to() -> None:
    (said,) = Injection("assistant_preamble").preamble([CAT])
    assert said.role is Role.ASSISTANT
    assert said.content.endswith("\n- The user has a cat")
    assert Injection("assistant_preamble").preamble([]) == []
    assert Injection("system").preamble([CAT]) == []
