"""What a death ends: where somebody lived and worked, what was done for them, and all that is told of an animal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from edge_memory import lazy_re as re
from edge_memory.observe.english.contradictions.work_and_home import is_dwelling, is_work
from edge_memory.observe.english.lexicon import KIN_SET, PET_SET
from edge_memory.observe.english.people import introduced
from edge_memory.observe.english.wording import is_of_kin, is_past, subjects_of, telling
from edge_memory.observe.statement import Statement
from edge_memory.records import Kind, Record, words_of
from edge_memory.store import Connection, told

_TENDS = re.compile(
    r"^the user (?:always |usually |still |now )*(?:visits?|sees?|rings?|calls?|phones?|minds?|feeds?|walks?"
    r"|drives?|takes?|cooks? for|lives? with"
    r"|stays? with|looks? after|cares? for|goes to see|pops in on|checks? on|brings?) (?:the user's"
    r" )?(?P<whom>[\w'-]+(?: [\w'-]+)?)",
    re.IGNORECASE,
)
_BORN = re.compile(r"\b(?:birthday|born|anniversary|is called|name is)\b", re.IGNORECASE)


def ends_with_a_life(statement: Statement, record: Record) -> bool:
    """What is told of kin stays true of them but for where they lived and worked; of an animal nothing does."""
    text = statement.text
    dead = (statement.slot.key if statement.slot else "").replace("_", " ")
    if not telling(dead) & telling(record.text):
        return False
    if is_of_kin(text):
        return is_dwelling(record) or is_work(record)
    return not is_past(record.text) and not _BORN.search(record.text)


def was_for_the_dead(statement: Statement, record: Record) -> bool:
    """What the user does with or for somebody, who has died: visiting, ringing, minding them."""
    tended = _TENDS.match(record.text)
    return tended is not None and not (subjects_of(statement.text) - KIN_SET).isdisjoint(words_of(tended["whom"]))


def of_the_dead(connection: Connection, user_id: str, subject: str, live: Iterable[Record]) -> Iterator[Record]:
    """What is no longer so of an animal that died: nothing told of it is, nor is it had any more. Of people, see
    `ends_with_a_life`.
    """
    had = [record for record in live if _is_had_as_animal(record, subject)]
    yield from had
    if had or subject in PET_SET:
        yield from told.about_subject(connection, user_id, subject)


def _is_had_as_animal(record: Record, subject: str) -> bool:
    attribute = (record.key or "").partition(".")[2].replace("_", " ")
    named = frozenset(words_of(str(record.value))) - PET_SET
    if record.kind is Kind.RELATIONSHIP and attribute not in KIN_SET and named == {subject}:
        return True
    pets = {(one.name or "").lower() for one in introduced(record.source_excerpt) if one.kin in PET_SET}
    words = set(words_of(record.text))
    return subject in pets or ({"called", subject} <= words and not words.isdisjoint(PET_SET))
