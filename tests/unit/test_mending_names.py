"""Near-misses of known names are mended, and nothing else is touched."""

from __future__ import annotations

import pytest

from firmware_bridge.speech.names import mend_names

pytest.importorskip("jellyfish")
NAMES = ["Priya", "Bangalore", "Okonkwo", "Siobhan", "Lille", "Rex", "Metformin", "Jana"]


@pytest.mark.parametrize(
    ("heard", "meant"),
    [
        ("My wife Pria is here.", "My wife Priya is here."),
        ("We met in Bengalore.", "We met in Bangalore."),
        ("Call Doctor Okonko's office.", "Call Doctor Okonkwo's office."),
        ("Pria is here.", "Priya is here."),  # also at the beginning, when it sounds the same
        ("My wife Pri Ya is here.", "My wife Priya is here."),
        ("We met in Bangalore.", "We met in Bangalore."),
        ("The prior year was hard.", "The prior year was hard."),  # no capital: no name
        ("Rest is what I need.", "Rest is what I need."),
        ("I live in London.", "I live in London."),
        ("Is Jane here?", "Is Jane here?"),  # another name, not a near-miss
        ("", ""),
    ],
)
def test_mending(heard: str, meant: str) -> None:
    assert mend_names(heard, NAMES) == meant


def test_without_names_nothing_changes() -> None:
    assert mend_names("Anything At All.", []) == "Anything At All."


@pytest.mark.parametrize(
    ("heard", "others", "meant"),
    [
        ("Did I take my own Brazil today?", ["Did I take my own puzzle today?"] * 2, "Did I take my omeprazole today?"),
        ("Please call Eden tomorrow.", ["Please call Eoin tomorrow."], "Please call Eoin tomorrow."),
        ("Is Sersha's bike here?", ["Is Cersia's bike here?", "Is Sursher's bike?"], "Is Saoirse's bike here?"),
        ("Is Sersha's bike here?", [], "Is Saoirse's bike here?"),
        ("Is it hot in Keralla?", ["Is it hot in Kerela?", "Is it hot in Kerallah?"], "Is it hot in Kerala?"),
        ("Diderala flood?", ["Did Kerala flood?"], "Did Kerala flood?"),  # a reading that has the name
        ("Call the plumber.", ["Call Eoin."] * 2, "Call the plumber."),  # which sounds like nothing that was heard
        ("Takeome peruse olla tonight.", ["Take some pies olay tonight."], "Takeome peruse olla tonight."),
        ("Is Lansoprazole fine?", ["Is Pantoprazole fine?"] * 3, "Is Lansoprazole fine?"),  # another medicine
        ("Please call Ethan tomorrow.", ["please call Ethan tomorrow"] * 4, "Please call Ethan tomorrow."),
        ("My favorite color is green.", ["My favourite colour is green."] * 4, "My favorite color is green."),
        ("Please call Saoirse and Ted.", ["Please call Sersha and Ted."] * 3, "Please call Saoirse and Ted."),
        ("My own, Brazil.", ["My home, puzzle."] * 3, "My own, Brazil."),
        ("", ["What?", "Who?"], ""),
    ],
)
def test_what_was_not_heard_for_sure_is_mended_by_its_sound(heard: str, others: list[str], meant: str) -> None:
    pytest.importorskip("piper")
    assert mend_names(heard, ["omeprazole", "Eoin", "Saoirse", "Kerala"], others) == meant


@pytest.mark.parametrize(
    ("heard", "others", "meant"),
    [
        ("Ask Tambi now.", ["Ask Tammy now.", "Ask Tanby now.", "Ask Tamby now."], "Ask Tanvi now."),
        ("Ask Tambi's aunt.", ["Ask Tammy's aunt.", "Ask Tanby's aunt.", "Ask Tamby's aunt."], "Ask Tanvi's aunt."),
        ("Ask Tammy now.", ["Ask Tammy now.", "Ask Tammy now!", "Ask Tammy, now.", "Ask Tam now."], "Ask Tammy now."),
        ("Ask Tambi now.", ["Ask Tammy now."] * 3, "Ask Tambi now."),  # two ways are too few
        ("Go on tiptoe now.", ["Go and tiptoe now.", "Go on Tipton now.", "Goat tiptoe now."], "Go on tiptoe now."),
        ("Is lisinopril fine?", ["Is list in April fine?", "Is list in opera fine?"], "Is lisinopril fine?"),
        ("Ask Tanvi and Bo.", ["Ask Tammy and Bo.", "Ask Tanby and Bo.", "Ask Tamby and Bo."], "Ask Tanvi and Bo."),
        ("", ["What?", "Who?", "Why?"], ""),
    ],
)
def test_what_every_reading_has_otherwise_is_the_name_that_all_sound_like(
    heard: str, others: list[str], meant: str
) -> None:
    pytest.importorskip("piper")
    assert mend_names(heard, ["Tanvi", "ramipril"], others) == meant


@pytest.mark.parametrize(
    ("heard", "others", "meant"),
    [
        ("Tell Rami Pell now.", ["Tell Rammy Pearl now.", "Tell Ramy Prell now."], "Tell Rami Pell now."),
        ("Is Rami Pell's hat here?", ["Is Rammy Pearl's hat here?"] * 2, "Is Rami Pell's hat here?"),
        (
            "Did I swallow rami pill?",
            ["Did I swallow rammy prill?", "Did I swallow ramy prill?"],
            "Did I swallow ramipril?",
        ),
    ],
)
def test_where_a_person_is_meant_sound_alone_makes_no_medicine_of_a_name(
    heard: str, others: list[str], meant: str
) -> None:
    pytest.importorskip("piper")
    assert mend_names(heard, ["ramipril"], others) == meant


@pytest.mark.parametrize(
    ("heard", "others", "names"),
    [
        ("My teacher is Mrs. Brown.", [], ["Bronagh", "Bronwyn"]),  # spelled alike, and sounds another way
        ("They live in Bramley Road.", [], ["Bramble"]),
        (
            "Please call a failure at noon.",
            ["Please call Affilia at noon.", "please call a failure at noon.", "Please call affiliate at noon."],
            ["Galway"],
        ),
        (
            "She needs insulin at noon.",
            ["She needs insolent at noon.", "She needs Encelend at noon.", "she needs Encelend at noon."],
            ["Anselm"],
        ),
    ],
)
def test_what_sounds_another_way_or_is_a_name_in_two_readings_stays(
    heard: str, others: list[str], names: list[str]
) -> None:
    pytest.importorskip("piper")
    assert mend_names(heard, names, others) == heard


@pytest.mark.parametrize(
    ("heard", "other", "behind", "meant"),
    [
        ("Is it for you there?", "Is it Priya there?", 0.4, "Is it Priya there?"),
        ("Is it for you there?", "Is it Priya there?", 3.0, "Is it for you there?"),
    ],
)
def test_a_reading_with_a_name_that_is_as_likely_as_the_best_is_taken(
    heard: str, other: str, behind: float, meant: str
) -> None:
    pytest.importorskip("piper")
    assert mend_names(heard, ["Priya"], [other], [behind]) == meant


def test_what_sounds_just_like_a_long_name_is_it_although_each_reading_has_it() -> None:
    pytest.importorskip("piper")
    heard = "Where did I put my gabba pentin?"
    assert mend_names(heard, ["gabapentin"], [heard, heard]) == "Where did I put my gabapentin?"
    assert mend_names("They met by Anna.", ["Bianca"], ["They met by Anna."] * 2) == "They met by Anna."
