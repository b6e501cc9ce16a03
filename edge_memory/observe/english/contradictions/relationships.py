"""Who no longer is to the user what they were: couples that part, staff who are followed by others, who moves out, and
who does a service instead of another."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.contradictions.plans import PLAN
from edge_memory.observe.english.lexicon import KIN_SET, ONE_HOLDER
from edge_memory.observe.english.people import introduced
from edge_memory.observe.english.slots import normal_key
from edge_memory.observe.english.wording import (
    TITLES,
    classes_of,
    is_negative,
    is_past,
    same_subject,
    stem,
    subjects_of,
    telling,
)
from edge_memory.observe.statement import Statement
from edge_memory.records import Kind, Record, words_of

_ROLE = (
    rf"(?P<role>{ONE_HOLDER}|(?:[a-z-]+ )?(?:[a-z]{{3,}}(?:er|or|ist|ian|ant|eon|man|woman|lady)|man|woman"
    rf"|lady|guy|help|gp|nurse"
    rf"|chef|principal"
    r"|rep|pastor|vicar|priest))"
)
_TITLE = r"(?:mr|mister|mrs|ms|miss|dr|doctor|nurse|sister|professor|reverend|rev|pastor|father|rabbi|imam)\b\.?"
_NAME = rf"(?P<holder>{_TITLE} [\w'-]+(?: [\w'-]+)?|(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+)?)"
_NEW_HOLDER = re.compile(
    rf"^The user has (?:got |found |hired )?an? new {_ROLE}(?: (?:called|named) (?P<holder>[\w'. -]+?))?(?:$|,"
    rf"| and\b| now\b)",
    re.IGNORECASE,
)
# "The driver is Mr Ray", "the landlord is a guy called Ray": the role, and who holds it.
_HOLDER = re.compile(
    rf"^The (?:user's )?(?:new |current |present )?{_ROLE}(?: (?:at|in|from) [\w' -]+?)?(?:'s name)?(?: is|'s)(?: now)?"
    rf" (?:(?:an? \w+ |now )?(?:called|named) (?P<called>[\w'. -]+?)|{_NAME})(?: (?:at|in|from|on|over) .+)?(?: now)?$",
    re.IGNORECASE,
)
_ANOTHER = re.compile(
    r"\b(?:(?:has )?(?:changed|switched|swapped) (?:the user's )?|(?:has|has got|got|found) an? (?:different|new) )"
    r"(?P<role>[\w-]+(?: [\w-]+)?)$",
    re.IGNORECASE,
)
_HOLDS = re.compile(
    r"^(?P<who>[\w'-]+) is (?:now )?the user's (?:new )?(?P<role>[\w-]+(?: [\w-]+)?)(?: now)?$", re.IGNORECASE
)
_HELD_BY = re.compile(
    r"^The user's (?:new )?(?P<role>[\w-]+(?: [\w-]+)?) is (?:now )?(?P<who>(?-i:[A-Z])[\w'-]+)(?: now| these days)*$",
    re.IGNORECASE,
)
_SEES = re.compile(
    rf"^The user (?:now )?(?:sees|goes to|is with|is seeing|has"
    rf"|has got)(?: now)?(?: got)? (?:an? )?{_NAME}(?: now| instead| these days)*$",
    re.IGNORECASE,
)
_LEAVES = re.compile(
    r"\b(?:(?:has|is) (?:just )?(?:left|gone(?! (?:into|for|out|shopping|to (?:bed|the|town|work|school|lunch"
    r"|sleep))\b)|quit|retired|resigned|moved (?:out|away|on|back)|passed away|died"
    r"|emigrated|travelled)"
    r"|left|quit|resigned|retired|moved (?:out|away|on|back)|went (?:back|home|away)|(?:got|was|been) (?:sacked"
    r"|fired|canned|axed|booted|suspended|let go|the (?:sack|boot|chop))"
    r"|no longer (?:works?|comes?|does|is)|doesn't (?:work|come) (?:for|to|here|any)|stopped (?:coming|working))\b",
    re.IGNORECASE,
)
PARTED = re.compile(
    r"\b(?:broken? up|split up|splitting up|separated|divorced|divorcing|dumped|chucked|packed (?:it"
    r"|each other) in|(?:gone|went|going) (?:their|our|the user's) separate ways|called it (?:quits|a day|off)"
    r"|parted ways|part(?:ed|ing) company|(?:is|are|has|have) (?:all )?(?:finished|over|done)(?: with each other)?$"
    r"|over between|no longer together|(?:not|isn't|aren't) together|ended (?:it|things)|broke (?:it )?off"
    r"|(?:called|broken?) off the (?:engagement|wedding)|no longer (?:dating|seeing|engaged|married|going out)"
    r"|left (?:him|her)|(?:not|isn't|aren't) (?:seeing|dating|with) each other)\b",
    re.IGNORECASE,
)
_PAIR = "bloke|fella|fellow|other half|boyfriend|girlfriend|partner|fianc\\w+|husband|wife"
COUPLED = re.compile(_PAIR, re.IGNORECASE)
_PAIRED = re.compile(
    r"\bthe user's (?:girl|man|woman|lady|lad|boo|bae) is (?:called|named) |"
    rf"\b(?:{_PAIR})(?:'s name)? (?:is|'s)(?: called| named)? [\w-]+$|\bhas an? (?:\w+ )?(?:{_PAIR})\b"
    rf"|\b(?:{_PAIR}) (?-i:[A-Z])"
    rf"|\bis (?:now )?the user's (?:new )?(?:{_PAIR})\b"
    r"|\b(?:is|are|was) (?:dating|seeing|going out with|engaged|married)\b",
    re.IGNORECASE,
)
_SHARES_A_HOME = re.compile(
    r"^the user\b.*\blives? with\b|\b(?:lives?|living|stays?|staying) with the user\b", re.IGNORECASE
)
_SERVES = re.compile(
    r"^(?!the user\b(?!'s))(?:the user's )?[\w'-]+(?: [\w'-]+)? (?P<verb>picks|drives|takes|brings|cuts|cleans"
    r"|cooks|walks|minds|helps"
    r"|collects|drops|looks|teaches|visits|shops|does|mows|plows|ploughs|washes|delivers) (?P<doing>.*\bthe user\b.*)$",
    re.IGNORECASE,
)
# What one of the house does for all: it has another doer, when told as a change.
_CHORE = re.compile(
    r"^(?:the user|(?:the user's )?[\w'-]+(?: [\w'-]+)?) (?P<verb>cooks|cleans|washes|walks|takes|drives"
    r"|feeds|mows|irons"
    r"|does|waters|empties"
    r"|collects|pays|makes|takes out|picks up|looks after) (?P<doing>.+)$",
    re.IGNORECASE,
)
_REUNITED = re.compile(r"\b(?:(?:is|are|got|get) back together|made (?:it )?up)\b", re.IGNORECASE)
_APART = re.compile(r"\b(?:not together|split up|broke up|separated)\b", re.IGNORECASE)
_SMALL_IN_A_COUPLE = frozenset(
    """the s and with is are got has have broke broken up split separated divorced from it quits called over finished
    done parted ways no longer together""".split()
)
_WITH_THE_USER = re.compile(r"\b(?:with|joined) the user(?!'s)", re.IGNORECASE)
_GOES_HOME = re.compile(
    r"\b(?:went|has gone|flew|drove|is) (?:back )?home\b|\b(?:flew|went|has gone) back\b|\bmoved out\b", re.IGNORECASE
)
_NO_LONGER_IS = re.compile(
    r"^(?P<name>[\w'-]+(?: [\w'-]+)?) (?:isn't|is not|is no longer"
    r"|is not any more) (?:the user's )(?P<role>[\w -]+?)(?: any ?more| now)*$",
    re.IGNORECASE,
)
_FOR_GOOD = re.compile(rf"(?:{_PAIR}|best friend)", re.IGNORECASE)  # who leaves a job or a town and stays it
_FOR_EVER = re.compile(r"\b(?:for good|for ever|forever|permanently)\b", re.IGNORECASE)
_OF_ONE = re.compile(rf"^{ONE_HOLDER}$", re.IGNORECASE)


def ends_relationship(statement: Statement, record: Record) -> bool:
    """Whether by the statement somebody of the record no longer is what they were to the user, or to each other."""
    return (
        _holds_no_more(statement, record)
        or _is_held_by_another(statement, record)
        or _has_left(statement, record)
        or _parts(statement, record)
        or _leaves_the_house(statement, record)
        or _serves_instead(statement, record)
        or _is_away_for_good(statement, record)
    )


def _role(text: str) -> tuple[str, frozenset[str]] | None:
    """The role that a sentence says somebody holds, and the holder's name: of roles that one person holds at a time."""
    match = _HOLDER.match(text) or _NEW_HOLDER.match(text)
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
        return statement.change and _same_role(now[0], before[0]) and now[1] != before[1]
    seen = _SEES.match(statement.text)
    if seen is None or before is None or not statement.replaces:
        return False
    title, *name = words_of(seen["holder"])
    return title in before[1] and not before[1] & frozenset(name)


def _is_held_by_another(statement: Statement, record: Record) -> bool:
    """ "My bench mate is Omar now" beside "Nina is my bench mate", whichever is told which way round."""
    another = _ANOTHER.search(statement.text)
    if another and record.key == f"user.{normal_key(another['role'])}":
        return same_subject(statement.text, "the user") and not is_negative(record.text)
    held = [_HELD_BY.match(text) or _HOLDS.match(text) for text in (statement.text, record.text)]
    if not statement.replaces or held[0] is None or held[1] is None:
        return False
    now, before = ((match["role"].lower(), match["who"].lower()) for match in held if match)
    return now[0] == before[0] and now[1] != before[1]


def _same_role(now: str, before: str) -> bool:
    """ "The new nurse" takes the place of "the school nurse", if no other kind of nurse is named."""
    one, two = now.split(), before.split()
    return one == two or (one[-1] == two[-1] and 1 in (len(one), len(two)))


def _has_left(statement: Statement, record: Record) -> bool:
    """Staff, lodgers and whoever else holds a role, when they go."""
    denied = _NO_LONGER_IS.match(statement.text)
    if denied and {*words_of(denied["name"]), *words_of(denied["role"])} <= set(words_of(record.text)):
        return record.kind is Kind.RELATIONSHIP or bool(_role(record.text))
    held = _role(record.text)
    if held is None or _FOR_GOOD.fullmatch(held[0]) or not _LEAVES.search(statement.text):
        return False
    return bool(held[1]) and bool((subjects_of(statement.text) - TITLES) & (held[1] | {held[0]}))


def _is_away_for_good(statement: Statement, record: Record) -> bool:
    """What somebody had or did each week, once they have gone for good."""
    if not _LEAVES.search(statement.text) or not _FOR_EVER.search(statement.text):
        return False
    weekly = "weekday" in classes_of(telling(record.text)) and not is_past(record.text)
    return weekly and "user" not in subjects_of(record.text) and same_subject(statement.text, record.text)


def _parts(statement: Statement, record: Record) -> bool:
    """A couple that has parted, or is one again."""
    if _REUNITED.search(statement.text) and _APART.search(record.text):
        return "user" in subjects_of(record.text) or same_subject(statement.text, record.text)
    parted = PARTED.search(statement.text)
    partner = any(COUPLED.fullmatch(one.kin or "") for one in introduced(record.source_excerpt))
    if not parted or not (partner or _PAIRED.search(record.text)) or is_negative(record.text):
        return False
    couple = set(words_of(statement.text[: parted.end()] + statement.text[parted.end() :].split(",")[0]))
    named = (couple - _SMALL_IN_A_COUPLE) & set(words_of(record.text))
    return len(named - {"user"}) > 1 or {"user"} < named


def _leaves_the_house(statement: Statement, record: Record) -> bool:
    """Who has moved elsewhere no longer lives with the user."""
    slot = statement.slot
    if slot is None and _GOES_HOME.search(statement.text):
        return bool(_SHARES_A_HOME.search(record.text)) and same_subject(statement.text, record.text)
    if slot is None or slot.ends or not slot.key.endswith(".home") or _WITH_THE_USER.search(statement.text):
        return False
    if not _SHARES_A_HOME.search(record.text) or PLAN.search(statement.text):
        return False
    gone = subjects_of(statement.text) - {"user"}
    names, kin = gone - KIN_SET, gone & KIN_SET
    told = telling(record.text)
    if named := {(person.name or "").lower() for person in introduced(record.source_excerpt)}:
        return bool(names & named) or (not names and bool(kin) and frozenset(map(stem, kin)) <= told)
    return bool(gone) and frozenset(map(stem, kin or names)) <= told


def _serves_instead(statement: Statement, record: Record) -> bool:
    """ "Jan drives me to the mill now": then Ole, who did, does so no more."""
    if not statement.replaces or same_subject(statement.text, record.text) or is_negative(statement.text):
        return False
    chore, done = _CHORE.match(statement.text), _CHORE.match(record.text)
    if chore and done and chore["verb"].lower() == done["verb"].lower() and telling(done["doing"]):
        return telling(chore["doing"]) == telling(done["doing"])
    now, before = _SERVES.match(statement.text), _SERVES.match(record.text)
    if now is None or before is None or now["verb"].lower() != before["verb"].lower():
        return False
    doing, done_for = telling(now["doing"]), telling(before["doing"])
    return doing <= done_for or done_for <= doing
