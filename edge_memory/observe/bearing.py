"""Finding the records that a statement bears on: by its slot, by its words, never by vectors alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from edge_memory.observe.endings import ended_in, given_up_in, is_planned
from edge_memory.observe.frames import CALLED_OFF
from edge_memory.observe.lexicon import KIN_SET, PET_SET, word_class
from edge_memory.observe.reading import Statement
from edge_memory.observe.slots import Slot, normal_key
from edge_memory.observe.undoing import endangers, is_switch, undoes, words_undone
from edge_memory.observe.wording import COMMON_VERBS, is_negative, is_past, same_subject, stem, subjects_of, telling
from edge_memory.records import Kind, Record, Status, words_of
from edge_memory.store import Connection, records, told

_CANDIDATES = 40
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
_OWNERS = ("user", "home")
_AND_WHY = re.compile(r"(?:,| it's| it is| because| cause| but| since)\b.*$", re.IGNORECASE)
_NO_ARTICLE = re.compile(r"^(?:the user's|the|that|this|his|her|their|a|an)\s+", re.IGNORECASE)
_LEAST_ALIKE, _LEAST_BEGINNING, _LONGEST_REST = 2, 5, 4
_MOST_SWAPPED, _MOST_BESIDE = 3, 2
_OWNED = frozenset("has owns drives rides bought got keeps called named".split())
_NO_THINGS = frozenset(
    "place when likes dislikes prefers never always decision learning plays speaks school age diet allergy name home"
    " occupation employer condition cannot_have".split()
)
_GENERIC = frozenset(
    map(
        stem,
        """account membership class course lesson club team subscription job group habit practice training trip holiday
        party season game gig plan idea thing school night morning evening every""".split(),
    )
)


@dataclass(frozen=True, slots=True)
class Bearing:
    """`mates` fill the statement's slot, `alike` share words with it, `against` cannot be true beside it."""

    mates: tuple[Record, ...]
    alike: tuple[Record, ...]
    against: tuple[Record, ...]


def find_bearing(
    connection: Connection, user_id: str, statement: Statement, near: Sequence[int] = (), turn_id: str | None = None
) -> Bearing:
    """`near` are records whose vectors are near: further candidates for being the same, nothing more.

    What the turn `turn_id` told itself is not undone by its kind.
    """
    slot = statement.slot
    keys = [slot.key, *slot.aliases] if slot and slot.key else []
    mates = [record for key in keys for record in records.in_slot(connection, user_id, key)]
    shared = told.sharing_words(connection, user_id, statement.text, _CANDIDATES)
    if statement.instead_of or (slot and _ended(slot)):
        words = f"{statement.instead_of} {_ended(slot) if slot else ''}"
        shared += told.sharing_words(connection, user_id, words, _CANDIDATES)
    if slot and slot.ends and slot.about:
        named = normal_key(_NO_ARTICLE.sub("", slot.about))
        shared += [record for owner in _OWNERS for record in records.in_slot(connection, user_id, f"{owner}.{named}")]
    undone = words_undone(statement)
    if undone:
        shared += told.sharing_words(connection, user_id, undone, _CANDIDATES)
    twin = records.with_text(connection, user_id, statement.text)
    others = [*([twin] if twin else []), *records.get_many(connection, near).values(), *shared]
    alike = tuple({record.id: record for record in others}.values())
    live = [record for record in alike if record.status in (Status.ACTIVE, Status.PENDING)]
    against = [*_opposed(connection, user_id, statement), *_contradicted(statement, live, bool(mates))]
    against += [
        record
        for record in live
        if (not turn_id or record.source_turn_id != turn_id)
        and (undoes(statement, record) or endangers(statement, record))
    ]
    if slot and keys and not mates and statement.change:
        against += [record for record in live if _is_kindred(slot, record)]
    if slot and slot.ends and slot.key and "." not in slot.key:
        against += _of_the_dead(connection, user_id, slot.key, live)
    if statement.corrects is not None:
        against += records.get_many(connection, [statement.corrects]).values()
    return Bearing(tuple(mates), alike, tuple(record for record in against if record.status is Status.ACTIVE))


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
            and "over" in words_of(slot.value)
        ):
            yield mate


def _contradicted(statement: Statement, live: Iterable[Record], has_mates: bool) -> Iterator[Record]:
    slot = statement.slot
    instead_of = telling(statement.instead_of)
    about = telling(_ended(slot)) if slot and slot.ends else frozenset[str]()
    told_as_change = statement.replaces and not has_mates and not (slot and slot.ends)
    over, given_up = list(ended_in(statement.text)), list(given_up_in(statement.text))
    for record in live:
        taken_back = bool(instead_of) and instead_of <= telling(_told(record))
        if (
            (taken_back and _shares_a_topic(statement, record, instead_of))
            or (about and _is_ended(statement, record, about))
            or any(_is_over(statement, record, thing) for thing in over)
            or (is_planned(record.text) and any(_is_over(statement, record, thing) for thing in given_up))
            or (told_as_change and _differs_in_one_thing(statement, record))
        ):
            yield record


def _ended(slot: Slot) -> str:
    return _AND_WHY.sub("", slot.about) or (slot.value if ".medicine_" in slot.key else "")


def _shares_a_topic(statement: Statement, record: Record, instead_of: frozenset[str]) -> bool:
    topic = telling(statement.text) & telling(_told(record)) - instead_of
    if is_switch(statement) and f"user's {statement.instead_of}".lower() not in record.text.lower():
        topic |= subjects_of(statement.text) & (subjects_of(record.text) | _owner(record))
    return bool(topic) and not is_negative(record.text)


def _owner(record: Record) -> frozenset[str]:
    return frozenset({"user"} if record.text.lower().startswith("the user's ") else ())


def _is_ended(statement: Statement, record: Record, about: frozenset[str]) -> bool:
    """What "I don't row any more" and "we sold the car" end: the same doing of the same person, or the thing itself."""
    assert statement.slot is not None
    about = about - COMMON_VERBS
    if any(not _classes(frozenset({word})) for word in about - _GENERIC):
        about -= _GENERIC
    attribute, _, aspect = (record.key or "").partition(".")[2].partition(".")
    named = telling(attribute.replace("_", " "))
    if not about or not about <= telling(_told(record)) | named or is_negative(record.text):
        return False
    if len(about) == 1 and _classes(about) and "user" in subjects_of(statement.text):
        return False  # "I can't do Sundays any more": what of Sundays?
    if _is_only_a_part(about, telling(_told(record))):
        return False
    if not statement.slot.thing:
        own = "user" in subjects_of(statement.text) and (record.key or "").startswith(_OWNERS)
        treated = ".medicine_" in statement.slot.key and "user" in subjects_of(record.text)
        return same_subject(statement.text, record.text) or treated or (about == named and own)
    itself = "user" not in subjects_of(statement.text) and same_subject(statement.text, record.text)
    if about <= named or itself:
        return True
    if CALLED_OFF.search(statement.text) and "user" in subjects_of(record.text) and not is_past(record.text):
        return True
    is_thing = attribute not in _NO_THINGS and not aspect
    return (is_thing and about <= telling(str(record.value or ""))) or _is_had(record)


def _is_over(statement: Statement, record: Record, thing: frozenset[str]) -> bool:
    """Whether what is said to be over is what the record tells of: of the same person, and not past already."""
    thing -= COMMON_VERBS
    thing = thing - _GENERIC or thing
    if record.kind is Kind.RELATIONSHIP or is_negative(record.text) or (is_past(record.text) and not _is_had(record)):
        return False
    if not thing or not thing <= telling(_told(record)) or _is_only_a_part(thing, telling(_told(record))):
        return False
    if len(thing) == 1 and _classes(thing):
        return False
    if not _is_named_itself(thing, _told(record)):
        return False
    about_itself = thing <= telling(" ".join(subjects_of(statement.text)))
    if about_itself and not subjects_of(statement.text).isdisjoint(KIN_SET):
        return False
    return same_subject(statement.text, record.text) or (about_itself and "user" in subjects_of(record.text))


def _is_named_itself(thing: frozenset[str], text: str) -> bool:
    """Whether the words stand for the thing: selling "the truck" ends no "truck driver", but "piano" the "piano lessons"."""
    words = words_of(text)
    ends = [place for place, word in enumerate(words) if stem(word) in thing]
    after = words[ends[-1] + 1 :][:1] if ends else []
    return not after or not telling(after[0]) - COMMON_VERBS or stem(after[0]) in _GENERIC or bool(_classes(telling(after[0])))


def _is_only_a_part(about: frozenset[str], held: frozenset[str]) -> bool:
    """Dropping the Monday class does not end the ones of the other days, nor what else is told with the Monday."""
    if len(dated := [word for word in about if _classes(frozenset({word}))]) == len(about) - 1 and dated:
        return len(held - about) > _MOST_BESIDE
    return any(len([word for word in held if _classes(frozenset({word})) == {kind}]) > 1 for kind in _classes(about))


def _is_had(record: Record) -> bool:
    return not _OWNED.isdisjoint(words_of(record.text)) and "user" in subjects_of(record.text)


def _differs_in_one_thing(statement: Statement, record: Record) -> bool:
    """The same sentence but for one word, or for words of one class: told as a change, it takes the other's place.

    Only of what goes on: that something else was bought as well ends nothing.
    """
    now, before = telling(statement.text) - _OF_CHANGE, telling(record.text) - _OF_CHANGE
    if "not" in now ^ before or is_negative(statement.text) != is_negative(record.text) or is_past(record.text):
        return False
    if not same_subject(statement.text, record.text):
        return False
    new, old = now - before - _WHO, before - now - _WHO
    topic = {word for word in now & before if not _classes(frozenset({word}))}
    if not topic or not new or not old:
        return False
    if len(new) == len(old) == 1 and not (_classes(new) ^ _classes(old)):
        return _same_doing(statement.text, record.text)
    if _same_beginning(statement.text, record.text):
        return True
    unlike = [word for word in new | old if not _classes(frozenset({word}))]
    return bool(_classes(new) & _classes(old)) and len(unlike) < _MOST_SWAPPED and len(topic) > 1


def _same_beginning(text: str, other: str) -> bool:
    """Whether only the last few words differ: "The user's bus stops at the mill" and "... at the old church now"."""
    one, two = words_of(text), words_of(other)
    same = next((place for place, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    return same >= _LEAST_BEGINNING and max(len(one), len(two)) - same <= _LONGEST_REST


def _is_kindred(slot: Slot, record: Record) -> bool:
    """ "The garage code" and "the garage door code", when one of them is told to have changed."""
    owner, _, attribute = slot.key.partition(".")
    what, _, aspect = attribute.partition(".")
    named, words = telling(what.replace("_", " ")), telling(_told(record))
    if owner not in _OWNERS or not named or slot.many or slot.ends or is_negative(record.text):
        return False
    if record.key and record.key.partition(".")[0] in _OWNERS:
        other, _, other_aspect = record.key.partition(".")[2].partition(".")
        held = telling(other.replace("_", " "))
        return aspect == other_aspect and (named <= held or held <= named) and bool(held)
    if record.key is None and aspect == "place":
        return named <= words and not _PLACED.isdisjoint(words_of(record.text)) and not is_past(record.text)
    dated = _classes(words) & {"weekday", "month", "ordinal", "number"}
    return record.key is None and aspect == "when" and named <= words and bool(dated) and not is_past(record.text)


def _same_doing(text: str, other: str) -> bool:
    """At least two words alike besides articles: "has ... for breakfast" twice, but not "has a dog" and "has a van"."""
    plain = [{word for word in words_of(one) if word not in _ARTICLES} for one in (text, other)]
    return len(plain[0] & plain[1]) >= _LEAST_ALIKE


def _classes(stems: frozenset[str]) -> set[str]:
    found = (word_class(word) or word_class(f"{word}s") or word_class(f"{word}e") for word in stems)
    return {kind for kind in found if kind}


def _of_the_dead(connection: Connection, user_id: str, subject: str, live: Iterable[Record]) -> Iterator[Record]:
    """What is no longer so of somebody who died: all but who they were to the user. An animal is not had any more."""
    yield from told.about_subject(connection, user_id, subject)
    for record in live:
        attribute = (record.key or "").partition(".")[2]
        named = frozenset(words_of(str(record.value))) - PET_SET
        if record.kind is Kind.RELATIONSHIP and attribute not in KIN_SET and named == {subject}:
            yield record


def _told(record: Record) -> str:
    return f"{record.text} {record.value if isinstance(record.value, str) else ''}"
