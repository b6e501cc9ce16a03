"""Names that the readings leave open, decided by how likely each text is, given the sound."""

from collections.abc import Callable, Sequence

import pytest

from firmware_bridge.speech.protocols import Transcript
from firmware_bridge.speech.weighing import weighed

pytest.importorskip("piper", reason="without Piper there are no phonemes")
NAMES = ["Lo-Bug", "Ximena", "ezetimibe", "Niamh", "Declan"]


def likelihoods(weights: dict[str, float]) -> Callable[[Sequence[str], Sequence[str]], Sequence[float]]:
    """A recogniser that finds these texts so likely, and every other one very unlikely."""
    return lambda texts, hints: [weights.get(text, -50.0) for text in texts]


@pytest.mark.parametrize(
    ("readings", "meant"),
    [
        (["call Zinat.", "call Zinah.", "call Zyna.", "call Zainat."], "call Ximena."),
        (["How many hesitate my left?", "How many has it my left?", "How many hesitates?"], "How many ezetimibe left?"),
        (["Please call me soon.", "Please call my em soon.", "Please call 9am soon."], "Please call Niamh soon."),
    ],
)
def test_a_name_is_heard_where_the_sound_goes_with_it_as_well(readings: list[str], meant: str) -> None:
    best, *others = readings
    for name_weighs, expected in ((-3.0, meant), (-15.0, best)):
        weigh = likelihoods({best: -3.0, meant: name_weighs})
        heard = Transcript(best, -0.5, tuple(others), (1.0,) * len(others), weigh)
        assert weighed(heard, best, NAMES) == expected


def test_what_every_reading_has_is_not_tried() -> None:
    tried: list[str] = []

    def weigh(texts: Sequence[str], hints: Sequence[str]) -> Sequence[float]:
        tried.extend(texts)
        return [0.0] * len(texts)

    said = "I am in the clan."
    assert weighed(Transcript(said, -0.1, (said, said), (1.0, 1.0), weigh), said, NAMES) == said
    assert not tried


def test_a_name_that_rules_put_there_stays_only_if_the_sound_allows_it() -> None:
    said, mended = "We sell Deckland Avenue.", "We sell Declan Avenue."
    for after, expected in ((-8.0, mended), (-12.0, said)):
        heard = Transcript(said, -0.3, (), (), likelihoods({said: -3.0, mended: after}))
        assert weighed(heard, mended, NAMES) == expected


def test_an_engine_that_cannot_weigh_leaves_it_to_the_rules() -> None:
    assert weighed(Transcript("Call Jimena.", -0.3), "Call Ximena.", NAMES) == "Call Ximena."
