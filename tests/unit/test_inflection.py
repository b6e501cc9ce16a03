"""The forms of one word have one stem, for what is read and for what is asked."""

from __future__ import annotations

import pytest

from edge_memory.observe.english.inflection import stem_of
from edge_memory.observe.english.wording import stem as stem_of_a_record
from firmware_bridge.turn.english.wordforms import stem as stem_of_a_question


@pytest.mark.parametrize(
    "forms",
    ["run runs running ran", "bee bees", "use uses used", "need needs", "class classes", "stop stops stopped stopping"],
)
def test_forms_of_one_word(forms: str) -> None:
    for stem in (stem_of, stem_of_a_record, stem_of_a_question):
        assert len({stem(word) for word in forms.split()}) == 1


@pytest.mark.parametrize("words", ["car care", "new news", "glass gas"])
def test_two_words_stay_two(words: str) -> None:
    for stem in (stem_of, stem_of_a_record, stem_of_a_question):
        assert len({stem(word) for word in words.split()}) == 2
