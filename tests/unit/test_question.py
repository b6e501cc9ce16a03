from __future__ import annotations

import pytest

from edge_memory.recall.question import what_is_sought

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
    question = what_is_sought(text, NAMES)
    assert (question.speaker, question.without_names, question.text) == (speaker, without_names, text)


@pytest.mark.parametrize(
    ("asked", "said", "is_met"),
    [
        ("When was that?", "we planted it last spring", True),
        ("how long ago did it rain", "it rained on Monday", True),
        ("Which year was it?", "we planted a tree", False),
        ("Whenever it rains", "we planted it last spring", False),
        ("what grows here", "three pears grew in Moss last year", False),
        ("how many hens are there", "there are twelve of them", True),
        ("how long is the rope", "it is 40 feet", True),
        ("how many hens are there", "there are hens in Moss", False),
        ("where does she live", "she moved to Moss", True),
        ("which town is that", "it is near the Lofoten", True),
        ("where does she live", "she moved away", False),
    ],
)
def test_the_kind_of_thing_that_is_asked_for(asked: str, said: str, is_met: bool) -> None:
    assert what_is_sought(asked, []).is_met_by(said) is is_met
