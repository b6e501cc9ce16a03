"""Clauses that only together are one piece of news: "we changed cleaner, it's Berit now", "a dog, his name is Bo"."""

from __future__ import annotations

from collections.abc import Iterable

from edge_memory import lazy_re as re
from edge_memory.observe.english.contradictions.expiry import is_bare_end
from edge_memory.observe.english.lexicon import COUNT, DAY, MONTHS, ONE_HOLDER, ORDINALS
from edge_memory.observe.english.names import may_be_a_name
from edge_memory.observe.english.people import introduced
from edge_memory.records import words_of

_NOW_IT_IS = re.compile(
    r"^(?:it's|its|it is|now it's|now it is)\s+(?P<what>[\w'. -]+?)(?:\s+(?:now|these days|instead))?$", re.IGNORECASE
)
# "The clinic rang, it's the ninth now, not the eighth".
_NEW_TIME = re.compile(
    rf"^(?:it's|it is|now it's) (?:now )?(?:on |at )?(?:the )?(?:\w+[ -])?(?:{DAY}"
    rf"|{'|'.join([*MONTHS, *sorted(ORDINALS)])})\b"
    r"(?:.*\b(?:now|instead)(?:,? (?:and )?not .+)?|.*,? (?:and )?not (?:on |at |the )*\w+)$",
    re.IGNORECASE,
)
_CHANGED_HOLDER = re.compile(
    rf"\b(?:changed|switched|swapped|got a new)\s+(?:my |our |the )?(?P<role>{ONE_HOLDER}|[a-z]{{3,}}(?:er|or|ist"
    r"|ian|ant))s?$",
    re.IGNORECASE,
)
# "Figs aren't my favourite any more, it's dates".
_NO_FAVOURITE = re.compile(
    r"^(?P<old>.+?) (?:isn't|aren't|is not|are not|is no longer|are no longer) (?P<head>(?:my|his|her) favou?rite(?:"
    r" [\w-]+)?)"
    r"(?: any ?more| any longer| now)?$",
    re.IGNORECASE,
)
_CHANGED_THING = re.compile(
    r"\b(?:changed|reset|updated|swapped) (?:the|my|our) (?P<what>(?:[\w'-]+ ){0,3}?(?:code|pin|password"
    r"|passcode|number|combination|name|time|date))$"
    r"|^(?:the|my|our) (?P<other>[\w' -]+?)(?:'s| is| has| was)? (?:different|changed|been changed|reset"
    r"|new)(?: now| again)?$",
    re.IGNORECASE,
)
_GOT_NEW = re.compile(
    r"\b(?:got|bought|have|has|getting) (?:an? new|another) (?P<thing>[\w-]+(?: [\w-]+)?)$", re.IGNORECASE
)
_IS_NOT = re.compile(
    r"^(?P<head>(?:my|our|the|his|her|[\w-]+'s) .+?) (?:isn't|is not|aren't|are not|wasn't) (?P<old>(?!going"
    r"|coming|\w+ing\b).+?)"
    r"(?: any ?more| any longer| now)?$",
    re.IGNORECASE,
)
# "We adopted a beagle, his name is Bo" tells of one thing with a name.
_ONE_MORE = re.compile(
    r"\b(?:got|get|getting|have|has|had|adopted|bought|met|own|keep|it's|it is)\s+(?:an?\s+[\w-]+(?:\s+[\w-]+)?"
    r"|somebody|someone)(?: (?:in|on|at|out|from) (?:the|my|our|a) [\w-]+)?$",
    re.IGNORECASE,
)
_ITS_NAME = re.compile(
    r"^(?:his|her|its|the) name(?:'s| is) (?P<name>[\w-]+)$"
    r"|^(?:he|she|it)(?:'s| is) (?:called|named) (?P<also>[\w-]+)$",
    re.IGNORECASE,
)
_MOVED_IN = re.compile(r"\b(?:moved|moving|lives?|living|renting|staying) (?:in )?(?:to|with|in|at)\b", re.IGNORECASE)
_A_HOME = re.compile(
    r"(?:it's|it is) (?:an?|the) (?:[\w-]+ ){0,2}?(?:flat|house|apartment|room|bungalow|cottage|studio|place"
    r"|caravan)\b",
    re.I,
)
_ONESELF = re.compile(r"(?:i|we|my|our|i'm|we're|i've|we've)\b", re.IGNORECASE)
_GETS = re.compile(
    r"^(?P<who>(?:(?:my|our|the) )?[\w-]+(?: (?-i:[A-Z])[\w-]+)?)(?:'s|'ve)?"
    r"(?: (?:has|have|is|are|just|finally|now|also))* (?:got|bought|have|has|getting|changed|switched|swapped)\b",
    re.IGNORECASE,
)
# "So that allergy is finished": which, the clause before it tells.
_THAT_ALLERGY = re.compile(
    r"\b(?:allerg\w+|intoleran\w+|react\w*|affect\w*) (?:to )?(?:it|that|them|those)\b|\b(?:that|the) allergy\b"
    r"|\bnot (?:allergic|intolerant)(?= any| at all| after|$)",
    re.IGNORECASE,
)
# "They've changed the time for church, we start at seven now".
_TIME_CHANGED = re.compile(
    r"\b(?:changed|moved|switched|swapped) (?:the |our |my )?(?:times?|days?|dates?|hours?)"
    r" (?:for|of) (?P<what>[\w' -]+)$",
    re.IGNORECASE,
)
_AT_ITS_TIME = re.compile(
    rf"^(?:(?:we|it|they) |it's |it is |we're |we are )(?:now )?(?:start |begin |meet |go )?"
    rf"(?P<time>(?:at|on|from) .*\b(?:{DAY}|{COUNT}|noon|{'|'.join(sorted(ORDINALS))})\b.*)$",
    re.IGNORECASE,
)
_OF_THEM = re.compile(r"(?:he|she|it|they|his|her|its|their)\b", re.IGNORECASE)
_ENDED = re.compile(
    r"\b(?:gone off|went off|stopped|gave up|given up|quit|left|any ?more|no longer|sick of|used to|(?:is|are"
    r"|i'm|he's|she's) off)\b",
    re.IGNORECASE,
)


def with_afterthoughts(clauses: Iterable[str]) -> list[str]:
    """ "she's gone off fish, it's pasta now" is one piece of news."""
    whole: list[str] = []
    for clause in clauses:
        changed = _CHANGED_HOLDER.search(whole[-1]) if whole else None
        now = _NOW_IT_IS.match(clause)
        named = _ITS_NAME.match(clause)
        thing = _CHANGED_THING.search(whole[-1]) if whole else None
        wrong = (_NO_FAVOURITE.match(whole[-1]) or _IS_NOT.match(whole[-1])) if whole else None
        if whole and (timed := _at_another_time(whole[-1], clause)):
            whole[-1] = timed
        elif wrong and now:
            whole[-1] = f"{wrong['head']} is {now['what']}, not {wrong['old']}"
        elif thing and now and not changed:
            whole[-1] = f"the {thing['what'] or thing['other']} is now {now['what']}"
        elif (another := _GOT_NEW.search(whole[-1]) if whole else None) and now:
            whole.append(_new_one(whole[-1], another["thing"], now["what"]))
        elif changed and now:
            whole.append(_new_one(whole[-1], changed["role"], now["what"]))
        elif whole and _belongs_to(clause, whole[-1]):
            whole[-1] += f", {clause}"
        elif whole and is_bare_end(whole[-1]) and not _OF_THEM.match(clause):
            whole[-1] = f"{clause}, {whole[-1]}"
        elif whole and named and _ONE_MORE.search(whole[-1]) and not introduced(whole[-1]):
            whole[-1] += f" called {named['name'] or named['also']}"
        else:
            whole.append(clause)
    return whole


def _at_another_time(before: str, clause: str) -> str:
    """ "Church is at seven now"; empty where no time was changed."""
    changed, at = _TIME_CHANGED.search(before), _AT_ITS_TIME.match(clause)
    return f"{changed['what']} is {at['time']}" if changed and at else ""


def _belongs_to(clause: str, before: str) -> bool:
    """ "Moved to Oslo, it's a flat", "the clinic rang, it's the ninth now", "so that allergy is over"."""
    now = _NOW_IT_IS.match(clause)
    return bool(
        (_MOVED_IN.search(before) and _A_HOME.match(clause))
        or _NEW_TIME.match(clause)
        or (now and _ENDED.search(before) and _is_what_comes_instead(clause, now["what"]))
        or (_THAT_ALLERGY.search(clause) and not _THAT_ALLERGY.search(before))
    )


def _is_what_comes_instead(clause: str, what: str) -> bool:
    first = words_of(what)[0]
    return "now" in words_of(clause) or first in ("all", "a", "an") or may_be_a_name(first)


def _new_one(clause: str, thing: str, what: str) -> str:
    """It is Sarah's when it is Sarah who got it; the user's for "I" and "we", and where nobody is named."""
    subject = _GETS.match(clause)
    if subject is None or _ONESELF.fullmatch(subject["who"]):
        return f"my new {thing} is {what}"
    return f"{subject['who']}'s {thing} is now {what}"
