from __future__ import annotations

import pytest

from edge_memory.observe.english.slots import find_slot, normal_key
from edge_memory.observe.risk import is_high_risk
from edge_memory.records import Kind, Layer, Priority


@pytest.mark.parametrize(
    ("clause", "key", "value"),
    [
        ("my name is Ola Nordmann", "user.name", "Ola Nordmann"),
        ("I'm Ola", "user.name", "Ola"),
        ("I'm called Ola", "user.name", "Ola"),
        ("I live in Bergen with two lodgers", "user.home", "Bergen"),
        ("we recently moved from Oslo, Norway to Bergen", "user.home", "Bergen"),
        ("I've relocated to Narvik last spring", "user.home", "Narvik"),
        ("I work for the harbour", "user.employer", "the harbour"),
        ("I work as a piano tuner", "user.occupation", "piano tuner"),
        ("I'm vegan", "user.diet", "vegan"),
        ("I'm forty two years old", "user.age", "forty two"),
        ("my favorite color is ochre", "user.favourite_colour", "ochre"),
        ("my birthday is the sixth of July", "user.birthday", "the sixth of July"),
        ("I was born in 1962", "user.birth_year", "1962"),
        ("I was born in July", "user.birthday", "in July"),
        ("my e-mail is ola at harbour dot no", "user.e_mail", "ola at harbour dot no"),
        ("my aunt Ingrid lives in Tromso", "ingrid.home", "Tromso"),
        ("my aunt Ingrid's birthday is in March", "ingrid.birthday", "in March"),
        ("Ingrid's shoe size is 39", "ingrid.shoe_size", "39"),
        ("I take ramipril every morning", "user.medicine_ramipril", "ramipril every morning"),
        ("I'm on ramipril", "user.medicine_ramipril", "ramipril"),
        ("my aunt Ingrid takes water tablets", "ingrid.medicine_water_tablets", "water tablets"),
        ("I've been put on steroids", "user.medicine_steroids", "steroids"),
        ("my name is actually Ola", "user.name", "Ola"),
        ("my brother is a fireman", "brother.occupation", "fireman"),
        ("my brother is a Peruvian physician", "brother.occupation", "Peruvian physician"),
        ("my boat is in the harbour", "user.boat.place", "in the harbour"),
        ("my exam is in three days", "user.exam.when", "in three days"),
        ("our regatta is in the summer", "user.regatta.when", "in the summer"),
        ("my exam is on the third floor", "user.exam.place", "on the third floor"),
        ("my rug is in the summer house", "user.rug.place", "in the summer house"),
        ("my boat trip is on Sunday at six", "user.boat_trip.when", "on Sunday at six"),
        ("our wood delivery got moved to May", "user.wood_delivery.when", "May"),
        ("the mallet is behind the dresser", "home.mallet.place", "behind the dresser"),
        ("we changed the cellar code to 8", "home.cellar_code", "8"),
        ("my boat is a wooden sloop", "user.boat", "a wooden sloop"),
        ("my workshop is in the old dairy", "user.workshop.place", "in the old dairy"),
        ("the cellar code is 4471", "home.cellar_code", "4471"),
    ],
)
def test_a_slot_of_one_value(clause: str, key: str, value: str) -> None:
    slot = find_slot(clause)
    assert slot is not None
    assert (slot.key, slot.value, slot.many, slot.ends) == (key, value, False, False)


@pytest.mark.parametrize(
    ("clause", "key", "value"),
    [
        ("I'm allergic to walnuts", "user.allergy", "walnuts"),
        ("I have a latex allergy", "user.allergy", "latex"),
        ("I have an allergy to wool", "user.allergy", "wool"),
        ("I'm epileptic", "user.condition", "epileptic"),
        ("I'm kosher", "user.diet_rule", "kosher"),
        ("my daughter is called Olga", "user.daughter", "Olga"),
        ("my daughter is called olga", "user.daughter", "olga"),
        ("call me ola", "user.nickname", "ola"),
        ("we have a dog called Trym", "user.pet", "dog Trym"),
        ("I love fog", "user.likes", "fog"),
        ("I can't stand brass bands", "user.dislikes", "brass bands"),
        ("I prefer tea in glasses", "user.prefers", "tea in glasses"),
        ("I never eat before noon", "user.never", "eats before noon"),
        ("don't ever ring before eight", "rule.never", "ring before eight"),
        ("I'm learning Finnish", "user.learning", "Finnish"),
        ("I decided to sell the sloop", "user.decision", "sell the sloop"),
    ],
)
def test_a_slot_of_many_values(clause: str, key: str, value: str) -> None:
    slot = find_slot(clause)
    assert slot is not None
    assert (slot.key, slot.value, slot.many, slot.ends) == (key, value, True, False)


@pytest.mark.parametrize(
    ("clause", "key", "value"),
    [
        ("I quit the harbour", "user.employer", "the harbour"),
        ("I left my job at the harbour", "user.employer", "the harbour"),
        ("I no longer work for the harbour", "user.employer", "the harbour"),
        ("we don't live in Bergen any more", "user.home", "Bergen"),
        ("I'm no longer allergic to walnuts", "user.allergy", "walnuts"),
    ],
)
def test_a_value_ends(clause: str, key: str, value: str) -> None:
    slot = find_slot(clause)
    assert slot is not None
    assert (slot.key, slot.value, slot.ends) == (key, value, True)


@pytest.mark.parametrize(
    "clause",
    [
        "my boat is dirty",
        "my cat is old",
        "Ingrid works nights",
        "my back is really sore today",
        "the ferry whistles",
        "I tune pianos",
        "I'm a Christian",
        "my aunt is an Italian",
    ],
)
def test_what_answers_no_lasting_question_has_no_slot(clause: str) -> None:
    assert find_slot(clause) is None


def test_what_a_slot_is_for() -> None:
    allergy, liking, rule, choice = map(
        find_slot, ("I'm allergic to walnuts", "I love fog", "always knock twice", "I decided to sell it")
    )
    assert allergy is not None
    assert liking is not None
    assert rule is not None
    assert choice is not None
    assert (allergy.kind, allergy.priority) == (Kind.POLICY, Priority.CRITICAL)
    assert (rule.kind, rule.priority) == (Kind.POLICY, Priority.CRITICAL)
    assert (liking.kind, liking.layer) == (Kind.PREFERENCE, Layer.PROFILE)
    assert (choice.kind, choice.layer) == (Kind.DECISION, Layer.SEMANTIC)


@pytest.mark.parametrize(
    "key",
    [
        "user.name",
        "user.middle_name",
        "ingrid.birthday",
        "user.date_of_birth",
        "user.phone_number",
        "user.e_mail",
        "user.blood_type",
        "user.allergy",
        "user.diet",
        "user.bank",
        "user.pin",
        "ingrid.medicine_ramipril",
        "user.cannot_have",
        "home.bank_card_pin",
        "home.rent",
    ],
)
def test_identity_health_and_money_are_high_risk(key: str) -> None:
    assert is_high_risk(key)


@pytest.mark.parametrize(
    "key",
    [
        None,
        "",
        "user.home",
        "user.agenda",
        "user.pinboard",
        "pin.colour",
        "age.of_wine",
        "user.wifi_password",
        "user.heart_medicine.place",
        "home.cellar_code",
        "user.age",
    ],
)
def test_the_rest_is_not(key: str | None) -> None:
    assert not is_high_risk(key)


def test_keys_have_one_spelling() -> None:
    assert normal_key("Ingrid.Favorite  Color!") == normal_key("ingrid.favourite_colour") == "ingrid.favourite_colour"


@pytest.mark.parametrize(
    ("clause", "key", "value"),
    [
        ("I don't have a latex allergy", "user.allergy", "latex"),
        ("Ingrid no longer has an allergy to wool", "ingrid.allergy", "wool"),
        ("I'm no longer epileptic", "user.condition", "epileptic"),
        ("I've come off steroids", "user.medicine_steroids", "steroids"),
        ("I stopped taking water tablets", "user.medicine_water_tablets", "water tablets"),
    ],
)
def test_the_end_of_what_concerns_health(clause: str, key: str, value: str) -> None:
    slot = find_slot(clause)
    assert slot is not None
    assert (slot.key, slot.value, slot.ends) == (key, value, True)


@pytest.mark.parametrize(
    "clause", ["my aunt's boat is green", "I nearly bought a piano", "I'm on nights", "I take the ferry"]
)
def test_what_fills_no_slot(clause: str) -> None:
    slot = find_slot(clause)
    assert slot is None or (slot.key not in ("user.aunt", "user.piano") and "medicine" not in slot.key)
