"""Questions that what was told seems to answer and does not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from told_records import rule, told

from firmware_bridge.turn.english.constraints import names
from firmware_bridge.turn.english.evidence import answers
from firmware_bridge.turn.english.questions import Sort, read_question
from firmware_bridge.turn.english.told import joined, told_by
from firmware_bridge.turn.english.wishes import wish_in


@pytest.mark.parametrize(
    ("record", "asked", "answers_it"),
    [
        ("The user's sister in law Edda keeps bees", "what is my sister called", False),
        ("The user's sister in law Edda keeps bees", "what is my sister in law called", True),
        ("The user's ex-husband Nils sails", "what is my husband called", False),
        ("Edda's birthday is May second", "how old is Edda", False),
        ("Edda had her ninetieth birthday in May", "how old is Edda", True),
        ("The user lives with the user's cousin Edda and the user's two cats", "how old is Edda", False),
        ("The user lives in Narvik", "what street do I live on", False),
        ("The user lives at 4 Harbour Road", "what street do I live on", True),
        ("Odile married Nils, a baker", "who is Nils", True),
        ("The user's aunt is a retired midwife", "what's my aunt's name", False),
        ("Nils has been working for the user for six years", "how long has Nils been working for me", True),
        ("Odile plays in goal for Moss", "what position does Odile play", True),
        ("The mower takes petrol", "which fuel goes in the mower", True),
        ("Odile teaches harp", "what school does Odile teach at", False),
        ("Odile teaches harp at Moss Primary", "what school does Odile teach at", True),
        ("The user lent the harp to the Nilssons", "which church do we go to", False),
        ("Odile plays in a band", "what's the name of Odile's band", False),
        ("The vicar is called Father Nils", "what's my father's name", False),
        ("Odile got a car from Nils", "who does Odile work for", False),
        ("Odile drives a milk tanker", "what does Odile do", True),
        ("Odile's birthday is in May", "what does Odile do", False),
        ("The user hates whistling while the user is doing the dishes", "who does the dishes", False),
    ],
)
def test_what_is_near_to_a_question(record: str, asked: str, answers_it: bool) -> None:
    question = read_question(asked)
    assert question is not None
    assert answers(told_by(told("", record)), question) is answers_it


def test_a_clause_with_when_asks_for_no_time() -> None:
    question = read_question("what does Edda hope to play when she is older")
    assert question is not None
    assert question.sort is Sort.ANY


def test_whoever_is_called_by_two_words_for_one_kin_is_known_by_both() -> None:
    tellings = [
        told("", "The user's father Nils sails"),
        told("", "The user's dad Nils is deaf"),
        told("", "Nils snores"),
    ]
    assert joined(list(map(told_by, tellings)))[-1].known_as == {"father", "dad"}


@pytest.mark.parametrize(
    ("kin", "record", "relative"),
    [
        ("sister", "Odile is bringing her daughter Vera", "niece"),
        ("son", "Odile and Nils have twin boys", "grandson"),
        ("wife", "Odile's mother snores", "motherinlaw"),
        ("sister", "Odile's daughter sings", "niece"),
    ],
)
def test_who_somebody_is_by_way_of_another(kin: str, record: str, relative: str) -> None:
    tellings = [told("", f"The user's {kin} Odile sails"), told("", record)]
    assert relative in joined(list(map(told_by, tellings)))[-1].known_as


@pytest.mark.parametrize(
    ("order", "asked", "is_against"),
    [
        ("No visitors after ten at night", "Nils is coming by at eleven tonight, is that all right", True),
        ("No visitors after ten at night", "Nils is coming by at eight tonight, is that all right", False),
        ("Never leave Odile alone in the bath", "can Odile be in the bath by herself", True),
        ("Don't order anything online without asking the user first", "order a lamp from the internet", True),
        ("Never put petrol in the mower", "can I fill the mower with petrol", True),
        ("No smoking in the house", "can Nils smoke in the kitchen", True),
        ("Never give Odile cola", "give Odile an apple", False),
        ("Never give Odile cola", "can Odile have a coke", True),
        ("Odile must be in bed by eight", "may Odile stay up until ten", True),
        ("Odile must be in bed by eight", "may Odile stay up until seven", False),
        ("Never put petrol in the mower", "can I mow with the mower", False),
    ],
)
def test_orders_in_other_words(order: str, asked: str, is_against: bool) -> None:
    key = "rule.never" if order.startswith(("N", "D")) else ""
    assert names(rule(order, order, key, order), asked) is is_against


@pytest.mark.parametrize(
    ("asked", "is_wish"),
    [
        ("what alarms do I have", True),
        ("what's the code of the alarm", False),
        ("which company made the smoke alarm", False),
    ],
)
def test_an_alarm_that_is_no_reminder(asked: str, is_wish: bool) -> None:
    assert (wish_in(asked, "", datetime(2026, 3, 2, 12, tzinfo=UTC)) is not None) is is_wish
