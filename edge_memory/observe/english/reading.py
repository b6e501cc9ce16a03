"""What a turn states, read by rule at no cost."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from itertools import pairwise

from edge_memory import lazy_re as re
from edge_memory.observe.english.addressing import addresses_hearer
from edge_memory.observe.english.afterthoughts import with_afterthoughts
from edge_memory.observe.english.agreement import agreed_of
from edge_memory.observe.english.apostrophes import of_names
from edge_memory.observe.english.clauses import split_clauses, strip_lead_in
from edge_memory.observe.english.corrections import split_contrast
from edge_memory.observe.english.dates import event_time
from edge_memory.observe.english.disfluency import clean_up
from edge_memory.observe.english.facts import single_facts
from edge_memory.observe.english.hearsay import is_on_air, is_retold
from edge_memory.observe.english.instructions import instructs
from edge_memory.observe.english.lexicon import KIN, KIN_OR_PET, KIN_SET, ONE_HOLDER, PET_SET, VERB_WORDS
from edge_memory.observe.english.lifted_orders import lifting
from edge_memory.observe.english.names import may_be_a_name
from edge_memory.observe.english.occasions import is_dated
from edge_memory.observe.english.people import Household, Person, expand_is, introduced
from edge_memory.observe.english.prohibitions import forbidding
from edge_memory.observe.english.pronouns import (
    first_word,
    fitting,
    last_mentioned,
    many_mentioned,
    name_object,
    name_pronoun,
    of_thing,
    opens_with_another,
)
from edge_memory.observe.english.slots import find_slot, is_death, normal_key
from edge_memory.observe.english.statements import is_statement, takes_over
from edge_memory.observe.english.things import own_thing, with_thing
from edge_memory.observe.english.third_person import third_person
from edge_memory.observe.english.word_order import in_order, uncleft, with_both_medicines, with_i
from edge_memory.observe.english.wording import subjects_of, telling
from edge_memory.observe.statement import ASKED_TO_REMEMBER, Context, Slot, Statement
from edge_memory.records import Kind, Layer

_REMEMBER = re.compile(
    r"^(?:(?:please |can you |could you |i want you to |i need you to |i'd like you to )*)(?:remember"
    r"|don't forget|don't let me forget"
    r"|do not forget|make a note|take a note|note|keep in mind|learn(?= that\b)"
    r"|bear in mind|write down|note down)(?: of(?: the fact)?)?(?: that|:|,)?\s+(?!to\b|when\b|what\b|how\b|who\b"
    r"|where\b|it$|this$|that$|you\b(?! can call me)|your\b)",
    re.IGNORECASE,
)
# "Remember Bo's birthday, it's the third".
_IT_FOLLOWS = re.compile(
    r"^(?P<what>(?:my|our|the|[\w-]+'s) [\w' -]+?),? it(?:'s| is)(?= (?:the|on|in|at|under|behind|\d|next|\w+day)\b)",
    re.IGNORECASE,
)
_HOW_TO = re.compile(
    r"^(?:(?:so )?(?:in order to|to)\s+(?P<goal>(?!be\b|me\b|my\b|you\b)\w+ .+?)(?:,\s*(?:and\s+)?|\s+(?=(?:first"
    r"|you (?:have|need|must|just|should|first|press|hold|turn)|i (?:first|always)|we first|press|hold|turn|pull"
    r"|push|open|take|put|unplug|switch|fill|go|start|mix|add|use|remove|lift|twist|set|click|type)\b"
    r"|(?!(?:and|or|of|in|on|at|to|for|with|from|by|into|about|under|over)\b)\w+ (?:the|your|an?)\b.*\bthen\b))"
    r"|(?:for|with) (?P<thing>the [\w -]+?),? you (?=\w)|(?:the (?:way|trick|steps?|procedure) (?:i |we "
    r"|you )?(?:to|for) |here's how (?:to|i|we|you) "
    r"|this is how (?:to|i|we|you) |how (?:i|we) )(?P<named>\w+ .+?)(?:,\s*|:\s*|\s+is(?: to)?:?\s+)"
    r"|when(?:ever)? (?:i|we|you) (?P<habit>\w+ .+?),?\s+(?:i|we|you) (?:always )?first\s+)(?P<steps>.+)$",
    re.IGNORECASE,
)
_STEPS = re.compile(
    r"\b(?:then|after that|afterwards|next|finally|lastly|and (?:then )?(?:press|hold|wait|turn|pull|push|take|put"
    r"|let))\b|,",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:now|nowadays|these days|any ?more|no longer|moved|moving|changed|switched|instead|actually|from now on"
    r"|new|turned|became|become|started|stopped|quit|left"
    r"|rescheduled|postponed|not .+ but|after all|changed my mind|gone back|went back)\b",
    re.IGNORECASE,
)
_RESTATES = re.compile(
    r"(?:(?:oh|ah|well|no|nope|sorry|wait|oops|actually|correction|hang on|my mistake|i mean|i meant|scratch"
    r" that)\b[\s,.:]*)+"
    r"(?<!\boh )(?<!\bah )(?<!\bwell )",
    re.IGNORECASE,
)
# "Can't come on Monday after all": what the next clause tells is instead.
_OFF = re.compile(r"(?:n't|\bnot|\bno longer)\b.*\b(?:after all|any ?more|any longer|now)$", re.IGNORECASE)
# "She's changed her flight": when, the next clause tells.
_NEW_DATE = re.compile(
    r"\b(?:changed|moved|swapped|rescheduled|rebooked|put back|brought forward) (?:(?:the|my|our|his|her|their) )?"
    r"(?:flight|train|ticket|date|day|time|plans?|booking|appointment|visit|trip|holiday)s?$",
    re.IGNORECASE,
)
_TOGETHER = re.compile(
    r"^(?:(?:me|i)\s+and\s+(?P<other>(?:my\s+)?[\w' -]+?)|(?P<first>(?:my\s+)?[\w' -]+?)\s+and\s+(?:i|me))\s+"
    r"(?P<rest>(?:are|have|were|live|lived|work|moved|got|like|love|hate|go|run|own|just|both|decided|bought|sold"
    r"|want)\b.+)$",
    re.IGNORECASE,
)
_IT_IS_A = re.compile(
    r"it(?:'s| is) (?:an?|the|called|named|my|due|on|from|insured|taxed|rented|leased|parked|kept|worth|paid)\b",
    re.IGNORECASE,
)
_IT = re.compile(r"(?:it|it's|its)\b", re.IGNORECASE)
_ROLE_FIRST = re.compile(rf"^(?:{KIN}|{ONE_HOLDER}) (?P<name>[\w-]+)(?='s\s|\s+[a-z'])", re.IGNORECASE)
_FONDLY = re.compile(
    r"(?:(?:poor|dear|old|good|little|wee|silly|naughty|lovely|darling|sweet|young|bloody|our|my) )+(?="
    r"(?P<name>[\w-]+)(?:'s\s|\s+[a-z']))",
    re.IGNORECASE,
)
_MINE = re.compile(r"\b(?:my|our)\b", re.IGNORECASE)
_OWN_KIN = re.compile(rf"^(?i:my|our)\s+(?P<kin>(?i:{KIN_OR_PET}))(?=\s+(?!called|named)[a-z'])")
_ABOUT_THEM = re.compile(r"^(The user .*?)\b(?:her|him|it|them)$", re.IGNORECASE)
_THEY = re.compile(r"(?:they|they're|their)\b", re.IGNORECASE)
_THEIR_CHILDREN = re.compile(
    r"their (?:(?:\w+ )?(?:kids?|children|son|daughter|boys?|girls?|baby|twins|wedding|house|flat))\b", re.I
)
_SHE_IS_CALLED = re.compile(r"(?:she|he)(?:'s| is)(?= (?:called|named)\b)", re.IGNORECASE)
_VESSEL = re.compile(
    r"\b(?:boat|ship|yacht|dinghy|trawler|lugger|canoe|car|van|ute|truck|lorry|tractor|bike|motorbike|caravan|campervan)\b",
    re.I,
)
_BARE_CODE = re.compile(r"the\s+(?=(?:password|passcode|code|pin|number|combination)(?:'s|\s+is)\s)", re.IGNORECASE)
_THING = re.compile(r"(?:the|my|our)\s+(?P<thing>[\w-]+)(?:'s|\s+is)\s", re.IGNORECASE)
_IS_HELD_BY = re.compile(
    r"\s+is(?: now)?(?: called| named)? (?:(?:mr|mrs|ms|miss|dr|doctor)\.? )?(?P<name>[\w-]+)(?: now)?$", re.IGNORECASE
)
_WHOLE_CLAUSE = 5  # words: after as many about something else, "it" is not what was spoken of before
_FIRST_MENTION, _TYPED_BY_OWNER = 0.4, 1.0


_NO_CONTEXT = Context()


def read_statements(utterance: str, context: Context = _NO_CONTEXT) -> list[Statement]:
    """In the order said; empty when the utterance states nothing, or tries to take the memory over."""
    if takes_over(utterance) or instructs(utterance):
        return []
    spoken = strip_lead_in(of_names(clean_up(utterance), context.household.names))
    asked = _REMEMBER.match(spoken)
    if asked:
        told = _IT_FOLLOWS.sub(r"\g<what> is", expand_is(spoken[asked.end() :].strip(" .!"), context.household))
        return [_statement(told, ASKED_TO_REMEMBER, context)] if _tells_something(told) else []
    if is_on_air(spoken) or is_retold(spoken):
        return []
    how_to = _how_to(spoken, context)
    statements = [how_to] if how_to else list(_read_clauses(with_i(uncleft(with_both_medicines(spoken))), context))
    for place, (off, then) in enumerate(pairwise(statements), start=1):
        ends = _OFF.search(off.excerpt) or (_NEW_DATE.search(off.excerpt) and is_dated(then.excerpt))
        if ends and not then.change and subjects_of(off.text) == subjects_of(then.text):
            statements[place] = dataclasses.replace(then, restated=True, change=True)
    if statements and _RESTATES.match(clean_up(utterance)) and not spoken.lower().startswith("no "):
        statements[0] = dataclasses.replace(statements[0], restated=True, change=True)
    return statements


def statement_of(sentence: str, context: Context = _NO_CONTEXT) -> Statement:
    """What the owner typed to be learned: taken as it is, and as certain."""
    asked = _REMEMBER.match(sentence.strip())
    return _statement((sentence.strip()[asked.end() :] if asked else sentence).strip(" .!"), _TYPED_BY_OWNER, context)


def corrected(text: str, excerpt: str, record_id: int, context: Context) -> Statement:
    """The statement that puts a record right, from its text as it should have been."""
    slot = find_slot(text, context.household)
    moment = _moment(text, context)
    return Statement(text, excerpt, slot, _FIRST_MENTION, True, corrects=record_id, event_time=moment)


def _tells_something(told: str) -> bool:
    """ "Remember this" and "remember the milk?" do not, nor what is told of the one who shall remember."""
    return len(told.split()) > 1 and not told.endswith("?") and not addresses_hearer(told)


def _read_clauses(spoken: str, context: Context) -> Iterator[Statement]:
    household = context.household.joined_by(introduced(spoken))
    before = strip_lead_in(clean_up(context.previous))
    meant, many = (last_mentioned(before, household), many_mentioned(before)) if before else (None, None)
    near, thing, here = meant, own_thing(before), ""
    for piece in _with_owners(map(in_order, with_afterthoughts(split_clauses(spoken)))):
        clause = _as_ones_own(piece, household)
        meant = fitting(clause, meant, before, household)
        whom = (
            (meant if _THEIR_CHILDREN.match(clause) else many or meant)
            if _THEY.match(clause)
            else near
            if _IT.match(clause)
            else meant
        )
        if here and _IT_IS_A.match(clause) and (whom is None or whom.kin not in PET_SET):
            whom = of_thing(here)
        if _VESSEL.search(here or thing) and not meant:
            clause = _SHE_IS_CALLED.sub(f"{here or thing} is", clause)
        ordered = forbidding(name_object(name_pronoun(clause, whom), meant))
        named = expand_is(ordered, household)
        named = with_thing(named, thing)
        here = own_thing(named)
        thing = here or (thing if len(clause.split()) < _WHOLE_CLAUSE else "")
        many = many_mentioned(named) or many
        near = last_mentioned(named, household)
        told = first_word(named) if is_statement(named, household) else None
        meant = last_mentioned(named, household) or told or (None if opens_with_another(named) else meant)
        lifted = lifting(named)
        if lifted is not None:
            yield Statement(third_person(named), named, lifted, _FIRST_MENTION, change=True)
            continue
        if addresses_hearer(named):
            continue
        if is_statement(named, household) or (named != clause and is_statement(f"my {named}", household)):
            at_home = dataclasses.replace(context, household=household)
            facts = (_statement(expand_is(fact, household), _FIRST_MENTION, at_home) for fact in single_facts(named))
            yield from filter(_tells, facts)


def _tells(fact: Statement) -> bool:
    """ "I really miss him" does not: whom, nobody will know."""
    named, of_somebody = _ABOUT_THEM.subn(r"\1", fact.text)
    return len(telling(named) - {"not"}) > of_somebody


def _as_ones_own(clause: str, household: Household) -> str:
    """ "Cook Ann has left" is said of one's own cook, who is known, and "poor old Bo" of Bo."""
    fond = _FONDLY.match(clause)
    if fond and (household.knows(fond["name"]) or _is_one_of_ours(fond, clause)):
        clause = clause[fond.end() :]
    first = clause.split(" ", 1)[0]
    clause = agreed_of(clause, first) if household.knows(first) else clause
    match = _ROLE_FIRST.match(clause)
    return f"my {clause}" if match and household.knows(match["name"]) else clause


def _is_one_of_ours(fond: re.Match[str], clause: str) -> bool:
    """ "Young Ola works in the mill": said fondly of somebody, though nobody has told who that is."""
    verb = clause[fond.end("name") :].split()[:1]
    if _MINE.search(fond[0]):
        return False
    return may_be_a_name(fond["name"]) and not fond["name"].endswith("s") and not VERB_WORDS.isdisjoint(verb)


def _with_owners(clauses: Iterable[str]) -> Iterator[str]:
    """ "the gate is blue and the code is 4" tells the code of the gate."""
    owner = ""
    for clause in clauses:
        bare = _BARE_CODE.match(clause)
        yield f"the {owner} {clause[bare.end() :]}" if bare and owner else clause
        thing = _THING.match(clause)
        owner = thing["thing"] if thing else owner


def _as_we(clause: str) -> str:
    """ "My wife and I moved" fills the slots that "we moved" fills."""
    together = _TOGETHER.match(clause)
    return f"we {together['rest']}" if together else clause


def acquaintance(person: Person, confidence: float) -> Statement:
    """Who somebody is to the user, as a statement of its own."""
    told = f"my {person.kin} is called {person.name}"
    return Statement(third_person(told), f"my {person.kin} {person.name}", find_slot(told), confidence)


def without_role(told: str, person: Person, confidence: float) -> Statement | None:
    """What else was told of who is no longer what they were to the user: "Vera sings" of "my wife Vera sings"."""
    match = re.match(
        rf"(?:my|our) (?:\w+ )?{re.escape(person.kin or '')},? {re.escape(person.name or '')} (?=\w+"
        rf" \w)",
        told,
        re.IGNORECASE,
    )
    if match is None:
        return None
    rest = f"{person.name} {told[match.end() :]}"
    return Statement(third_person(rest), rest, find_slot(rest), confidence)


def _statement(clause: str, confidence: float, context: Context) -> Statement:
    short, instead_of = split_contrast(clause)
    slot = find_slot(_as_we(short), context.household)
    named = _with_kin(short, context.household) if is_death(slot) else _with_name(short, context.household)
    return Statement(
        text=third_person(named),
        excerpt=short,
        slot=slot,
        confidence=confidence,
        change=bool(instead_of or _CHANGE.search(clause)),
        instead_of=instead_of,
        event_time=_moment(short, context),
    )


def _with_kin(clause: str, household: Household) -> str:
    """ "Jana died" tells whose sister she was: a death does not end the same for a sister and for a cat."""
    name = clause.split(" ", 1)[0]
    kin = household.kin_of(name)
    return f"my {kin} {clause}" if kin in KIN_SET else _with_name(clause, household)


def _with_name(clause: str, household: Household) -> str:
    """ "My sister moved" names Jana when she is the only sister told of."""
    match = _OWN_KIN.match(clause)
    name = household.only(match["kin"]) if match else None
    held = match and _names_them(match["kin"], clause[match.end() :])
    if match is None or name is None or held or re.search(rf"\b{re.escape(name)}\b", clause, re.IGNORECASE):
        return clause
    return f"{match[0]} {name}{clause[match.end() :]}"


def _names_them(kin: str, rest: str) -> bool:
    """ "My brother" and "is Ole now" tell who he is."""
    holder = _IS_HELD_BY.match(rest)
    if holder is None:
        return False
    name = holder["name"]
    return bool(re.fullmatch(ONE_HOLDER, kin, re.IGNORECASE)) or name[0].isupper() or may_be_a_name(name)


def _how_to(spoken: str, context: Context) -> Statement | None:
    """A way of doing something, told in steps, is one statement."""
    match = _HOW_TO.match(spoken)
    if not match or not _STEPS.search(match["steps"]) or spoken.endswith("?"):
        return None
    goal = match["goal"] or match["named"] or match["habit"] or match["thing"]
    slot = Slot(normal_key(f"procedure.{goal}"), match["steps"], False, Kind.WORKFLOW, Layer.PROCEDURAL)
    return Statement(third_person(spoken), spoken, slot, _FIRST_MENTION, bool(_CHANGE.search(spoken)))


def _moment(text: str, context: Context) -> float | None:
    return None if context.said_at is None else event_time(text, context.said_at)
