"""What a person answers in German. Its words are none of English, so both are listened for."""

from __future__ import annotations

from edge_memory import lazy_re as re

_FILLER = r"äh|ähm|hm|na|okay|ok|bitte|danke|lobug|lo bug|nun|das ist|also gut"
_YES_WORDS = (
    r"ja|jawohl|jep|genau|stimmt|richtig|korrekt|klar|natürlich|sicher|doch|(?:ganz )?genau|auf jeden fall|so ist es"
    r"|das stimmt|ist richtig|bestätigt|ich bestätige(?: das)?|das meine ich|das meinte ich"
)
_NO_WORDS = (
    r"nein|nee|nö|falsch|stimmt nicht|das stimmt nicht|ist falsch|auf keinen fall|ganz und gar nicht|überhaupt nicht"
    r"|nein danke|lass es(?: so)?|lass das|nicht richtig"
)
_YES = re.compile(rf"(?:(?:{_FILLER}) )*(?:{_YES_WORDS})(?: (?:{_YES_WORDS}|{_FILLER}))*")
_NO = re.compile(rf"(?:(?:{_FILLER}) )*(?:{_NO_WORDS})(?: (?:{_NO_WORDS}|{_FILLER}))*")
_NO_AND_MORE = re.compile(r"(?:nein|nee|nö) (?!(?:was|wer|wo|wann|warum|wie|kannst|könntest|mach|spiel|stell)\b)\S.*")
_UNSURE = re.compile(r"\b(?:vielleicht|weiß (?:ich )?nicht|keine ahnung|später|warte|moment|unsicher)\b")
_NONE = re.compile(
    rf"(?:(?:{_FILLER}|nein|nee) )*(?:kein(?:e|en|s|es)(?: von (?:beiden|denen))?|nichts(?: davon)?|gar nichts"
    r"|vergiss es)"
)
_ALL = re.compile(rf"(?:(?:{_FILLER}|ja) )*(?:beide[ns]?|alle(?: (?:zwei|drei))?|alles)(?: (?:{_FILLER}))*")
_PLACES = (r"erste[nrs]?|nummer eins", r"zweite[nrs]?|nummer zwei|andere[nrs]?", r"dritte[nrs]?|nummer drei")
_LAST = r"letzte[nrs]?"
PICKING = frozenset(
    "ja den die das dem der eine einen ich meine meinte über von mit dass nur bitte ist sind bin".split()
)


def answers(said: str) -> bool | None:
    """Whether the words plainly accept or plainly refuse; None for anything else."""
    if _UNSURE.search(said):
        return None
    if _YES.fullmatch(said):
        return True
    return False if _NO.fullmatch(said) or _NO_AND_MORE.fullmatch(said) else None


def place(said: str, count: int) -> int | None:
    """Which of several is meant by its place, from 0."""
    for number, words in enumerate((*_PLACES[:count], _LAST)):
        if re.fullmatch(rf"(?:(?:{_FILLER}|ja|ich meine) )*(?:den |die |das )?(?:{words})(?: (?:{_FILLER}))*", said):
            return min(number, count - 1)
    return None


def means_none(said: str) -> bool:
    return bool(_NONE.fullmatch(said) or _NO.fullmatch(said))


def means_all(said: str) -> bool:
    return bool(_ALL.fullmatch(said))
