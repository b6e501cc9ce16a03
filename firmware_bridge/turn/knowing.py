"""What memory has to say to an English utterance, looked up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from edge_memory.errors import EdgeMemoryError
from edge_memory.memory import Memory
from edge_memory.observe.absolute_dates import dated_memory, dated_turn
from edge_memory.recall import Activated
from edge_memory.records import Language, Message, Record, Role, UserTurn, words_of
from firmware_bridge.phrases import PHRASES
from firmware_bridge.turn.binding import binding
from firmware_bridge.turn.constraints import bids, is_order, names
from firmware_bridge.turn.grounding import Grounds, ground, holders, refusal
from firmware_bridge.turn.nearest import nearest
from firmware_bridge.turn.second_person import said_back
from firmware_bridge.turn.wordforms import GENERIC, holds

_PHRASES = PHRASES[Language.ENGLISH]
_MOST_BELIEVED = 1_000


async def know(memory: Memory, turn: UserTurn, active: Activated, history: Sequence[Message]) -> Grounds:
    """Before it admits a gap, it looks through all that is believed, and for what at least comes near."""
    recalled = [hit.record for hit in active.recollection.hits]
    held = await binding(memory, active.constraints, turn)
    told = partial(
        ground,
        turn.text,
        constraints=[dated_memory(record, turn.heard_at) for record in held],
        heard=[message.content for message in history if message.role is Role.USER],
        base_memory=active.base,
        said_before=[dated_turn(said.content, said.created_at, turn.heard_at) for said in active.turns],
        now=turn.heard_at,
    )
    grounds = told(recalled)
    if not grounds.unknown:
        return grounds
    try:
        believed = await memory.review.believed(turn.user_id, turn.session_id, _MOST_BELIEVED)
    except EdgeMemoryError:
        believed = []
    grounds = told([*recalled, *holders(turn.text, believed)])
    near = nearest(turn.text, active.recollection.hits, believed) if grounds.unknown else None
    return Grounds(turn.text, told=_with_doubt(near, turn.heard_at)) if near else grounds


def _with_doubt(record: Record, now: float) -> str:
    return _PHRASES.nearest.format(told=said_back(dated_memory(record, now)))


def about(topic: str, found: Iterable[Record]) -> list[Record]:
    """Those of the records that tell of a topic."""
    named = [word for word in words_of(topic) if word not in GENERIC]
    return [record for record in found if named and all(holds(_words(record), word) for word in named)]


async def broken(memory: Memory, turn: UserTurn) -> str:
    """How a turn that goes against a standing order is refused; empty when it does not."""
    if not bids(turn.text):
        return ""
    held = await binding(memory, await memory.constraints(turn.session_id, turn.user_id), turn)
    against = [record for record in held if is_order(record) and names(record, turn.text)]
    return refusal([dated_memory(record, turn.heard_at) for record in against]) if against else ""


def _words(record: Record) -> list[str]:
    return words_of(f"{record.text} {record.source_excerpt} {(record.key or '').replace('_', ' ')}")
