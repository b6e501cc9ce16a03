"""The volume that a German sentence asks for: "Lautstärke 40", "lauter", "sei still"."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.german.lexicon import number_of

_STEP_PERCENT = 20
_UNMUTED_PERCENT = 60
_POLITE = r"^\W*(?:(?:hey|ok|okay|bitte|lo-?bug|kannst du|könntest du|etwas|ein bisschen|mal|sprich|rede|mach|mach es|mach dich|stell|dreh)[\s,]+)*"
_END = r"(?: (?:bitte|sprechen|reden|machen|stellen))*[\s.!?]*$"
_TO = re.compile(
    rf"{_POLITE}(?:(?:die|deine) )?lautstärke (?:auf )?(?P<number>\d{{1,3}}|\w+)(?: ?%| prozent)?{_END}", re.IGNORECASE
)
_UP = re.compile(rf"{_POLITE}(?:die lautstärke )?(?:lauter|hoch|rauf){_END}", re.IGNORECASE)
_DOWN = re.compile(rf"{_POLITE}(?:die lautstärke )?(?:leiser|runter|nicht so laut){_END}", re.IGNORECASE)
_MUTE = re.compile(rf"{_POLITE}(?:stumm|sei (?:still|leise|ruhig)|ruhe|ton aus){_END}", re.IGNORECASE)
_UNMUTE = re.compile(rf"{_POLITE}(?:ton an|sprich wieder|du darfst wieder sprechen){_END}", re.IGNORECASE)
_LOOSE = {"halb": 50, "halbe": 50, "voll": 100, "volle": 100, "maximum": 100, "minimum": 10, "hundert": 100}


def wanted_percent(text: str, now: int) -> int | None:
    """As `firmware_bridge.turn.volume_words.wanted_percent`."""
    if _MUTE.match(text):
        return 0
    if _UNMUTE.match(text):
        return now or _UNMUTED_PERCENT
    for pattern, way in ((_UP, 1), (_DOWN, -1)):
        if pattern.match(text):
            return max(0, min(100, now + way * _STEP_PERCENT))
    match = _TO.match(text)
    if match is None:
        return None
    word = match["number"].lower()
    number = _LOOSE.get(word, number_of(word))
    return number if number is not None and 0 <= number <= 100 else None
