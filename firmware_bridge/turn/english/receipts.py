"""What is said to a plain statement that memory reads whole: the user's own words, told back; sorrow and joy first."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from edge_memory import lazy_re as re
from edge_memory.observe import Statement, read_statements, restricts
from edge_memory.observe.risk import is_high_risk
from edge_memory.records import Kind, Language, words_of
from firmware_bridge.phrases import PHRASES
from firmware_bridge.turn.english.questions import asks
from firmware_bridge.turn.english.requests import asks_leave
from firmware_bridge.turn.english.second_person import second_person

_PHRASES = PHRASES[Language.ENGLISH]
_MOST_WORDS = 22
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
_LONG_AGO = re.compile(
    r"\b(?:(?:19|20)\d\d|ago|when (?:i|we|he|she|they) (?:was|were)|years|used to|last year)\b", re.IGNORECASE
)
_DENIES = re.compile(r"\b(?:not|never|no longer|nobody|no one|\w+n't|if|might|almost|nearly|joking)\b", re.IGNORECASE)
_ASKS_TOO = re.compile(
    r"\b(?:and|but|so|,) (?:what|what's|who|who's|where|when|why|how|which|can|could|do|does|did|is|are|will|would|should|tell|please)\b",
    re.I,
)
_OF_HEARER = re.compile(r"\b(?:you|your|yours|yourself)\b", re.IGNORECASE)
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
_OF_TASTE = (".likes", ".prefers", ".dislikes")


def receipt(text: str) -> str:
    """Empty for what asks, wishes or jokes, for what memory reads only in part, and for what is no fact to hold on to."""
    told = _LEAD.sub("", text.strip()).rstrip(" .!")
    if asks(text) or asks_leave(told) or _OF_HEARER.search(told) or _ASKS_TOO.search(told):
        return ""
    if len(words_of(told)) > _MOST_WORDS:
        return ""
    statements = read_statements(text)
    if not statements:
        return ""
    if felt := _felt(told):
        return felt
    if not _is_whole(told, statements) or not any(map(_is_to_be_held, statements)):
        return ""
    if any(one.slot and one.slot.ends and is_high_risk(one.slot.key) for one in statements):
        return ""
    back = _told_back(told)
    return _PHRASES.receipts[zlib.crc32(told.encode()) % len(_PHRASES.receipts)].format(told=back) if back else ""


def _felt(told: str) -> str:
    """What is said to a loss, to bad or to good news: whoever tells of a death wants no receipt."""
    if _DENIES.search(told) or _LONG_AGO.search(told) or restricts(told):
        return ""
    news = ((_LOSS, _PHRASES.sorry_for_loss), (_BAD_NEWS, _PHRASES.sorry_to_hear), (_GOOD_NEWS, _PHRASES.glad_to_hear))
    return next((said for kind, said in news if kind.search(told)), "")


def _is_whole(told: str, statements: Sequence[Statement]) -> bool:
    """Whether what was read holds all that was said, so that nothing of it is lost without a word."""
    read = {word for one in statements for word in words_of(f"{one.excerpt} {one.instead_of}")}
    return not any(word not in read and word not in _SMALL for word in words_of(told))


def _is_to_be_held(statement: Statement) -> bool:
    slot = statement.slot
    if slot is None or not slot.key:
        return restricts(statement.text) or (slot is not None and statement.change)
    return slot.kind is not Kind.PREFERENCE and not slot.key.endswith(_OF_TASTE)


def _told_back(told: str) -> str:
    """In the second person, and an order as a promise; empty for what begins in a way that cannot be told so."""
    if order := _ORDER.match(told):
        deed = second_person(order["deed"])
        return f"I won't {deed[:1].lower()}{deed[1:]}"
    if _NONE.match(told) or _BEGINS.match(told):
        return _lowered(second_person(told))
    return ""


def _lowered(told: str) -> str:
    return told[:1].lower() + told[1:] if _KEPT_LOWER.match(told) else told
