from __future__ import annotations

import json

import pytest

from edge_memory.errors import NonsenseAnswer
from edge_memory.observe.extract import check_evidence
from edge_memory.records import Kind

SENTENCE = "I usually row to the harbour"


def answer(**changes: object) -> str:
    fields = {"subject": "user", "attribute": "commute", "value": "row to the harbour", "kind": "preference"}
    return json.dumps(fields | changes)


def test_what_was_said_is_believed() -> None:
    told = check_evidence(answer(), SENTENCE)
    assert (told.key, told.value, told.kind) == ("user.commute", "row to the harbour", Kind.PREFERENCE)


def test_another_subject_must_be_in_the_sentence() -> None:
    told = check_evidence(answer(subject="Boiler", value="hums", kind="fact"), "the boiler hums at night")
    assert told.key == "boiler.commute"


@pytest.mark.parametrize(
    "wrong",
    [
        answer(value="row to the airport"),
        answer(value=""),
        answer(value="..."),
        answer(subject="Ingrid"),
        answer(subject=""),
        answer(attribute=""),
        answer(attribute="how they go to work"),
        answer(kind="rumour"),
        answer(value="row row row to the harbour"),
        answer(attribute="phone number", value="row"),
        answer(attribute="sister", value="row"),
        answer(attribute="..."),
        answer(value=["row"]),
        "{" * 5_000,
        "",
        "[]",
        "null",
        '{"subject": "user"}',
        "The user rows to the harbour.",
    ],
)
def test_what_was_not_said_is_nonsense(wrong: str) -> None:
    with pytest.raises(NonsenseAnswer):
        check_evidence(wrong, SENTENCE)


def test_the_first_object_counts_whatever_is_around_it() -> None:
    assert check_evidence(f"Sure! {answer()} {answer()}", SENTENCE).value == "row to the harbour"


def test_what_the_user_owns_may_be_the_subject() -> None:
    told = check_evidence(answer(subject="boiler", value="hums", kind="fact"), "my boiler hums at night")
    assert told.key == "boiler.commute"


@pytest.mark.parametrize("subject", ["user", "fishing"])
def test_a_sentence_about_another_is_not_about_the_user(subject: str) -> None:
    with pytest.raises(NonsenseAnswer):
        check_evidence(answer(subject=subject, value="hums"), "the boiler hums at night")
