from __future__ import annotations

import pytest

from edge_memory.distil import base_memory
from edge_memory.distil.evidence import backed_sentences, uncovered
from edge_memory.records import Kind, Layer, Record

SAID = [
    "The user tunes pianos in Bergen",
    "The user's sister Dr. Lund retunes 12 organs",
    "The user works 3.5 hours a day",
    "The user doesn't eat celery",
]


@pytest.mark.parametrize(
    "sentence",
    [
        "The user tunes pianos in Bergen.",
        "He tuned pianos in Bergen.",
        "The user worked 3.5 hours a day.",
        "The user's sister Lund retuned 12 organs.",
        "The user tuned pianos in Bergen and worked 3.5 hours a day.",  # two statements joined
        "The user did not eat celery.",
    ],
)
def test_a_retelling_is_kept(sentence: str) -> None:
    assert backed_sentences(sentence, SAID) == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "The user tunes pianos in Oslo.",  # another name
        "Sister Lund retunes 13 organs.",  # another number
        "The user worked 4.5 hours a day.",
        "The user does not tune pianos in Bergen.",  # the contrary
        "The user retunes organs.",  # somebody else does
        "The user is a sister.",
        "The user enjoys long walks along sunny beaches.",  # other words
        "The user said that.",  # says nothing
        "",
    ],
)
def test_an_invention_is_dropped(sentence: str) -> None:
    assert backed_sentences(sentence, SAID) == []


def test_the_same_is_told_once() -> None:
    twice = "The user tunes pianos in Bergen. Quite mad! The user tunes pianos in Bergen."
    assert backed_sentences(twice, SAID) == ["The user tunes pianos in Bergen."]


def test_what_no_sentence_retells_is_found() -> None:
    assert uncovered(SAID, ["He tuned pianos in Bergen and worked 3.5 hours a day."]) == [SAID[1], SAID[3]]
    assert uncovered(SAID, []) == SAID


def belief(text: str, importance: float, kind: Kind = Kind.FACT, layer: Layer = Layer.PROFILE) -> Record:
    return Record(layer, kind, text, importance=importance, id=int(importance * 100))


NAME = belief("The user's name is Ola", 0.9)
HOME = belief("The user lives in Bergen", 0.5)
ALLERGY = belief("The user is allergic to walnuts", 0.8, Kind.POLICY)
FOG = belief("The user likes fog", 0.4, Kind.PREFERENCE)


def test_base_memory_has_its_four_sections() -> None:
    document = base_memory.compose([FOG, HOME, ALLERGY, NAME], ["A boat is being built."], ["Ola was born."], 400)
    assert document == (
        "User Profile:\n- The user's name is Ola\n- The user lives in Bergen\n"
        "Preferences:\n- The user is allergic to walnuts\n- The user likes fog\n"
        "Ongoing Topics:\n- A boat is being built.\n"
        "Key History:\n- Ola was born."
    )
    assert base_memory.section_lines(document, base_memory.TOPICS) == ["A boat is being built."]
    assert base_memory.section_lines(document, base_memory.HISTORY) == ["Ola was born."]
    assert base_memory.section_lines("", base_memory.HISTORY) == []


def test_only_beliefs_about_the_user_are_in_it() -> None:
    note = belief("The ferry leaves at nine", 0.9, layer=Layer.SEMANTIC)
    assert base_memory.compose([note], [], [], 400) == ""


def test_too_long_drops_old_history_then_topics_then_the_least_important() -> None:
    everything = [NAME, HOME, ALLERGY, FOG]
    topics, history = ["topic one here", "topic two here"], ["old thing happened", "new thing happened"]
    whole = base_memory.compose(everything, topics, history, 2_000)
    gone = []
    for most_words in range(len(whole.split()), 0, -1):
        document = base_memory.compose(everything, topics, history, most_words)
        assert len(document.split()) <= most_words
        lines = [*history, *topics, *(record.text for record in everything)]
        gone += [line for line in lines if line not in document and line not in gone]
    assert gone == [*history, *reversed(topics), FOG.text, HOME.text, ALLERGY.text, NAME.text]
