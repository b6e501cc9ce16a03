"""What is believed of the auditor's opinion: only what rules can check against the user's own words."""

from __future__ import annotations

from dataclasses import dataclass

from edge_memory import lazy_re as re
from edge_memory.observe.arbitrate import Ruling, Verb
from edge_memory.observe.audit_prompt import Opinion, was_said
from edge_memory.observe.english.lexicon import word_class
from edge_memory.observe.english.slots import find_slot
from edge_memory.observe.english.wording import is_negative, is_past, subjects_of, telling
from edge_memory.observe.risk import is_high_risk, speaks_of_risk
from edge_memory.records import Layer, Record, words_of

_LIGHT = frozenset("go com get mak tak work liv us hav keep own".split())  # stems of verbs that tell little
_LEAST_TOPIC = 2  # "coffee" alone does not make a sentence about the same
_EATEN = re.compile(
    r"\b(?:vegetarian|vegan|halal|kosher|jain|diet|fast(?:s|ing)|(?:gluten|lactose|celiac|coeliac)\w*)\b", re.IGNORECASE
)
_STEM_LETTERS = 5  # "collects" and "collection"
# Words of an end that elsewhere end too little: of what is of high risk they are reason enough to ask.
_OVER = re.compile(
    r"\b(?:mistake|wrong|off|over|cured|cleared|cancelled|finished|gone|closed|different|after all)\b", re.IGNORECASE
)
_THING = re.compile(r"the (?!user\b)(\w+)(?: (\w+))?", re.IGNORECASE)
_LAYERS = frozenset({Layer.SEMANTIC, Layer.PROFILE})
_NOTHING = Ruling(Verb.INSERT, reason="both stand")


@dataclass(frozen=True, slots=True)
class Case:
    """A new record with what the user said. `change` says that they told it as a change."""

    record: Record
    said: str
    change: bool

    def bears_on(self, other: Record) -> bool:
        """Whether there is anything about an older record that the auditor may be asked: no slot decides it, it is of
        the same subject and of an earlier turn, and words that tell something are shared.
        """
        record = self.record
        decided = record.key is not None and other.key is not None
        visible = other.session_id in (None, record.session_id)
        if decided or not visible or other.layer not in _LAYERS or record.layer not in _LAYERS:
            return False
        if other.id >= record.id or other.source_turn_id == record.source_turn_id or not _same_subject(record, other):
            return False
        return bool(_topic(record, other)) and (self._is_same(other) is not Verb.INSERT or self._may_end(other))

    def likeness(self, other: Record) -> int:
        """How many telling words both have."""
        return len(_stems(self.record.text) & _stems(other.text))

    def believed(self, opinion: Opinion) -> Ruling:
        """What the opinion may do; an insert without targets when it may do nothing.

        What is of high risk is never overwritten but asked about, what a slot of many values holds is never ended, and
        nothing goes whose words the new record does not hold, unless the user told a change or an end.
        """
        other = opinion.candidate
        if not self.bears_on(other) or not was_said(opinion.evidence, self.said):
            return _NOTHING
        if opinion.verb in (Verb.NOOP, Verb.UPDATE) and (same := self._is_same(other)) is not Verb.INSERT:
            return Ruling(same, (other,), "audited: the same in other words")
        if opinion.verb is Verb.INSERT or not self._may_end(other):
            return _NOTHING
        if _is_risky(self.record) or _is_risky(other):
            return Ruling(Verb.MARK_PENDING, (other,), "audited: identity, health or money needs a confirmation")
        if opinion.verb is Verb.EXPIRE and is_negative(self.record.text):
            return Ruling(Verb.EXPIRE, (other,), "audited: the user said that it ended")
        if opinion.verb is not Verb.EXPIRE and self.change:  # to a small model every change is "the same"
            return Ruling(Verb.SUPERSEDE, (other,), "audited: the user told it as a change")
        return _NOTHING

    def _is_same(self, other: Record) -> Verb:
        """NOOP when the older one says all of the new one, UPDATE when the new one says all of it and more."""
        new, old = self.record.text, other.text
        if is_negative(new) != is_negative(old):
            return Verb.INSERT
        if _covers(old, new):
            return Verb.NOOP
        replaceable = not (_is_risky(other) or is_past(new) or is_past(old))
        return Verb.UPDATE if replaceable and _covers(new, old) else Verb.INSERT

    def _may_end(self, other: Record) -> bool:
        if _holds_many(other) or _holds_many(self.record) or is_past(other.text) or is_negative(other.text):
            return False
        if self.change or is_negative(self.record.text):
            risky = _is_risky(self.record) or _is_risky(other)
            return risky or len(_topic(self.record, other) - _LIGHT) >= _LEAST_TOPIC
        return _is_risky(other) and bool(_OVER.search(self.said))


def _same_subject(record: Record, other: Record) -> bool:
    """Of one name; or one is about a thing ("the mortgage") that the other, about the user, names."""
    if subjects_of(record.text) & subjects_of(other.text):
        return True
    return _names_thing(record.text, other.text) or _names_thing(other.text, record.text)


def _names_thing(told: str, thing: str) -> bool:
    named = _THING.match(thing)
    if named is None or "user" not in subjects_of(told):
        return False
    return bool(telling(" ".join(filter(None, named.groups()))) & telling(told))


def _topic(record: Record, other: Record) -> frozenset[str]:
    """What both tell besides whom they are both about."""
    whom = telling(" ".join(subjects_of(record.text) & subjects_of(other.text)))
    return (_stems(record.text) & _stems(other.text)) - {word[:_STEM_LETTERS] for word in whom}


def _covers(whole: str, part: str) -> bool:
    """Every telling word of the part, and every name of a day, month or number, which may be small words elsewhere."""
    return _stems(part) - _LIGHT <= _stems(whole) and _marks(part) <= _marks(whole)


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM_LETTERS] for word in telling(text))


def _marks(text: str) -> frozenset[str]:
    return frozenset(word for word in words_of(text) if word_class(word))


def _holds_many(record: Record) -> bool:
    """As the rules know it: a slot that a model has named counts as one of many values, and proves nothing."""
    slot = find_slot(record.source_excerpt or record.text)
    return slot is not None and slot.many


def _is_risky(record: Record) -> bool:
    told = f"{record.text} {record.source_excerpt}"
    return is_high_risk(record.key) or speaks_of_risk(told) or bool(_EATEN.search(told))
