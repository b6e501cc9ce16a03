"""Names that were said, by how likely each text is, given the sound."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from firmware_bridge.speech.protocols import Transcript
from firmware_bridge.speech.weighing import weighed

pytest.importorskip("piper", reason="without Piper there are no phonemes")
NAMES = ["Lo-Bug", "Ximena", "ezetimibe", "Saoirse", "Declan", "Kwame", "Bridget"]


@dataclass
class Heard:
    """A recogniser that finds these texts so likely, and every other one very unlikely."""

    weights: dict[str, float]
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


def test_no_medicine_has_an_aunt() -> None:
    said = "Ask Hesseti Meeb's aunt."
    after = Heard({said: -3.0})
    weighed(heard_as(said), after, ["ezetimibe"])
    assert not [text for text in after.weighed if "ezetimibe's" in text]


def test_a_proper_name_after_an_article_must_be_likelier_by_its_sound() -> None:
    after = Heard(dict.fromkeys(("I saw a decline.", "I saw the decline.", "I drove a scoder."), -3.0))
    after.weights |= dict.fromkeys(("I saw a Declan.", "I saw the Declan.", "I drove a Skoda."), -3.0)
    heard = {said: weighed(heard_as(said), after, ["Declan", "Skoda"]) for said in list(after.weights)[:3]}
    assert list(heard.values()) == ["I saw a decline.", "I saw the Declan.", "I drove a Skoda."]


def test_the_apostrophe_of_a_plural_goes_with_it() -> None:
    said, meant = "Is that the Deckerlans' car?", "Is that the Declan's car?"
    assert weighed(heard_as(said), Heard({said: -9.0, meant: -8.0}), NAMES) == meant


def test_a_name_that_was_heard_is_never_lost_for_another() -> None:
    said = "Ask Declan now."
    after = Heard({said: -9.0})
    assert weighed(heard_as(said, "Ask Deckle Ann now."), after, ["Declan", "Decklan"]) == said
    assert "Ask Decklan now." not in after.weighed


def test_where_a_name_is_nearly_likely_the_sound_is_read_again_expecting_it() -> None:
    said, put, meant = "Did bridges leave a noon?", "Did Bridget leave a noon?", "Did Bridget leave at noon?"
    for weight, expected in ((-9.0, meant), (-40.0, said)):
        after = Heard({said: -9.0, put: -20.0, meant: weight}, [meant])
        assert weighed(heard_as(said), after, NAMES) == expected


def test_a_reading_that_expects_a_name_and_spells_it_wrong_shows_where_it_was_said() -> None:
    said, again, meant = (
        "Is a deck land turned to cook?",
        "Is it Deklen's turn to cook?",
        "Is it Declan's turn to cook?",
    )
    after = Heard({said: -9.0, meant: -4.0, "Is a Declan turned to cook?": -18.0}, [again])
    assert weighed(heard_as(said), after, NAMES) == meant


@pytest.mark.parametrize("made", ["Bridget, Bridget,", "Bridget.", "Bridget noon?"])
def test_a_reading_that_makes_names_of_other_words_is_not_believed(made: str) -> None:
    said, put = "Did bridges leave before it was noon?", "Did Bridget leave before it was noon?"
    after = Heard({said: -9.0, put: -20.0, made: 0.0}, [made])
    assert weighed(heard_as(said), after, NAMES) == said
    assert put in after.weighed
