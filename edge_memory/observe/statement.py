"""What a turn states, and what it is read against: the values that reading in any language gives."""

from __future__ import annotations

from dataclasses import dataclass, field

from edge_memory import lazy_re as re
from edge_memory.observe.english.people import Household
from edge_memory.records import Kind, Language, Layer, Priority

ASKED_TO_REMEMBER = 0.9  # the confidence of what the user asked for
_REPLACES = re.compile(
    r"\b(?:now|nowadays|these days|any ?more|no longer|instead|from now on|actually|after all|changed|moved"
    r"|switched|(?:from|starting|as of) (?:next|this|today|tomorrow|\w+day)|this (?:year|term|season))\b|\brather$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Slot:
    """What a clause fills. `ends` says that it takes a value away ("I quit NASA") instead of giving one.

    `key` is empty when only the words `about` tell what ends;
    `thing` says that this is had rather than done. `aliases` are other names of the same slot ("sister.home"
    for "jana.home"), `opposite` the slot in which the same value cannot stand at the same time.
    """

    key: str
    value: str
    many: bool
    kind: Kind
    layer: Layer = Layer.PROFILE
    priority: Priority = Priority.NORMAL
    ends: bool = False
    about: str = ""
    thing: bool = False
    aliases: tuple[str, ...] = ()
    opposite: str = ""


@dataclass(frozen=True, slots=True)
class Context:
    """What is known when a turn is read: the house, what was said before it in its session, when, in what language."""

    household: Household = field(default_factory=Household)
    previous: str = ""
    said_at: float | None = None
    language: Language = Language.ENGLISH


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that the user stated.

    `text` is told in the third person and in the user's own words, `excerpt` is what they said. `change` says that they
    told it as a change, `instead_of` holds the words that it takes the place of ("not green"), `corrects` the id of the
    record that it puts right, `restated` says that it was begun as a correction ("sorry, ..."), `event_time` the moment
    it speaks of in Unix seconds.
    """

    text: str
    excerpt: str
    slot: Slot | None
    confidence: float
    change: bool = False
    instead_of: str = ""
    corrects: int | None = None
    restated: bool = False
    event_time: float | None = None

    @property
    def replaces(self) -> bool:
        """Whether the user told it as how it is from now on, in place of how it was."""
        return bool(self.instead_of or self.restated or is_how_it_is_now(self.excerpt))

    @property
    def explicit(self) -> bool:
        """Whether the user asked for it to be remembered."""
        return self.confidence >= ASKED_TO_REMEMBER


def is_how_it_is_now(said: str) -> bool:
    """Whether it is told as being otherwise than before: "now", "these days", "no longer", "from Monday"."""
    return bool(_REPLACES.search(said))
