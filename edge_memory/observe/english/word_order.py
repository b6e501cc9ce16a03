"""The words of a clause in their plain order, as the forms expect them: who, what, when."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.clauses import strip_lead_in
from edge_memory.observe.english.hearsay import is_broadcast
from edge_memory.observe.english.lexicon import CALLED_BY_KIN, DAY, MEDICINES, MONTHS, ONE_OF_OURS

_FRONTED = re.compile(
    r"^(?P<when>these days|nowadays|now|lately|recently|at the moment|currently|today|yesterday|tomorrow|tonight"
    r"|last \w+"
    r"|next \w+|this \w+|\w+days|on \w+days?|every (?:other )?\w+|in the (?:mornings?|evenings?|afternoons?"
    r"|summer|winter)"
    r"|most \w+|at weekends|on the weekends?|after (?:school|work|lunch|dinner))[,\s]+"
    r"(?P<rest>(?:i|i'm|i've|we|we're|we've|my|our|the|he|she|he's|she's|they|they're|it's)\s.+)$",
    re.IGNORECASE,
)
# "The spare fuses I keep behind the door", but not "the jug I left on the step is chipped".
_THING_FIRST = re.compile(
    r"^(?P<what>(?:the|my|our|that|those|these) (?:[\w'-]+ ){0,3}?[\w-]+),? (?P<doing>(?:i|i've|we|we've) "
    r"(?:(?:always|usually|just|now) )?(?:keep|kept|put|leave|left|hide|hid|hidden|store|stored|stash|stashed"
    r"|park|parked|hang|hung|lock|locked|buried))"
    r"(?P<where> (?:in|inside|on|under|behind|at|by|beside|above|below|next to|near|with|to|over|up|down|out)\b"
    r"(?!.*\b(?:is|are|was|were|isn't|aren't|has|have|had|got|needs?|went|broke|fell)\b).*)$",
    re.IGNORECASE,
)
# "It is figs that I like, not dates".
_CLEFT = re.compile(
    r"^it(?:'s| is) (?P<what>[\w' -]+?) (?:that )?(?P<who>i'm|i|we|we're|he's|she's|he"
    r"|she) (?P<doing>(?:[\w' ]+? )?(?:to|for|with|in|at|on"
    r"|from))(?P<rest>,? not .+|, .+)?$",
    re.IGNORECASE,
)
# "It's Bo who's afraid of hens, not Ola".
_CLEFT_WHO = re.compile(
    r"^it(?:'s| is) (?P<what>(?:my |our )?[\w-]+(?: [\w-]+)?) (?:who's|who is|that's"
    r"|that is) (?P<so>.+?)(?P<rest>,? not .+)?$",
    re.IGNORECASE,
)
# "It's not Bo who's afraid of hens, it's Ola".
_CLEFT_NOT_WHO = re.compile(
    r"^it(?:'s| is) not (?P<old>(?:my |our )?[\w-]+(?: [\w-]+)?) (?:who's|who is|that's|that is) (?P<so>.+?),?"
    r" (?:but |it(?:'s| is) )"
    r"(?P<what>(?:my |our )?[\w-]+(?: [\w-]+)?)[.!]?$",
    re.IGNORECASE,
)
# "It's not figs I like but dates".
_CLEFT_NOT = re.compile(
    r"^it(?:'s| is) not (?P<old>[\w' -]+?) (?:that |who )?(?P<who>i'm|i|we|we're|he's|she's|he|she) (?P<doing>[\w' ]+?)"
    r"(?P<now> now| any ?more)?,? but (?P<what>.+)$",
    re.IGNORECASE,
)
# "Mum has moved" is said of one's own.
_KIN_FIRST = re.compile(
    rf"^(?:(?:the )?(?P<kin>{'|'.join(sorted(CALLED_BY_KIN, key=len, reverse=True))}|(?<=the ){ONE_OF_OURS}))"
    r"(?='s\s|\s+(?!and\b)[a-z'])",
    re.IGNORECASE,
)
# "Whenever the phone rings turn the radio down".
_IF_THEN = re.compile(
    r"^(?P<when>(?:when(?:ever)?|every time|each time|any ?time) (?:i|i'm|we|we're|you|the|my|our|he|she|it"
    r"|it's|somebody"
    r"|someone|anybody|anyone)(?: [\w'-]+){1,7}?)(?:,\s*|\s+)(?:please |do |always |just |then |you can )*"
    r"(?P<order>(?:don't |do not |never )?(?:turn|switch|dim|play|ring|phone|text|remind|wake|mute|lower|lock|whisper"
    r"|knock|keep|speak|stop playing|put on)(?! (?:is|was|it is)\b) \S.*)$",
    re.IGNORECASE,
)
# "When I was small we had hens".
_WHEN_FIRST = re.compile(
    r"^(?P<when>when(?:ever)? (?:i|we|the|my|he|she|it) (?!do\b|will\b|can\b)\w.*?),?\s+(?P<rest>(?:i|we|my"
    r"|our) (?!will\b|would\b|was going)"
    r"(?!am going|are going)\w.+)$",
    re.IGNORECASE,
)
_NICKNAMED = re.compile(
    r"^(?:everybody|everyone|people|folks|they|we)(?: (?:all|just|always))* calls? (?:her|(?P<him>him)) "
    r"(?P<name>[\w-]+)$",
    re.IGNORECASE,
)
# "They've named him Bo".
_NAMED_IT = re.compile(
    r"^(?:they|we|she|he)(?:'ve|'s| have| has)? (?:named|called) (?:her|him|it|the (?P<what>baby|puppy|kitten"
    r"|boy|girl)) (?P<name>[\w-]+)$",
    re.IGNORECASE,
)
# "There's Bo, who's nine".
_THERE_IS_WHO = re.compile(
    r"^(?i:there)(?:'s| is) (?:also |only |just )?(?P<who>(?:my |our )?[\w-]+(?: [A-Z][\w-]+)?),? who(?:(?P<be>'s| is)|"
    r"(?= \w))(?P<rest> .+)$"
)
# "It's the third that she's coming".
_CLEFT_WHEN = re.compile(
    rf"^it(?:'s| is)(?: now)? (?:(?P<day>(?:the (?:\w+[ -])?(?:first|second|third|\w+th|\d+(?:st|nd|rd|th))"
    rf"(?: of (?:{'|'.join(MONTHS)}))?|{DAY}))|(?P<when>tomorrow|tonight|next \w+)) (?:that |when )?"
    r"(?P<who>i'm|i|we're|we|they're|they|he's|she's|he|she) (?P<doing>(?:\w+ing|comes?|leaves?|starts?|goe?s?|fly"
    r"|flies"
    r"|gets?|arrives?|moves?)\b.*)$",
    re.IGNORECASE,
)
# "Been married for years", "can't stand figs": of oneself, unless something was spoken of before.
_WITHOUT_I = re.compile(
    r"^(?:(?P<been>been) (?=.*\b(?:for|since|going on|from|to|at)\b)"
    r"|(?:can't|cannot) (?:stand|abide|bear|eat|drink|have|take|stomach)\b)",
    re.IGNORECASE,
)
_NEW_THING = re.compile(r"^new (?=(?:[\w'-]+ ){1,3}(?:is|are)\b)", re.IGNORECASE)
_OTHER_MEDICINE = re.compile(
    r"^(?!.*\b(?:his|hers?|him|their|them|for my)\b)(?:(?:the|my) )?(?:new )?"
    r"(?:i|we|they|doctors?|dr|gp|nurse|consultant|\w+ists?|clinic|hospital|surgery)\b"
    rf".*?\b(?P<old>{MEDICINES})\b.*?[,;.]? (?:so |and |but )?(?:now )?it(?:'s| is|'ll be| will be) (?:now )?"
    rf"(?P<new>{MEDICINES})\b(?=.*\b(?:now|instead|these days)\b)(?: (?:from now on|now|instead|these days))*$",
    re.IGNORECASE,
)
# What is asked for a room is its rent.
_IS_ASKED = re.compile(
    r"^(?:they|he|she|[\w' -]*\b(?:land(?:lord|lady|lords)|owners?|agents?|council|estate))(?: "
    r"(?:wants?|asks?|charges?)|(?:'s|'re| is| are) (?:asking|charging|after))(?: me| us)?(?: for)?"
    r" (?P<amount>[\w., $£€-]+?)"
    r" (?P<per>(?:a|per|each|every) (?:week|fortnight|month|quarter|year)) for"
    r" (?P<what>(?:the|my|our|this) (?:[\w-]+ )?(?:studio|flat|room|bedsit|house|cottage|bungalow|apartment|place|shop"
    r"|stall|workshop|garage|office|unit|lock-?up|basement|trailer|field|land|berth|mooring|pitch))(?P<now> now\b.*)?$",
    re.IGNORECASE,
)
_DWELLING = re.compile(
    r"\b(?:flat|house|cottage|bungalow|apartment|bedsit|room|place|trailer|basement)$", re.IGNORECASE
)


def with_both_medicines(utterance: str) -> str:
    """ "She doesn't like the ramipril, it's losartan now" as "I was switched from ramipril to losartan"."""
    return _OTHER_MEDICINE.sub(r"I was switched from \g<old> to \g<new>", utterance)


def with_i(utterance: str) -> str:
    """ "Been married for years" as "I've been married for years"."""
    elided = _WITHOUT_I.match(utterance)
    if elided is None or utterance.endswith("?"):
        return utterance
    subject = "I've" if elided["been"] else "I"
    return f"{subject} {utterance}"


def in_order(clause: str) -> str:
    """Without lead-in, and what says when at the end: "these days I walk" becomes "I walk these days"."""
    clause = clause if is_broadcast(clause) else _NEW_THING.sub("my new ", clause)
    plain = _KIN_FIRST.sub(r"my \g<kin>", strip_lead_in(clause))
    plain = uncleft(plain)
    if there := _THERE_IS_WHO.match(plain):
        return f"{there['who']}{' is' if there['be'] else ''}{there['rest']}"
    if_then = _IF_THEN.match(plain)
    if if_then and not plain.endswith("?"):
        return f"{if_then['order']} {if_then['when'][0].lower()}{if_then['when'][1:]}"
    if (when := _WHEN_FIRST.match(plain)) and not plain.endswith("?"):
        return f"{when['rest']} {when['when'].lower()}"
    if named := _NAMED_IT.match(plain):
        return f"the {named['what'] or 'baby'} is called {named['name']}"
    if nicknamed := _NICKNAMED.match(plain):
        return f"{'his' if nicknamed['him'] else 'her'} nickname is {nicknamed['name']}"
    if asked := _IS_ASKED.match(plain):
        rent = "our rent" if _DWELLING.search(asked["what"]) else f"the rent on {asked['what']}"
        return f"{rent} is {asked['amount']} {asked['per']}{asked['now'] or ''}"
    fronted = _FRONTED.match(plain)
    return f"{fronted['rest']} {fronted['when'].lower()}" if fronted and not plain.endswith("?") else plain


def uncleft(clause: str) -> str:
    """ "It's figs I like, not dates" as "I like figs, not dates", "the fuses I keep there" as "I keep the fuses
    there".
    """
    if thing := _THING_FIRST.match(clause):
        return f"{thing['doing']} {thing['what'][0].lower()}{thing['what'][1:]}{thing['where']}"
    another = _CLEFT_NOT_WHO.match(clause)
    if another:
        return f"{another['what']} is {another['so']}, not {another['old']}"
    who = _CLEFT_WHO.match(clause)
    if who:
        return f"{who['what']} is {who['so']}{who['rest'] or ''}"
    if at := _CLEFT_WHEN.match(clause):
        return f"{at['who']} {at['doing']} {'on ' + at['day'] if at['day'] else at['when']}"
    cleft = _CLEFT.match(clause)
    if cleft:
        return f"{cleft['who']} {cleft['doing']} {cleft['what']}{cleft['rest'] or ''}"
    other = _CLEFT_NOT.match(clause)
    return f"{other['who']} {other['doing']} {other['what']}, not {other['old']}" if other else clause
