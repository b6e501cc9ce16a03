"""The volume that a sentence asks for: "volume 40", "louder", "mute"."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.dates import number_of

_STEP_PERCENT = 20
_POLITE = r"^\W*(?:(?:hey|ok|okay|please|lo-?bug|can you|could you)[\s,]+)*"
_END = r"(?:,? please)?[\s.!?]*$"
_TO = re.compile(
    rf"{_POLITE}(?:(?:set|turn|change|put) )?(?:the |your )?volume (?:up |down )?(?:to |at )?"
    rf"(?P<number>\d{{1,3}}|[a-z]+(?:[ -][a-z]+)?)(?: ?%| percent)?{_END}",
    re.IGNORECASE,
)
_MANNER = r"(?:speak |talk |be |a bit |a little )*"
_ITS = r"(?:turn |set |put )?(?:the |your )?volume"
_TURN = r"turn (?:it|yourself|the volume|your volume)"
_STEPS = {
    1: rf"{_MANNER}(?:louder|up)|{_ITS} up|{_TURN} up",
    -1: rf"{_MANNER}(?:quieter|softer|more quietly)|{_ITS} down|{_TURN} down|not so loud",
}
_STEP = {way: re.compile(rf"{_POLITE}(?:{words}){_END}", re.IGNORECASE) for way, words in _STEPS.items()}
_MUTE = re.compile(rf"{_POLITE}(?:mute|be (?:quiet|silent)|mute yourself){_END}", re.IGNORECASE)
_UNMUTE = re.compile(rf"{_POLITE}(?:unmute|unmute yourself|speak again){_END}", re.IGNORECASE)
_LOOSE = {"half": 50, "full": 100, "maximum": 100, "max": 100, "minimum": 10, "a hundred": 100, "one hundred": 100}
_UNMUTED_PERCENT = 60


def wanted_percent(text: str, now: int) -> int | None:
    """The volume that a sentence asks for; None when it asks for none."""
    if _MUTE.match(text):
        return 0
    if _UNMUTE.match(text):
        return now or _UNMUTED_PERCENT
    for way, pattern in _STEP.items():
        if pattern.match(text):
            return max(0, min(100, now + way * _STEP_PERCENT))
    match = _TO.match(text)
    if match is None:
        return None
    word = match["number"].lower()
    number = int(word) if word.isdigit() else _LOOSE.get(word) or number_of(word) or None
    return number if number is not None and 0 <= number <= 100 else None
