"""Standing orders that are taken back: "you needn't whisper any more", "you can ring after nine again"."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.statements import is_standing_order
from edge_memory.observe.english.wording import classes_of, telling
from edge_memory.observe.statement import Slot
from edge_memory.records import Kind, Layer, Record, words_of

_NO_LONGER = (
    r"(?P<since>(?:,? (?:again|any ?more|any longer|now|from now on|any ?time|whenever|if you (?:like|want)|after all"
    r"|if you must))+)"
)
_LIFTS = re.compile(
    r"^(?:(?:you|there's|there is|it's|it is) )?(?:"
    r"(?:don't|do not) (?:have|need) to|needn't|need not|no need to|no longer (?:have|need) to|can stop|may stop|stop"
    r"|never mind(?: about)?|don't bother(?: about| with| to)?|not necessary to) (?P<duty>\w+ .+?)" + _NO_LONGER + r"?$"
    r"|^(?:you (?:can|may|could)|feel free to|i don't mind (?:if you|you)|it's (?:ok|okay|fine|al+ ?right) "
    r"(?:to|if you|for you to))"
    r" (?P<leave>\w+ .+?)" + _NO_LONGER.replace("since", "again") + r"$",
    re.IGNORECASE,
)
_UNLESS = re.compile(r"\b(?:unless|until|except) ", re.IGNORECASE)  # then it is an order itself
_KEY = "rule.lifted"
_WAYS = tuple(
    frozenset(kind.split())
    for kind in (
        "metric imperial", "celsius fahrenheit", "miles kilometres kilometers", "pounds kilos kilograms stone",
        "english french german spanish italian portuguese dutch welsh irish hindi urdu malay polish arabic mandarin",
        "slowly fast faster slower quickly", "short brief concise long detailed",
    )
)  # fmt: skip
_OF_ORDERS = telling("not never always please don't me time thing")


def lifting(clause: str) -> Slot | None:
    """What a clause says need not be so any more, or may be again: of a standing order, if there is one."""
    match = None if _UNLESS.search(clause) else _LIFTS.match(clause)
    what = (match["duty"] or match["leave"]) if match else ""
    if not what:
        return None
    return Slot(_KEY, "", True, Kind.EVENT, Layer.EPISODIC, ends=True, about=what)


def is_ordered_otherwise(slot: Slot | None, text: str, record: Record) -> bool:
    """ "Use miles from now on" beside "answer in kilometres": one way of a kind at a time."""
    if slot is None or not slot.key.startswith("rule.") or not (record.key or "").startswith("rule."):
        return False
    now, before = ({word.lower() for word in re.findall(r"\w+", told)} for told in (text, record.text))
    return any(now & kind and before & kind and not now & before & kind for kind in _WAYS)


def ways_ordered(slot: Slot | None) -> str:
    """The other words of the kind of way that is lifted: "brief" where answers may be long again."""
    about = set(words_of(slot.about)) if slot and slot.key == _KEY else set[str]()
    return " ".join(sorted(word for kind in _WAYS if about & kind for word in kind))


def is_lifting(slot: Slot | None) -> bool:
    """Whether it only means something if there is such an order."""
    return slot is not None and slot.key == _KEY


def is_lifted(slot: Slot | None, record: Record) -> bool:
    """Whether the record is the order that is taken back: the same deed, of nothing and nobody else."""
    if (
        slot is None
        or slot.key != _KEY
        or not ((record.key or "").startswith("rule.") or is_standing_order(record.source_excerpt))
    ):
        return False
    if is_ordered_otherwise(slot, slot.about, record):
        return True
    deed, ordered = (
        {word for word in telling(text) - _OF_ORDERS if not classes_of(frozenset({word}))}
        for text in (slot.about, record.text)
    )
    return bool(deed & ordered) and (deed <= ordered or ordered <= deed)
