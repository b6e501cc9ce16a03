from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.inference.text import ReplyText


def shown(data: list[bytes], stop: list[str]) -> tuple[str, ReplyText]:
    text = ReplyText(stop)
    return "".join([*(text.feed(part) for part in data), text.end()]), text


@given(st.text(max_size=30), st.integers(1, 4))
def test_text_arrives_whole_however_its_bytes_are_cut(content: str, size: int) -> None:
    data = content.encode()
    assert shown([data[at : at + size] for at in range(0, len(data), size)], [])[0] == content


@given(st.text("abAB", max_size=20), st.text("abAB", min_size=1, max_size=3), st.integers(1, 4))
def test_nothing_from_a_stop_string_on_is_shown(content: str, stop: str, size: int) -> None:
    parts = [content[at : at + size].encode() for at in range(0, len(content), size)]
    result, text = shown(parts, [stop])
    assert result == content.split(stop)[0]
    assert text.stopped == (stop in content)


def test_a_character_is_held_back_until_it_is_whole() -> None:
    text = ReplyText()
    first, second = "é".encode()[:1], "é".encode()[1:]
    assert [text.feed(first), text.feed(second), text.end()] == ["", "é", ""]


def test_what_could_begin_a_stop_string_waits_and_the_rest_flows() -> None:
    text = ReplyText(["\nUser:"])
    assert text.feed(b"hello\nUs") == "hello"
    assert text.feed(b"eful") == "\nUseful"
    assert text.feed(b"\nUser: more") == ""
    assert text.stopped
    assert text.feed(b"ignored") + text.end() == ""


def test_the_earliest_of_several_stop_strings_counts() -> None:
    assert shown([b"one two three"], ["three", "two", ""])[0] == "one "


def test_half_a_character_at_the_end_becomes_a_replacement() -> None:
    assert shown(["ok é".encode()[:-1]], [])[0] == "ok \ufffd"
