"""A reply, cut into what can be spoken while it is written."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.clauses import ClauseCutter


def cut(*pieces: str) -> list[str]:
    cutter = ClauseCutter()
    clauses = [clause for piece in pieces for clause in cutter.feed(piece)]
    rest = cutter.rest()
    return [*clauses, rest] if rest else clauses


def test_the_first_clause_comes_early_and_then_whole_sentences() -> None:
    reply = "Yes, you do have one, on Friday. It is at ten, with Dr. Lee. Shall I remind you?"

    assert cut(reply) == ["Yes, you do have one,", "on Friday.", "It is at ten, with Dr. Lee.", "Shall I remind you?"]


def test_a_comma_after_a_word_is_not_waited_behind_and_one_after_a_digit_is() -> None:
    assert cut("You can cook rice,", " and fry an egg. ") == ["You can cook rice,", "and fry an egg."]
    assert cut("It costs some 1,", "500 pounds. ") == ["It costs some 1,500 pounds."]


def test_a_long_first_clause_ends_before_a_word_that_joins_two() -> None:
    assert cut("You take the white one every morning ", "and the blue one at night. ") == [
        "You take the white one every morning",
        "and the blue one at night.",
    ]
    assert cut("You like salt and pepper on it. ") == ["You like salt and pepper on it."]
    assert cut("A lantern is a small lamp that you can carry. ") == ["A lantern is a small lamp", "that you can carry."]
    assert cut("You can take the early ferry or the train. ") == ["You can take the early ferry", "or the train."]


def test_a_long_first_clause_ends_before_a_phrase_of_its_own() -> None:
    assert cut("The old bridge was built by ", "two brothers. ") == ["The old bridge was built", "by two brothers."]
    assert cut("The pond is deep because ", "they dug it. ") == ["The pond is deep", "because they dug it."]
    assert cut("You always put the milk in it first. ") == ["You always put the milk in it first."]


def test_a_word_that_opens_a_reply_is_spoken_at_once() -> None:
    assert cut("Okay. ", "I will keep that in mind. ") == ["Okay.", "I will keep that in mind."]
    assert cut("Dr. Lee has time on Friday. ") == ["Dr. Lee has time on Friday."]


def test_it_does_not_matter_how_the_text_arrives() -> None:
    reply = "It is 3.5 degrees outside. Take a coat, e.g. the blue one. Bye!"

    assert cut(*reply) == ["It is 3.5 degrees outside.", "Take a coat, e.g. the blue one.", "Bye!"]
    assert cut(*"You left the keys in the hall with them.") == ["You left the keys in the hall with them."]


def test_what_has_no_end_is_cut_where_it_can_be() -> None:
    clauses = cut("Well then, " + "and so on, " * 60)

    assert max(map(len, clauses)) <= 181
    assert all(clause.endswith(("on,", "then,")) for clause in clauses)


@given(st.lists(st.text(alphabet="ab .,!?\n1", max_size=40), max_size=20))
def test_no_word_is_lost(pieces: list[str]) -> None:
    assert "".join("".join(cut(*pieces)).split()) == "".join("".join(pieces).split())
