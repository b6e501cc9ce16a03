"""What English words a plain statement is told back by; sorrow and joy are felt with first."""

from __future__ import annotations

from collections.abc import Sequence

from edge_memory import lazy_re as re
from edge_memory.observe import restricts
from edge_memory.records import Language
from firmware_bridge.turn.english.questions import asks
from firmware_bridge.turn.english.requests import asks_leave
from firmware_bridge.turn.english.second_person import second_person
from firmware_bridge.turn.receipts import Receipts

_LEAD = re.compile(
    r"^(?:(?:hi|hello|hey|g'day|well|so|oh|okay|ok|and|but|by the way|actually|sorry|listen|look|just so you know|fyi|btw"
    r"|please|kindly|for the record|good (?:morning|evening|afternoon))(?: there)?\b[\s,.!:]*)+",
    re.IGNORECASE,
)
_KIN_OR_PET = (
    r"(?:mum|mom|mother|dad|father|wife|husband|son|daughter|brother|sister|gran|nan|grandma|grandpa|grandad|baby|dog|cat"
    r"|friend|mate|uncle|aunt|horse|partner)"
)
_LOSS = re.compile(
    rf"\b(?:died|dead|dying|passed (?:away|on)|put (?:\w+ ){{1,3}}(?:down|to sleep)|lost (?:my|our|his|her) {_KIN_OR_PET}"
    rf"|funeral|killed|miscarr\w+|buried)\b",
    re.IGNORECASE,
)
_BAD_NEWS = re.compile(
    r"\b(?:cancer|tumou?r|dementia|alzheimer\w*|leuk[a]?emia|stroke|heart attack|intensive care|in hospital|an? accident|broke up"
    r"|splitting up|split up|divorc\w+|laid off|made redundant|fired|sacked|lost (?:my|his|her) job|burgled|stolen|evicted"
    r"|went missing|ran away|heartbroken|depressed|broke (?:my|his|her) \w+)\b",
    re.IGNORECASE,
)
_GOOD_NEWS = re.compile(
    r"\b(?:(?:got|am|'m|is|are|'re|'s) engaged|got married|getting married|pregnant|expecting (?:a|our|twins|her|their)|had (?:a|her|their|our)"
    r" (?:baby|(?:little )?(?:boy|girl)|son|daughter)|became a|got (?:the|a new) job|promoted|got a promotion|graduated"
    r"|passed (?:my|his|her|the) \w+|all clear|in remission|won (?:the|a|first|gold)|was born|were born)\b",
    re.IGNORECASE,
)
# Denied, or long ago.
_NO_NEWS = re.compile(
    r"\b(?:(?:19|20)\d\d|ago|when (?:i|we|he|she|they) (?:was|were)|years|used to|last year|not|never|no longer|nobody"
    r"|no one|\w+n't|if|might|almost|nearly|joking)\b",
    re.IGNORECASE,
)
# Said to the companion, or asked beside.
_NOT_PLAIN = re.compile(
    r"\b(?:you|your|yours|yourself)\b|\b(?:and|but|so|,) (?:what|what's|who|who's|where|when|why|how|which|can|could|do"
    r"|does|did|is|are|will|would|should|tell|please)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"^(?:never|don't|dont|do not)(?: ever)? (?P<deed>(?!forget\b|worry\b|mind\b|know\b|think\b).+)$", re.I
)
_NONE = re.compile(r"^(?:no|nobody|no one|nothing) \w+", re.IGNORECASE)
_BEGINS = re.compile(
    r"^(?:i|i'm|im|i've|i'd|i'll|my|mine|we|we're|we've|our|the|he|she|it|they|his|her|their|it's|he's|she's|there|there's|a|an"
    r"|both|all|from|on|every|(?-i:[A-Z])[\w'-]+|\w+'s"
    r"|(?:[\w'-]+ ){1,3}?(?:is|are|has|have|can't|cannot|mustn't|takes|lives|works|drives|brings?|gives?|makes?|upsets?))\b",
    re.IGNORECASE,
)
_KEPT_LOWER = re.compile(r"^(?:You|Your|The|He|She|It|They|His|Her|Their|There|A|An|Both|All|From|On|Every|No)\b")
_SMALL = frozenset(
    """and but so also too he she they it is are was has have had s re ve m d ll his her their its him them who which that
    now the a an of then ever please i my we our not no one nobody to for allowed""".split()
)


def _told_back(told: str, clauses: Sequence[str]) -> str:
    """In the second person, and an order as a promise; empty for what begins in a way that cannot be told so."""
    if order := _ORDER.match(told):
        deed = second_person(order["deed"])
        return f"I won't {deed[:1].lower()}{deed[1:]}"
    if _NONE.match(told) or _BEGINS.match(told):
        return _lowered(second_person(told))
    return ""


def _lowered(told: str) -> str:
    return told[:1].lower() + told[1:] if _KEPT_LOWER.match(told) else told


ENGLISH = Receipts(
    language=Language.ENGLISH,
    lead=_LEAD,
    asks=lambda text: asks(text) or asks_leave(text),
    not_plain=_NOT_PLAIN,
    loss=_LOSS,
    bad_news=_BAD_NEWS,
    good_news=_GOOD_NEWS,
    no_news=_NO_NEWS,
    restricts=restricts,
    small=_SMALL,
    told_back=_told_back,
)
