from __future__ import annotations

from firmware_bridge.inference.asked import Asked


def test_only_a_newer_asking_of_the_same_conversation_is_newer() -> None:
    asked = Asked()
    assert asked.newest("kitchen") == 0
    first = asked.note("kitchen")
    asked.note("hall")
    assert asked.newest("kitchen") == first
    assert asked.note("kitchen") != first
    assert asked.newest("kitchen") != first


def test_conversations_of_long_ago_are_let_go_and_never_mistaken_for_new_ones() -> None:
    asked = Asked()
    first = asked.note("kitchen")
    for number in range(10_000):
        asked.note(f"one of many, {number}")
    assert asked.newest("kitchen") == 0
    assert asked.note("kitchen") != first
    assert len(asked._newest) < 1_000
