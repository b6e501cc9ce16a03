"""What a household calls by its bare name and has at set times: "practice is on Mondays", "court got put back"."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import ACTIVITY, DAY, MONTHS, NOT_A_NAME, ORDINALS, WEEKDAYS

_DATED = re.compile(
    rf"\b(?:{'|'.join([DAY, *MONTHS])}|tomorrow|next week|every (?:day"
    rf"|week|month|year)|(?:on|by|from|until|till) the (?:\w+[ -])?(?:{'|'.join(ORDINALS)}|last|\d+(?:st|nd|rd|th)))\b",
    re.IGNORECASE,
)
_PUT_OFF = re.compile(
    rf"^(?:(?:{'|'.join(WEEKDAYS)})'s|the|tomorrow's|today's|next week's)\s+(?:\w+\s+){{0,2}}?(?:appointment"
    rf"|meeting|lesson|class|check-?up|visit|party|"
    r"match|game|practice|exam|test|interview|call|trip|viewing|session|dinner|lunch)\s+(?:is|was|got|has"
    r"|has been|'s)\s+\w+",
    re.IGNORECASE,
)
_PUT_OFF_TO = re.compile(
    r"\b(?:moved|changed|switched|shifted|put back|brought forward|postponed|rescheduled) (?:to|till|until)\b",
    re.IGNORECASE,
)
_RISES = re.compile(r"\b(?:went|gone|going|goes|put) (?:up|down)\b", re.IGNORECASE)
# What a household calls by its bare name: "practice is on mondays".
_ACTIVITY = re.compile(
    rf"^(?:[\w-]+ )?{ACTIVITY}(?:'s)?\s+(?:is|are|starts?|finishes|ends|begins?|runs?|was|has|got|moved|changed"
    r"|switched"
    rf"|on|went|goes|going)\b",
    re.IGNORECASE,
)
# "Parents meeting is on saturday at ten".
_OCCASION = re.compile(
    rf"^(?!(?:{'|'.join(sorted(NOT_A_NAME))})\b)(?:[a-z][\w'-]+ ){{1,3}}(?:meeting|appointment|check-?up"
    rf"|interview|exam|test|lesson"
    r"|viewing|rehearsal|practice|wedding|funeral|christening|service|party|recital|inspection|delivery|scan|operation"
    r"|evening|day|night|assembly|fete|fair|prayers|mass|collection|clinic|visits?|visiting)"
    r"(?: (?:at|for|in) [\w' -]+?)?(?:'s| is| are| starts| begins)(?: now)? (?:on|at|in|this|next|coming"
    rf"|tomorrow|from|the (?:{'|'.join(sorted(ORDINALS))}))\b",
    re.IGNORECASE,
)
_ROUTINE = re.compile(
    rf"^(?!(?:{'|'.join(sorted(NOT_A_NAME))})\b)[a-z][\w-]+(?: [\w-]+)? (?:is|are|starts?|finish(?:es)?|ends?"
    rf"|begins?|reopens?|breaks up"
    rf"|has moved|has been moved|moved|got moved|(?:has )?(?:switched|changed))(?: now| always| usually)?(?: to)?"
    rf"(?: on| every| each)? (?:{DAY}|(?:the )?(?:\d+\w* (?:of )?)?(?:{'|'.join(MONTHS)}))\b",
    re.IGNORECASE,
)
# "Mediation got put off to the ninth of may": what is put off is one's own, or it would not be told.
_PUT_OFF_BARE = re.compile(
    r"^(?!it\b|they\b|he\b|she\b|that\b|this\b)[\w-]+(?: [\w-]+)? (?:got|was|has been|is"
    r"|has)(?: just)? (?:pushed|moved|put"
    r"|brought|shifted|changed|rescheduled|postponed|delayed|reset)(?: back| forward| up| over)? (?:to|till|until|for) "
    rf"(?:the |next )?(?:{'|'.join([*WEEKDAYS, *MONTHS, *sorted(ORDINALS)])}|twenty|thirty|\d)",
    re.IGNORECASE,
)


def is_dated(clause: str) -> bool:
    """Whether it names a day, a month or something that comes again."""
    return bool(_DATED.search(clause))


def is_timed(clause: str) -> bool:
    """The same, or that something is put off, or goes up or down."""
    return is_dated(clause) or bool(_PUT_OFF_TO.search(clause) or _RISES.search(clause))


def is_activity(clause: str) -> bool:
    """Whether it begins with what people do regularly and call by its bare name."""
    return bool(_ACTIVITY.match(clause))


def is_put_off(clause: str) -> bool:
    """Whether it tells what became of an appointment that somebody else made."""
    return bool(_PUT_OFF.match(clause))


# "Trial at the mill on the third of May": told without a verb.
_ENTRY = re.compile(
    rf"^(?!(?:{'|'.join(sorted(NOT_A_NAME))})\b)(?:[a-z][\w'-]+ ){{0,2}}(?:meeting|appointment|check-?up"
    rf"|interview|exam|test|lesson"
    r"|viewing|rehearsal|wedding|funeral|christening|party|recital|inspection|delivery|scan|operation|trial|audition"
    r"|gig)"
    rf"(?: (?:at|with|for|in) [\w' -]+?)? on (?:the )?(?:{DAY}|{'|'.join(sorted(ORDINALS))}|twenty|thirty|\d)",
    re.IGNORECASE,
)


# "Spare key is under the mat", "passport runs out in May": one's own, though nobody says whose.
_OWN_PAPERS = re.compile(
    rf"^(?!(?:{'|'.join(sorted(NOT_A_NAME))})\b)(?:[a-z][\w'-]+ ){{0,3}}(?:codes?|password|passcode|pin|combination"
    r"|keys?|licen[cs]e|insurance|passport|visa"
    r"|warranty|mot|rego|registration|subscription|membership|lease|contract|policy|rent|mortgage|bill|bins?|rubbish"
    r"|recycling|garbage|trash|boiler|stopcock|fuse ?box|meter)"
    r"(?: (?:for|of|to|on) (?:the |my |our )?[\w'-]+(?: [\w'-]+)?)?"
    r"(?:'s| is| are| runs out| run out| expires?| ends?| finishes| hangs?| lives?| sits?| goes| go| comes?| starts?|"
    r" needs?| costs?)(?: now| due| kept)? \S+",
    re.IGNORECASE,
)


# "Water comes on Tuesdays": what a house is served with.
_SERVED = re.compile(
    rf"^(?:the )?(?:water|gas|power|electricity|post|mail|milk|load ?shedding|rubbish|recycling|garbage|trash|bins?)"
    rf" (?:is|are|comes?|goes?|gets?)(?: out| off| on| round| collected| picked up| delivered)?(?: on| every|"
    rf" from| at| each)? (?:{DAY}|\w+ to \w+)",
    re.IGNORECASE,
)
# "Ann's number is 020 7946": nobody tells a number of no use to them.
_NUMBER_OF = re.compile(
    r"^[\w'. -]{2,30} (?:phone |mobile |cell )?number(?:'s| is) (?:\+?\d[\d -]{3,}|oh?\b|zero\b)", re.IGNORECASE
)
_DAY_OF = re.compile(rf"^{DAY} is [\w ]+ (?:day|night)$", re.IGNORECASE)  # "Friday is market day"
_OF_A_HOUSE = (_ROUTINE, _OCCASION, _PUT_OFF_BARE, _ENTRY, _OWN_PAPERS, _SERVED, _NUMBER_OF, _DAY_OF)


def is_occasion(clause: str) -> bool:
    """Whether it tells when something takes place, or where or what it is, that nobody else would tell of."""
    return any(form.match(clause) for form in _OF_A_HOUSE)
