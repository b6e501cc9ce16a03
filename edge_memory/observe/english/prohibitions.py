"""What is forbidden without a verb ("no nuts for Leo"), or to everybody, as a sentence that says so."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import COUNT, KIN_OR_PET

_NOT_ASKED = r"(?!of\b|than\b|for\b|please\b|questions?\b|jokes?\b|music\b|talk\w*|buts?\b|excuses\b|news\b|to\b)"
_NO_MORE = re.compile(rf"^(?:(?:so|and|which means|that means|it's|that's) )*no more (?={_NOT_ASKED}\w)", re.IGNORECASE)
_ON_DAYS = (
    r"(?:on|of) (?:an? )?(?:school ?nights?|school days?|weekdays?|weeknights?|weekends?|an evening|evenings"
    r"|\w+days?)"
)
_AT_TIMES = (
    r"(?:before|after|during|until|till|past) (?:(?:school|nursery|kindy|preschool|daycare|bed(?:time)?|dinner"
    r"|supper|tea"
    r"|breakfast|lunch|homework|church|work|practice|training|prayers|nap ?time|meals|dark|midnight|noon)"
    rf"|(?:half |quarter )?(?:past )?(?:\d{{1,2}}(?::\d\d)?|{COUNT})(?: ?[ap]m| o'clock)?(?: at night| in the"
    rf" (?:morning|evening))?)"
    rf"(?: {_ON_DAYS})?"
)
# "No nuts for Leo" forbids them; "no, coffee for me" does not, nor what is so for a day.
_NONE_FOR = re.compile(
    rf"^(?:(?:so|and|but|please) )*no (?:more )?(?!longer\b|idea\b|need\b|time\b|news\b|luck\b|work\b|school\b"
    rf"|point\b"
    rf"|rush\b|wait\b|way\b|thanks\b|chance\b|place\b|excuse\b|room\b|use\b|good\b|one\b|\w+day\b|matter\b|sleep\b"
    rf"|rest\b)"
    rf"(?P<what>[\w-]+(?: [\w-]+)??(?: (?:or|and) (?:no )?[\w-]+(?: [\w-]+)??)?)"
    rf" for (?P<whom>me|us|(?:my|our|the) {KIN_OR_PET}(?: [A-Z][\w-]+)?|(?!(?:dinner|lunch|breakfast|supper|tea"
    rf"|dessert"
    r"|pudding|now|today|tonight|tomorrow|long|ages|sure|example|instance|fun|free|sale|rent|christmas|easter|him|her"
    r"|them|it|you|this|that|these|those|(?-i:[a-z])\w*s)\b)[\w-]+)"
    rf"(?P<when> {_AT_TIMES}| (?:at the table|in (?:bed|the car|the house)|{_ON_DAYS}))?"
    r"(?:,? (?:please|ever|at all|thanks|either))*$",
    re.IGNORECASE,
)
# "No company after eight": nobody is named, for whom it is not.
_NONE_THEN = re.compile(
    r"^(?:(?:please) )?no (?!more\b|longer\b|idea\b|need\b|time\b|news\b|luck\b|work\b|school\b|point\b|rush\b|wait\b"
    r"|way\b|one\b|\w+day\b|matter\b|rain\b|snow\b|buses\b|trains?\b|service\b|lessons?\b|practice\b|training\b)"
    rf"[\w-]+(?: [\w-]+)? {_AT_TIMES}(?: please)?$",
    re.IGNORECASE,
)
# "No pipes in my kitchen"; "no milk in the kitchen" is how it is.
_OF_THE_HOUSE = (
    r"(?:indoors|upstairs|downstairs|inside(?! of)|(?:in|inside|under|on|at|by|near|around) (?:(?:my|our|this"
    r"|the user's)"
    r" (?:\w+ )?(?:house|home|roof|flat|apartment|kitchen|car|van|truck|cab|room|bedroom|bed|sofa|couch|table"
    r"|boat|barn|shed"
    r"|workshop|garden|yard|pool)|the (?:house|carpets?|sofa|couch|beds?|dinner table|furniture|pool)))"
)
_NONE_THERE = re.compile(
    r"^(?:please )?no (?!more\b|longer\b|idea\b|need\b|time\b|news\b|luck\b|one\b|room\b|space\b|signal\b|wifi\b"
    r"|water\b"
    r"|power\b|heating\b|light\b|electricity\b|milk\b|bread\b)"
    rf"[\w-]+(?: (?:or (?:no )?)?[\w-]+)?? {_OF_THE_HOUSE}(?:,? (?:please|ever|at all|thanks))*$",
    re.IGNORECASE,
)
# What is never done or must be, whoever it is: "nothing with figs comes in here", "keep the cot clear of cushions".
_RULE = re.compile(
    r"^(?:please )?(?:(?:nobody|no one|no-one|nothing|none)\b"
    r"(?! (?:is|was|has|had|likes?|knows?|cares?|wants?|came|else|much|new|left)\b)"
    r" (?:.+ )?(?:\w+[^s\W]e?s|goes|must\w*|should)\b .*\b(?:my|our|the|this|these|in here|[\w-]+'s)\b.*"
    rf"|no (?!.*\b(?:today|tonight|tomorrow|now)\b){_NOT_ASKED}(?:[\w-]+ ){{1,3}}"
    r"(?:during|near|against|except|since|for the (?:kids|children|boys|girls|twins|baby|dog|cat)"
    r"|on (?:weekdays|weeknights|school nights"
    r"|(?:the|my|our) (?:balcony|bed|stairs|carpet|lawn|roof|porch|landing)))\b.*"
    r"|(?:neither|none) of [\w' -]+? (?:is|are) (?:allowed|permitted|to) .+"
    r"|[\w -]+? (?:isn't|aren't|(?:is|are) (?:not|never)) (?!finished\b)\w+(?:ed|en) (?:\w+ )?(?:in|under|on|at)"
    r" (?:this|our) (?:house|home|family|roof|flat|household)\b.*"
    r"|(?:keep (?:quiet|still|silent|it down)|be quiet|no talking) (?:while|when|during|whenever)\b.+"
    r"|keep .+ (?:away from|clear of|out of|off|shut|closed|locked)\b.*"
    r"|(?!(?:it|this|there|they|we|i|what|he|she)\b)"
    r"(?:(?!(?:you|that|say|said|says|told|tells|thinks?|claims?)\b)[\w'-]+ )+?"
    r"(?:must(?:n't| not| never)?|(?:isn't|aren't|(?:is|are) not|(?:is|are) never) (?:allowed|to)"
    r"|never (?:comes?|goes?|gets?)) (?!be (?:joking|mad|true|crazy|the)\b|have \w+(?:ed|en)\b)\w+.*)$",
    re.IGNORECASE,
)
_DONT_YOU = re.compile(
    r"^(?:please )?don't you (?:dare |go and )?"
    r"(?=(?:say|tell|breathe|mention|let|give|ring|call|phone|wake|open|lend)\b)",
    re.IGNORECASE,
)
_NOBODY_MAY = re.compile(
    r"^(?:no one|nobody|no-one)(?:(?:'s| is| are)(?: ever)? (?:allowed|permitted)(?: to)?|(?:'s| is) to)"
    r" (?P<deed>\w+ .+)$",
    re.IGNORECASE,
)
_WE_DONT_ALLOW = re.compile(
    r"^(?:i|we) (?:don't|do not|never) (?:allow|permit|let)(?: (?P<anyone>anyone|anybody|people|guests))?(?: to)?"
    r" (?P<deed>\w+ .+)$",
    re.IGNORECASE,
)
_NOBODY_DOES = re.compile(
    r"^(?:no one|nobody|no-one) (?P<verb>smokes|eats|drinks|sits|touches|uses|drives|wears|sleeps|plays|enters)"
    r" (?P<rest>.*\b(?:my|our|the|in here)\b.*)$",
    re.IGNORECASE,
)
_BASE = re.compile(r"(?:(?<=ch)e)?s$")
_THE_RULE = re.compile(
    r"^(?P<order>(?:please )?(?:never|no|don't|do not) .+?),? (?:(?:that's|that is|it's|it is) (?:the|a|my|our) rule"
    r"(?: (?:here|in (?:this|our|my) \w+))?|house rules?|(?:that's|that is) (?:an order|important|final))$",
    re.IGNORECASE,
)


def _not_allowed(told: re.Match[str]) -> str:
    if re.match(r"\w+ing\b", told["deed"]):
        return f"no {told['deed']}"
    return f"never let {told['anyone'] or ''} {told['deed']}".replace("  ", " ")


def is_general_ban(clause: str) -> bool:
    """Whether it forbids something to everybody, at some hours or somewhere: "no company after eight"."""
    return bool(_NONE_THEN.match(clause) or _NONE_THERE.match(clause) or _RULE.match(clause))


def forbidding(clause: str) -> str:
    """What forbids something, as a sentence about whom it is forbidden to; without a word on its being a rule."""
    none = _NONE_FOR.match(clause)
    if none is None:
        told = _THE_RULE.sub(r"\g<order>", _NO_MORE.sub("I do no more ", clause))
        told = _DONT_YOU.sub("never ", told)
        told = _NOBODY_MAY.sub(r"never let anyone \g<deed>", told)
        told = _NOBODY_DOES.sub(lambda does: f"never let anyone {_BASE.sub('', does['verb'])} {does['rest']}", told)
        return _WE_DONT_ALLOW.sub(_not_allowed, told)
    whom = {"me": "I", "us": "we"}.get(none["whom"].lower(), none["whom"])
    what = none["what"].replace(" and no ", " or ").replace(" or no ", " or ")
    return f"{whom} can't have {what}{none['when'] or ''}"
