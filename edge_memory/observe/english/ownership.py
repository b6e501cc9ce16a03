"""Whose a record is, and whether a wish names it: what "forget my dog" means, and what it leaves alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import KIN_OR_PET, KIN_SET, PET_SET
from edge_memory.observe.english.people import Household
from edge_memory.observe.english.wording import stem, telling
from edge_memory.records import Kind, Priority, Record, Status, words_of

_MINE = re.compile(r"\b(?:my|our|mine|i|i'm|i've|we|we're)\b", re.IGNORECASE)
_OWNER = re.compile(
    rf"^(?:the user's|my|our)\s+(?:[\w-]+\s+)?(?P<kin>{KIN_OR_PET})\b(?!\s+(?:appointment|visit|bill)s?\b)",
    re.IGNORECASE,
)
_KIN = re.compile(rf"\b{KIN_OR_PET}\b", re.IGNORECASE)
_FIRST = re.compile(r"^(?:the\s+)?(?P<name>[\w-]+)", re.IGNORECASE)
_ORDERS = frozenset(map(stem, "rule order instruction never always".split()))


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be forgotten, in the user's words with their "my"; `everything` if they said so."""

    meant: str
    household: Household
    everything: bool = False

    def in_other_words(self) -> list[str]:
        """The same with the name of each "my sister" for the kin word, when there is one sister."""
        named = [self.meant]
        for kin in {match[0].lower() for match in _KIN.finditer(self.meant)}:
            name = self.household.only(kin)
            if name:
                named.append(re.sub(rf"\b{re.escape(kin)}\b", name, self.meant, flags=re.IGNORECASE))
        return named

    def means(self, found: Sequence[Record]) -> list[Record]:
        """Those of the records that are meant: no other person's and no order, unless it is named."""
        own = self.own(found)
        if not own and not _MINE.search(self.meant) and len({self._owner(record) for record in found}) == 1:
            own = list(found)
        if self.everything:
            return own if _MINE.search(self.meant) else list(found)
        return [record for record in own if not is_hard(record) or self._names(record)]

    def own(self, found: Sequence[Record]) -> list[Record]:
        """Those that are about the user, or about whom the wish names."""
        return [record for record in found if self._is_own(record)]

    def rivals(self, found: Sequence[Record]) -> list[Record]:
        """Those of which only one can be meant: other values of one attribute, none of which the wish names."""
        slots: defaultdict[str, dict[tuple[str, str], Record]] = defaultdict(dict)
        for record in found:
            if record.status is Status.ACTIVE and record.key and isinstance(record.value, str):
                subject, _, attribute = record.key.partition(".")
                slots[attribute][subject, record.value.lower()] = record
        rivals = [record for values in slots.values() if len(values) > 1 for record in values.values()]
        return [] if any(telling(str(record.value)) <= self._words() for record in rivals) else rivals

    def _is_own(self, record: Record) -> bool:
        whose = self._owner(record)
        if not whose:
            return True
        known = {whose, *self.household.relations.get(whose, ()), self.household.kin_of(whose) or whose}
        return bool(self._words() & {stem(word) for name in known for word in words_of(name)})

    def _owner(self, record: Record) -> str:
        """The kin word or name of whom or what a record is about, in lower case; empty for the user's own."""
        match = _OWNER.match(record.text)
        if match:
            return match["kin"].lower()
        first = _FIRST.match(record.text)
        word = first["name"].lower() if first else ""
        return word if word in KIN_SET | PET_SET or self.household.knows(word) else ""

    def _names(self, record: Record) -> bool:
        attribute = {stem(word) for word in words_of((record.key or "").partition(".")[2].replace("_", " "))}
        value, told, said = telling(str(record.value or "")), telling(record.text), self._words()
        half = 2 * len(told & said) >= len(told)
        return bool(said & (attribute | _ORDERS)) or half or (bool(value) and value <= said)

    def _words(self) -> frozenset[str]:
        said = words_of(self.meant)
        singular = [word.removesuffix("ies") + "y" for word in said if word.endswith("ies")]
        return frozenset(map(stem, (*said, *singular)))


def is_hard(record: Record) -> bool:
    """A hard constraint or a standing order."""
    return record.priority in (Priority.CRITICAL, Priority.HIGH) or record.kind is Kind.POLICY
