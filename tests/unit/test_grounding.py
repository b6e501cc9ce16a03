"""What memory lets a reply say."""

from __future__ import annotations

import dataclasses
import time

import pytest
from told_records import AUNT, NUTS, PILLS, rule, told

from firmware_bridge.turn.english.evidence import answers
from firmware_bridge.turn.english.grounding import Grounds, ground
from firmware_bridge.turn.english.questions import read_question
from firmware_bridge.turn.english.told import Told


@pytest.mark.parametrize(
    "utterance",
    [
        "my aunt Wilma lives in Ghent",
        "what should I cook tonight",
        "can I have some figs",
        "how do I boil an egg",
        "tell me a joke",
        "what can you recommend for my birthday",
        "good morning",
        "do you like jazz",
    ],
)
def test_other_utterances_ask_nothing_of_memory(utterance: str) -> None:
    asked = read_question(utterance)
    assert asked is None or not asked.personal
    assert not ground(utterance, [AUNT], [], [], "").unknown


@pytest.mark.parametrize("utterance", ["how tall is the Atomium", "who wrote Faust", "what time is it"])
def test_what_is_not_about_the_user_is_left_to_the_model(utterance: str) -> None:
    assert ground(utterance, [AUNT], [NUTS], [], "") == Grounds(utterance)


@pytest.mark.parametrize(
    ("record", "asked", "answers_it"),
    [
        ("The user's aunt Wilma lives in Ghent", "where does my aunt live", True),
        ("The user moved to Ghent", "where do I live", True),
        ("The user works at a bakery", "what is my job", True),
        ("The user's daughter Noor is nine", "what are my kids called", True),
        ("The user's daughter Noor is nine", "what is my son called", False),
        ("The user's aunt Wilma lives in Ghent", "where does my uncle live", False),
        ("The user has a dog called Flip", "what is my cat called", False),
        ("The user's aunt Wilma lives in Ghent", "where do I live", False),
        ("my aunt Wilma lives in Ghent", "where do I live", False),
        ("Wilma lives in Ghent", "where do I live", False),
        ("The user's car is a green Fiat", "what do I drive", True),
        ("I live in Ghent with my aunt", "where do I live", True),
        ("The user's skates are in the loft", "where did I leave my skates", True),
        ("The user's skates are in the loft", "where would I find my skates", True),
        ("The safe code is taped inside the piano", "where is the safe code written down", True),
        ("The user owns a little bike shop in Ghent", "what do I do for work", True),
        ("The user runs half marathons", "what do I do for work", False),
        ("The user learnt to bake rye bread from the user's uncle", "who taught me to bake rye bread", True),
        ("The user gave up smoking six years ago", "how long is it since I stopped smoking", True),
        ("The user's nephew Bo is doing a degree in Ghent", "where is Bo studying", True),
        ("The user's nephew Bo is doing physics in Ghent", "what is my nephew studying", True),
        ("Noor walks to school with her friend", "which school does Noor go to", False),
        ("The user's aunt Wilma keeps llamas", "what are Wilma's llamas called", False),
        ("The user's aunt Wilma keeps llamas", "who keeps llamas", True),
        ("The user's skates are blue", "where did I leave my skates", False),
        ("The user's rent is due on the first", "when do I pay the rent", True),
        ("The user's rent is 600 euros", "when do I pay the rent", False),
        ("The user's rent is due on the first", "when is the rent due", True),
        ("The user's rent is due on the first", "how much is my rent", False),
        ("The user's rent is 600 euros", "how much is my rent", True),
        ("The user's aunt Wilma keeps geese", "where does my aunt come from", False),
        ("The user's aunt Wilma keeps geese", "what is my aunt's name", True),
        ("The user's optician appointment is on Friday", "who is my optician", False),
        ("The user grew up in Namur", "where did I grow up", True),
        ("The user runs every evening", "when do I go running", True),
        ("The user's niece plays the oboe", "what instrument does my niece play", True),
        ("The user's niece is nine", "what instrument does my niece play", False),
        ("Ines is eleven", "what school does Ines go to", False),
        ("The user has two kids Ines and Ole", "what school does Ines go to", False),
        ("Ines goes to the school by the harbour", "what school does Ines go to", True),
        ("The user's brother Lee owes the user two hundred quid", "how much does Lee owe me", True),
        ("The user has a dog called Flip", "what breed is my dog", False),
        ("The user's dog is a beagle", "what breed is my dog", True),
        ("The user's scarf is green", "what colour is my scarf", True),
        ("The user's scarf is warm", "what colour is my scarf", False),
        ("Desmond is the name but everybody calls the user Des", "what do people call me", True),
        ("The user's girlfriend's name is Zoe", "what's my name", False),
        ("The user is Kayla", "what's my name", True),
        ("The plumber's number is 4471", "what's my phone number", False),
        ("The plumber's number is 4471", "what's the plumber's number", True),
        ("The user's oldest friend nora lives in lund", "where does nora live", True),
        ("nora lives in lund", "where do I live", False),
        ("The user sings in a choir", "what's the name of the choir", False),
        ("The user's choir is called the larks", "what's the name of the choir", True),
        ("The user's husband is called olav", "who am I married to", True),
        ("The user used to be a postman", "what was my job", True),
        ("The user used to be a redhead", "what was my job", False),
        ("The user's mother stays with the user", "where am I staying", False),
        ("my aunt's favourite soup is borscht", "what's my favourite soup", False),
        ("my aunt's favourite soup is borscht", "what's my aunt's favourite soup", True),
        ("my favourite soup is borscht", "what's my favourite soup", True),
        ("my grandpa's birthday is in may", "when is my birthday", False),
        ("Wilma's scooter is red", "what colour is my scooter", False),
        ("my niece noor's scooter is red", "what colour is my scooter", False),
        ("my scooter is red", "what colour is my scooter", True),
        ("I used to live in Ghent", "where do I live", False),
        ("I used to live in Ghent", "where did I live before", True),
        ("when I was a child we lived in Ghent", "where do I live", False),
        ("he works at a bakery", "where do I work", False),
        ("I'm a baker", "what's my job", True),
        ("my niece Noor feeds the geese", "who feeds the geese", True),
        ("my niece Noor feeds the geese", "who is my niece", True),
        ("my niece Noor lives in Ghent", "who lives with me", False),
        ("The user's aunt Wilma is in Ghent", "where does my aunt live", True),
        ("my aunt's in a home in Ghent", "where does my aunt live", True),
        ("The user's aunt Wilma is in hospital", "where does my aunt live", False),
        ("The user's aunt Wilma is in tenth grade", "where does my aunt live", False),
        ("The user's aunt Wilma works in Ghent", "where does my aunt live", False),
        ("The user's heart tablets are ramipril", "what tablets am I on", True),
        ("Lena married a chap from Bergen named Olav", "who's Lena's husband", True),
        ("Lena had a baby girl in April, they named her Siri", "what did they name the baby", True),
        ("Lena had a baby girl in April, they named her Siri", "when was Siri born", True),
        ("Wilma is originally from Ostend", "where does Wilma come from", True),
        ("Wilma is in good health", "where does Wilma come from", False),
        ("The user's dinghy is called Petrel", "what's the name of my boat", True),
        ("The user has two girls, Noor and Siri", "what are my daughters called", True),
        ("The user had the user's hip done at St. Olav's", "which hospital did my hip", True),
        ("The user plays bridge every Sunday", "what do I do on Sundays", True),
        ("Bo is deaf in one ear", "what breed is Bo", False),
        ("The user's niece plays on the left wing", "what instrument does my niece play", False),
        ("The user spends every Easter with Bo", "how old is Bo", False),
        ("The user's nephew Bo turned nine in May", "how old is Bo", True),
        ("The user's niece Noor owns a kiosk in Bergen", "what's the name of Noor's kiosk", False),
        ("The user bought the user's house in 2016", "who lives with us", False),
        ("The user's grandfather stays with the user", "who lives with us", True),
        ("The user's uncle drives a night bus", "what does my uncle do for a living", True),
        ("The twins go to the nursery school on Dock Street", "which school did I go to", False),
        ("The twins go to the nursery school on Dock Street", "which school do the kids go to", True),
        ("The twins go to the nursery on Dock Street", "which school did I go to", False),
        ("The twins go to the nursery on Dock Street", "which school do the kids go to", True),
        ("The user mends lifts for a small firm in Ghent", "what do I do for a living", True),
        ("The user was a cadet for two years", "how much do I make a year", False),
        ("The user's twins turned six in May", "what are the names of my twins", False),
        ("The user has twins, Siri and Bo", "what are the names of my twins", True),
        ("The user has high hopes", "what high school did I go to", False),
        ("The user has a young spaniel named Flip", "what kind of dog do I have", True),
        ("The user has a young spaniel named Flip", "what kind of cat do I have", False),
        ("The dog's name is Flip", "what kind of dog is Flip", False),  # nothing that was not asked
        ("Odile's class teacher is Mr. Bo", "what class is Odile in", False),
        ("Odile is nine", "which class is Odile in", False),
        ("The user has geese at home, about twenty of them", "what number is the house", False),
        ("The user's number is oh four seven one two", "what's my number", True),
        ("The user's husband mends clocks", "what does my husband do", True),
        ("The user owes Bo two hundred crowns", "what do I do for a living", False),
        ("The person the user works for is Odile", "who's my boss", True),
        ("The user shalls be seventy in March", "what month is my birthday", True),
        ("The user got a green kayak", "what is the colour of my kayak", True),
        ("The user stuck the oars under the porch", "where'd I put the oars", True),
    ],
)
def test_what_answers_a_question(record: str, asked: str, answers_it: bool) -> None:
    question = read_question(asked)
    assert question is not None
    assert answers(Told(record), question) is answers_it


def test_a_question_about_somebody_known_is_about_the_user() -> None:
    wilma = told("Wilma keeps geese", "Wilma keeps geese")
    assert ground("what is Wilma's husband called", [wilma], [], [], "").unknown
    assert not ground("what is Goethe's wife called", [wilma], [], [], "").unknown


def test_a_question_about_a_thing_that_was_told_of_is_about_the_user() -> None:
    tractor = told("the tractor is a Fendt", "The tractor is a Fendt")
    assert ground("how much did the tractor cost", [tractor], [], [], "").unknown
    assert not ground("how much did the crown jewels cost", [tractor], [], [], "").unknown
    weather = told("I like hot weather", "The user likes hot weather")
    assert not ground("what's the weather like", [weather], [], [], "").unknown


def test_what_was_said_earlier_answers_what_no_record_does() -> None:
    grounds = ground(
        "where is the good corkscrew", [], [], [], "", ["is it late", "the good corkscrew is in the top drawer"]
    )
    assert grounds.own_words() == "The good corkscrew is in the top drawer."


def test_a_question_that_nothing_recalled_answers_is_unknown() -> None:
    assert ground("where does my uncle live", [AUNT], [], [], "").unknown
    assert not ground("where does my aunt live", [AUNT], [], [], "").unknown
    assert not ground("where does my uncle live", [AUNT], [], ["my uncle lives in Lille"], "").unknown
    assert not ground("who wrote Faust", [], [], [], "").unknown


def test_what_was_just_said_goes_before_what_memory_has_digested() -> None:
    grounds = ground(
        "where does my aunt live", [AUNT], [], ["where does my aunt live", "my aunt lives in Lille now"], ""
    )
    assert grounds.own_words() == "Your aunt lives in Lille now."
    assert not grounds.accepts("She lives in Ghent.")


@pytest.mark.parametrize(
    ("said", "asked", "reply"),
    [
        (["my name is Tess and I work at the mint"], "where do I work", "I work at the mint"),
        (["I'm a tiler"], "what's my job", "I'm a tiler"),
        (["my soup of choice is borscht", "my aunt's favourite soup is miso"], "what's my favourite soup", ""),
        (["I moved to Ghent", "I used to live in Lille"], "where do I live", "I moved to Ghent"),
        (["I live in Ghent", "I live in Lille now"], "where do I live", "I live in Lille now"),
    ],
)
def test_each_clause_of_what_was_said_may_answer(said: list[str], asked: str, reply: str) -> None:
    assert ground(asked, [], [], said, "").answer == reply


def test_one_of_several_that_may_harm_is_not_told_alone() -> None:
    latex = rule("I'm allergic to latex", "The user is allergic to latex", "user.allergy", "latex")
    heart = told("my heart tablets are ramipril", "The user's heart tablets are ramipril", "user.medicine_ramipril")
    grounds = ground("what am I allergic to", [NUTS, latex, AUNT], [], [], "")
    assert grounds.own_words() == "You're allergic to hazelnuts. You're allergic to latex."
    assert not grounds.accepts("You are allergic to hazelnuts.")
    assert grounds.accepts("Hazelnuts and latex.")
    lithium = dataclasses.replace(PILLS, key="user.medicine_lithium")
    assert ground("what tablets do I take", [heart, lithium], [], [], "").also == ("I take lithium at night",)
    assert ground("what do I take at night", [heart, lithium], [], [], "").also == ()


@pytest.mark.parametrize(("now", "reply"), [(" now", "You drive a tram now."), ("", "You drive a bus.")])
def test_of_two_answers_the_newer_is_told_that_says_how_it_is_now(now: str, reply: str) -> None:
    bus = dataclasses.replace(told("I drive a bus", "The user drives a bus"), id=1)
    tram = dataclasses.replace(told(f"I drive a tram{now}", f"The user drives a tram{now}"), id=2)
    assert ground("what do I drive", [bus, tram], [], [], "").own_words() == reply


def test_of_two_brothers_both_are_told() -> None:
    two = [
        told(f"my brother {name} lives in {town}", f"The user's brother {name} lives in {town}")
        for name, town in (("Lee", "Ghent"), ("Bert", "Namur"))
    ]
    both = "Your brother Lee lives in Ghent. Your brother Bert lives in Namur."
    assert ground("where does my brother live", two, [], [], "").own_words() == both
    assert ground("where does my brother Bert live", two, [], [], "").own_words().endswith("in Namur.")
    assert ground("where does my brother Bert live", two, [], [], "").also == ()


@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        ("where does my cousin work", "Olga works with you at the mint."),
        ("where does olga work", "Olga works with you at the mint."),
        ("where does my aunt work", ""),
        ("where do I work", ""),
    ],
)
def test_who_somebody_is_and_their_name_are_one(asked: str, reply: str) -> None:
    cousin = told("my cousin is called olga", "The user's cousin is called olga", "user.cousin", "olga")
    mint = told("she works with me at the mint", "Olga works with the user at the mint", "olga.employer", "the mint")
    grounds = ground(asked, [cousin, mint], [], ["my cousin is called olga"], "")
    assert (grounds.own_words() if grounds.answer else "") == reply


def test_a_reply_does_not_tell_a_day_that_is_over_as_it_was_said() -> None:
    said_at = time.mktime((2026, 5, 4, 12, 0, 0, 0, 0, -1))
    record = told("my recital is tomorrow", "The user's recital is tomorrow", "user.recital.when", "tomorrow")
    record = dataclasses.replace(record, event_time=said_at + 86400)
    grounds = ground("when is my recital", [record], [], [], "", now=said_at + 30 * 86400)
    assert grounds.own_words() == "Your recital is on 5 May."
    assert not grounds.accepts("Your recital is tomorrow.")
    assert grounds.accepts("It is on May 5th.")


@pytest.mark.parametrize(
    ("reply", "accepted"),
    [
        ("She lives in Ghent.", True),
        ("Your aunt Wilma lives in Ghent.", True),
        ("The user's aunt Wilma lives in Ghent.", False),
        ("My aunt Wilma lives in Ghent.", False),
        ("Your aunt lives in Paris.", False),
        ("I don't know.", False),
    ],
)
def test_a_reply_must_use_the_known_answer_and_speak_to_the_user(reply: str, accepted: bool) -> None:
    grounds = ground("where does my aunt live", [AUNT], [], [], "")
    assert grounds.accepts(reply) is accepted
    assert grounds.own_words() == "Your aunt Wilma lives in Ghent."


def test_a_reply_must_tell_what_the_question_does_not_hold() -> None:
    bridge = told("I play bridge on Sundays", "The user plays bridge on Sundays", "user.plays", "bridge")
    grounds = ground("when do I play bridge", [bridge], [], [], "")
    assert not grounds.accepts("You play bridge.")
    assert grounds.accepts("On Sundays.")


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        ("I'm not allergic to hazelnuts any more", "You're not allergic to hazelnuts any more"),
        ("I stopped taking lithium", "You stopped taking lithium"),
    ],
)
def test_the_end_of_what_may_harm_is_heard_and_left_to_be_asked_about(said: str, reply: str) -> None:
    grounds = ground(said, [], [NUTS, PILLS], [], "")
    assert grounds.without_model() == f"I heard: {reply}. I'll ask you once more before I believe that."


def test_what_only_names_it_is_no_end() -> None:
    for said in ("my cat knocked the hazelnuts over", "I'm allergic to hazelnuts", "I don't like hazelnuts any more"):
        assert ground(said, [], [NUTS, PILLS], [], "").without_model() == ""
