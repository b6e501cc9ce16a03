"""The volume that a German sentence asks for: "Lautstärke 40", "lauter", "sei still"."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.german.lexicon import number_of
from firmware_bridge.turn.english.volume_words import VolumeWords

_POLITE = r"^\W*(?:(?:hey|ok|okay|bitte|lo-?bug|kannst du|könntest du|etwas|ein bisschen|mal|sprich|rede|mach|mach es|mach dich|stell|dreh)[\s,]+)*"
_END = r"(?: (?:bitte|sprechen|reden|machen|stellen))*[\s.!?]*$"
GERMAN = VolumeWords(
    mute=re.compile(rf"{_POLITE}(?:stumm|sei (?:still|leise|ruhig)|ruhe|ton aus){_END}", re.IGNORECASE),
    unmute=re.compile(rf"{_POLITE}(?:ton an|sprich wieder|du darfst wieder sprechen){_END}", re.IGNORECASE),
    steps={
        1: re.compile(rf"{_POLITE}(?:die lautstärke )?(?:lauter|hoch|rauf){_END}", re.IGNORECASE),
        -1: re.compile(rf"{_POLITE}(?:die lautstärke )?(?:leiser|runter|nicht so laut){_END}", re.IGNORECASE),
    },
    to=re.compile(
        rf"{_POLITE}(?:(?:die|deine) )?lautstärke (?:auf )?(?P<number>\d{{1,3}}|\w+)(?: ?%| prozent)?{_END}",
        re.IGNORECASE,
    ),
    loose={"halb": 50, "halbe": 50, "voll": 100, "volle": 100, "maximum": 100, "minimum": 10, "hundert": 100},
    number_of=number_of,
)
