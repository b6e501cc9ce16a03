"""What does harm to whom: "thunder sets the dog off" is told of the dog, though it begins with the thunder."""

from __future__ import annotations

from dataclasses import dataclass

from edge_memory import lazy_re as re
from edge_memory.records import words_of
from firmware_bridge.turn.english.told import IS_KIN

_HARMS = re.compile(
    r"^(?!(?:please |kindly )?(?:never|do not|don't|no|always)\b)(?P<what>[\w' -]+?) (?:(?:really |always |just"
    r" )?(?:sets? off|sets?|setting|gives?|makes?|triggers?|brings? on|upsets?)"
    r"|brings?|(?:is|are) (?:poison|poisonous|toxic|deadly|fatal|lethal|dangerous|bad|out) (?:for|to)"
    r"|(?:doesn't|does not|don't|do not) agree with|disagrees? with|(?:could|would|will|might|can) kill"
    r"|(?:plays?|wreaks?) havoc with) (?P<mine>(?:the user's|my|our) |the (?!user\b))?(?P<whom>the user|me|us|[\w-]+)(?P<of>'s)?\b"
    r"(?P<rest>.*)$",
    re.IGNORECASE,
)
_SO_DOES = re.compile(r"\band so (?:is|are|does|do) (?P<what>[\w' -]+)$", re.IGNORECASE)
_NOBODY = frozenset("it them him her that this a an the you people everyone everybody sure do".split())
_THEMSELF = frozenset(("the user", "me", "us"))


@dataclass(frozen=True, slots=True)
class Harm:
    """`whom` are the words that name who is harmed, none for the user; `what` are those of what harms."""

    whom: frozenset[str]
    what: frozenset[str]


def harm_in(text: str) -> Harm | None:
    """None where a text tells of no harm, or begins with whom it is done to."""
    match = _HARMS.match(text)
    if match is None or match["whom"].lower() in _NOBODY or IS_KIN.search(match["what"]):
        return None
    whom = match["whom"].lower()
    is_own_body = match["mine"] not in (None, "the ") and not IS_KIN.fullmatch(whom) and not match["of"]
    more = _SO_DOES.search(match["rest"])
    what = f"{match['what']} {more['what'] if more else ''}"
    named = frozenset() if whom in _THEMSELF or is_own_body else frozenset((whom,))
    return Harm(named, frozenset(words_of(what)))
