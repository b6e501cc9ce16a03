"""States and what ends them, of the same person or thing: who got engaged is no longer single."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import COUNT, WEEKDAYS
from edge_memory.observe.english.wording import COMMON_VERBS, LITTLE, same_subject, telling
from edge_memory.observe.statement import Statement
from edge_memory.records import Record, words_of


class _State(NamedTuple):
    """Expressions of a state, as a record tells it, and of what ends it; both of the third person."""

    state: re.Pattern[str]
    end: re.Pattern[str]


def _table(*rows: tuple[str, str]) -> tuple[_State, ...]:
    return tuple(_State(*(re.compile(rf"\b(?:{form})(?!\w)", re.IGNORECASE) for form in row)) for row in rows)


_THEIRS = "(?:the user's|his|her|the|an?)"
_AILING = "(?:is|are|feels?) (?:very |really |a bit |still )?(?:ill|sick|poorly|unwell|sore|swollen|sprained)"
_AILMENT = "(?:cold|flu|cough|headache|rash|fever|bug|sore throat|bad back|stomach ache|toothache)"
_WELL = (
    "(?:is|are|feels?|got|getting) (?:all |much |so much |completely |a lot )?(?:better|healed|fine now|well again)"
    f"|(?:has |have )?(?:healed|recovered|cleared up)|{_AILMENT} (?:is|has) gone|over {_THEIRS} {_AILMENT}"
    "|(?:doesn't|stopped) hurt(?:ing)?"
)
_STATES = _table(
    (
        "is (?:still )?(?:single|unattached)|isn't seeing anyone",
        "(?:got |is |has got )?(?:engaged|married)|(?:has|has got|got) an? (?:new )?(?:girlfriend|boyfriend|partner)"
        "|(?:is|started) (?:seeing|dating|going out with)",
    ),
    ("(?:is|got) engaged", "(?:got|is|is now) married|married"),
    (
        "(?:baby|twins) (?:is|are) due|due date is",
        f"(?:had|has had) {_THEIRS} (?:baby|twins|little (?:boy|girl)|boy|girl|son|daughter)|gave birth"
        "|(?:baby|twins) (?:came|arrived|was born|were born|is here|are here)",
    ),
    (
        "(?:has no|doesn't have|doesn't have any) (?:kids|children)",
        "(?:had|has had|adopted) (?:an?|the user's first) (?:baby|son|daughter|boy|girl|child)",
    ),
    (
        "(?:is|are) (?:currently |still )?(?:unemployed|out of work|between jobs|looking for (?:a job|work))",
        "(?:started|got|found|landed|has) (?:an? )?(?:new )?(?:job|work|position)|started (?:at|with|working)"
        "|works? (?:at|for)",
    ),
    (
        "(?:doesn't|can't) drive|learning to drive|driving lessons|provisional licen[cs]e|driving test",
        f"passed {_THEIRS} (?:driving )?test|got {_THEIRS} (?:driving )?licen[cs]e",
    ),
    (
        r"(?:rents?|lodges?|is renting) (?:in )?(?:an? |the )?(?:\w+ )?(?:flat|house|room|apartment|place"
        r"|studio)|shares? a (?:flat|house|room)",
        rf"bought (?:an?|the user's own|the) (?:\w+ )?(?:flat|house|place|apartment|cottage|bungalow)"
        rf"|moved out(?! of the way)|(?:has"
        rf"|got|has got) {_THEIRS} own (?:flat|place|room|house)",
    ),
    (
        r"(?:has|has got|wears|is growing) (?:an? |the user's )?(?:\w+ )?(?:beard|moustache|goatee|ponytail"
        r"|fringe|dreadlocks|braids?|braces|plaster|cast)",
        rf"shaved|cut (?:it|them|{_THEIRS})(?: \w+)? off|(?:braces|plaster|cast|braids|dreadlocks) (?:came"
        rf"|are|is|come) off|(?:got|had) {_THEIRS} (?:braces|plaster|cast) (?:off|removed|taken off)",
    ),
    (rf"(?:hurts?|aches?)|{_AILING}|(?:has|has got|has caught|caught) (?:an?|the) (?:\w+ )?{_AILMENT}", _WELL),
    (
        "is (?:still )?in (?:the )?(?:hospital|infirmary|prison|jail|rehab)",
        "(?:home|out|back|discharged|released)(?: now)?(?: from| of)? (?:the )?(?:hospital|infirmary|prison|jail|rehab)"
        "|was (?:discharged|released)|is home(?: now)?$",
    ),
    (
        "is (?:away )?on (?:holiday|vacation|leave|maternity leave|strike|sick leave)",
        "(?:is|came|comes|has come|got) (?:back|home)(?: (?:from|off) .+)?$|back at work",
    ),
    ("works? from home|is working from home", "back (?:in|at|to) (?:the )?(?:office|work)|goes (?:in)?to the office"),
    (
        "is (?:stationed|based|posted|deployed|quartered)",
        r"(?:got|has|has got|received) (?:new |the user's |his |her )?orders (?:to|for)"
        r"|(?:is|was|been|got|is being) (?:re)?(?:posted|transferred|deployed|stationed|sent|shipped|relocated"
        r"|assigned)"
        r"(?: out| over| back)? to|ships out|shipped out",
    ),
    (
        "(?:still )?drives(?! (?:for|an?|the user)\\b)",
        rf"(?:handed in|gave up|lost|surrendered|gave back) {_THEIRS} (?:driving )?licen[cs]e|(?:stopped|gave up"
        rf"|given up) driving"
        "|(?:doesn't|can't|no longer|isn't allowed to) drives?",
    ),
    (
        "weighs?",
        rf"(?:is|got|went|has got|am) (?:down|up|back) to (?:about |around )?(?:{COUNT}|a)"
        rf"|(?:lost|gained|dropped|shed|put on) (?:[\w-]+ ){{1,4}}(?:pounds?|lbs|kilos?|kg|stone)",
    ),
    (
        "(?:is|has been|is now|was) (?:sober|clean|teetotal|dry|off the (?:drink|booze|cigarettes|fags))",
        "fell off the wagon|fallen off the wagon|(?:has )?relapsed|(?:is|started) (?:drinking|smoking|using) again"
        "|back on the (?:drink|booze|fags|cigarettes|bottle)|had a relapse",
    ),
    (f"is on (?:{_THEIRS} )?diet", f"is (?:off|done with|finished with) {_THEIRS} diet|gave up (?:on )?{_THEIRS} diet"),
)
# Of what is between people, one of whom is named.
_TIES = _table(
    (r"(?:in|with) an? (?:\w+ )?(?:band|group|club|team|choir|duo)", "(?:broke|split|packed) up|disbanded|folded"),
    (
        "(?:friends?|best friend|mates?)",
        r"(?:isn't|aren't|is not|are not|is no longer|are no longer) (?:\w+ )?(?:friends|mates|speaking"
        r"|talking)|(?:fell|fallen) out",
    ),
    ("(?:missing|lost|has run away|has gone)", "found|came (?:back|home)|turned up|is back"),
    (
        "(?:has (?:got )?an? (?:\\w+ )?crush on|fancies|is in love with|is keen on)",
        "(?:is|are) (?:together|a couple|an item|going out|dating)(?: now)?|started (?:dating|going out)",
    ),
    (
        "(?:ex|broken up|broke up|split up|separated)",
        "(?:got|is|are|get) back together|made (?:it )?up|gave it another go",
    ),
)
_WEEKDAYS = frozenset(form for day in WEEKDAYS for form in (day, f"{day}s"))
_OF_TIES = telling("user friend mate band group club team choir lost missing seeing back again now together")


def ends_a_state(statement: Statement, record: Record) -> bool:
    """Whether what is told has ended the state that the record tells of, of whom it is about or names."""
    text, old = statement.text, record.text
    on, was_on = (frozenset(words_of(told)) & _WEEKDAYS for told in (text, old))
    another_day = bool(on and was_on) and on.isdisjoint(was_on) and not statement.replaces
    if same_subject(text, old) and _ends(_STATES, text, old) and not another_day:
        return True
    return _ends(_TIES, text, old) and bool(telling(text) & telling(old) - COMMON_VERBS - LITTLE - _OF_TIES)


def _ends(table: Iterable[_State], text: str, old: str) -> bool:
    return any(one.state.search(old) and one.end.search(text) for one in table)
