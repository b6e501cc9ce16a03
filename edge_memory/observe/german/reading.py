"""What a German turn states, read by rule at no cost: the same statements, slots and risks as of an English one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from edge_memory import lazy_re as re
from edge_memory.observe.english.people import Household, Person
from edge_memory.observe.english.slots import filled, normal_key
from edge_memory.observe.german.clauses import (
    REMEMBER,
    clauses_of,
    cleaned,
    from_subordinate,
    in_order,
    instructs,
    is_unreal,
    states_nothing,
)
from edge_memory.observe.german.dates import event_time
from edge_memory.observe.german.lexicon import ATTRIBUTES, HE, IT, KIN, KIN_OF, NOT_A_NAME, PET
from edge_memory.observe.german.patterns import FORMS
from edge_memory.observe.german.verbs import third_person
from edge_memory.observe.statement import Context, Slot, Statement

_CHANGE = re.compile(
    r"\b(?:jetzt|nun|inzwischen|mittlerweile|nicht mehr|kein\w* .+ mehr|umgezogen|gezogen|verschoben|verlegt|geändert|stattdessen"
    r"|statt|doch nicht|ab sofort|von nun an|gewechselt|neue[rsn]?|gekündigt|abgesetzt|aufgehört|verkauft|getrennt|abgesagt)\b",
    re.IGNORECASE,
)
_SECOND = re.compile(r"\b(?:auch|noch eine?n?|außerdem|zusätzlich|zweite[rnms]?)\b", re.IGNORECASE)
_NOT_BUT = re.compile(
    r"^(?P<head>.+?) (?:nicht|kein(?:e|en)?) (?P<wrong>[\w -]+?),? sondern (?P<right>.+)$|^(?P<told>.+?),? (?:und )?nicht (?:mehr )?(?P<not>(?!mehr\b|gern\w*\b|so\b|allergisch\b)[\w -]+)$",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    rf"^(?:(?P<speaker>ich|wir)\b|(?:mein|unser)e?[nmrs]?\s+(?:\w+\s+)?(?P<kin>{KIN}|{PET})\b(?:\s+(?P<name>(?-i:[A-ZÄÖÜ])[\w-]+))?|(?P<thing>(?:mein|unser)e?[nmrs]?\s+[\w-]+))",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"^(?P<word>er|sie|es|ihr|ihre|sein|seine|der|die|das)\s+(?P<rest>.+)$", re.IGNORECASE)
_INTRODUCED = re.compile(
    rf"\b(?:mein|unser|ein)(?:e|en|em|er|es)?\s+(?:\w+\s+)?(?P<kin>{KIN}|{PET})(?:,?\s+(?:heißt|heisst|namens|die|der|das|ist)(?:\s+heißt)?)?\s+(?P<name>(?-i:[A-ZÄÖÜ])[\w-]+)",
    re.IGNORECASE,
)
_NAMES = frozenset(("user.name", "user.{kin}", "user.pet", "user.nickname", "{who}.married_to"))
_FEWEST_WORDS = 3
_FIRST_MENTION, _ASKED_TO_REMEMBER, _TYPED_BY_OWNER = 0.4, 0.9, 1.0


def read_statements(utterance: str, context: Context) -> list[Statement]:
    """As `edge_memory.observe.english.reading.read_statements`."""
    plain = cleaned(utterance)
    if instructs(plain):
        return []
    asked = REMEMBER.match(plain)
    if asked:
        told = plain[asked.end() :].strip(" .!")
        told = from_subordinate(told) if asked["dass"] else in_order(told)
        return [_statement(told, _ASKED_TO_REMEMBER, context)] if len(told.split()) > 1 and told[-1] != "?" else []
    return [] if states_nothing(utterance) else list(_read_clauses(plain, context))


def statement_of(sentence: str, context: Context) -> Statement:
    """As `edge_memory.observe.english.reading.statement_of`."""
    plain = sentence.strip()
    asked = REMEMBER.match(plain)
    told = plain[asked.end() :] if asked else plain
    return _statement(
        from_subordinate(told) if asked and asked["dass"] else told.strip(" .!"), _TYPED_BY_OWNER, context
    )


def corrected(text: str, excerpt: str, record_id: int, context: Context) -> Statement:
    """The statement that puts a record right, from what the user would have said."""
    return replace(_statement(excerpt, _FIRST_MENTION, context), text=text, change=True, corrects=record_id)


def find_slot(clause: str, household: Household) -> Slot | None:
    """The slot of a clause in the user's own words, None when no form knows it."""
    for form in FORMS:
        match = form.match(clause)
        if match and _is_known(match, form.key, household):
            groups = {name: (group or "").strip() for name, group in match.groupdict().items()}
            subject, aliases = _subjects(groups, household)
            groups |= {"who": subject, "kin": KIN_OF.get(groups.get("kin", "").lower(), groups.get("kin", "").lower())}
            groups["what"] = ATTRIBUTES.get(groups.get("what", "").lower(), groups.get("what", ""))
            key = normal_key(_spelled(form.key.format(**groups)))
            others = tuple(f"{name}.{key.partition('.')[2]}" for name in aliases if "{who}." in form.key)
            return filled(form, groups, key, form.many or bool(_SECOND.search(clause)), others)
    return None


def _spelled(key: str) -> str:
    for umlaut, plain in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss")):
        key = key.lower().replace(umlaut, plain)
    return key


def _is_known(match: re.Match[str], key: str, household: Household) -> bool:
    """A bare name is the subject only of somebody who was told of, and not every word is a name."""
    groups = match.groupdict()
    if groups.get("name") and not household.knows(groups["name"].split()[0]):
        return False

    return key not in _NAMES or (groups.get("value") or "").lower().split(" ")[0] not in NOT_A_NAME


def _subjects(groups: dict[str, str], household: Household) -> tuple[str, list[str]]:
    """How the subject is written in keys, and its other names."""
    kin = KIN_OF.get(groups.get("kin", "").lower(), groups.get("kin", "").lower())
    name = (groups.get("kin_name") or groups.get("name") or "").lower()
    if groups.get("user") or not (kin or name):
        return "user", []
    if not name:
        name = (household.only(kin) or "").lower()
    kin = kin or household.kin_of(name) or ""
    alone = (household.only(kin) or name).lower() == name
    return _spelled(name or kin), [_spelled(kin)] if name and kin and alone else []


def _read_clauses(plain: str, context: Context) -> Iterator[Statement]:
    household, meant = context.household, _last_person(context.previous)
    for clause in clauses_of(plain):
        named = _named(clause, meant)
        household = household.joined_by(introduced(named))
        here = replace(context, household=household)
        if not is_unreal(named) and _states(named, household):
            yield _statement(named, _FIRST_MENTION, here)
        meant = _last_person(named) or meant


def _states(clause: str, household: Household) -> bool:
    words = clause.split()
    if len(words) < _FEWEST_WORDS and find_slot(clause, household) is None:
        return False
    return bool(_SUBJECT.match(clause) or household.knows(words[0]) or find_slot(clause, household))


def _named(clause: str, meant: tuple[str, str] | None) -> str:
    """ "Sie wohnt in Bonn", right after Jana was told of, is "Jana wohnt in Bonn"."""
    match = _PRONOUN.match(clause)
    if match is None or meant is None:
        return clause
    mention, kin = meant
    word = match["word"].lower()
    if word in ("der", "die", "das"):
        fits = bool(re.match(r"(?:heißt|ist|wohnt|arbeitet|hat)\b", match["rest"], re.IGNORECASE))
    elif word in ("er", "sein", "seine"):
        fits = kin in HE or kin in IT
    elif word == "es":
        fits = kin in IT
    else:
        fits = kin not in HE | IT
    if not fits or word in ("ihr", "ihre", "sein", "seine"):
        return clause
    return f"{mention} {match['rest']}"


def _last_person(said: str) -> tuple[str, str] | None:
    """The mention and the kin word of whom a sentence told of last."""
    found = [
        (f"{match[1]} {match['kin']}{' ' + match['name'] if match['name'] else ''}", match["kin"].lower())
        for match in re.finditer(
            rf"\b((?:mein|unser)e?)[nmrs]?\s+(?P<kin>{KIN}|{PET})\b(?:\s+(?P<name>(?-i:[A-ZÄÖÜ])[\w-]+))?", said, re.I
        )
    ]
    owned = re.search(rf"\b(?:habe|haben|hab)\s+(?:jetzt\s+)?(ein)e?n?\s+(?:\w+\s+)?(?P<kin>{KIN}|{PET})\b", said, re.I)
    if owned and not found:
        kin = owned["kin"].lower()
        found.append((f"{'mein' if kin in HE | IT else 'meine'} {owned['kin']}", kin))
    return found[-1] if found else None


def introduced(clause: str) -> list[Person]:
    """Whom a clause names together with what they are to the user."""
    found = [(match["name"], match["kin"].lower()) for match in _INTRODUCED.finditer(clause)]
    return [
        Person(name, name, KIN_OF.get(kin, kin))
        for name, kin in found
        if name.lower() not in NOT_A_NAME and kin != name
    ]


def _statement(clause: str, confidence: float, context: Context) -> Statement:
    short, instead_of = _contrast(clause)
    return Statement(
        text=third_person(short),
        excerpt=short,
        slot=find_slot(short, context.household),
        confidence=confidence,
        change=bool(instead_of or _CHANGE.search(clause)),
        instead_of=instead_of,
        event_time=None if context.said_at is None else event_time(short, context.said_at),
    )


def _contrast(clause: str) -> tuple[str, str]:
    """A clause without its "nicht X", and the X: "das Rad ist nicht rot, sondern blau"."""
    match = _NOT_BUT.match(clause)
    if match and match["right"]:
        return f"{match['head']} {match['right']}", match["wrong"].strip()
    if match and match["told"] and "," in clause and len(match["told"].split()) >= _FEWEST_WORDS:
        return match["told"].strip(" ,"), match["not"].strip()
    return clause, ""
