"""Standing orders ("never ring after ten"): the action one forbids, and the hour or amount that limits it."""

from __future__ import annotations

import time
from collections.abc import Set

from edge_memory import lazy_re as re
from edge_memory.observe.english.dates import number_of
from edge_memory.observe.english.lexicon import KIN_SET
from edge_memory.records import words_of
from firmware_bridge.turn.english.circumstances import CHILDREN, is_of_little_children, little_children_in
from firmware_bridge.turn.english.foods import FOOD
from firmware_bridge.turn.english.moments import duration_in
from firmware_bridge.turn.english.wordforms import forms, may_mean

_ORDER = re.compile(r"^(?:please |kindly )?(?:never|do not|don't|no )\b", re.IGNORECASE)
_SMALL_WORDS = frozenset(
    """never don do not t please kindly ever no any the a an user s my me i to on in at of and or for before after with
    it its their them that this from until anyone anybody anything what let it's o'clock o clock am pm""".split()
)
_PART_OF_DAY = frozenset("morning evening afternoon night tonight mornings evenings afternoons nights".split())
_WEEKDAYS = frozenset(("weekday", "weekdays", "weeknight", "weeknights"))  # all days on which nothing else is said
_AT_THE_WEEKEND = re.compile(r"\b(?:weekends?|saturdays?|sundays?)\b", re.IGNORECASE)
# Actions and things that an order and a request may call differently.
_ALIKE = tuple(
    frozenset(row.split())
    for row in (
        "call ring phone telephone dial facetime buzz bell",
        "wake alarm",
        "turn set switch put raise lower increase decrease change adjust crank make",
        "music jazz song songs tune tunes radio playlist album track rock pop classical spotify soca calypso reggae"
        " dancehall blues techno disco gospel hymn hymns opera country folk punk metal rap house soul funk ska salsa"
        " samba"
        " bhangra afrobeats highlife amapiano ceilidh jig jigs band orchestra tracks albums songs mix beats cd vinyl",
        "heating thermostat temperature heater radiator radiators",
        "order buy get purchase",
        "lend give loan borrow advance",
        "money cash thousand hundred pounds quid dollars bucks shillings euros",
        "light lights lamp lamps",
        "tv telly television",
        "text message",
        "open unlock",
        "volume loud louder loudness sound",
        "put fill pour add",
        "number cell mobile digits",
        "online internet web amazon ebay",
        "feed throw toss chuck slip sneak fling drop",
        "alone",
        "visitors visitor guests guest company callers",
        "stairs upstairs staircase steps ladder",
        "cola coke pepsi",
        "smoke smoking cigarette cigarettes cigar cigars vape vaping light-up fag",
        "little young small wee tiny",
        "house indoors inside home kitchen bedroom bathroom lounge room hall toilet",
    )
)
_HANDING = frozenset("lend loan give feed offer serve let hand pass bring".split())
_OF_ONE = frozenset("he him she her".split())  # may be whom an order names
_NAMED = re.compile(r"(?<!^)\b[A-Z][\w-]+")
_IN_BY = re.compile(
    r"\b(?:must|has to|have to|needs? to|should) be (?:in bed|asleep|home|back|indoors"
    r"|inside)(?: home)? by (?P<clock>[\w :]+)",
    re.IGNORECASE,
)
_OUTSIDE = re.compile(
    r"\b(?:go(?:es|ing)? out(?:side|doors)?|outside|outdoors|let (?:[\w']+ ){1,3}out"
    r"|(?:stay|stays|staying|sleep|be) (?:over )?(?:at|round|over at) (?:her|his|their|a|the"
    r"|[\w-]+'s) (?:[\w-]+ )?(?:friend|mate|pal|boyfriend"
    r"|girlfriend|party|disco|club|cinema|mall)\w*|(?:stay|stays|be|staying) out\b"
    r"|(?:go|walk|pop|nip|wander|stroll|cycle|drive|head) (?:(?:down|up|over|out|round|across) )?to (?:the|town)\b)",
    re.IGNORECASE,
)
_WAKES = re.compile(r"\bget(?:s|ting)? (?:me|us|him|her|them) (?:up|out of bed)\b|\brous(?:e|ing)\b", re.IGNORECASE)
_LIGHTS_UP = re.compile(
    r"\b(?:light|lights|lighting|spark|sparks|sparking) up\b|\bha(?:ve|s|ving) an? (?:ciggie|cig|fag|rollie|vape)\b",
    re.I,
)
_LETS_ON = re.compile(
    r"\b(?:let(?:s|ting)? on|let(?:s|ting)? slip|spill the beans|breathe a word|say a word|give(?:s)? (?:it"
    r"|the game) away)(?: to)?\b",
    re.IGNORECASE,
)
_TELLING = frozenset("mention tell say talk speak reveal let breathe discuss ask".split())
_NEWS = frozenset("news secret secrets everything gossip surprise".split())  # whatever may not be told
_BUT_ME = re.compile(r"\b(?:but|except(?: for)?|other than|besides|apart from) (?:me|us|the user)\b", re.IGNORECASE)
_FOR_ME = re.compile(r"\b(?:me|i|we|us|my)\b", re.IGNORECASE)
# Words for being somewhere without anybody, and for coming to a house.
_ALONE = re.compile(
    r"\b(?:on|by) (?:his|her|their|my|our|your|its) own\b|\b(?:by )?(?:him|her|them|my|our|your)sel(?:f|ves)\b"
    r"|\b(?:unaccompanied|unsupervised|alone)\b|\bwithout (?:an? )?(?:adult|grown[ -]?up|supervision|anyone"
    r"|anybody)\b",
    re.IGNORECASE,
)
_COMES_ROUND = re.compile(
    r"\bcom(?:e|es|ing) (?:by|over|round|around|in)\b|\b(?:drop|pop|call)(?:s|ping|ing)? (?:in|by|round|over)\b"
    r"|\bha(?:ve|ving) .+ (?:over|round)\b|\bvisit\w*\b|\binvit\w+\b|\bguests?\b",
    re.IGNORECASE,
)
_UNLESS_ASKED = re.compile(
    r",? (?:without|unless|until|before) (?:you )?(?:ask|asking|check|checking|tell|telling|i |the user |my "
    r"|asking me"
    r"|having asked)\b.*$",
    re.IGNORECASE,
)
_EATING = frozenset("eat eats eating snack snacks drink".split())
# Whatever is played is music, but for these.
_PLAYS = re.compile(
    r"\b(?:play(?! (?:by|in|on|with|outside|out|at|near)\b)|put on|stick on|put (?:\w+ ){1,3}on"
    r"|blast)\b(?!.*\b(?:game|games|chess|cards|film|movie|video|audiobook|podcast|quiz|news"
    r"|draughts|bridge)\b)",
    re.IGNORECASE,
)
_NUMBER = (
    r"\d+(?:\.\d+)?|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:one|two|three|four|five|six"
    r"|seven"
    r"|eight|nine))?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen"
)
_HOURS = r"[01]?\d|2[0-4]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_CLOCK = (
    rf"(?:(?P<part>half|(?:a )?quarter)(?: (?P<to>past|to))? )?(?P<hour>{_HOURS})\b(?:[:.](?P<minutes>[0-5]\d)"
    r"|[ -](?P<spoken>fifteen|thirty|forty[- ]five))?"
)
_NO_COUNT = (
    r"(?![.:]?\d)(?!\s*(?:%|degrees?|percent|seconds?|minutes?|mins?|hours?|days?|songs?|people|times?|pounds?"
    r"|more)\b)"
)
_AT = re.compile(
    rf"(?:\b(?:at|for|by|from|until|till|around|about|past|after|before|it's|it is|its|gone|@) (?:about |around "
    rf"|nearly |gone |past )?(?:{_CLOCK}|(?P<noon>noon"
    rf"|midday|midnight)){_NO_COUNT}"
    rf"|\b(?={_HOURS}|half |quarter |a quarter )(?={_CLOCK.replace('?P<', '?P<_')}\s?(?:am|pm|a\.m|p\.m|o'clock)"
    rf"|[\d]{{1,2}}:\d\d|(?:half|(?:a )?quarter) )"
    rf"(?:{_CLOCK.replace('?P<', '?P<b_')}))",
    re.IGNORECASE,
)
_TIME_LIMIT = re.compile(
    rf"\b(?P<side>before|until|till|after|past) (?:{_CLOCK}|(?P<noon>noon|midday|midnight)){_NO_COUNT}", re.IGNORECASE
)
_ENDS_AT = rf"{_HOURS}|noon|midday"
_HALF = r"(?: ?[ap]\.?m\b| in the (?:morning|afternoon|evening)| at night)?"
_WINDOW = re.compile(
    rf"\b(?:(?P<between>between)|from|that's|that is|it's"
    rf"|,) (?P<begins>{_ENDS_AT})(?P<half>{_HALF}) (?(between)and|(?:till|until|to|through))"
    rf" (?P<ends>{_ENDS_AT})\b{_NO_COUNT}",
    re.IGNORECASE,
)
_MEANWHILE = re.compile(r",? (?:when|while|because|as) (?:the user|i|i'm|we|we're)\b.*$", re.IGNORECASE)
_AMOUNT_LIMIT = re.compile(
    r"\b(?:(?P<over>above|over|more than|higher than|louder than|beyond|past)|below|under|less than|lower than) "
    rf"(?P<number>{_NUMBER})\b",
    re.IGNORECASE,
)
_NUMBERS = re.compile(rf"\b(?:{_NUMBER})\b", re.IGNORECASE)
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_ONE_MORE = re.compile(r"\b(?:another|one more|a top[- ]?up|(?:a|his|her|their|my) next)\b", re.IGNORECASE)
_WHY = re.compile(
    r",? (?:because|cos|since|as (?:he|she|it|they))\b.*$|, (?:(?:that's|that is)(?!.*day)|it's|it|he|she|they"
    r"|one|we|i|the user)\b.*$"
    r"|(?<!\bthat) (?:the user is|i'm|i am) (?:\w+ing|on|in|at|asleep|busy|out)\b.*$",
    re.IGNORECASE,
)
_PM = re.compile(r"\d ?p\.?m\b|\b(?:evening|afternoon|tonight|p\.?m|night)\b", re.IGNORECASE)
_AM = re.compile(r"\d ?a\.?m\b|\b(?:morning|a\.?m)\b", re.IGNORECASE)
_LATER = re.compile(r"\b(?:wake|alarm|tomorrow|tonight|later|when|until)\b", re.IGNORECASE)
_VAGUELY = {
    True: re.compile(r"\b(?:tonight|night|later|late|evening)\b", re.IGNORECASE),
    False: re.compile(r"\b(?:early|dawn|sunrise)\b", re.IGNORECASE),
}
_NOON, _DAY = 12.0, 24.0
_EVENING, _SMALL_HOURS = 18.0, 6.0  # "after ten" goes on until the morning


def is_told_as_order(text: str) -> bool:
    return bool(_ORDER.match(text))


def has_limit(order: str) -> bool:
    """Whether it forbids something only at some hours, or beyond some amount."""
    return bool(_TIME_LIMIT.search(order) or _WINDOW.search(order) or _AMOUNT_LIMIT.search(order))


def with_alone(text: str) -> str:
    """With one word for being without anybody ("by himself", "on her own"), one for being out, for telling, for waking and
    for smoking.
    """
    plain = _LIGHTS_UP.sub("smoke", _WAKES.sub("wake me", text))
    return _LETS_ON.sub("tell", _OUTSIDE.sub(" outside ", _ALONE.sub(" alone ", plain)))


def as_curfew(text: str) -> str:
    """ "Has to be home by six" as the order that it is; empty for anything else."""
    match = _IN_BY.search(text)
    return f"Never stay up after {match['clock']}" if match else ""


def things(order: str) -> set[str]:
    """What an order speaks of, without its limits: "wake"; "turn", "heating"."""
    told = _MEANWHILE.sub("", _WINDOW.sub(" ", order)) if _WINDOW.search(order) else order
    told = _AMOUNT_LIMIT.sub(" ", _TIME_LIMIT.sub(" ", told)) if has_limit(order) else told
    told = with_alone(_WHY.sub("", _UNLESS_ASKED.sub("", told)))
    left = {word for word in words_of(told) if word not in _SMALL_WORDS}
    return (left - _PART_OF_DAY - _WEEKDAYS if has_limit(order) else left) or left


def is_gone_against(order: str, heard: Set[str], text: str) -> bool:
    """Whether an utterance (`heard` are its words) wants the action of an order, beyond its limit if it has one."""
    wanted = things(order)
    heard = heard | {"music", "play"} if _PLAYS.search(text) else heard
    heard = heard | little_children_in(text)
    if is_of_little_children(order) and heard.isdisjoint(CHILDREN):
        return False
    heard = heard | {"visitors"} if _COMES_ROUND.search(text) else heard
    if _BUT_ME.search(order) and _FOR_ME.search(text):
        return False
    if wanted & _TELLING and heard & _NEWS and any(_is_meant(word, heard) for word in wanted - _TELLING):
        return True
    names = {word.lower() for word in _NAMED.findall(order)}
    perhaps = wanted & (names | KIN_SET) if _OF_ONE & set(words_of(text)) else frozenset()
    named = {word for word in wanted if _is_meant(word, heard)} | perhaps
    core = wanted - _HANDING - names
    enough = len(named) >= min(2, len(wanted) or 1) and (not core or bool(core & named))
    is_free_day = bool(_WEEKDAYS & set(words_of(order)) and _AT_THE_WEEKEND.search(text))
    return enough and not is_free_day and _is_beyond(order, text) and not _is_at_a_free_hour(order, text)


def holds_at(order: str, text: str, said_at: float) -> bool:
    """Whether the hour at which something is wanted is one that an order speaks of. `said_at` is Unix time in seconds;
    the hours are this machine's own. What is wanted "later" counts if that may be.
    """
    limit, window = _TIME_LIMIT.search(order), _WINDOW.search(order)
    if limit is None and window is None:
        return True
    if _AT.search(text):
        return not _is_at_a_free_hour(order, text)
    if limit is None or window is not None:
        return True  # who tells no hour is told of the hours
    wait = duration_in(text) if re.search(r"\b(?:in|after|from now)\b", text, re.IGNORECASE) else None
    if wait is None and _LATER.search(text):
        return bool(_VAGUELY[_is_after(limit)].search(text))
    then = time.localtime(said_at + (wait or 0.0))
    return not _is_free(order, limit, then.tm_hour + then.tm_min / 60.0)


def _is_meant(word: str, heard: Set[str]) -> bool:
    if forms(word) & heard or may_mean(word, heard) or (word in _EATING and heard & FOOD):
        return True
    return any(word in row and row & heard for row in _ALIKE)


def _is_beyond(order: str, text: str) -> bool:
    """ "Never above 20" speaks of 23 and of "above 20", not of 18, and not of no number at all."""
    limit = _AMOUNT_LIMIT.search(order)
    if limit is None or _TIME_LIMIT.search(order):
        return True
    most = _amount(limit["number"])
    wished = _AMOUNT_LIMIT.search(text)
    if wished and bool(wished["over"]) == bool(limit["over"]):
        return True
    if limit["over"] and _ONE_MORE.search(text):
        return True
    amounts = [_amount(number) for number in _NUMBERS.findall(text)]
    amounts += [float(_ORDINALS.index(word) + 1) for word in words_of(text) if word in _ORDINALS]
    return any(amount > most if limit["over"] else amount < most for amount in amounts)


def _is_at_a_free_hour(order: str, text: str) -> bool:
    """Whether an utterance tells an hour that an order leaves free; one without a half of the day is of the"
    " limit's."""
    limit, at = _TIME_LIMIT.search(order), _AT.search(text)
    if at is not None and (window := _WINDOW.search(order)):
        late = bool(_PM.search(text))
        return not _is_within(window, _hour(at, late=late), is_half_told=late or bool(_AM.search(text)))
    if limit is None or at is None:
        return False
    late = bool(_PM.search(text)) or (not _AM.search(text) and _limit_hour(order, limit) > _NOON)
    return _is_free(order, limit, _hour(at, late=late) % _DAY)


def _is_within(window: re.Match[str], hour: float, *, is_half_told: bool) -> bool:
    """ "Between ten and two" is until the afternoon; an hour without a half of the day may be of either."""
    begins, ends = (float(number_of(window[name]) or _NOON) for name in ("begins", "ends"))
    if _PM.search(f"{begins:.0f}{window['half']}"):  # "ten at night till six"
        begins += _NOON
    while ends <= begins:
        ends += _NOON
    if not window["half"] and number_of(window["ends"]) and _PM.search(window.string[window.end() :]):
        begins, ends = begins + _NOON, ends + _NOON  # "between two and ten at night"
    hours = (hour, hour + _DAY) if is_half_told else (hour, hour + _NOON, hour + _DAY)
    return any(begins <= one < ends for one in hours)


def _is_free(order: str, limit: re.Match[str], wanted: float) -> bool:
    """ "Never before seven" leaves eight free."""
    hour = _limit_hour(order, limit)
    if not _is_after(limit):
        return wanted >= hour
    return not (wanted >= hour or (hour >= _EVENING and wanted < _SMALL_HOURS))


def _limit_hour(order: str, limit: re.Match[str]) -> float:
    """ "After nine" without more is in the evening, "before nine" in the morning."""
    late = bool(_PM.search(order)) or (_is_after(limit) and not _AM.search(order))
    return _hour(limit, late=late)


def _is_after(limit: re.Match[str]) -> bool:
    return limit["side"].lower() in ("after", "past")


def _hour(match: re.Match[str], *, late: bool) -> float:
    """The hour of the day that a match of a clock tells."""
    told = {name.removeprefix("b_"): value for name, value in match.groupdict().items() if value}
    if "noon" in told:
        return _DAY if told["noon"].lower() == "midnight" else _NOON
    hour = float(number_of(told["hour"]))
    minutes = float(told["minutes"]) if "minutes" in told else float(number_of(told.get("spoken")))
    if "part" in told:
        minutes = 30.0 if told["part"].lower() == "half" else 15.0
        hour, minutes = (hour - 1.0, 60.0 - minutes) if told.get("to", "").lower() == "to" else (hour, minutes)
    return hour + _NOON * (late and hour < _NOON) + minutes / 60.0


def _amount(number: str) -> float:
    return float(number) if number[0].isdigit() else float(number_of(number))
