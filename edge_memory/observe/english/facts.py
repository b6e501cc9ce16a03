"""A clause that tells several things about one subject, taken apart so that each can change alone."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.clauses import FINITE
from edge_memory.observe.english.inflection import is_irregular_past
from edge_memory.observe.english.lexicon import KIN, KIN_OR_PET, PET, VERB_WORDS

_SUBJECT_OF = re.compile(
    rf"^(?P<subject>i'm|i've|i|we're|we've|we|he's|she's|he|she|(?:my|our)\s+(?:\w+\s+)?{KIN_OR_PET}"
    r"(?:\s+(?!(?:is|was|has|lives|works|likes|can|goes|plays|drives)\b)[\w-]+)?"
    r"|[\w-]+(?:'s)?)\s+(?P<verb>[\w']+)\b", re.IGNORECASE,
)  # fmt: skip
_SECOND_VERB = re.compile(
    rf"^(?P<first>.+?\s.+?),?\s+(?:and|but)\s+(?!don't (?:tell|say|worry|ask|forget|let|mention|bother|call"
    rf"|ring|mind|you|be|do|go|wake)\b)(?P<second>{FINITE}\s+\S.*)$",
    re.IGNORECASE,
)
_ONE_EACH = re.compile(
    r"^(?P<head>.+?\b(?:have|has|had|got|'ve got|own|keep)\s+)(?:(?:two|three"
    r"|both) [\w -]+?[,:]\s*)?(?P<first>(?:an?|one|two|three|four|another)\s+.+?),?\s+(?:and|plus)\s+"
    rf"(?P<second>(?:an?|another)\s+(?:(?:[\w-]+\s+){{0,3}}?(?:{KIN}|{PET})\b|[\w -]+?\s(?:called"
    rf"|named)\s).*)$", re.IGNORECASE,
)  # fmt: skip
_ALLERGIES = re.compile(
    r"^(?P<head>.+\ballergic to (?:both )?)(?P<list>[\w -]+(?:,\s*[\w -]+)*,?\s+(?:and|or)\s+[\w -]+)$", re.IGNORECASE
)
# "Allergic to bees and carries a pen": no list of things.
_VERBAL = re.compile(
    r"\b(?:and|or) (?:[a-z]{3,}s (?:an?|the|his|her|my|our|their|two|it)|has|is|was|can't|doesn't|takes|needs)\b",
    re.IGNORECASE,
)
_WITH_FAMILY = re.compile(
    rf"^(?P<head>(?:i|we)\b.*?\b(?:live|stay))(?P<where>\s+(?:in|at|on|near)\s+.+?)\s+(?P<rest>with\s+(?:my"
    rf"|our)\s+.*{KIN_OR_PET}.*)$",
    re.IGNORECASE,
)
_WITH_THEIRS = re.compile(
    rf"^(?P<told>(?P<whose>(?:my|our)\s+(?:\w+\s+)?{KIN}(?=\s+(?:is|lives|moved|stays|works|went|has)\b)"
    rf"|(?:(?:my|our)\s+(?:\w+\s+)?{KIN}\s+)?(?P<who>(?!(?:he|she|it|we|they|i)\b)[\w-]+))\s+(?:is|lives|moved"
    rf"|stays|went|has moved)\s+.+?)"
    rf"\s+with\s+(?:his|her|their)\s+(?P<kin>{KIN})\s+(?P<name>(?!and\b|or\b|in\b|at\b)[\w-]+)$",
    re.IGNORECASE,
)
_AS_AT = re.compile(
    r"^(?P<head>(?:i|we)\b.*?\bwork)(?P<where>\s+(?:at|for)\s+.+?)\s+(?P<rest>as\s+an?\s+.+)$", re.IGNORECASE
)
_AT_AS = re.compile(
    r"^(?P<head>(?:i|we)\b.*?\bwork)(?P<where>\s+as\s+an?\s+[\w -]+?)\s+(?P<rest>(?:at|for)\s+(?!night"
    r"|the moment|now|home|weekends)\S.*)$",
    re.IGNORECASE,
)
_JOB_ON = re.compile(
    r"^(?P<head>i'm|i am|i work as)\s+(?P<job>an?\s+[\w -]+?)\s+(?P<on>(?:on|in)\s+(?:the|a|an)\s+[\w -]*?(?:ward"
    r"|unit|team"
    r"|department|wing|floor|line|desk|branch|kitchen|shift))(?:\s+(?P<rest>(?:at|for|in)\s+\S.*))?$",
    re.IGNORECASE,
)
_JOB_AT = re.compile(
    r"^(?P<head>i'm|i am)\s+(?P<job>an?\s+[\w -]+?)\s+(?P<rest>(?:at|for)\s+(?!the moment\b|heart\b|now\b|all\b"
    r"|least\b)\S.*)$",
    re.IGNORECASE,
)


_FIRST_PERSON_VERBS = frozenset(
    """live work like love hate play go teach drive speak study move have prefer run keep enjoy need want take am are
    do a the an""".split()
)


def single_facts(clause: str) -> list[str]:
    """A clause that tells several things about one subject, as one clause each, so that each can change alone.

    "I live in York with my wife Ann" becomes "I live in York" and "I live with my wife Ann".
    """
    for pattern in (_WITH_FAMILY, _AS_AT, _AT_AS):
        match = pattern.match(clause)
        if match:
            return [match["head"] + match["where"], f"{match['head']} {match['rest']}"]
    theirs = _WITH_THEIRS.match(clause)
    if theirs:
        return [theirs["told"], f"{theirs['who'] or theirs['whose']}'s {theirs['kin']} is called {theirs['name']}"]
    on = _JOB_ON.match(clause)
    if on:
        rest = [f"I work {on['rest']}"] if on["rest"] else []
        return [f"{on['head']} {on['job']}", f"I work {on['on']}", *rest]
    job = _JOB_AT.match(clause)
    if job:
        return [f"{job['head']} {job['job']}", f"I work {job['rest']}"]
    each = _ONE_EACH.match(clause)
    if each:
        return [each["head"] + each["first"], *single_facts(each["head"] + each["second"])]
    allergies = _ALLERGIES.match(clause)
    if allergies:
        if _VERBAL.search(allergies["list"]):
            return _second_verb(clause)
        items = re.split(r",\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+", allergies["list"])
        return [allergies["head"] + item for item in items if item.strip()]
    return _second_verb(clause)


def _second_verb(clause: str) -> list[str]:
    """ "Tom is a cook and lives in York" becomes "Tom is a cook", "Tom lives in York"."""
    match = _SECOND_VERB.match(clause)
    subject = _SUBJECT_OF.match(clause)
    if not match or not subject or not _is_verb(subject["verb"].lower()):
        return [clause]
    who = {"i'm": "I", "i've": "I", "we're": "we", "we've": "we", "he's": "he", "she's": "she"}.get(
        subject["subject"].lower(), subject["subject"]
    )
    return [match["first"], *_second_verb(f"{who} {match['second']}")]


def _is_verb(word: str) -> bool:
    regular_past = word.endswith("ed") and not word.endswith("eed")
    return word in VERB_WORDS | _FIRST_PERSON_VERBS or regular_past or is_irregular_past(word)
