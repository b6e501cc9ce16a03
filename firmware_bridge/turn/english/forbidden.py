"""Whom a hard constraint binds and what it forbids, in words; and the words by which an utterance may name that."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from itertools import pairwise
from typing import TypeVar

from edge_memory import lazy_re as re
from edge_memory.records import Record, words_of
from firmware_bridge.turn.english.foods import DIETS, DRUG_NAME, EDIBLE, FOOD, KINDRED
from firmware_bridge.turn.english.harming import harm_in
from firmware_bridge.turn.english.orders import is_told_as_order, things, with_alone
from firmware_bridge.turn.english.told import subjects, told_by
from firmware_bridge.turn.english.wordforms import GENERIC, LOOSE, forms, stem, with_whole_kin

Read = TypeVar("Read")
_MOST_READ = 4_096  # records of which it is kept what they forbid


def kept(read: Callable[[Record], Read]) -> Callable[[Record], Read]:
    """The same for as long as a record says the same: each utterance is held against all of them."""
    known: dict[tuple[object, ...], Read] = {}

    @wraps(read)
    def found(record: Record) -> Read:
        said = (
            record.text,
            record.key,
            str(record.value),
            record.source_excerpt,
            record.tags,
            record.priority,
            record.kind,
        )
        if said not in known:
            if len(known) >= _MOST_READ:
                known.clear()
            known[said] = read(record)
        return known[said]

    return found


_ADVISERS = frozenset("the doctor gp nurse consultant dentist physio surgeon hospital midwife pharmacist".split())
_TELLS_THE_USER = re.compile(r"\b(?:told|tells|asked|advised|warned|wants|says|said)(?: to)? (?:the user|me|i)\b", re.I)
_ADVISED_FOR = re.compile(  # "the nurse said no stout for Jo"
    r"\b(?:says?|said|told [\w' ]+?)(?: that)? no\b.* for (?:the user's )?(?!the user\b)(?P<whom>[A-Z][\w-]+"
    r"|[a-z]+)\W*$"
)
_ADVISED_BY_THEIRS = re.compile(  # "Jo's doctor says no salt"
    r"(?P<whom>(?!user\b)[A-Z][\w-]+(?: [A-Z][\w-]+)?)'s (?:doctor|gp|consultant|dentist|nurse|surgeon|dietician"
    r"|midwife"
    r"|pharmacist) (?:says?|said|told|wants)\b"
)
_ADVISED_OF = re.compile(  # "the vet says Jo is too fat"
    r"\b(?:says?|said|reckons|told (?:the user|us|me))(?: that)? (?P<whom>[A-Z][\w-]+) (?:is|has|can't|cannot"
    r"|mustn't|shouldn't|needs|isn't)\b"
)
_TOLD_TO = re.compile(  # "the surgeon told Jo to keep off ladders"
    r"\b(?:told|warned|advised|ordered|asked|wants) (?:the user's )?(?P<whom>(?!(?:me|us|the|user|my"
    r"|our)\b)[\w-]+)(?: not| never)? to\b"
)
_KEEPS_AWAY = re.compile(r"\b(?:away from|clear of|keep\w* off|stay\w* off|near|use|touch|work)\b", re.IGNORECASE)
_TWICE = re.compile(r"(?P<letter>[bdgmnprt])(?P=letter)$")
_AT_ITS_HOUR = re.compile(
    r"\b(?:before|after|during|until) (?:school|bed(?:time)?|dinner|supper|tea|breakfast|lunch|homework|church"
    r"|work)\b"
    r"|\bat the (?:dinner |kitchen )?table\b",
    re.IGNORECASE,
)
_MEDICINE = re.compile(r"\.medicine_(?P<name>\w+)$")
_DOSE = re.compile(r"(?: for\b|,| once\b| twice\b| every\b| in the\b| at\b| \d).*$", re.IGNORECASE)
_ON_A_DRUG = re.compile(
    rf"\b(?:on|takes?|taking|prescribed) (?:\w+ ){{0,2}}?(?:{DRUG_NAME.pattern}|warfarin|coumadin|insulin"
    rf"|metformin|lithium|aspirin)\b"
    r"(?! (?:allergy|brings|gives))",
    re.IGNORECASE,
)
_IS_TAKEN = re.compile(
    r"\b(?:blood thinners?|heart|blood pressure|water|thyroid) (?:is|are|pills?|tablets?)\b|\bblood thinners?\b", re.I
)
_NOT_THE_THING = (
    GENERIC
    | LOOSE
    | frozenset(
        """user users allergic allergy allergies never always intolerant intolerance severely badly deathly highly terribly
    very seriously take takes once twice daily day week morning mornings evening evenings night nights after before
    without ever drink drinks eat eats don weekends weekend touch tolerate won can cannot mustn must can't brings
    bring hives rash upset upsets stomach makes sick ill because since statins doctor says hospital put puts two
    three one half mg tablets tablet pill pills dose again supposed allowed anything nothing everything gave up quit
    years year smoker who whom any more strictly only no near react reacts strict mild severe life prescribed
    prescribes condition because swell swells swelling swollen up like throat closes out crook poorly stand stands hate hates dislike dislikes abide bear keen itches itchy all over so for brother sister mother father""".split()
    )
)
_OF_BEER = re.compile(
    r"\b(?:a few|some|the|six|four|couple of) (?:cans|tinnies|jars|bevvies|cold ones)\b", re.IGNORECASE
)
_OF_WINE = re.compile(r"\b(?:glass|bottle|drop|carafe) of (?:\w+ )?(?:red|white|rosé|bubbly)\b", re.IGNORECASE)


@kept
def subject_of(record: Record) -> frozenset[str]:
    """Words that name whom it binds; none for the user, of whose own slot or on whose doctor's word it is."""
    if harm := harm_in(record.text):
        return harm.whom
    owner, _, attribute = (record.key or "").partition(".")
    if owner == "user" and "." not in attribute:
        return frozenset()
    if named := _advised(record.text):
        return frozenset(words_of(named["whom"]))
    advised = _ADVISERS if _TELLS_THE_USER.search(record.text) else frozenset[str]()
    return subjects(told_by(record)) - forbidden_by(record) - advised


def things_of(record: Record) -> set[str]:
    """The words of what it speaks of, without whom it binds."""
    if is_told_as_order(record.text):
        return things(_AT_ITS_HOUR.sub("", record.text))
    if harm := harm_in(record.text):
        return {word for word in harm.what if word not in _NOT_THE_THING} or set(harm.what)
    if drug := _MEDICINE.search(record.key or ""):
        taken = {*drug["name"].split("_"), *words_of(_DOSE.sub("", str(record.value)))}
        return taken - _NOT_THE_THING
    told = f"{record.value if isinstance(record.value, str) else ''} {record.text}"
    said = words_of(with_alone(_AT_ITS_HOUR.sub("", told)))
    subject = subjects(told_by(record)) - KINDRED.keys()  # "figs make me itch" is about nobody
    if advised := _advised(record.text):
        subject |= {*words_of(advised["whom"]), *_ADVISERS, "said", "told", "says"}
    named = {word for word in said if word not in _NOT_THE_THING and word not in subject and not word.isdigit()}
    return named or {word for word in said if word in KINDRED}


@kept
def forbidden_by(record: Record) -> frozenset[str]:
    """The words of what is forbidden, with their kindred."""
    things = {form for word in things_of(record) | dietary_words(record) for form in forms(word)}
    families = {family for word in things for family in (*DIETS.get(word, ()), word)}
    stems = {stem(word) for word in things if word not in FOOD}  # "drove" goes against "can't drive"
    deeds = _deeds_of(things) if _KEEPS_AWAY.search(record.text) else frozenset[str]()
    return frozenset(things.union(stems, deeds, *(KINDRED.get(family, frozenset()) for family in families)))


def dietary_words(record: Record) -> set[str]:
    """Words that stand for what they forbid ("coeliac", "smoking"), also where they name who it is about."""
    return {word for word in words_of(record.text) if word in DIETS}


def words_heard(text: str) -> set[str]:
    """The words of an utterance and their forms, what stands for others in its place."""
    said = words_of(with_alone(with_whole_kin(_OF_BEER.sub("beer", _OF_WINE.sub("glass of wine", text)))))
    pairs = {f"{first}-{second}" for first, second in pairwise(said)}
    return {form for word in said for form in (*forms(word), stem(word))} | set(words_of(text.replace("-", ""))) | pairs


@kept
def is_medicine(record: Record) -> bool:
    if "medicine" in (record.key or "") or _ON_A_DRUG.search(record.text):
        return True
    return bool(_IS_TAKEN.search(record.text) and not forbidden_by(record) & EDIBLE)


def _deeds_of(machines: set[str]) -> frozenset[str]:
    """What is done with machines: who is to keep away from a mower mows nothing."""
    doers = [word.removesuffix("er") for word in machines if word.endswith("er")]
    return frozenset(form for doer in doers for form in (doer, _TWICE.sub(r"\g<letter>", doer)) if len(doer) > 1)


def _advised(text: str) -> re.Match[str] | None:
    """Of whom somebody's doctor or vet says that they may not."""
    return (
        _ADVISED_FOR.search(text) or _ADVISED_BY_THEIRS.match(text) or _ADVISED_OF.search(text) or _TOLD_TO.search(text)
    )
