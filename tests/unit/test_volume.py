"""How loud, by voice."""

from __future__ import annotations

import pytest

from firmware_bridge.turn.english.volume_words import ENGLISH
from firmware_bridge.turn.german.volume_words import GERMAN


@pytest.mark.parametrize(
    ("text", "percent"),
    [
        ("volume 40", 40),
        ("set the volume to 40 percent", 40),
        ("turn your volume down to twenty", 20),
        ("set volume to thirty five percent, please", 35),
        ("volume at half", 50),
        ("please turn the volume to maximum", 100),
        ("louder", 70),
        ("speak a bit louder please", 70),
        ("volume up!", 70),
        ("turn it up", 70),
        ("Hey Lo-Bug, can you be quieter?", 30),
        ("turn the volume down", 30),
        ("not so loud", 30),
        ("mute", 0),
        ("be quiet", 0),
        ("unmute", 50),
        ("volume 300", None),
        ("the volume of a sphere", None),
        ("volume of the lake", None),
        ("what is the volume", None),
        ("my neighbour is louder than yours", None),
        ("I was quiet", None),
        ("up", 70),
        ("what's up", None),
    ],
)
def test_what_is_asked_for(text: str, percent: int | None) -> None:
    assert ENGLISH.wanted_percent(text, 50) == percent


def test_it_stays_within_what_there_is() -> None:
    assert ENGLISH.wanted_percent("louder", 95) == 100
    assert ENGLISH.wanted_percent("quieter", 5) == 0
    assert ENGLISH.wanted_percent("unmute", 0) == 60


@pytest.mark.parametrize(
    ("text", "percent"),
    [
        ("Lautstärke 40", 40),
        ("Lautstärke auf vierzig Prozent", 40),
        ("Lautstärke halb", 50),
        ("Lautstärke 0", 0),
        ("bitte etwas lauter", 70),
        ("sprich leiser", 30),
        ("sei still", 0),
        ("Lautstärke 300", None),
        ("wie laut ist die Straße", None),
    ],
)
def test_what_german_asks_for(text: str, percent: int | None) -> None:
    assert GERMAN.wanted_percent(text, 50) == percent


def test_german_gives_the_voice_back() -> None:
    assert GERMAN.wanted_percent("Ton an", 0) == 60
