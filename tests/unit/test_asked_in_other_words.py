"""Questions whose words are not those of what was told, and what is only alike."""

from __future__ import annotations

import pytest

from firmware_bridge.turn.english.evidence import answers
from firmware_bridge.turn.english.questions import read_question
from firmware_bridge.turn.english.told import Told, joined


def told(text: str, key: str = "", value: str = "") -> Told:
    return Told(text, about=key.replace(".", " "), value=value, key=key)


def is_answered(asked: str, *known: Told) -> bool:
    """Whether the last of what is known answers, with the others known beside it."""
    question = read_question(asked)
    assert question is not None
    return answers(joined(known)[-1], question)


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        ("what's my trade", "The user is a brickie"),
        ("what does Una do for work", "Una does the accounts for a mill"),
        ("what does Una do", "Una installs lifts"),
        ("what operation did Una have", "Una had her tonsils out in May"),
        ("what car do I have now", "The user bought a red Skoda"),
        ("what colour is my car", "The user swapped the van for a blue Kia"),
        ("how often do I take the iron", "The user takes iron three times a week"),
        ("who is Bo dating", "Bo's girlfriend is Lena"),
        ("who minds the children", "The babysitter is Ines"),
        ("where is Una working now", "Una has been transferred to Lille"),
        ("what does Bo want to become", "Bo wants to be a baker"),
    ],
)
def test_other_words_ask_for_the_same(asked: str, known: str) -> None:
    assert is_answered(asked, told(known))


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        ("what is my blood type", "The user has high blood pressure"),
        ("what are the girls called", "The girls' coach is called Petra"),
        ("which hospital did I go to after my fall", "The user doesn't climb stairs since the user's fall"),
        ("which company does Bo work for", "Bo is on the rigs, two weeks on and two off"),
        ("which school does Bo go to", "Bo isn't allowed out on school nights"),
        ("what church do we go to", "The user is in church on Saturdays"),
        ("what church do we go to", "The user lives in Lille"),
        ("where does Bo study", "Bo wants to study law"),
        ("what does Bo want to become", "The user paid for Bo's fees"),
        ("how old is Bo", "Bo was born on the first of May"),
        ("what's my granddaughter's name", "The user's daughter Lena lives over in Lille"),
    ],
)
def test_what_is_only_alike_is_no_answer(asked: str, known: str) -> None:
    assert not is_answered(asked, told(known))


def test_a_surname_is_the_second_of_two_names() -> None:
    assert is_answered("what is my surname", told("The user is Ada Bell", "user.name", "Ada Bell"))
    assert not is_answered("what is my surname", told("The user is Ada", "user.name", "Ada"))


@pytest.mark.parametrize(
    ("asked", "who", "known"),
    [
        (
            "how old is the dog",
            told("The user's dog is a kelpie called Bo", "user.dog", "a kelpie called Bo"),
            "Bo is nine",
        ),
        ("how old is my son", told("The user has got one son, Bo"), "Bo is nine"),
        ("how old is my mum", told("The user's mother's nickname is Bo", "mother.nickname", "Bo"), "Bo is ninety"),
    ],
)
def test_who_was_introduced_is_known_by_kin_or_kind(asked: str, who: Told, known: str) -> None:
    assert is_answered(asked, who, told(known))
    assert not is_answered(asked, told(known))
