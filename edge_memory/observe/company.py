"""Who no longer is to the user what they were: couples that part, staff who are followed by others, who moves out, and
who does a service instead of another.
"""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe import frames
from edge_memory.observe.lexicon import KIN_SET, ONE_HOLDER
from edge_memory.observe.people import introduced
from edge_memory.observe.reading import Statement
from edge_memory.observe.wording import (
    TITLES,
    classes_of,
    is_negative,
    is_past,
    same_subject,
    stem,
    subjects_of,
    telling,
)
from edge_memory.records import Kind, Record, words_of

_SMALL_IN_A_COUPLE = frozenset(
    """the s and with is are got has have broke broken up split separated divorced from it quits called over finished
    done parted ways no longer together""".split()
)
_WITH_THE_USER = re.compile(r"\b(?:with|joined) the user(?!'s)", re.IGNORECASE)
_NO_LONGER_IS = re.compile(
    r"^(?P<name>[\w'-]+(?: [\w'-]+)?) (?:isn't|is not|is no longer"
    r"|is not any more) (?:the user's )(?P<role>[\w -]+?)(?: any ?more| now)*$",
    re.IGNORECASE,
)
_FOR_GOOD = re.compile(rf"(?:{frames.PAIR}|best friend)", re.IGNORECASE)  # who leaves a job or a town and stays it
_FOR_EVER = re.compile(r"\b(?:for good|for ever|forever|permanently)\b", re.IGNORECASE)
_OF_ONE = re.compile(rf"^{ONE_HOLDER}$", re.IGNORECASE)


def takes_the_place(statement: Statement, record: Record) -> bool:
    """Whether by the statement somebody of the record no longer is what they were to the user, or to each other."""
    return (
        _holds_no_more(statement, record)
        or _has_left(statement, record)
        or _parts(statement, record)
        or _leaves_the_house(statement, record)
        or _serves_instead(statement, record)
        or _is_away_for_good(statement, record)
    )


def _role(text: str) -> tuple[str, frozenset[str]] | None:
    """The role that a sentence says somebody holds, and the holder's name: of roles that one person holds at a time."""
    match = frames.HOLDER.match(text) or frames.NEW_HOLDER.match(text)
    if match is None:
        return None
    role = match["role"].lower()
    if role in KIN_SET and not _OF_ONE.match(role):
        return None
    return role, frozenset(words_of(match["holder"] or match.groupdict().get("called") or ""))


def _holds_no_more(statement: Statement, record: Record) -> bool:
    """A new holder of what only one holds."""
    now, before = _role(statement.text), _role(record.text)
    if now and before:
        return statement.change and now[0] == before[0] and now[1] != before[1]
    seen = frames.SEES.match(statement.text)
    if seen is None or before is None or not statement.replaces:
        return False
    title, *name = words_of(seen["holder"])
    return title in before[1] and not before[1] & frozenset(name)


def _has_left(statement: Statement, record: Record) -> bool:
    """Staff, lodgers and whoever else holds a role, when they go."""
    denied = _NO_LONGER_IS.match(statement.text)
    if denied and {*words_of(denied["name"]), *words_of(denied["role"])} <= set(words_of(record.text)):
        return record.kind is Kind.RELATIONSHIP or bool(_role(record.text))
    held = _role(record.text)
    if held is None or _FOR_GOOD.fullmatch(held[0]) or not frames.LEAVES.search(statement.text):
        return False
    return bool(held[1]) and bool((subjects_of(statement.text) - TITLES) & (held[1] | {held[0]}))


def _is_away_for_good(statement: Statement, record: Record) -> bool:
    """What somebody had or did each week, once they have gone for good."""
    if not frames.LEAVES.search(statement.text) or not _FOR_EVER.search(statement.text):
        return False
    weekly = "weekday" in classes_of(telling(record.text)) and not is_past(record.text)
    return weekly and "user" not in subjects_of(record.text) and same_subject(statement.text, record.text)


def _parts(statement: Statement, record: Record) -> bool:
    """A couple that has parted, or is one again."""
    if frames.REUNITED.search(statement.text) and frames.APART.search(record.text):
        return "user" in subjects_of(record.text) or same_subject(statement.text, record.text)
    parted = frames.PARTED.search(statement.text)
    partner = any(frames.COUPLED.fullmatch(one.kin or "") for one in introduced(record.source_excerpt))
    if not parted or not (partner or frames.PAIRED.search(record.text)) or is_negative(record.text):
        return False
    couple = set(words_of(statement.text[: parted.end()] + statement.text[parted.end() :].split(",")[0]))
    named = (couple - _SMALL_IN_A_COUPLE) & set(words_of(record.text))
    return len(named - {"user"}) > 1 or {"user"} < named


def _leaves_the_house(statement: Statement, record: Record) -> bool:
    """Who has moved elsewhere no longer lives with the user."""
    slot = statement.slot
    if slot is None or slot.ends or not slot.key.endswith(".home") or _WITH_THE_USER.search(statement.text):
        return False
    if not frames.SHARES_A_HOME.search(record.text) or frames.PLAN.search(statement.text):
        return False
    gone = subjects_of(statement.text) - {"user"}
    names, kin = gone - KIN_SET, gone & KIN_SET
    told = telling(record.text)
    if named := {(person.name or "").lower() for person in introduced(record.source_excerpt)}:
        return bool(names & named) or (not names and bool(kin) and frozenset(map(stem, kin)) <= told)
    return bool(gone) and frozenset(map(stem, kin or names)) <= told


def _serves_instead(statement: Statement, record: Record) -> bool:
    """ "Jan drives me to the mill now": then Ole, who did, does so no more."""
    now, before = frames.SERVES.match(statement.text), frames.SERVES.match(record.text)
    if now is None or before is None or not statement.replaces or same_subject(statement.text, record.text):
        return False
    if now["verb"].lower() != before["verb"].lower():
        return False
    doing, done = telling(now["doing"]), telling(before["doing"])
    return doing <= done or done <= doing
