"""Names compared with words all at once."""

import pytest

from firmware_bridge.speech.sounding import Sounding
from firmware_bridge.speech.sounds import phonemes, unlikeness

pytest.importorskip("piper", reason="without Piper there are no phonemes")


def test_each_name_is_as_unlike_the_words_as_it_is_alone() -> None:
    names = Sounding(["Araceli", "Ng", "metformin", "Zbigniew"])
    heard = [phonemes(word) for word in "did he seriously leave".split()]
    for count, found in enumerate(names.unlikeness(heard), 1):
        together = "".join(heard[:count])
        assert found.tolist() == pytest.approx([unlikeness(together, phonemes(form)) for form in names.forms])
    assert names.forms == ["Araceli", "Ng", "metformin", "Zbigniew", "Araceli's", "Ng's", "Zbigniew's"]


def test_no_names_and_no_words() -> None:
    assert [found.tolist() for found in Sounding([]).unlikeness(["aɪ"])] == [[]]
    assert not list(Sounding(["Ann"]).unlikeness([]))
