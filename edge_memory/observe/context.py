"""What a turn is read against: who belongs to the house, and what was said before it in its session."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from edge_memory.observe.english import corrections
from edge_memory.observe.english.clauses import strip_lead_in
from edge_memory.observe.english.disfluency import clean_up
from edge_memory.observe.english.kinship import kin_through
from edge_memory.observe.english.lexicon import KIN_SET, PET_SET
from edge_memory.observe.english.people import Household, spoken_names
from edge_memory.observe.english.pronouns import last_mentioned, opens_with_another
from edge_memory.observe.english.reading import corrected
from edge_memory.observe.english.statements import takes_over, tells_nothing
from edge_memory.observe.introductions import Introductions
from edge_memory.observe.statement import Context, Statement
from edge_memory.records import Record, Status, StoredMessage, words_of
from edge_memory.store import Connection, told, words

_MOST_ALIKE = 60  # records
_NO_NAMES = frozenset("user home rule procedure".split())


@dataclass(frozen=True, slots=True)
class Before:
    """The context, and what a correction may mean: the records of the newest statements of the session, and those that
    share words with what was said now.
    """

    context: Context
    last_told: tuple[Record, ...] = ()
    alike: tuple[Record, ...] = ()


def read_before(connection: Connection, heard: StoredMessage, introductions: Introductions) -> Before:
    """As it is on file when the turn is digested."""
    alike = told.sharing_words(connection, heard.user_id, heard.content, _MOST_ALIKE)
    said = frozenset(words_of(heard.content))
    held = frozenset(word for record in alike for word in words_of(record.text))
    household = replace(household_of(connection, heard.user_id, introductions), spoken_of=said & held)
    context = Context(
        household=household,
        previous=_spoken_of_before(connection, heard, household),
        said_at=heard.created_at,
        language=words.language(connection),
    )
    return Before(context, tuple(told.last_told(connection, heard)), tuple(alike))


def _spoken_of_before(connection: Connection, heard: StoredMessage, household: Household) -> str:
    """What the user said last, or a little before it when that was of nobody: "he" outlives a bit of chatter."""
    said = told.said_before(connection, heard)
    return next(
        (text for text in said if _speaks_of_somebody(strip_lead_in(clean_up(text)), household)), next(iter(said), "")
    )


def _speaks_of_somebody(text: str, household: Household) -> bool:
    """Also of one nobody has told of: "he" after it is not who was meant before."""
    return bool(last_mentioned(text, household)) or (opens_with_another(text) and not tells_nothing(text))


def household_of(connection: Connection, user_id: str, introductions: Introductions) -> Household:
    """Who is who to a user, as far as they told."""
    relations: dict[str, tuple[str, ...]] = {}
    names = set[str]()
    others: list[tuple[str, tuple[str, str]]] = []  # names, and whose they are
    for key, value in introductions.relationships(connection, user_id):
        names.add(value.lower())
        kin = key.partition(".")[2].replace("_", " ")
        kind, _, pet = value.partition(" ")
        who, name = (kind, pet) if kin == "pet" else (kin, value)
        if not key.startswith("user."):
            others.append((value, (key.partition(".")[0].replace("_", " "), kin)))
            continue  # "Jan's brother is called Ole" tells of no brother of the user's
        if who in KIN_SET | PET_SET and name and name not in relations.get(who, ()):
            relations[who] = (*relations.get(who, ()), name)
    for person in introductions.people(connection, user_id):
        if person.name and person.kin and person.name.lower() not in map(str.lower, relations.get(person.kin, ())):
            relations[person.kin] = (*relations.get(person.kin, ()), person.name)
        if person.name and person.of:
            others.append((person.name, person.of))
        names |= spoken_names(person.name) if person.name else set()
    _relate(relations, others)
    names |= {one for known in relations.values() for name in known for one in spoken_names(name)}
    subjects = told.subjects(connection, user_id) - _NO_NAMES - KIN_SET - PET_SET
    return Household(relations, frozenset(names | subjects))


def _relate(relations: dict[str, tuple[str, ...]], others: Iterable[tuple[str, tuple[str, str]]]) -> None:
    """Adds what the relatives of one's own people are to the user: the son of a known sister is a nephew."""
    own = [(name.lower(), kin) for kin, names in relations.items() for name in names]
    for name, (whose, theirs) in others:
        kin = next((kin for known, kin in own if known == whose), whose)
        if (through := kin_through(kin, theirs)) and name not in relations.get(through, ()):
            relations[through] = (*relations.get(through, ()), name)


def put_right(utterance: str, before: Before) -> list[Statement]:
    """The statement that a fragment like "no, the blue one" makes of an earlier one; empty when it corrects nothing."""
    if takes_over(utterance):
        return []
    correction = corrections.read_correction(clean_up(utterance))
    if correction is None:
        return []
    newest = [record for record in before.last_told if record.source_turn_id == before.last_told[0].source_turn_id]
    for record in before.last_told if correction.wrong else newest:
        text = corrections.put_right(record, correction)
        if text is not None and text != record.text:
            return [corrected(text, correction.right, record.id, before.context)]
    return _found_out(correction, before) if correction.found else []


def _found_out(correction: corrections.Correction, before: Before) -> list[Statement]:
    """What was told at any time and is put right now, where only one record can be meant."""
    believed = [record for record in before.alike if record.status is Status.ACTIVE]
    right = [(text, record) for record in believed if (text := corrections.put_right(record, correction))]
    if len(right) != 1:
        return []
    text, record = right[0]
    return [corrected(text, correction.right, record.id, before.context)]
