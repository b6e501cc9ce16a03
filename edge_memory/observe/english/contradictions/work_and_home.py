"""Where somebody lives, works and studies: what a move, a new job, an end of work or of school makes untrue."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.contradictions.plans import PLAN
from edge_memory.observe.english.lexicon import COUNT
from edge_memory.observe.english.slots import single_attribute
from edge_memory.observe.english.wording import is_negative, is_past, same_subject, subjects_of, telling
from edge_memory.observe.statement import Statement
from edge_memory.records import Record

_DWELLS = re.compile(
    r"\b(?:lives?|living|stays?|staying|resides?|residing|settled|based|rents?|renting|flats?|flatting|lodges?|lodging"
    r"|boards?|boarding|dwells?|camps? out)\s+(?:[\w-]+\s+){0,3}?"
    r"(?:in|at|on|near|above|over|alone|round|around|across|opposite|nearby|by|with the user(?!'s)|there|here"
    r"|downstairs|upstairs|next door|round the corner)\b"
    r"|\b(?:is"
    r"|are)\s+(?:\w+\s+){0,2}?(?:at home|alone)\b"
    r"|\b(?:has|has got|owns|rents|bought|got) (?:a|the|an) (?:\w+ ){0,2}?(?:flat|house|apartment|room|place"
    r"|condo|studio|bungalow"
    r"|cottage) (?:in|on|at|near)\b",
    re.IGNORECASE,
)
_WORKS = re.compile(
    r"\b(?:works?|working|teaches|teaching|lectures|employed)\s+(?:\w+ ){0,3}?(?:at|in|for|with|on|as|nights"
    r"|days|weekends|mornings|a|an"
    r"|the)\b"
    r"|\b(?:cooks|nurses|cleans|bartends|waitresses|serves|guards) (?:\w+ ){0,2}?(?:at|in|for) (?:an?|the)\b"
    r"|\bdrives (?:a|the) (?:\w+ ){0,4}?(?:bus|taxi|lorry|truck|cab|van)\b",
    re.IGNORECASE,
)
_AT_HOME = re.compile(
    r"\b(?:stays?|is|'s) at home (?:now|only|with|all day|these days|full[- ]time)\b|\bis (?:now )?(?:retired"
    r"|unemployed"
    r"|out of work)\b|\b(?:has )?(?:just )?retired\b|\btook (?:early retirement|(?:voluntary )?redundancy|vrs)\b"
    r"|\b(?:handed|gave|put|given) (?:in )?(?:the user's|his|her|their) notice\b|\b(?:got|was|been)"
    r" (?:laid off|made redundant|let go|fired|sacked)\b|\b(?:doesn't|does not|isn't|is not|not) work(?:ing"
    r"|s)? (?:any ?more"
    r"|now|these days|at the moment)\b|\b(?:changed|switched|lost|got|found|started|has|begins|took|taken"
    r"|accepted) (?:the user's|the|his"
    r"|her|their|a|an)(?: [\w-]+){0,2} (?:job|jobs|career|post|position)\b|\b(?:quit|resigned)(?:$| (?:last"
    r"|yesterday|today|because|on|in)\b)|\bwalked out on the user\b"
    r"|\b(?:set up|started|opened|launched|has opened|runs) (?:his|her|their|the user's) own (?:[\w-]+ )?(?:business"
    r"|practice"
    r"|company|firm|shop|pharmacy|clinic|salon|restaurant|cafe|bakery|garage|studio|school|surgery|agency|office)\b"
    r"|\b(?:went|gone|going|is) (?:freelance|self[- ]employed)\b",
    re.IGNORECASE,
)
# What people do for a living, told by its verb.
_TRADES = re.compile(
    r"\b(?:skippers|captains|farms|fishes for|drives for|manages (?:an?|the)|runs (?:an?|the) (?:[\w-]+ )?(?:shop|cafe"
    r"|bar|pub|stall|salon|farm|restaurant|garage|bakery|hotel|nursery|business|stand|studio|gym)"
    r"|cleans (?:offices|houses|rooms|hotels?|schools?|hospitals?|pools|windows)|bakes (?:bread|cakes|pies)|cuts hair"
    r"|does (?:hair|nails|security|deliveries|construction|roofing|plumbing|landscaping|accounts|bookkeeping"
    r"|night shifts)"
    r"|(?:fixes|mends|repairs|services|sells) (?:cars|boats|bikes|phones|roofs|shoes|lifts|insurance|houses"
    r"|tyres|tires)"
    r"|delivers (?:parcels|post|mail|pizzas?|milk|food|newspapers)|stacks shelves|waits tables|tends bar|tunes pianos"
    r"|lays (?:bricks|tiles|carpets|floors)|grooms dogs|paints houses|picks fruit|packs (?:boxes|orders)|pulls pints"
    r"|guards (?:an?|the)|tutors|conducts|edits|presents|sweeps (?:streets|chimneys)|(?:is|are) (?:an? )?(?:picker"
    r"|packer|porter|driver|cleaner|waiter|waitress|barista|cashier|labou?rer|welder|roofer|plumber|electrician|chef"
    r"|baker|butcher|fisherman|farmer|nurse|teacher|mechanic|guard|clerk) (?:at|for|in|on|with))\b",
    re.IGNORECASE,
)
_PLIED_IN = re.compile(r"\bin (?P<town>(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+)*)$", re.IGNORECASE)
# When somebody's work begins or ends; another such time is told by the same word.
_HOURS = re.compile(
    rf"\b(?P<which>start|begin|finish|clock(?: in| on| off)|shift)s?\b(?: \w+){{0,4}}? (?:at|from|till"
    rf"|until) (?:{COUNT}"
    rf"|half|quarter|noon|midnight)\b|\b(?:{COUNT}|noon|midnight) (?:o'clock|am|pm)? ?(?P<noun>start|finish|shift)\b",
    re.IGNORECASE,
)
_PUT_ON = re.compile(r"\b(?:moved|put|switched|changed|shifted|swapped) the user\b(?!')", re.IGNORECASE)
_SHIFTS = re.compile(r"\bworks? (?:\w+ )?(?:nights|days|earlies|lates|afternoons|shifts|weekends)\b", re.IGNORECASE)
_EARNS = re.compile(
    r"\b(?:works? as|working as|teaches|teaching|lectures|drives (?:an?|the) (?:\w+ ){0,4}?(?:bus|taxi|lorry"
    r"|truck|cab))\b",
    re.IGNORECASE,
)
_STUDIES = re.compile(
    r"\b(?:studies|studying|boards (?:at|in)|is doing (?:his|her|their|a|the user's)|is doing [\w ]+ at|(?:is|goes|went"
    r"|in \w+ \w+) (?:in|at"
    r"|to) (?:\w+ ){0,3}?(?:uni"
    r"|college|university|school|academy|nursery|kindergarten|primary|polytechnic)|(?:is|started|starts) (?:in"
    r"|at) (?:\w+ ){0,3}?"
    r"(?:year|grade|form|class|jss|sss|term|semester|school|college|university) ?\w*"
    r"|is (?:a|in) (?:\w+ ){0,2}?(?:student|fresher|freshman|sophomore|undergraduate|year of))\b",
    re.IGNORECASE,
)
_NEW_POST = re.compile(
    r"\b(?:moved|changed|switched|swapped) (?P<post>wards?|departments?|teams?|units?|branch(?:es)?|offices?"
    r"|depots?|crews?)\b"
    r"|\b(?:moved|transferred|switched|posted|reassigned|put|gave the user) (?:on )?(?:to )?the (?!same)"
    r"(?:[\w-]+ )?(?P<other>run|route|ward|branch|team"
    r"|round|line|depot|crew|floor|section|site)\b",
    re.IGNORECASE,
)
_RUN = "bus|coach|tram|train|route|run|line|round|ward|floor|depot|crew|till|class|room"
_SO_NUMBERED = rf"(?:{COUNT}(?:[ -]{COUNT})*)"
# "The boss moved me to tram twelve", "to ward six", "on the sixteen".
_PUT_TO = re.compile(
    r"\b(?:moved|moving|put|putting|switched|changed|shifted|swapped|transferred|posted) the user(?: over| across| up"
    rf"| down)? (?:on ?to|to|on|in) (?:the )?(?:number )?(?:(?P<run>{_RUN}) (?:number )?)?(?P<number>{_SO_NUMBERED})"
    rf"(?: (?P<noun>{_RUN}))?(?=$|,| (?:now|instead|from|since|at|because|this|next)\b)",
    re.IGNORECASE,
)
_RUNS = re.compile(
    rf"^the user(?:'s (?P<own>{_RUN}) is(?: the)?(?: number)?| (?:is on|works(?: on| in)?|drives?|runs|does|covers)"
    rf"(?: the)?(?: number)?(?: (?P<run>{_RUN})(?: number)?)?) (?P<number>{_SO_NUMBERED})(?: (?P<noun>{_RUN}))?\b",
    re.IGNORECASE,
)
_NEW_SCHOOL = re.compile(
    r"\b(?:changed|switched|moved|swapped|transferred|new) (?:to )?(?:an? |the |the user's |his |her "
    r"|their )?(?:new |different )?"
    r"(?:schools?|college|uni|university|course|degree|major|class|nursery|academy)\b",
    re.IGNORECASE,
)
_NEW_WORK = re.compile(
    r"\b(?:has|is|have)(?: now| just)? (?:gone|went|going) (?:to work|into|off to work|back to work)\b"
    r"|\bwent (?:to work|into)\b"
    r"|\b(?:started|joined|picked up|got|landed|took|taken|has taken|retrained|transferred|moved to|went over to"
    r"|gone over to|been"
    r" (?:promoted|made)|got (?:promoted|made)|was (?:promoted|made))\b",
    re.IGNORECASE,
)
_DAY_SCHOOL = re.compile(
    r"\b(?:come|came|moved|gone|went|goes|going|transferred) (?:home |back |over )?to (?:the|an?|another) (?:\w+"
    r" )?(?:local|new"
    r"|different|other|village|state|public|private|day|nearby) (?:\w+ )?(?:school|college|nursery|university)\b"
    r"|\bto another (?:school|college|nursery|university)\b",
    re.IGNORECASE,
)
_STOPS_STUDYING = re.compile(
    r"\b(?:finished|completed|done with) (?:the user's|his|her|their|the|a) (?:studies|degree|course|masters|phd"
    r"|exams|training|school|college|uni|university)\b|\b(?:left|quit|stopped|packed in|gave up|chucked(?: in)?"
    r"|jacked(?: in)?|dropped|ditched|packed) (?:school"
    r"|college|uni|university)\b"
    r"|\bgraduated\b|\bdropped out\b",
    re.IGNORECASE,
)
_NO_TOWN = (
    "the|a|an|bed|hospital|town|work|class|love|trouble|pain|school|church|prison|jail|surgery|labou?r"
    "|here|his|her|their|my|day|time|noon|night|home"
)
_ELSEWHERE = re.compile(
    rf"^(?!the user(?!'s)).*? (?:is|has been|was) (?:now |currently |still |over |out |up |down |back )*(?:in"
    rf"|at) (?!(?:{_NO_TOWN})\b)[\w'-]{{3,}}",
    re.IGNORECASE,
)
_INTO_CARE = re.compile(
    r"\b(?:gone|went|moved|going|put|taken) (?:in)?to (?:(?:an? |the )?(?:[\w-]+ )?(?:care|nursing|retirement"
    r"|old people's) home"
    r"|care$|an? home$|(?:an? |the )?hospice|sheltered housing|[\w' -]+ (?:for good|permanently)$)",
    re.IGNORECASE,
)
_CAME_BACK = re.compile(
    r"\b(?:(?:has|is) (?:just |now )?(?:come |moved |got )?back|(?:came|moved|got|flew) back"
    r"|(?:has )?returned)(?: home| here)?"
    r" from (?P<place>[\w' -]+?)(?: (?:for good|now|last|yesterday|today|this|on|and|to)\b.*)?$",
    re.IGNORECASE,
)
_LEFT = re.compile(
    r"^.+? (?:has |have |is )?(?:just |finally |now |sadly )*(?:left|leaving|(?:moved|moving) (?:out of|away from|on"
    r" from|from)|given up"
    r"|gave up|out of|no longer in|not in|isn't in) (?P<place>(?:the )?[\w'-]+(?: [\w'-]+)?)"
    r"(?: (?:now|for good|last \w+|this \w+|any ?more|yesterday|to|because|and)\b.*)?$",
    re.IGNORECASE,
)
_OWN_HOUSE = re.compile(r"user\.(?:flat|house|apartment|place|bungalow|cottage|room|studio|caravan|digs)\.place")
_ASPECTS_OF_HOME = ("home", "place")


def changes_work_or_home(statement: Statement, record: Record) -> bool:
    """Whether it tells of another home, job, post, school or town than the record does of the same person."""
    text, slot, attribute = statement.text, statement.slot, single_attribute(statement.slot)
    return (
        (stops_working(text) and is_work(record))
        or (attribute == "home" and not PLAN.search(text) and is_dwelling(record))
        or (
            attribute == "post" and statement.change and bool(_SHIFTS.search(record.text) or _HOURS.search(record.text))
        )
        or _changes_post(statement, record)
        or (attribute == "occupation" and (statement.change or _NEW_WORK.search(text) is not None) and _is_job(record))
        or (attribute == "home" and _plied_elsewhere(text, record))
        or _leaves_its_town(text, record)
        or (attribute == "employer" and bool(slot and not slot.ends) and _begins_work(statement, record))
        or (bool(_NEW_SCHOOL.search(text) or _DAY_SCHOOL.search(text)) and is_studies(record))
        or (_is_elsewhere(statement) and (is_dwelling(record) or _ELSEWHERE.search(record.text) is not None))
        or _has_come_back(text, record)
        or (_INTO_CARE.search(text) is not None and is_dwelling(record))
        or (bool(_STOPS_STUDYING.search(text)) and (is_studies(record) or bool(_ELSEWHERE.search(record.text))))
    )


def words_of_runs(text: str) -> str:
    """Words to find by what somebody who is put on another bus or ward was on; empty if the sentence tells of none."""
    return "drives works number bus route line ward" if _PUT_TO.search(text) else ""


def leaves_a_house(statement: Statement, record: Record) -> bool:
    """ "We live in Oslo now" beside "the user's flat is by the river"."""
    moved = single_attribute(statement.slot) == "home" and (statement.replaces or statement.change)
    return moved and "user" in subjects_of(statement.text) and bool(_OWN_HOUSE.fullmatch(record.key or ""))


def stops_working(text: str) -> bool:
    """Whether somebody works no longer, or elsewhere."""
    return bool(_AT_HOME.search(text))


def is_dwelling(record: Record) -> bool:
    """Whether a record tells where somebody lives."""
    attribute = (record.key or "").partition(".")[2]
    if attribute in _ASPECTS_OF_HOME:
        return True
    return record.key is None and bool(_DWELLS.search(record.text)) and not is_negative(record.text)


def is_work(record: Record) -> bool:
    """Whether a record tells where somebody works."""
    attribute = (record.key or "").partition(".")[2]
    if is_negative(record.text) or is_past(record.text):
        return False
    if attribute == "occupation" and not re.search(r"\b(?:at|for|in)\b", record.text):
        return False
    return attribute in ("employer", "post", "occupation") or bool(
        _WORKS.search(record.text) or _TRADES.search(record.text)
    )


def has_other_hours(statement: Statement, record: Record) -> bool:
    """ "Starts at eight now" beside "starts work at six"."""
    now, before = _HOURS.search(statement.text), _HOURS.search(record.text)
    if now is None or before is None or is_past(record.text) or not (statement.replaces or statement.change):
        return False
    put_there = _PUT_ON.search(statement.text) is not None and "user" in subjects_of(record.text)
    if not (put_there or same_subject(statement.text, record.text)):
        return False
    ends = {(match["which"] or match["noun"]).lower() in ("finish", "clock off") for match in (now, before)}
    return len(ends) == 1 and now[0].lower() != before[0].lower()


def runs_another(text: str, record: Record) -> bool:
    """ "They've put the user on the sixteen" beside "the user's bus is number nine"."""
    now, before = _PUT_TO.search(text), _RUNS.match(record.text)
    if now is None or before is None or now["number"].lower() == before["number"].lower():
        return False
    new, old = now["run"] or now["noun"], before["own"] or before["run"] or before["noun"]
    return new is None or old is None or new.lower() == old.lower()


def _is_elsewhere(statement: Statement) -> bool:
    """ "Jan is in Oslo now": of people, and of a town or a house by its name."""
    of_people = statement.slot is not None and statement.slot.key.endswith(".place")
    return of_people and statement.replaces and _ELSEWHERE.search(statement.text) is not None


def _has_come_back(text: str, record: Record) -> bool:
    """ "Jan is back from Oslo" ends that he is there."""
    back = _CAME_BACK.search(text)
    if back is None or is_past(record.text) or not (_ELSEWHERE.search(record.text) or is_dwelling(record)):
        return False
    return telling(back["place"]) <= telling(record.text)


def _leaves_its_town(text: str, record: Record) -> bool:
    """ "Has left Oslo" ends that somebody lives there."""
    left = _LEFT.match(text)
    return left is not None and is_dwelling(record) and telling(left["place"]) <= telling(record.text)


def _plied_elsewhere(text: str, record: Record) -> bool:
    """ "Cuts hair in Oslo", of who moved to Moss: who works with their hands does so where they live."""
    town = None if PLAN.search(text) or is_past(record.text) else _PLIED_IN.search(record.text)
    return town is not None and bool(_TRADES.search(record.text)) and telling(town["town"]).isdisjoint(telling(text))


def _is_job(record: Record) -> bool:
    return (record.key or ".car").endswith(".car") and bool(_EARNS.search(record.text)) and not is_negative(record.text)


def _changes_post(statement: Statement, record: Record) -> bool:
    post = _NEW_POST.search(statement.text)
    return (
        post is not None and telling(post["post"] or post["other"]) <= telling(record.text) and not is_past(record.text)
    )


def _begins_work(statement: Statement, record: Record) -> bool:
    """Somebody's new work ends their studies, and what else they did somewhere."""
    if is_studies(record):
        return statement.change
    return bool(statement.change or _NEW_WORK.search(statement.text)) and is_work(record)


def is_studies(record: Record) -> bool:
    """Whether a record tells where or what somebody studies."""
    apart = record.key is not None and not record.key.endswith((".learning", ".school", ".place"))
    if apart and (record.key or "").endswith(".occupation"):
        return bool(re.search(r"\bstudent\b", record.text))
    return not apart and bool(_STUDIES.search(record.text)) and not is_negative(record.text)
