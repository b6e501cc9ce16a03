"""What loosens what somebody may not have, in whatever words: they had it, may have it, bore it well.

No word of loosening is looked for. Who may not have a thing is seldom told to have to do with it, so whatever is told
of both loosens it, but for what is as strict, what turned out badly and what is of another matter.
"""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.contradictions.plans import is_planned
from edge_memory.observe.english.kinds import barred_by, kinds_of
from edge_memory.observe.english.lexicon import KIN, KIN_SET, PET_SET
from edge_memory.observe.english.restrictions import forbids, harms, restricts
from edge_memory.observe.english.wording import (
    COMMON_VERBS,
    LITTLE,
    is_negative,
    stem,
    subjects_of,
    telling,
    told_of,
)
from edge_memory.observe.statement import Statement
from edge_memory.records import Record, words_of

_BARS = frozenset(("allergy", "cannot_have", "diet"))
_AILS = "condition"
# What is told of a prohibition besides whom and what it is about.
_OF_BARS = telling(
    "allergic allergy intolerant intolerance reaction must never not cannot allowed may supposed touch near around"
    " strict strictly because food doctor tablets pills medicine anything makes gives sets upsets brings rash ill sick"
    " heavy bad terrible severe severely badly deadly"
    " low no zero diet"
)
# What does harm comes first, whom it harms after it: "figs give Jan a rash".
_CAUSES = re.compile(
    r"(?!the user\b)(?:the )?[\w-]+(?: [\w-]+)? (?:makes?|gives?|brings?|upsets?|triggers?|sets? off)\b"
    r"|(?!the user\b)(?:the )?[\w-]+(?: [\w-]+)? (?:is|are) (?:[\w-]+ ){0,3}?for (?:the user|[\w-]+)\b",
    re.IGNORECASE,
)
# "And no tummy ache", "without a spot", "didn't sneeze once": nothing bad came of it.
_SPARED = re.compile(r"(?:\b(?:no|not|never|without|nothing|hardly|barely)\b|n't\b)[^,.;]*", re.IGNORECASE)
_SUFFERED = re.compile(
    r"\b(?:ill|sick|poorly|rash|rashes|hives|spots|swell\w*|swollen|swoll?|itch\w*|epi-?pen|ambulance|a ?& ?e|wheez\w*"
    r"|vomit\w*|threw up|throwing up|thrown up|sneez\w*|reaction|reacted|collapsed|fainted|blotch\w*|cramps?|doubled up"
    r"|(?:tummy|stomach|belly|head)[ -]?aches?|up all night|paid for it|suffer\w*|regrett?\w*|runs|bloated|flare\w*"
    r"|(?:ended up|landed|rushed|taken|went|was|were|back) (?:up )?(?:in|into|to) (?:the )?(?:hospital|er|casualty))\b",
    re.IGNORECASE,
)
_FREE = re.compile(
    r"\b[\w-]+[ -]free\b|\bdecaf\w*|\b(?:vegan|veggie|vegetarian|plant|soya?|oat|almond|fake|dairy|non-?alcoholic|zero)"
    r"[ -](?:\w+ )?(?:milk|cheese|burgers?|sausages?|bacon|beers?|wines?|mince|butter|yogh?urt)\b",
    re.IGNORECASE,
)
# What is done for others or with things ends nothing for whoever does it.
_FOR_OTHERS = re.compile(
    r"\b(?:gave|gives?|giving|made|makes?|making|cook\w*|bak\w+|serv\w+|sell\w*|sold|fed|feeds?|feeding|grows?|grew|growing"
    r"|plant\w*|pick\w*|order\w*|brought|brings?|bought|buys?|buying|keeps?|kept|sent|sends?|works? (?:at|in|for|with)"
    r"|saw|smell\w*|draws?|drew|paint\w*)\b",
    re.IGNORECASE,
)
_RECOVERED = re.compile(
    r"\b(?:remission|cured|cleared?|gone|grew out|grown out|outgr\w+|over (?:it|his|her|the|their|my)|healed|reversed"
    r"|misdiagnos\w+|false alarm|passed|mistake|went away|got rid)\b",
    re.IGNORECASE,
)
# "That allergy is finished".
_LIFTED = re.compile(
    r"\b(?:allerg\w+|intoleran\w+)(?: (?:to|thing|of) [\w-]+)?(?: (?:is|has|was|are|must be|seems?))*(?: all| now"
    r"| been| long| completely)* (?:finished|over|gone|cleared|history|done|lifted|disappeared"
    r"|vanished|no more|behind)\b"
    r"|\b(?:no|not|never|n't) (?:\w+ )?(?:allerg|intoleran)\w+",
    re.IGNORECASE,
)
_ROOT = 6  # letters
_ELSEWHERE = ("place", "when", "birthday")


def loosens(statement: Statement, said: str, record: Record) -> bool:
    """Whether the statement tells of the same person and of the same thing, or one of its kind, and is not as strict.

    `said` is all of its turn, where what came of it may be told after it.
    """
    text, attribute = statement.text, (record.key or "").partition(".")[2]
    ails, bars = attribute == _AILS, attribute in _BARS or forbids(record.text) or harms(record.text)
    if not (ails or bars) or is_planned(text) or not _is_of_them(text, record):
        return False
    matter = _matter_of(record)
    if ails and (is_negative(text) or _RECOVERED.search(text)) and _named_alike(matter, telling(text)):
        return True
    if (_is_strict(text) and not _LIFTED.search(text)) or turned_out_badly(said or text) or _FREE.search(text):
        return False
    barred = barred_by(matter) - (matter if ails else frozenset())
    shared = kinds_of(telling(text)) & barred
    return bool(shared) and not (_is_without(text, shared) or _is_elsewhere(statement, shared))


def _is_strict(text: str) -> bool:
    return restricts(text) or harms(text)


def turned_out_badly(said: str) -> bool:
    """Whether it tells that somebody suffered, and not that they were spared: "no tummy ache", "didn't sneeze"."""
    return bool(_SUFFERED.search(_SPARED.sub("", said)))


def _named_alike(matter: frozenset[str], told: frozenset[str]) -> bool:
    """ "Diabetic" and "diabetes"."""
    return any(one[:_ROOT] == other[:_ROOT] for one in matter for other in told if len(min(one, other, key=len)) > 3)


def _is_elsewhere(statement: Statement, shared: frozenset[str]) -> bool:
    """Whether it tells where the thing is, or when: "the salt is in the tin"."""
    what, _, aspect = statement.slot.key.rpartition(".") if statement.slot else ("", "", "")
    return aspect in _ELSEWHERE and not shared.isdisjoint(telling(what.replace(".", " ").replace("_", " ")))


def _matter_of(record: Record) -> frozenset[str]:
    """The telling words of what may not be had."""
    named = telling(" ".join(_whom(record)))
    return telling(told_of(record)) - named - _OF_BARS - COMMON_VERBS - LITTLE - frozenset(map(stem, KIN_SET))


def _whom(record: Record) -> frozenset[str]:
    """The names of whom it is told of: "user", a kin word, a name."""
    if not _CAUSES.match(record.text):
        return subjects_of(record.text)
    after = record.text[len(record.text.split(" ", 1)[0]) :]
    named = frozenset(word.lower() for word in re.findall(r"\b[A-Z][\w-]+", after))
    if named or re.search(r"\bthe user\b(?!')", after):
        return named or frozenset({"user"})
    return frozenset(words_of(after)) & (KIN_SET | PET_SET) or frozenset({"user"})


def _is_of_them(text: str, record: Record) -> bool:
    """Whether the statement tells of the one whom the record is about, as who has or gets something."""
    whom = _whom(record)
    if whom == {"user"}:
        return _is_of_user(text)
    names = whom - KIN_SET - PET_SET or whom
    found = names & frozenset(words_of(text)) or frozenset(map(stem, names)) & telling(text)
    if not found or re.search(rf"\b(?:{'|'.join(map(re.escape, names))})'s (?:\w+ )?{KIN}\b", text, re.IGNORECASE):
        return False
    return not (subjects_of(text) & names and _FOR_OTHERS.search(text))


def _is_of_user(text: str) -> bool:
    if subjects_of(text) == {"user"} and not text.startswith("The user's "):
        return not _FOR_OTHERS.search(text)
    return re.search(r"(?<!^)\bthe user\b(?!'s)", text) is not None


def _is_without(text: str, shared: frozenset[str]) -> bool:
    """Whether it is told that they did not have it: a denial before the thing, not after it."""
    before = ""
    for word in words_of(text):
        if kinds_of(telling(word)) & shared:
            return is_negative(before) or before.endswith(" no ")
        before += f"{word} "
    return False
