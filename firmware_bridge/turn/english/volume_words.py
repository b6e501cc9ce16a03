"""The volume that a sentence asks for: "volume 40", "louder", "mute"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from edge_memory import lazy_re as re
from edge_memory.observe.english.dates import number_of

_STEP_PERCENT = 20
_UNMUTED_PERCENT = 60


@dataclass(frozen=True, slots=True)
class VolumeWords:
    """How a language asks for a volume. `steps` are the forms for louder (1) and for quieter (-1), `to` has the group
    `number`: digits, one of the `loose` words, or what `number_of` knows (0 or None for what it does not).
    """

    mute: re.Pattern[str]
    unmute: re.Pattern[str]
    steps: Mapping[int, re.Pattern[str]]
    to: re.Pattern[str]
    loose: Mapping[str, int]
    number_of: Callable[[str], int | None]

    def wanted_percent(self, text: str, now: int) -> int | None:
        """0 to 100; None for a sentence that asks for none. `now` is how loud it is."""
        if self.mute.match(text):
            return 0
        if self.unmute.match(text):
            return now or _UNMUTED_PERCENT
        for way, form in self.steps.items():
            if form.match(text):
                return max(0, min(100, now + way * _STEP_PERCENT))
        match = self.to.match(text)
        if match is None:
            return None
        word = match["number"].lower()
        number = int(word) if word.isdigit() else self.loose.get(word) or self.number_of(word) or None
        return number if number is not None and 0 <= number <= 100 else None


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
ENGLISH = VolumeWords(
    mute=re.compile(rf"{_POLITE}(?:mute|be (?:quiet|silent)|mute yourself){_END}", re.IGNORECASE),
    unmute=re.compile(rf"{_POLITE}(?:unmute|unmute yourself|speak again){_END}", re.IGNORECASE),
    steps={way: re.compile(rf"{_POLITE}(?:{words}){_END}", re.IGNORECASE) for way, words in _STEPS.items()},
    to=_TO,
    loose={"half": 50, "full": 100, "maximum": 100, "max": 100, "minimum": 10, "a hundred": 100, "one hundred": 100},
    number_of=number_of,
)
