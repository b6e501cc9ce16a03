"""Whom a German sentence is about: somebody's life, or the assistant that hears it. See `observe.addressing`."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.german.clauses import instructs

_YOU = re.compile(r"\b(?:du|dich|dir|dein\w*)\b", re.IGNORECASE)
_SAID_TO_HEARER = re.compile(
    r"\b(?:weißt du|wie du weißt|danke dir|ich (?:habe|hab) dir|sage? (?:ich )?dir|merk(?:e)? dir"
    r"|du (?:kannst|darfst|sollst) mich)\b",
    re.IGNORECASE,
)
_OF_REPLIES = re.compile(
    r"\b(?:jede[rsnm]?|alle|allen|deine[rnm]?) (?:\w+ )?(?:antwort|antworten|satz|sätze|nachricht|nachrichten"
    r"|begrüßung)\b|\b(?:auf|für) (?:jede|alle) (?:frage|fragen)\b",
    re.IGNORECASE,
)
_HEARER = r"(?:assistent\w*|lautsprecher\w*|gerät\w*|roboter\w*|sprachmodell\w*|chatbot\w*|lo-?bug)"
_MADE_TO_ACT = re.compile(
    rf"\b{_HEARER}\b.{{0,40}}?\b(?:soll|sollen|sollte|muss|müssen|hat|haben|darf)\b.*\w+(?:en|eln|ern)$"
    r"|\b(?:regel|brauch|gewohnheit|aufgabe|abmachung|plan) (?:ist|war|lautet)(?: es)?[,:].*\bzu \w+(?:en|eln|ern)$",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"[\[\]<>{}|=`\\\n\r]|https?:|\bwww\.")
_TOLD = re.compile(
    r"^(?:(?:der|des|dem|den) nutzer[s]?|(?:der|die|das|ein|eine|mein|meine|unser|unsere|ich|wir|er|sie|es)"
    r"|[A-ZÄÖÜ][\w-]+)\s(?:.*\s)?(?:ist|sind|war|waren|hat|haben|hatte|kann|darf|muss|wird|mag|heißt|(?-i:[a-zäöüß]{2,}(?:t|te|en)))\b",
    re.IGNORECASE,
)
_GERMAN = re.compile(
    r"\b(?:der|die|das|des|dem|den|ist|hat|und|nicht|heißt|wohnt|mein\w*|ein|eine|in|im)\b", re.IGNORECASE
)
_NOT_GERMAN = re.compile(r"\b(?:the|of|and|to|when|is|with|you|your|every|must|has|that)\b", re.IGNORECASE)
_IMPERATIVE = re.compile(
    r"^(?:bitte\s+)?(?:sag\w*|antworte|beende|beginne|nenne?|erwähne|empfiehl|sprich|sing\w*|schreib\w*|frag\w*|schick\w*"
    r"|behaupte|lobe?|rat\w*|weigere|grüße?|begrüße?|stell\w*|gib|lass|setz\w*|füge?|immer|nie|niemals|ab)\b",
    re.IGNORECASE,
)


def addresses_hearer(clause: str) -> bool:
    """As its English namesake."""
    if _YOU.search(_SAID_TO_HEARER.sub(" ", clause)):
        return True
    return bool(_OF_REPLIES.search(clause) or _MADE_TO_ACT.search(clause.rstrip(" .!")))


def tells_of_life(text: str) -> bool:
    """As its English namesake."""
    if (
        not _GERMAN.search(text)
        or _NOT_GERMAN.search(text)
        or any(form.search(text) for form in (_MARKUP, _IMPERATIVE, _YOU))
    ):
        return False
    if (
        ":" in text
        or instructs(text)
        or addresses_hearer(text)
        or re.search(rf"\b(?:{_HEARER}|antwort\w*)\b", text, re.IGNORECASE)
    ):
        return False
    return bool(_TOLD.match(text))
