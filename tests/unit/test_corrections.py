from __future__ import annotations

import pytest

from edge_memory.observe.english.corrections import Correction, put_right, read_correction, split_contrast
from edge_memory.records import Kind, Layer, Record


def believed(text: str, value: str = "") -> Record:
    return Record(Layer.SEMANTIC, Kind.FACT, text, value=value or None)


@pytest.mark.parametrize(
    ("said", "before", "after"),
    [
        ("no, the upper hinge, not the lower one", "The barn's lower hinge creaks", "The barn's upper hinge creaks"),
        ("not the lower one but the upper one", "The barn's lower hinge creaks", "The barn's upper hinge creaks"),
        ("I meant Thursday", "The user's choir meets on Tuesday", "The user's choir meets on Thursday"),
        ("sorry the tenth", "The vet comes on the ninth at ten past two", "The vet comes on the tenth at ten past two"),
        ("no, my aunt, not my uncle", "The user's uncle keeps hens", "The user's aunt keeps hens"),
        ("sorry, it's 12 34 9, not 8", "The cellar code is 12 34 8", "The cellar code is 12 34 9"),
    ],
)
def test_a_fragment_puts_a_statement_right(said: str, before: str, after: str) -> None:
    correction = read_correction(said)
    assert correction is not None
    assert put_right(believed(before), correction) == after


def test_a_plain_correction_replaces_the_end_of_what_has_no_value() -> None:
    record = believed("The user's son goes to the mill")
    assert put_right(record, Correction("the dairy", plain=True)) == "The user's son goes to the dairy"
    assert put_right(record, Correction("the dairy")) is None


def test_a_plain_correction_replaces_the_value() -> None:
    record = believed("The user's favourite tree is the elm", "the elm")
    assert put_right(record, Correction("the ash", plain=True)) == "The user's favourite tree is the ash"
    assert put_right(record, Correction("the ash")) is None
    assert put_right(record, Correction("the ash", "the oak")) is None


@pytest.mark.parametrize(
    "said",
    [
        "no thanks",
        "oh right okay",
        "no",
        "actually stop",
        "no, I live in Moss",
        "sorry?",
        "no, not that one",
        "well done",
        "no figs for Odile after nine",
    ],
)
def test_what_corrects_nothing(said: str) -> None:
    assert read_correction(said) is None


@pytest.mark.parametrize(
    ("clause", "rest", "wrong"),
    [
        ("my boat is red, not blue", "my boat is red", "blue"),
        ("the choir meets on monday not friday", "the choir meets on monday", "friday"),
        ("I'm not allergic to nuts", "I'm not allergic to nuts", ""),
        ("I do not eat celery", "I do not eat celery", ""),
        ("I row, not only on Sundays", "I row, not only on Sundays", ""),
    ],
)
def test_a_contrast_in_a_clause(clause: str, rest: str, wrong: str) -> None:
    assert split_contrast(clause) == (rest, wrong)
