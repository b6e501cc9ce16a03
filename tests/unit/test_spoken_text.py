"""What is written, and what the voice gets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.speech.spoken import spoken

pytest.importorskip("num2words")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("It's 21.5\u00b0C and 7:30.", "It's twenty-one point five degrees Celsius and seven thirty."),
        ("-5 \u00b0C outside", "minus five degrees Celsius outside"),
        ("humidity 45%.", "humidity forty-five percent."),
        ("Meet at 14:05 on 2026-11-22.", "Meet at fourteen oh five on November twenty-second, twenty twenty-six."),
        ("at 8am, 7:00 or 15:00", "at eight A M, seven o'clock or fifteen hundred hours"),
        (
            "It costs $3.50, \u00a31 or \u20ac1,200.",
            "It costs three dollars and fifty cents, one pound or one thousand two hundred euros.",
        ),
        ("$5 million", "five million dollars"),
        (
            "Take 50 mg, 2-3 tablets, 5\u20137 km.",
            "Take fifty milligrams, two to three tablets, five to seven kilometres.",
        ),
        ("1 km and 2 km/h", "one kilometre and two kilometres an hour"),
        ("Dr. Smith, e.g. in 1987", "Doctor Smith, for example in nineteen eighty-seven"),
        ("Main St. near St. Mary", "Main Street near Saint Mary"),
        ("The 3rd of March, Mar 5, 5 Oct", "the third of March, March fifth, the fifth of October"),
        ("the 1990s", "the nineteen nineties"),
        ("1,234,567 people", "one million two hundred and thirty-four thousand five hundred and sixty-seven people"),
        ("1/2 cup & 3 \u00d7 4 = 12", "a half cup and three times four equals twelve"),
        ("Call 555-0199.", "Call five five five, zero one nine nine."),
        ("version 1.2.3", "version one point two point three"),
        ("code 00447", "code zero zero four four seven"),
        ("**Hello** _there_ `you`", "Hello there you"),
        ("# Title\n\n- eggs\n- milk\n", "Title. eggs. milk"),
        ("1. Wash\n2. Dry", "one, Wash. two, Dry"),
        ("See [the docs](https://x.org/a) or https://www.bbc.co.uk/n?x=1", "See the docs or bbc dot co dot uk"),
        ("```python\nprint()\n```", "print()"),
        ("| a | b |\n|---|---|\n| c | d |", "a, b. c, d"),
        ("<b>Bold</b> &amp; brave", "Bold and brave"),
        ("Nice \U0001f600\U0001f468\u200d\U0001f469\u200d\U0001f467 day \u2764\ufe0f :-)", "Nice day"),
        ("\U0001f389", ""),
        ("***", ""),
        ("", ""),
    ],
)
def test_english(written: str, said: str) -> None:
    assert spoken(written) == said


def test_other_languages_keep_their_numbers_for_the_voice() -> None:
    assert spoken("**Il fait 21,5 \u00b0C** \U0001f600", "fr") == "Il fait 21,5 \u00b0C"


@given(st.text(max_size=300))
def test_nothing_breaks_it_and_no_markup_reaches_the_voice(text: str) -> None:
    said = spoken(text)

    assert not set(said) & set("*_`#|<>{}[]\\^~\u200d\ufe0f\U0001f600")
    assert said == said.strip()
