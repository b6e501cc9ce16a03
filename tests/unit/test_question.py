from __future__ import annotations

import pytest

from edge_memory.recall.question import read_question, tells_time

NAMES = ["Wilma", "Ole Olsen"]


@pytest.mark.parametrize(
    ("text", "speaker", "without_names"),
    [
        ("What did Wilma's aunt plant?", "Wilma", "What did aunt plant?"),
        ("where does ole olsen work", "Ole Olsen", "where does work"),
        ("Did Wilma meet Ole Olsen?", None, "Did meet ?"),
        ("what did I plant", "", "what did I plant"),
        ("what did I tell Wilma", None, "what did I tell"),
        ("what grows in the garden", None, "what grows in the garden"),
        ("Wilma", "Wilma", "Wilma"),
        ("Wilmas garden", None, "Wilmas garden"),
        ("", None, ""),
    ],
)
def test_whose_words_are_asked_for(text: str, speaker: str | None, without_names: str) -> None:
    question = read_question(text, NAMES)
    assert (question.speaker, question.without_names, question.text) == (speaker, without_names, text)


@pytest.mark.parametrize("text", ["When was that?", "how long ago did it rain", "Which year was it?", "what day is it"])
def test_when_is_asked(text: str) -> None:
    assert read_question(text, []).asks_when


@pytest.mark.parametrize("text", ["Whenever it rains", "what grows here", "how long is the rope"])
def test_when_is_not_asked(text: str) -> None:
    assert not read_question(text, []).asks_when


def test_a_sentence_tells_when() -> None:
    assert tells_time("we planted it last spring")
    assert not tells_time("we planted a tree")
