"""What is said to a plain statement that memory reads whole, in any language: the user's own words, told back."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from edge_memory import lazy_re as re
from edge_memory.observe import Context, Statement, read_statements
from edge_memory.observe.risk import is_high_risk
from edge_memory.records import Kind, Language, words_of
from firmware_bridge.phrases import PHRASES

_MOST_WORDS = 22
_OF_TASTE = (".likes", ".prefers", ".dislikes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipts:
    """The words of a language by which it tells a statement back; sorrow and joy come first.

    `lead` only opens a statement, `asks` tells what wants an answer or leave, `not_plain` is said to the companion or
    asked beside. With `loss`, `bad_news` and `good_news` is felt, unless it is `no_news`: denied, or long ago.
    `restricts` tells whether something must not be, `small` are words that need not be read. `told_back` retells what
    was said, given its clauses too, in the second person, an order as a promise; empty for what cannot be told so.
    """

    language: Language
    lead: re.Pattern[str]
    asks: Callable[[str], bool]
    not_plain: re.Pattern[str]
    loss: re.Pattern[str]
    bad_news: re.Pattern[str]
    good_news: re.Pattern[str]
    no_news: re.Pattern[str]
    restricts: Callable[[str], bool]
    small: frozenset[str]
    told_back: Callable[[str, Sequence[str]], str]

    def receipt(self, text: str) -> str:
        """Empty for what asks, wishes or jokes, for what memory reads only in part, and for what is no fact to hold
        on to.
        """
        told = self.lead.sub("", text.strip()).rstrip(" .!")
        if self.asks(told) or self.not_plain.search(told) or len(words_of(told)) > _MOST_WORDS:
            return ""
        statements = read_statements(text, Context(language=self.language))
        if not statements:
            return ""
        if felt := self._felt(told):
            return felt
        if not self._is_whole(told, statements) or not any(map(self._is_to_be_held, statements)):
            return ""
        if any(one.slot and one.slot.ends and is_high_risk(one.slot.key) for one in statements):
            return ""
        back = self.told_back(told, [one.excerpt for one in statements])
        forms = PHRASES[self.language].receipts
        return forms[zlib.crc32(told.encode()) % len(forms)].format(told=back) if back else ""

    def _felt(self, told: str) -> str:
        """What is said to a loss, to bad or to good news: whoever tells of a death wants no receipt."""
        if self.no_news.search(told) or self.restricts(told):
            return ""
        said = PHRASES[self.language]
        news = (
            (self.loss, said.sorry_for_loss),
            (self.bad_news, said.sorry_to_hear),
            (self.good_news, said.glad_to_hear),
        )
        return next((reply for kind, reply in news if kind.search(told)), "")

    def _is_whole(self, told: str, statements: Sequence[Statement]) -> bool:
        """Whether what was read holds all that was said, so that nothing of it is lost without a word."""
        read = {word for one in statements for word in words_of(f"{one.excerpt} {one.instead_of}")}
        return not any(word not in read and word not in self.small for word in words_of(told))

    def _is_to_be_held(self, statement: Statement) -> bool:
        slot = statement.slot
        if slot is None or not slot.key:
            return self.restricts(statement.text) or (slot is not None and statement.change)
        return slot.kind is not Kind.PREFERENCE and not slot.key.endswith(_OF_TASTE)
