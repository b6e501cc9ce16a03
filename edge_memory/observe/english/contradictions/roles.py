"""Who does something for somebody: a new one takes the old one's place."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import KIN_SET, ONE_HOLDER, PET_SET
from edge_memory.observe.statement import Statement
from edge_memory.records import Record, words_of

_WHOSE = r"(?:the )?(?:[\w-]+(?: [\w-]+)?'s )?"
_NEW_ONE = re.compile(
    rf"^(?P<whose>{_WHOSE})new (?P<role>[\w-]+(?: [\w-]+)?)(?:'s name)? is (?:called )?(?P<who>.+)", re.IGNORECASE
)
_OLD_ONE = re.compile(
    rf"^(?P<whose>{_WHOSE})(?P<role>[\w-]+(?: [\w-]+){{0,2}}?)(?:'s name)? is (?:(?:an? )?[\w ]+ )?(?:called )?"
    r"(?P<holder>[\w-]+)$",
    re.IGNORECASE,
)
_IS_ONES = re.compile(
    rf"^(?P<holder>[\w-]+)(?: [\w-]+)? is (?P<whose>{_WHOSE})(?P<role>[\w-]+(?: [\w-]+)?)$", re.IGNORECASE
)
# Of kin words, those that name no family: of these somebody may have several.
_BESIDE_ONE = re.compile(
    rf"{ONE_HOLDER}|neighbou?r|tenant|colleague|co-?worker|housekeeper|caretaker|watchman|electrician|plumber"
)


def passes_on(statement: Statement, said: str, record: Record) -> bool:
    """ "Jan has gone off to sea, my new lodger is Bo": whoever was the lodger is none any more.

    `said` is the whole turn: of a role that several may have, only who is named there has given it up.
    """
    new, old = _NEW_ONE.match(statement.text), _OLD_ONE.match(record.text) or _IS_ONES.match(record.text)
    if new is None or old is None or old["whose"].lower() != new["whose"].lower():
        return False
    role, holder = _head(new["role"]), old["holder"].lower()
    if role != _head(old["role"]) or holder in words_of(new["who"]):
        return False
    if role in KIN_SET | PET_SET and not _BESIDE_ONE.fullmatch(role):
        return False
    several = record.many or (statement.slot is not None and statement.slot.many)
    return holder in words_of(said) or not several


def _head(role: str) -> str:
    return role.split()[-1].lower()
