"""Names that were said, by how likely each text is, given the sound."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from firmware_bridge.speech.protocols import Transcript
from firmware_bridge.speech.weighing import weighed

pytest.importorskip("piper", reason="without Piper there are no phonemes")
NAMES = ["Lo-Bug", "Ximena", "ezetimibe", "Saoirse", "Declan", "Kwame", "Bridget"]


@dataclass
class Heard:
    """A recogniser that finds these texts so likely, and every other one very unlikely."""

    weights: Mapping[str, float]
    expecting: Sequence[str] = ()  # what it reads where it is told of names
    weighed: list[str] = field(default_factory=list)

    def weigh(self, texts: Sequence[str], hints: Sequence[str]) -> Sequence[float]:
        self.weighed += texts
        return [self.weights.get(text, -50.0) for text in texts]

    def readings(self, hints: Sequence[str]) -> Sequence[str]:
        return self.expecting


def heard_as(*readings: str) -> Transcript:
    best, *others = readings
    return Transcript(best, -0.5, tuple(others), (1.0,) * len(others))


@pytest.mark.parametrize(
    ("readings", "meant"),
    [
        (["call Zinat.", "call Zimena.", "call Zyna.", "call Zainat."], "call Ximena."),
        (["How many has it my left?", "How many hesitate my left?"], "How many ezetimibe left?"),
        (["Please call Cersha's aunt.", "Please call Susha's aunt."], "Please call Saoirse's aunt."),
        (["Call Quarm he is late.", "Call Quam, he is late."], "Call Kwame, he is late."),
    ],
)
def test_a_name_is_heard_where_the_sound_goes_with_it_as_well(readings: list[str], meant: str) -> None:
    for weight, expected in ((2.0, meant), (-25.0, readings[0])):
        after = Heard({readings[0]: -3.0, meant: weight})
        assert weighed(heard_as(*readings), after, NAMES) == expected


def test_two_names_in_one_utterance() -> None:
    said, one, both = "Tell Deckland Cersha rang.", "Tell Declan Cersha rang.", "Tell Declan Saoirse rang."
    after = Heard({said: -9.0, one: -5.0, both: -1.0, "Tell Deckland Saoirse rang.": -6.0})
    assert weighed(heard_as(said), after, NAMES) == both


def test_words_that_sound_like_no_name_are_not_weighed() -> None:
    after = Heard({})
    assert weighed(heard_as("It is so."), after, NAMES) == "It is so."
    assert weighed(heard_as(""), after, NAMES) == ""
    assert not after.weighed


@pytest.mark.parametrize("said", ["I saw a declaration.", "Ask Hesseti Meeb's aunt."])
def test_no_proper_name_follows_an_article_and_no_medicine_has_an_aunt(said: str) -> None:
    after = Heard({said: -3.0})
    weighed(heard_as(said), after, ["Declaration", "ezetimibe"])
    assert not [text for text in after.weighed if text != said and ("Declaration" in text or "ezetimibe's" in text)]


def test_a_name_that_was_heard_is_never_lost_for_another() -> None:
    said = "Ask Declan now."
    after = Heard({said: -9.0})
    assert weighed(heard_as(said, "Ask Deckle Ann now."), after, ["Declan", "Decklan"]) == said
    assert "Ask Decklan now." not in after.weighed


def test_where_a_name_is_nearly_likely_the_sound_is_read_again_expecting_it() -> None:
    said, put, meant = "Did bridges leave a noon?", "Did Bridget leave a noon?", "Did Bridget leave at noon?"
    for weight, expected in ((-9.0, meant), (-40.0, said)):
        after = Heard({said: -9.0, put: -24.0, meant: weight}, [meant])
        assert weighed(heard_as(said), after, NAMES) == expected


@pytest.mark.parametrize("made", ["Bridget, Bridget,", "Bridget.", "Bridget noon?"])
def test_a_reading_that_makes_names_of_other_words_is_not_believed(made: str) -> None:
    said, put = "Did bridges leave before it was noon?", "Did Bridget leave before it was noon?"
    after = Heard({said: -9.0, put: -24.0, made: 0.0}, [made])
    assert weighed(heard_as(said), after, NAMES) == said
    assert put in after.weighed
