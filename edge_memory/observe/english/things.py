"""Which thing "it" of a later clause means: "the kettle broke so I binned it", "I bought a van" and "I sold it"."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import KIN_OR_PET

_OWN_THING = re.compile(
    r"(?:the|my|our) (?:[\w-]+ )?[\w-]+ (?=(?:is|was|has|had|got|broke|failed|died|went|stopped|packed|fell|needs"
    r"|cost|costs|takes?|needs?|runs?|uses?|bites?|leaks?|sticks?|gets|works?|wants?)\b)",
    re.IGNORECASE,
)
_HAD_THING = re.compile(
    r"\b(?:bought|got|have|has|had|own|owns|ordered|booked|started|joined|rent|drive|drives|lent|borrowed|sent|send"
    r"|sending|getting|buying|joined|planted|built|building|hired|inherited|won) (?:(?:me|us) )?(?:an?|the|my"
    r"|our|his|her)"
    r" (?P<thing>(?!lot\b|bit\b|few\b|couple\b|feeling\b|go\b|cold\b|headache\b)[\w-]+(?: (?!off\b|from\b|for\b"
    r"|in\b|on\b|at\b|with\b|to\b"
    r"|by\b|last\b|this\b|and\b|but\b|so\b|it'?s?\b|that\b|which\b|because\b|now\b|today\b|yesterday\b|of\b"
    r"|over\b|under\b"
    r"|near\b|behind\b|called\b|named\b)[\w-]+){0,2})",
    re.IGNORECASE,
)
_IT_DONE = re.compile(
    r"\b(?P<did>(?:i|we|he|she|they)(?:'ve|'s| have| has)?(?: had to| just)? (?:sold|scrapped|binned|chucked"
    r"|cancelled|canceled"
    r"|returned|dropped|quit|closed|gave|given|lost|broke|smashed|crashed|traded|donated|lent|left|moved"
    r"|postponed|rescheduled"
    r"|pushed|stopped|finished|swapped|wrote)) it\b",
    re.IGNORECASE,
)
_IN_ITS_PLACE = re.compile(r"\b(?:in its place|to replace it|instead of it)\b", re.IGNORECASE)
_ORDER_ABOUT_IT = re.compile(r"^(?P<order>(?:please )?(?:never|don't|do not) .*?)\bit\b", re.IGNORECASE)
_OWN_KIN = re.compile(rf"^(?i:my|our)\s+(?i:{KIN_OR_PET})(?=\s+(?!called|named)[a-z'])")


def own_thing(clause: str) -> str:
    """The thing that a clause is about or tells to be had, empty if none."""
    match = None if _OWN_KIN.match(clause) else _OWN_THING.match(clause)
    had = None if match else _HAD_THING.search(clause)
    return match[0].strip() if match else f"the {had['thing']}" if had else ""


def with_thing(clause: str, thing: str) -> str:
    """ "I sold it" and "never open it" with what is meant in the place of "it"; `thing` may be empty."""
    if not thing:
        return clause
    clause = _IN_ITS_PLACE.sub(f"instead of {thing}", clause)
    return _ORDER_ABOUT_IT.sub(rf"\g<order>{thing}", _IT_DONE.sub(rf"\g<did> {thing}", clause))
