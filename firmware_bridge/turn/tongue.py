"""What a language brings to a turn: its phrases, and its rules for what is wished, asked and told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from edge_memory import lazy_re as re
from edge_memory.memory import Memory
from edge_memory.observe.english.third_person import third_person
from edge_memory.observe.german import clauses, verbs
from edge_memory.recall import Activated
from edge_memory.records import Language, Message, Record, UserTurn
from firmware_bridge.phrases import PHRASES, Phrases
from firmware_bridge.turn.english import knowing, memory_wishes, questions, telling_time, volume_words, wishes
from firmware_bridge.turn.english import second_person as english
from firmware_bridge.turn.english.grounding import Grounds
from firmware_bridge.turn.german import knowing as german_knowing
from firmware_bridge.turn.german import memory_wishes as german_memory_wishes
from firmware_bridge.turn.german import moments as german_moments
from firmware_bridge.turn.german import volume_words as german_volume_words
from firmware_bridge.turn.german import wishes as german_wishes
from firmware_bridge.turn.wished import MemoryWish, Wished

_BEGIN = r"^\W*(?:(?:so|and|hey|ok|okay|hello|hi|please|tell me|do you know)\b[\s,]*)*"
_BEGIN_GERMAN = r"^\W*(?:(?:und|hey|ok|okay|hallo|bitte|sag mal|sag mir|weißt du)\b[\s,]*)*"
_END = r"[\s.!?]*$"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tongue:
    """`wish_in` and `completed` read what is asked of reminders, `memory_wish` of memory; `know` tells what memory has
    to say, `about` which records tell of a topic, `broken` how a turn that goes against a standing order is refused.
    """

    phrases: Phrases
    second_person: Callable[[str], str]
    third_person: Callable[[str], str]
    said_back: Callable[[Record], str]
    wish_in: Callable[[str, str, datetime], Wished | None]
    completed: Callable[[str, str], str]
    memory_wish: Callable[[str], MemoryWish | None]
    moment: Callable[[float, datetime], str]
    duration: Callable[[float], str]
    span: Callable[[float], str]
    wanted_percent: Callable[[str, int], int | None]
    asks: Callable[[str], bool]
    know: Callable[[Memory, UserTurn, Activated, Sequence[Message]], Awaitable[Grounds]]
    about: Callable[[str, Iterable[Record]], list[Record]]
    broken: Callable[[Memory, UserTurn], Awaitable[str]]
    asks_name: re.Pattern[str]
    asks_who: re.Pattern[str]


_ENGLISH = Tongue(
    phrases=PHRASES[Language.ENGLISH],
    second_person=english.second_person,
    third_person=third_person,
    said_back=english.said_back,
    wish_in=wishes.wish_in,
    completed=wishes.completed,
    memory_wish=memory_wishes.memory_wish,
    moment=telling_time.spoken_moment,
    duration=telling_time.spoken_duration,
    span=telling_time.spoken_duration,
    wanted_percent=volume_words.ENGLISH.wanted_percent,
    asks=questions.asks,
    know=knowing.know,
    about=knowing.about,
    broken=knowing.broken,
    asks_name=re.compile(
        rf"{_BEGIN}(?:what(?:'s| is| was) your name(?: again)?|what are you called|what (?:do|should|can) I call you|"
        rf"(?:do you have|have you got) a name|your name){_END}",
        re.IGNORECASE,
    ),
    asks_who=re.compile(rf"{_BEGIN}(?:who are you|introduce yourself|tell me who you are){_END}", re.IGNORECASE),
)
_GERMAN = Tongue(
    phrases=PHRASES[Language.GERMAN],
    second_person=verbs.second_person,
    third_person=verbs.third_person,
    said_back=german_knowing.said_back,
    wish_in=german_wishes.wish_in,
    completed=german_wishes.completed,
    memory_wish=german_memory_wishes.memory_wish,
    moment=german_moments.spoken_moment,
    duration=german_moments.spoken_duration,
    span=german_moments.spoken_span,
    wanted_percent=german_volume_words.GERMAN.wanted_percent,
    asks=clauses.asks,
    know=german_knowing.know,
    about=german_knowing.about,
    broken=german_knowing.broken,
    asks_name=re.compile(
        rf"{_BEGIN_GERMAN}(?:wie (?:heißt|heisst) du(?: eigentlich| noch mal| nochmal)?|(?:was|wie) ist dein name"
        rf"|wie soll ich dich nennen|dein name){_END}",
        re.IGNORECASE,
    ),
    asks_who=re.compile(
        rf"{_BEGIN_GERMAN}(?:wer bist du(?: eigentlich)?|stell dich (?:bitte )?vor){_END}", re.IGNORECASE
    ),
)
_TONGUES: Mapping[Language, Tongue] = {Language.ENGLISH: _ENGLISH, Language.GERMAN: _GERMAN}


def tongue_of(language: Language) -> Tongue:
    return _TONGUES[language]
