"""What is believed of the auditor, whatever it says."""

from __future__ import annotations

import json

import pytest

from edge_memory.errors import NonsenseAnswer
from edge_memory.observe.arbitrate import Verb
from edge_memory.observe.audit_prompt import Opinion, read_opinion
from edge_memory.observe.audit_verdict import Case
from edge_memory.observe.english.reading import read_statements
from edge_memory.records import Kind, Layer, Record


def record(said: str, number: int, **more: object) -> Record:
    text = next((statement.text for statement in read_statements(said)), said)
    return Record(
        Layer.SEMANTIC, Kind.FACT, text, id=number, source_turn_id=f"t{number}", source_excerpt=said, **more
    )  # fmt: skip


def ruled(known: str, said: str, verb: Verb, evidence: str | None = None, **more: object) -> Verb:
    case = Case(record(said, 2), said, any(statement.change for statement in read_statements(said)))
    other = record(known, 1, **more)
    return case.believed(Opinion(verb, other, said if evidence is None else evidence)).verb


@pytest.mark.parametrize(
    ("known", "said", "verb", "believed"),
    [
        # the same in other words, whichever way round the model calls it
        ("Greta collects stamps", "Greta has a stamp collection", Verb.NOOP, Verb.NOOP),
        ("the plumber comes on Thursday", "on Thursday the plumber is coming", Verb.UPDATE, Verb.NOOP),
        ("I play tennis", "I play tennis with Bruno", Verb.NOOP, Verb.UPDATE),
        # another person, thing, number or a denial is never the same
        ("Otto plays the cello", "Greta plays the cello", Verb.NOOP, Verb.INSERT),
        ("Otto plays the cello", "Otto plays football", Verb.NOOP, Verb.INSERT),
        ("the kitchen tap drips", "the bathroom tap drips", Verb.NOOP, Verb.INSERT),
        ("the shed key is 12", "the shed key is 21", Verb.NOOP, Verb.INSERT),
        ("I play tennis", "I don't play tennis", Verb.NOOP, Verb.INSERT),
        # what happened once is not replaced by what happened again
        ("I went to Lisbon", "I went to Lisbon in May", Verb.UPDATE, Verb.INSERT),
        # a change needs the user's words for it
        ("Otto plays the cello", "Otto plays the cello badly", Verb.SUPERSEDE, Verb.INSERT),
        ("Bruno parks his van at the mill", "Bruno parks his van by the pier now", Verb.SUPERSEDE, Verb.SUPERSEDE),
        ("Bruno keeps stamps in an album", "Bruno no longer keeps stamps in that album", Verb.EXPIRE, Verb.EXPIRE),
        ("Bruno keeps stamps", "Bruno keeps stamps in an album", Verb.EXPIRE, Verb.INSERT),
        ("I teach at the mill school", "I now teach at the harbour school", Verb.NOOP, Verb.SUPERSEDE),
        ("I drink coffee black", "I buy coffee at the mill now", Verb.SUPERSEDE, Verb.INSERT),
        # high risk is asked about
        ("I take blood pressure tablets", "I don't take the pressure tablets now", Verb.SUPERSEDE,
         Verb.MARK_PENDING),
        ("we are vegetarian and eat no leeks on fridays", "we eat leeks on fridays these days", Verb.NOOP,
         Verb.MARK_PENDING),
        ("I have a mortgage with the Harbour Bank", "the mortgage is all paid off now", Verb.NOOP, Verb.MARK_PENDING),
        ("I have a mortgage with the Harbour Bank", "the mortgage is all paid off now", Verb.INSERT, Verb.INSERT),
    ],
)  # fmt: skip
def test_only_what_rules_can_check(known: str, said: str, verb: Verb, believed: Verb) -> None:
    assert ruled(known, said, verb) is believed


@pytest.mark.parametrize("verb", list(Verb))
def test_nothing_is_believed_without_evidence_from_the_turn(verb: Verb) -> None:
    for evidence in ("", "Bruno plays the drums", "tennis tennis"):
        assert ruled("I play tennis", "I play tennis with Bruno", verb, evidence) is Verb.INSERT


@pytest.mark.parametrize("verb", [Verb.SUPERSEDE, Verb.EXPIRE, Verb.MARK_PENDING])
def test_what_rules_know_to_be_many_valued_is_never_ended(verb: Verb) -> None:
    assert ruled("I like plums from Moss", "I no longer like plums from Moss", verb) is Verb.INSERT
    assert ruled("I'm allergic to penicillin", "the penicillin was a mistake", verb) is Verb.INSERT


def test_what_a_slot_decides_or_another_session_owns_is_not_asked_about() -> None:
    case = Case(record("I play tennis with Bruno", 2, key="user.plays"), "I play tennis with Bruno", change=False)
    assert case.bears_on(record("I play tennis", 1))
    assert not case.bears_on(record("I play tennis", 1, key="user.sport"))
    assert not case.bears_on(record("I play tennis", 1, session_id="cellar"))
    assert not case.bears_on(record("I play tennis", 3))  # it was told later


@pytest.mark.parametrize(
    "nonsense",
    ["", "noop", "{}", "[]", '{"action": "noop"}']
    + [json.dumps({"action": action, "candidate": candidate, "evidence": "x"})
       for action, candidate in (("noop", "0"), ("noop", "2"), ("noop", None), ("explode", "1"), (None, "1"))],
)  # fmt: skip
def test_an_answer_that_names_no_action_and_candidate_is_nonsense(nonsense: str) -> None:
    with pytest.raises(NonsenseAnswer):
        read_opinion(nonsense, [record("I play tennis", 1)])
