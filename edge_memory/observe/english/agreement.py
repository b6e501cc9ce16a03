"""Verbs that do not agree with their subject, as many people speak: "she work", "he been", "my mother she take"."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.inflection import agreeing
from edge_memory.observe.english.lexicon import CALLED_BY_KIN, KIN, VERB_WORDS

_BARE = (
    "live|work|like|love|hate|play|drive|clean|cook|teach|stay|take|have|need|want|go|come|do|drink|eat|sleep|speak"
    "|study|run|keep|make|sell|sing|write|wear|own|smoke|walk|visit|call|phone|help|look|mind|feed|pick|drop|bring|start"
    "|finish|get|use|travel|collect|grow|fish|farm|say|tell|think|know|don't|dont|haven't|give|pay|send|swim|sew|knit"
    "|bake|paint|suffer|rent|attend|belong|prefer|enjoy|remember|forget|hear|see|sit|leave"
)
_KIN_SUBJECT = (
    rf"(?:my|our) (?:\w+ )?{KIN}(?: (?!(?:{'|'.join(sorted(VERB_WORDS, key=len, reverse=True))}|{_BARE})\b)[\w-]+)?"
)
_BEGINS = r"(?:(?<=^)|(?<=[,.;] )|(?<=\b(?:and|but) )|(?<=\b(?:so) )|(?<=\bbecause ))"
# After these a verb has no ending of its own: "did he work", "I let my son drive", "when will my mother come".
_GOVERNED = re.compile(
    r"\b(?:do|does|did|don't|doesn't|didn't|can|can't|could|couldn't|will|won't|would|wouldn't|shall|should|shouldn't"
    r"|may|might|must|mustn't|let|lets|make|makes|made|help|helps|helped|have|has|had|see|saw|watch|watched|hear|heard"
    r"|than|and|or|where|to|if)$",
    re.IGNORECASE,
)
_PRONOUN_VERB = re.compile(
    rf"\b(?P<who>he|she) (?P<how>(?:also|always|never|still|just|only|now|really) )?(?P<verb>{_BARE})\b"
    rf"(?! to (?:he|she)\b)",
    re.IGNORECASE,
)
_KIN_VERB = re.compile(
    rf"{_BEGINS}(?P<who>{_KIN_SUBJECT}|(?:{'|'.join(sorted(CALLED_BY_KIN, key=len, reverse=True))}))"
    rf" (?P<how>(?:also|always|never|still|just|only|now|really) )?(?P<verb>{_BARE})\b(?! (?:is|was|are|has)\b)",
    re.IGNORECASE,
)
# "My mother she takes": told once.
_TWICE = re.compile(
    rf"{_BEGINS}(?P<who>{_KIN_SUBJECT}),? (?:he|she)(?P<rest>'s\b| (?:{_BARE}"
    rf"|{'|'.join(sorted(VERB_WORDS, key=len, reverse=True))})\b)",
    re.IGNORECASE,
)
_PARTICIPLE = re.compile(
    rf"(?P<before>^|\b(?:and|but|so) |[,.;] )(?P<who>i|we|they|he|she|{_KIN_SUBJECT}) (?P<verb>been|done|seen"
    rf"|gone|took sick)\b",
    re.IGNORECASE,
)
_HAVE = {"i": "i've", "we": "we've", "they": "they've"}


def agreed(text: str) -> str:
    """The same with the endings that its subjects ask for. Questions are left as they are."""
    if text.rstrip().endswith("?"):
        return text
    told = _TWICE.sub(r"\g<who>\g<rest>", text)
    told = _PARTICIPLE.sub(_having, told)
    return _KIN_VERB.sub(_agreeing, _PRONOUN_VERB.sub(_agreeing, told))


def agreed_of(clause: str, name: str) -> str:
    """The same for a clause that begins with somebody's name: "Jana work at the mill"."""
    begins = re.match(rf"{re.escape(name)} (?P<verb>{_BARE})\b(?! (?:is|was|are|has|and)\b)", clause, re.IGNORECASE)
    return f"{name} {agreeing(begins['verb'])}{clause[begins.end() :]}" if begins else clause


def _having(match: re.Match[str]) -> str:
    who = match["who"]
    have = _HAVE.get(who.lower(), f"{who} has")
    return f"{match['before']}{have[0].upper() + have[1:] if who[0].isupper() else have} {match['verb']}"


def _agreeing(match: re.Match[str]) -> str:
    before = match.string[: match.start()].split()
    if before and _GOVERNED.search(before[-1]) and before[-1].lower() not in ("and",):
        return match[0]
    if before and before[-1].lower() == "and" and match["who"].lower() not in ("he", "she"):
        return match[0]  # "my mum and my dad live"
    return f"{match['who']} {match['how'] or ''}{agreeing(match['verb'])}"
