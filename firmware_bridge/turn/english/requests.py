"""What is asked for: leave to do something, or an idea of what to have or to give; and whether it is eaten or taken."""

from __future__ import annotations

from collections.abc import Set

from edge_memory import lazy_re as re
from firmware_bridge.turn.english.foods import DRUG_NAME, EDIBLE, FOOD, MEDICINAL, PLAIN

_MODAL = r"(?:can|could|should|shall|may|might|must|would|will|ought)"
_WHO = (
    r"(?:i|we|he|she|they|it|(?:my|our|the|a|his|her|their) [\w-]+(?: [A-Z]\w+)?|(?-i:[A-Z])[\w'-]+|everyone|everybody"
    r"|anyone|anybody|someone|somebody|guests|visitors|kids)"
)
_FINE = r"(?:ok|okay|fine|safe|cool|alright|all right|allowed|a good idea|wise|suitable|any good|right)"
_LEAVE = re.compile(
    rf"\b(?!will (?!i\b|we\b)){_MODAL}\s+(?!you\b|not\b|be\b|have\b|like\b|love\b)[\w']+\b"
    rf"|\b(?:is|was|are|be|'s) (?:it |this |that |these |those )?{_FINE}\b"
    rf"|^(?:(?:and|so|hey|but) )*(?:is|are|would be|will be)\b[\w',\s-]{{2,60}}\b(?:{_FINE}|good|bad|harmful)\b(?= (?:for|with|to|on)\b|\W*$)"
    r"|\bam i (?:allowed|ok|okay|safe)\b|\b(?:do you think|would it be|do you reckon) |\blet(?:'s| us)\b|\b(?:how|what)"
    r" about\b|\bfancy\b"
    r"|\bi(?:'d| would|'ll| will|'m going to|'m gonna| might| think i'll) (?:like|love|have|try|take|eat|drink|get"
    r"|order|make|buy|just|better|rather)\b"
    r"|\b(?:i|we|he|she|they) (?:should|could|might as well|had better)\b|\b(?:good|bad) idea\b|\bany harm\b"
    r"|\bi (?:want|need|fancy|feel like|am going to)\b|\b(?:skip|miss|stop|double) (?:my|the)\b",
    re.IGNORECASE,
)
_QUESTIONED = re.compile(rf"\b{_MODAL}\s+you\b|\?\s*$", re.IGNORECASE)
_BIDDING = re.compile(
    r"^(?:(?:please|hey|ok|okay|now|so|go on(?: then)?|right|well|just|lobug|and|(?:can|could|would|will) you|i(?:'d|"
    r" would)? (?:want|like) you to)\b[\s,]*)*(?:order|buy|get|make|bring|pour|cook|bake|wake|set|ring|call|phone"
    r"|text|message|tell|give|add|put|play|book|pass|find|recommend|suggest|plan|prepare|send|pick|choose|mix|fix|serve"
    r"|grab|read|show|turn"
    r"|invite|write|draft|compose|email|help me|start|remind|let|hand|heat|fetch|name|list|raise|lower|increase"
    r"|decrease|switch|open|close|lock|unlock|dial|crank|schedule|purchase|adjust|stick|ask|share|slip|pass|stay|allow|drive|carry)\b",
    re.IGNORECASE,
)
_HAD_OR_GIVEN = (
    r"(?:have|eat|drink|order|make|cook|bake|give|bring|get|buy|take|pack|put|serve|offer|feed|try|pick|choose|send|throw"
    r"|chuck|prepare|grab|treat|fix|rustle|whip|roast|grill|pour|mix|stock|share|tempt|spoil|surprise)"
)
_OF_NO_TASTE = (
    r"(?!(?:time|day|days|date|hour|month|year|room|road|street|number|code|password|page|channel|size|way|speed"
    r"|temperature|setting|key|bus|train|platform)\b)"
)
_SUGGESTION = re.compile(
    r"\b(?:(?:a|any|some|something|anything) (?:good|nice|tasty|quick|easy|healthy|yummy)|suggest\w*|recommend\w*"
    r"|ideas?|recipes?|menus?|what (?:should|shall|can|could|would|might) (?:i|we)|which \w+ (?:should|shall|can|could)"
    rf"|(?:what|which) {_OF_NO_TASTE}(?:[\w'-]+ ){{1,3}}?{_MODAL} (?:i|we) {_HAD_OR_GIVEN}"
    r"|how about|what about|hungry|thirsty|peckish|starving|fancy|treat|surprise me|what goes|what's (?:good|nice"
    r"|tasty)|what (?:do|will) (?:i|we) (?:cook|serve|bake)"
    rf"|what(?:'ll| will) (?:i|we) {_HAD_OR_GIVEN}"
    r"|(?:make|cook|bake|order|get|pour|fix|bring) (?:me|us))\b",
    re.IGNORECASE,
)
# "What can Dad take", "what would Linda enjoy": what others may have is an idea as well, if not only that.
_OF_ANOTHER = re.compile(
    rf"\b(?:what|which) {_OF_NO_TASTE}(?:[\w'-]+ ){{0,3}}?{_MODAL} {_WHO} (?:like|enjoy|fancy|{_HAD_OR_GIVEN})\b",
    re.IGNORECASE,
)
_OF_WHAT_WAS = re.compile(r"\b(?:what|which|who|when|where|how) did\b", re.IGNORECASE)
_WHEN = re.compile(r"\b(?:when|what time|how late|how early|which day|what day)\b", re.IGNORECASE)
_CLAUSE_END = re.compile(r"(?<=[.!?,;])\s+")
_HAVING = frozenset(
    "have having try taste tasting finish swallow sip nibble glass bottle pint bowl plate slice portion bag packet tin"
    " jar tub".split()
)
_TUCKS_IN = re.compile(
    r"\b(?:dig|tuck) in\b|\bhelp (?:them|him|her|my|our)sel(?:f|ves)\b|\bpolish off\b", re.IGNORECASE
)
_HAVING_NOTHING = re.compile(
    r"\b(?:have|having|try) (?:to|you|it|a (?:look|word|go|rest|nap|bath|shower|chat|moment|minute|day|seat|break|think"
    r"|meeting"
    r"|talk|lie|wash|party|good|reminder|timer|appointment))\b",
    re.IGNORECASE,
)
_TAKING_NOTHING = re.compile(
    r"\btake (?:a |an |the |my |our |his |her |it |me |you |off|out|up|on|care|part|to\b|over|along)(?!.*\b(?:pill|tablet"
    r"|dose|capsule|sip|bite))"
    r"|\btake (?:the )?(?:dog|car|bus|train|kids|bins?|day)\b|\btake (?-i:[A-Z])[\w-]+ ",
    re.IGNORECASE,
)
_AT_THE_STOVE = re.compile(
    r"\b(?:cook|bake?|serve?|eat|drink|roast|grill|fry|prepare?)(?:ing)?\b|\bmak(?:e|ing) [\w ]+ for\b", re.IGNORECASE
)
_GIVING = re.compile(
    r"\b(?:giv|bring|pack|get|buy|serv|offer|feed|send|grab|treat|spoil|shar|chuck|tempt|surpris|mak|cook|bak|pick up|tak)(?:e|es|ing|s)?\b",
    re.IGNORECASE,
)
_PRESENT = re.compile(r"\b(?:gifts?|presents?|birthday|christmas|surprise|flowers)\b", re.IGNORECASE)


def bids(text: str) -> bool:
    """Whether something is wanted to be done ("wake me", "ring my brother")."""
    return any(_BIDDING.match(clause) for clause in _CLAUSE_END.split(text))


def asks_permission(text: str) -> bool:
    """Whether the user is about to do something, or wants it done ("can I have", "wake me")."""
    return bool(_LEAVE.search(text) or _QUESTIONED.search(text)) or bids(text)


def asks_leave(text: str) -> bool:
    """The same, where the words say so and not a question mark alone; also what is to be thought of for somebody."""
    return bool(_LEAVE.search(text)) or asks_suggestion(text) or asks_of_another(text)


def asks_suggestion(text: str) -> bool:
    """Whether something to have or to do is to be thought of."""
    return bool(_SUGGESTION.search(text)) and not _OF_WHAT_WAS.search(text)


def asks_of_another(text: str) -> bool:
    """Whether it asks what somebody else may have or would like."""
    return bool(_OF_ANOTHER.search(text))


def asks_when(text: str) -> bool:
    """Whether an hour or a day is asked for."""
    return bool(_WHEN.search(text))


def is_about_drugs(heard: Set[str], text: str) -> bool:
    """Whether a medicine is spoken of, or what could be taken against something."""
    named = bool(heard & MEDICINAL or DRUG_NAME.search(text))
    takes = "take" in heard and (asks_permission(text) or asks_of_another(text))
    return named or (takes and not heard & FOOD and not _TAKING_NOTHING.search(text))


def is_about_eating(heard: Set[str], text: str) -> bool:
    """Whether food is spoken of, or having something ("can I have the calamari", whatever that is)."""
    return bool(heard & FOOD) or _is_about_having(heard, text)


def is_about_giving(text: str) -> bool:
    """Whether an idea is wanted of what to give to somebody; whatever it is, they may eat it."""
    return bool(_GIVING.search(text)) and (asks_suggestion(text) or asks_of_another(text))


def is_about_a_present(text: str) -> bool:
    return bool(_PRESENT.search(text)) and (asks_suggestion(text) or asks_of_another(text) or asks_permission(text))


def _is_about_having(heard: Set[str], text: str) -> bool:
    asked = (asks_permission(text) or asks_suggestion(text) or asks_of_another(text)) and not heard & PLAIN
    if asked and (_AT_THE_STOVE.search(text) or _TUCKS_IN.search(text) or heard & EDIBLE):
        return True
    return asked and bool(heard & _HAVING) and not _HAVING_NOTHING.search(text)
