"""Words of which one holds at a time: a day, an hour, a colour, a way to work. Told as a change, one takes the place of
the other, if the two sentences are of one matter.
"""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import COLOURS, COUNT, WEEKDAYS
from edge_memory.observe.english.wording import (
    COMMON_VERBS,
    LITTLE,
    is_negative,
    is_past,
    same_subject,
    subject_stems,
    telling,
)
from edge_memory.observe.statement import Statement
from edge_memory.records import Record

_KINDS = tuple(
    frozenset(kind.split())
    for kind in (
        " ".join([*WEEKDAYS, "weekend"]),
        "morning afternoon evening night lunchtime dawn bedtime",
        " ".join(sorted(COLOURS)),
        "bus train tram tube metro subway car bike cycle walk drive taxi ferry coach scooter moped",
        "long short brief detailed concise",
        "slow slowly fast quickly quick",
        "loud loudly quiet quietly soft softly",
        "full-time part-time",
        "left right",
        "upstairs downstairs",
        "daily weekly fortnightly monthly",
        "open closed shut",
    )
)
_HOUR = re.compile(
    rf"\b(?P<frame>at|from|till|until|by|before|after|to) (?:half past |quarter (?:to|past) )?(?P<count>{COUNT})\b"
)
_COUNTED = re.compile(rf"\b(?P<count>{COUNT}) (?P<frame>[a-z]{{3,}})\b")
_EXTENT = re.compile(r"\b(full|part) time\b")
_OF_ITSELF = frozenset({"full-time", "part-time"})
_WEIGHED = re.compile(r"\b(?:kilos?|kg|stone|kilograms?)\b", re.IGNORECASE)
_ENDS_IN_S = frozenset({"bus", "upstairs", "downstairs"})
# Who does so has changed it, and need not say so.
_MAKES = re.compile(
    r"\b(?:(?:re)?painted|dyed|redecorated|redid|(?:has|have) (?:now )?gone|is (?:now )?(?:up|down) to|cut "
    r"(?:the user's|his|her))\b",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"\b(?:also|too|another|as well|both|other|sometimes|once|today|tonight|yesterday)\b", re.IGNORECASE
)
_TO_WORK = re.compile(
    r"\b(?:to|from) (?P<place>work|school|college|uni|university|church|the office|town)\b", re.IGNORECASE
)
_WHEN = telling("next week month day days now new every each")


def takes_its_place(statement: Statement, record: Record) -> bool:
    """ "Swims in the evening now" beside "swims every morning", "painted the shed green" beside "the shed is red"."""
    text, old = statement.text, record.text
    if statement.instead_of or _BESIDE.search(text) or not (statement.replaces or _MAKES.search(text)):
        return False
    if is_negative(text) or is_negative(old):
        return False
    if is_past(old) and record.key is None and not statement.restated:
        return False
    apart = _unlike(text, old)
    if not apart:
        return False
    new, held = (telling(_plain(told)) - telling(" ".join(apart)) - _WHEN for told in (text, old))
    if not (same_subject(text, old) or subject_stems(old) & new):
        return False
    small = LITTLE | COMMON_VERBS | subject_stems("the user")
    if (
        not (new & held) - small
        and not _same_way(text, old)
        and apart.isdisjoint(_OF_ITSELF)
        and not _both(_WEIGHED, text, old)
    ):
        return False
    return not (new - held - small and held - new - small)


def _unlike(text: str, old: str) -> frozenset[str]:
    """The words of either of which one holds at a time; empty where they agree in one, or share no kind of such."""
    now, before = ({_singular(word) for word in _plain(told).split()} for told in (text, old))
    found = frozenset[str]()
    for kind in _KINDS:
        if now & kind and before & kind and not now & before & kind:
            found |= (now | before) & kind
    for form in (_HOUR, _COUNTED):
        said, held = ({one["frame"]: one["count"] for one in form.finditer(_plain(told))} for told in (text, old))
        found |= {
            word
            for frame in said.keys() & held.keys()
            if said[frame] != held[frame]
            for word in (said[frame], held[frame])
        }
    return found


def _both(form: re.Pattern[str], text: str, old: str) -> bool:
    return bool(form.search(text) and form.search(old))


def _plain(text: str) -> str:
    return _EXTENT.sub(r"\1-time", " ".join(re.findall(r"[\w'-]+", text.lower())))


def _singular(word: str) -> str:
    return word.removesuffix("s") if word not in _ENDS_IN_S else word


def _same_way(text: str, old: str) -> bool:
    """Whether both are of the way to work, or from school."""
    one, two = _TO_WORK.search(text), _TO_WORK.search(old)
    return one is not None and two is not None and one["place"].lower() == two["place"].lower()
