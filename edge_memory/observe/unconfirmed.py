"""What a file or a program may have counted before the owner has confirmed it: nobody heard the owner say it."""

from __future__ import annotations

from dataclasses import replace

from edge_memory import lazy_re as re
from edge_memory.observe.english import addressing
from edge_memory.observe.english.instructions import is_instruction
from edge_memory.observe.english.restrictions import restricts
from edge_memory.observe.german import addressing as german_addressing
from edge_memory.observe.risk import is_high_risk
from edge_memory.records import Kind, Layer, Origin, Priority, Record, Status

_BY_LANGUAGE = (addressing, german_addressing)
_DONE = re.compile(r"[a-z]+ed\b", re.IGNORECASE)  # "Deployed version 2"
_MOST = frozenset({Priority.NORMAL, Priority.MEDIUM})


def tells_of_life(text: str) -> bool:
    """Whether it is plainly told of a life, in any language that is understood."""
    return any(one.tells_of_life(text) for one in _BY_LANGUAGE)


def demands(text: str) -> bool:
    """Whether a text that the owner was not heard to say wants something of the assistant."""
    return is_instruction(text) or any(one.addresses_hearer(text) for one in _BY_LANGUAGE)


def must_wait(text: str, excerpt: str, kind: Kind, layer: Layer) -> bool:
    """Whether it waits for the owner: a standing order (an allergy is a policy, too, but none), a demand, and whatever
    is not plainly told of a life. The steps of a procedure are commands, so of these only what is for the assistant; an
    episode may begin with its deed.
    """
    if (kind is Kind.POLICY and not restricts(text)) or demands(excerpt) or demands(text):
        return True
    if layer is Layer.PROCEDURAL or (layer is Layer.EPISODIC and _DONE.match(text)):
        return False
    return not tells_of_life(text)


def lowered(priority: Priority, text: str) -> Priority:
    """The priority that it may have: what stands in every reply is for rules to find, not for a source to claim."""
    return priority if priority in _MOST or restricts(text) else Priority.MEDIUM


def until_confirmed(record: Record) -> Record:
    """A record of a file that the owner does not vouch for, as it is here."""
    if record.status is not Status.ACTIVE:
        return record
    if must_wait(record.text, record.source_excerpt, record.kind, record.layer):
        return replace(record, status=Status.PENDING)
    return replace(record, priority=lowered(record.priority, record.text))


def may_be_spoken(record: Record) -> bool:
    """Whether the owner may be asked aloud about a record that waits: a yes to a planted sentence would make it count,
    and the question itself would say it.
    """
    if record.origin is Origin.CONVERSATION:
        return True
    if record.origin is not Origin.IMPORT:
        return not demands(record.text)
    return tells_of_life(record.text) and (is_high_risk(record.key) or restricts(record.text))
