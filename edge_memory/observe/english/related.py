"""Finding the records that a statement has to do with: by slot, words and likelihood, never by vectors alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from edge_memory import lazy_re as re
from edge_memory.observe.arbitrate import Related
from edge_memory.observe.english.contradictions.by_kind import contradicts, words_contradicted
from edge_memory.observe.english.contradictions.deaths import of_the_dead
from edge_memory.observe.english.contradictions.expiry import (
    OWNERS,
    is_ended,
    is_given_away,
    is_over,
    plans_given_up,
    things_ended,
    things_given_away,
)
from edge_memory.observe.english.contradictions.likelihood import FITTED_TO, Candidate, likely_ended
from edge_memory.observe.english.contradictions.plans import is_planned
from edge_memory.observe.english.contradictions.risks import endangers
from edge_memory.observe.english.contradictions.roles import passes_on
from edge_memory.observe.english.lexicon import KIN_SET, PET_SET
from edge_memory.observe.english.lifted_orders import is_lifted, is_ordered_otherwise
from edge_memory.observe.english.slots import normal_key
from edge_memory.observe.english.wording import (
    COMMON_VERBS,
    are_namesakes,
    are_two_things,
    classes_of,
    is_negative,
    is_past,
    same_subject,
    stem,
    subject_stems,
    subjects_of,
    telling,
    told_of,
)
from edge_memory.observe.nearness import Nearness
from edge_memory.observe.statement import Slot, Statement
from edge_memory.records import Kind, Record, Status, words_of
from edge_memory.store import Connection, records, told, vectors

_CANDIDATES = 40
_WORDS_AT_ONCE = 20
_OF_CHANGE = frozenset(
    map(
        stem,
        """moved moving changed switched instead new turned become became started stopped gone went longer now days
        from""".split(),
    )
)
_WHO = frozenset(map(stem, KIN_SET | PET_SET))
_ARTICLES = frozenset("the a an user s".split())
_PLACED = frozenset("in on under behind inside by above below beside near at".split())
_NO_VECTORS = Nearness()
_SAME_MATTER = 0.62  # cosine, from the one count that was made; nearness proposes, words and subject decide
_PUT = re.compile(r"^the user (?:has )?put \w", re.IGNORECASE)  # what is put somewhere is no longer where it was
_BESIDE = re.compile(r"\b(?:also|too|another|as well|both|other)\b", re.IGNORECASE)
_AND_WHY = re.compile(
    r"(?:,| and (?:bought|got|leased|joined|started|took)\b| it's| it is| because| cause"
    r"| but| since)\b.*$",
    re.IGNORECASE,
)
_NO_ARTICLE = re.compile(r"^(?:the user's|the|that|this|his|her|their|a|an)\s+", re.IGNORECASE)
_SWITCHED = re.compile(
    r"\b(?:switched|changed|swapped|dropped|traded|replaced|ditched|moved|converted|instead|gave up|given up|went"
    r"|gone)\b",
    re.IGNORECASE,
)
_LEAST_ALIKE, _LEAST_BEGINNING, _LONGEST_REST = 2, 5, 4
_MOST_SWAPPED = 3


def find_related(
    connection: Connection,
    user_id: str,
    statement: Statement,
    nearness: Nearness = _NO_VECTORS,
    twins: Sequence[int] = (),
    turn_id: str | None = None,
) -> Related:
    """The nearest records are candidates, about which words and likelihood decide; `twins` may be the same.

    What the turn `turn_id` told itself, it does not contradict by its kind.
    """
    near = nearness.cosines
    slot = statement.slot
    keys = [slot.key, *slot.aliases] if slot and slot.key else []
    held = [record for key in keys for record in records.in_slot(connection, user_id, key)]
    same_slot = [record for record in held if not are_namesakes(statement.text, record.text)]
    twin = records.with_text(connection, user_id, statement.text)
    twinned = [*([twin] if twin else []), *records.get_many(connection, twins).values()]
    alike = {record.id: record for record in (*twinned, *sharing(connection, user_id, statement))}
    live = [record for record in alike.values() if record.status in (Status.ACTIVE, Status.PENDING)]
    nearest = records.get_many(connection, [id_ for id_ in near if id_ not in alike]).values()
    before = [record for record in (*live, *nearest) if not turn_id or record.source_turn_id != turn_id]
    against = [*_opposed(connection, user_id, statement), *_contradicted(statement, live, bool(same_slot))]
    against += [
        record
        for record in before
        if contradicts(statement, record)
        or endangers(statement, record, nearness.said)
        or passes_on(statement, nearness.said, record)
        or _is_told_anew(statement, record, near)
    ]
    if near and (vectors.stored_embedder(connection) or ("", 0))[0].startswith(FITTED_TO):
        against += likely_ended(statement, nearness, with_vectors(connection, before))
    against += [mate for mate in same_slot if is_ordered_otherwise(slot, statement.text, mate)]
    if slot and keys and not same_slot and (statement.change or _PUT.search(statement.text)):
        against += [record for record in live if _is_kindred(slot, record)]
    if slot and slot.ends and slot.key and "." not in slot.key:
        against += of_the_dead(connection, user_id, slot.key, live)
    if statement.corrects is not None:
        against += records.get_many(connection, [statement.corrects]).values()
    beside = not (statement.instead_of or statement.restated or statement.corrects)
    active = [
        one
        for one in against
        if one.status is Status.ACTIVE and not (beside and are_two_things(statement.text, one.text))
    ]
    return Related(tuple(same_slot), tuple(alike.values()), tuple(active))


def with_vectors(connection: Connection, found: Iterable[Record]) -> list[Candidate]:
    """Those that are believed and embedded."""
    stored = ((record, vectors.get(connection, record.id, vectors.Source.RECORD)) for record in found)
    return [
        Candidate(record, np.frombuffer(vector, dtype=np.float32))
        for record, vector in stored
        if vector is not None and record.status is Status.ACTIVE
    ]


def sharing(connection: Connection, user_id: str, statement: Statement) -> Iterator[Record]:
    """What shares words with it, with what it ends, or with what its kind of news contradicts."""
    slot, words = statement.slot, [statement.text]
    ended = _ended(slot) if slot else ""
    if statement.instead_of or ended:
        words.append(f"{statement.instead_of} {ended}")
    contradicted = words_contradicted(statement).split()
    firsts = range(0, len(contradicted), _WORDS_AT_ONCE)
    words += [" ".join(contradicted[first : first + _WORDS_AT_ONCE]) for first in firsts]
    for some in words:
        yield from told.sharing_words(connection, user_id, some, _CANDIDATES)
    if slot and slot.ends and slot.about:
        named = normal_key(_NO_ARTICLE.sub("", slot.about))
        for owner in OWNERS:
            yield from records.in_slot(connection, user_id, f"{owner}.{named}")


def _opposed(connection: Connection, user_id: str, statement: Statement) -> Iterator[Record]:
    """Liking what was hated, and a comparison turned round."""
    slot = statement.slot
    if slot is None or slot.ends:
        return
    value = telling(slot.value)
    if slot.opposite:
        for mate in records.in_slot(connection, user_id, slot.opposite):
            held = telling(str(mate.value or ""))
            if held and value and (held <= value or value <= held):
                yield mate
    for mate in records.in_slot(connection, user_id, slot.key):
        if (
            telling(str(mate.value or "")) == value
            and words_of(str(mate.value)) != words_of(slot.value)
            and not {"over", "to"}.isdisjoint(words_of(slot.value))
        ):
            yield mate


def _contradicted(statement: Statement, live: Iterable[Record], has_mates: bool) -> Iterator[Record]:
    slot = statement.slot
    instead_of = telling(statement.instead_of)
    about = telling(_ended(slot)) if slot and slot.ends else frozenset[str]()
    told_as_change = statement.replaces and not has_mates and not (slot and slot.ends)
    over, given_up = list(things_ended(statement.text)), list(plans_given_up(statement.text))
    for record in live:
        taken_back = bool(instead_of) and instead_of <= telling(told_of(record))
        if (
            is_lifted(slot, record)
            or (taken_back and _shares_a_topic(statement, record, instead_of))
            or (about and is_ended(statement, record, about))
            or any(is_over(statement, record, thing) for thing in over)
            or any(is_given_away(statement, record, thing) for thing in things_given_away(statement.text))
            or (is_planned(record.text) and any(is_over(statement, record, thing) for thing in given_up))
            or (told_as_change and _differs_in_one_thing(statement, record))
        ):
            yield record


def _ended(slot: Slot) -> str:
    return _AND_WHY.sub("", slot.about) or (slot.value if ".medicine_" in slot.key else "")


def _shares_a_topic(statement: Statement, record: Record, instead_of: frozenset[str]) -> bool:
    if all(".medicine_" in (key or "") for key in (statement.slot.key if statement.slot else "", record.key)):
        return True
    topic = telling(statement.text) & telling(told_of(record)) - instead_of
    if _is_switch(statement) and f"user's {statement.instead_of}".lower() not in record.text.lower():
        topic |= subjects_of(statement.text) & (subjects_of(record.text) | _owner(record))
    return bool(topic) and not is_negative(record.text)


def _is_switch(statement: Statement) -> bool:
    return bool(_SWITCHED.search(statement.excerpt)) and bool(statement.instead_of)


def _owner(record: Record) -> frozenset[str]:
    return frozenset({"user"} if record.text.lower().startswith("the user's ") else ())


def _is_told_anew(statement: Statement, record: Record, near: Mapping[int, float]) -> bool:
    """Whether, told as a change, it is the record's own matter in other words: the nearest, of one subject."""
    cosine = near.get(record.id, 0.0)
    if not statement.replaces or cosine < _SAME_MATTER or cosine < max(near.values()):
        return False
    slot = statement.slot
    many = (
        record.kind is Kind.RELATIONSHIP
        or (slot is not None and (slot.many or slot.ends))
        or _BESIDE.search(statement.text)
    )
    if many or is_negative(record.text) or is_past(record.text) or is_negative(statement.text):
        return False
    sorted_apart = slot is not None and record.key is not None and slot.key != record.key
    whom = subject_stems(record.text)
    shared = (telling(statement.text) & telling(record.text)) - COMMON_VERBS - _OF_CHANGE - whom
    return not sorted_apart and bool(shared) and same_subject(statement.text, record.text)


def _differs_in_one_thing(statement: Statement, record: Record) -> bool:
    """The same sentence but for one word, or for words of one class: told as a change, it takes the other's place.

    Only of what goes on: that something else was bought as well ends nothing.
    """
    now, before = telling(statement.text) - _OF_CHANGE, telling(record.text) - _OF_CHANGE
    if "not" in now ^ before or is_negative(statement.text) != is_negative(record.text):
        return False
    if is_past(record.text) and not (statement.restated and classes_of(now - before) & classes_of(before - now)):
        return False
    if record.kind is Kind.RELATIONSHIP or not same_subject(statement.text, record.text):
        return False
    new, old = now - before - _WHO, before - now - _WHO
    topic = {word for word in now & before if not classes_of(frozenset({word}))}
    if not topic or not new or not old:
        return False
    if len(new) == len(old) == 1 and not (classes_of(new) ^ classes_of(old)):
        return _same_doing(statement.text, record.text)
    if _same_beginning(statement.text, record.text):
        return True
    unlike = [word for word in new | old if not classes_of(frozenset({word}))]
    return bool(classes_of(new) & classes_of(old)) and len(unlike) < _MOST_SWAPPED and len(topic) > 1


def _same_beginning(text: str, other: str) -> bool:
    """Whether only the last few words differ: "The user's bus stops at the mill" and "... at the old church now"."""
    one, two = words_of(text), words_of(other)
    same = next((place for place, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    return same >= _LEAST_BEGINNING and max(len(one), len(two)) - same <= _LONGEST_REST


def _is_kindred(slot: Slot, record: Record) -> bool:
    """ "The garage code" and "the garage door code", when one of them is told to have changed."""
    owner, _, attribute = slot.key.partition(".")
    what, _, aspect = attribute.partition(".")
    named, words = telling(what.replace("_", " ")), telling(told_of(record))
    if owner not in OWNERS or not named or slot.many or slot.ends or is_negative(record.text):
        return False
    if record.key and record.key.partition(".")[0] in OWNERS:
        other, _, other_aspect = record.key.partition(".")[2].partition(".")
        held = telling(other.replace("_", " "))
        same_head = _head(what) == _head(record.key.partition(".")[2].partition(".")[0])
        return aspect == other_aspect and same_head and (named <= held or held <= named)
    if record.key is None and aspect == "place":
        return named <= words and not _PLACED.isdisjoint(words_of(record.text)) and not is_past(record.text)
    dated = classes_of(words) & {"weekday", "month", "ordinal", "number"}
    return record.key is None and aspect == "when" and named <= words and bool(dated) and not is_past(record.text)


def _head(attribute: str) -> str:
    """What it is: a "code" both of the "garage code" and as the "code for the garage door"."""
    return stem(re.split(r"_(?:for|of|to)_", attribute)[0].rpartition("_")[2])


def _same_doing(text: str, other: str) -> bool:
    """At least two words alike besides articles: "has ... for breakfast" twice, but not "has a dog" and "has a van"."""
    plain = [{word for word in words_of(one) if word not in _ARTICLES} for one in (text, other)]
    return len(plain[0] & plain[1]) >= _LEAST_ALIKE
