"""When something is, worked out from German words against the time at which they were said."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from edge_memory import lazy_re as re
from edge_memory.observe.english.dates import SpokenClock
from edge_memory.observe.german.lexicon import MONTHS, NUMBER, NUMBERS, WEEKDAYS, number_of

_FIRST_SANE_YEAR = 2020
_ORDINALS = {
    "ersten": 1,
    "dritten": 3,
    "siebten": 7,
    "siebenten": 7,
    "achten": 8,
    **{f"{word}ten": number for word, number in NUMBERS.items() if 1 < number < 20 and number not in (3, 7, 8)},
    **{f"{word}sten": number for word, number in NUMBERS.items() if 20 <= number < 32},
}
_ORDINAL = "(?:" + "|".join(sorted(_ORDINALS, key=len, reverse=True)) + ")"
_DAY_NAMES = "|".join([*WEEKDAYS, "sonnabend"])
_ONE_OR_MORE = rf"(?:eine[rnm]?|ein|ein paar|anderthalb|eineinhalb|{NUMBER})"
_UNIT = r"(?P<unit>tag|woche|monat|jahr)(?:e[ns]?|n|s)?"
_NEAR = re.compile(
    r"\b(?P<near>übermorgen|vorgestern|gestern|heute|(?<!guten )(?<!jeden )(?<!am )morgen)"
    r"(?: (?:früh|morgen|vormittag|mittag|nachmittag|abend|nacht))?\b",
    re.IGNORECASE,
)
_DATE = re.compile(
    rf"\b(?:am |den |der |vom |zum |bis zum |ab dem )?(?:(?P<digits>[0-3]?\d)\.|(?P<word>{_ORDINAL}))\s*"
    rf"(?:(?P<month>{'|'.join(MONTHS)})\b|(?P<number>[01]?\d)\.)(?:\s*(?P<year>(?:19|20)\d\d)\b)?",
    re.IGNORECASE,
)
_DAY_OF_MONTH = re.compile(
    rf"\b(?:am|zum|bis zum|ab dem) (?:(?P<digits>[0-3]?\d)\.(?!\d)|(?P<word>{_ORDINAL})\b)", re.IGNORECASE
)
_MONTH = re.compile(rf"\bim (?P<month>{'|'.join(MONTHS)})\b", re.IGNORECASE)
_SPAN = re.compile(rf"\b(?P<way>in|vor) (?:etwa |ungefähr |circa )?(?P<count>{_ONE_OR_MORE}) {_UNIT}\b", re.IGNORECASE)
_NAMED = re.compile(
    rf"\b(?:(?P<which>nächste[nrms]?|kommende[nrms]?|letzte[nrms]?|vergangene[nrms]?|diese[nrms]?|vorige[nrms]?)\s+)?"
    rf"(?P<day>{_DAY_NAMES})(?P<part>abend|morgen|vormittag|nachmittag|mittag|nacht)?\b",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    r"\b(?P<which>nächste[nrms]?|kommende[nrms]?|letzte[nrms]?|vergangene[nrms]?|diese[nrms]?|vorige[nrms]?)\s+"
    r"(?P<unit>woche|wochenende|monat|jahr)\b",
    re.IGNORECASE,
)
_HOUR_WORDS = "|".join(sorted([w for w, n in NUMBERS.items() if n <= 24] + ["ein"], key=len, reverse=True))
_HOUR = rf"(?:[0-2]?\d|{_HOUR_WORDS})"
_CLOCK = re.compile(
    rf"\b(?:(?:um|gegen|ab|bis|vor|nach) (?:etwa )?)?(?:(?P<part>halb|viertel vor|viertel nach|dreiviertel|kurz vor|kurz nach"
    rf"|(?:fünf|zehn|zwanzig|5|10|20) (?:minuten )?(?:vor|nach)(?: halb)?) )?(?P<hour>{_HOUR})(?:[:.](?P<digits>[0-5]\d))?\s?(?P<uhr>uhr\b)?"
    rf"(?: (?P<minutes>[0-5]?\d(?! ?(?:tag|woche|minute|stunde))|{'|'.join(sorted(NUMBERS, key=len, reverse=True))})\b(?! ?(?:tag|woche|minute|stunde)))?",
    re.IGNORECASE,
)
_NOON = re.compile(r"\b(?:um |gegen )?(?P<which>mitternacht|mittags?(?= |$)|zwölf uhr mittags)\b", re.IGNORECASE)
_LATE = re.compile(r"\b(?:\w*abends?|\w*nachmittags?|nachts)\b", re.IGNORECASE)
_EARLY = re.compile(r"\b(?:morgens|\w*vormittags?|früh|in der früh|am morgen|\w+tagmorgen)\b", re.IGNORECASE)
_EVERY = re.compile(
    rf"\b(?:jede[nrsm]?|immer|meistens|täglich|wöchentlich|monatlich|(?:{_DAY_NAMES})s|morgens|abends)\b", re.IGNORECASE
)
_EARLIEST_AFTERNOON = 7


def event_time(text: str, said_at: float) -> float | None:
    """As `edge_memory.observe.english.dates.event_time`, of a German text."""
    said = datetime.fromtimestamp(said_at, tz=UTC).astimezone()
    if said.year < _FIRST_SANE_YEAR or _EVERY.search(text):
        return None
    day, clock = day_in(text, said), clock_in(text)
    if day is None:
        return None
    moment = datetime(day.year, day.month, day.day, tzinfo=said.tzinfo)
    if clock is not None:
        hour = clock.hour + (12 if not clock.certain and clock.hour < _EARLIEST_AFTERNOON else 0)
        moment = moment.replace(hour=hour, minute=clock.minutes)
    return moment.timestamp()


def day_in(text: str, said: datetime) -> date | None:
    """The day that a text names; None when it names none."""
    today = said.date()
    if near := _NEAR.search(text):
        shift = {"übermorgen": 2, "vorgestern": -2, "gestern": -1, "heute": 0}.get(near["near"].lower(), 1)
        return today + timedelta(days=shift)
    return _date(text, today) or _span(text, today) or _named(text, today) or _period(text, today)


def clock_in(text: str) -> SpokenClock | None:
    """The time of day that a text names."""
    noon = _NOON.search(text)
    if noon:
        return SpokenClock(0 if noon["which"].lower() == "mitternacht" else 12, 0, True)
    match = next((m for m in _CLOCK.finditer(text) if _is_clock(m, text)), None)
    hour = number_of(match["hour"]) if match else None
    if match is None or hour is None:
        return None
    minutes = int(match["digits"] or 0) or (number_of(match["minutes"] or "0") or 0 if match["uhr"] else 0)
    if part := (match["part"] or "").lower():
        shift = _part_minutes(part)
        hour, minutes = divmod((hour * 60 + shift) % (24 * 60), 60)
    late, early = bool(_LATE.search(text)), bool(_EARLY.search(text))
    if late and 0 < hour < 12:
        hour += 12
    # "18 Uhr", "0 Uhr" and "6:30" leave no doubt; "um sechs" may be either.
    certain = late or early or hour > 12 or hour == 0 or bool(match["digits"])
    return SpokenClock(hour, minutes, certain) if 0 <= hour < 24 and minutes < 60 else None


def without_moments(text: str) -> str:
    """What is left of a text when days and times of day are taken out."""
    for pattern in (_NEAR, _DATE, _DAY_OF_MONTH, _SPAN, _NAMED, _PERIOD, _NOON):
        text = pattern.sub(" ", text)
    return _CLOCK.sub(lambda match: " " if _is_clock(match, text) else match[0], text)


def is_repeated(text: str) -> bool:
    return bool(_EVERY.search(text))


def dated(text: str, moment: float | None, now: float | None) -> str:
    """As `edge_memory.observe.absolute_dates.dated`, of a German text."""
    match = relative_day(text)
    if match is None or moment is None:
        return text
    day = datetime.fromtimestamp(moment, tz=UTC).astimezone()
    today = None if now is None else datetime.fromtimestamp(now, tz=UTC).astimezone()
    if today is not None and day_in(text, today) == day.date():
        return text
    year = "" if today is not None and day.year == today.year else f" {day.year}"
    named = f"am {day.day}. {MONTHS[day.month - 1].capitalize()}{year}"
    return f"{text[: match.start()]}{named}{text[match.end() :]}"


def relative_day(text: str) -> re.Match[str] | None:
    """Where a text names a day that means another one later: "morgen", "nächsten Montag"."""
    return _NEAR.search(text) or _SPAN.search(text) or _PERIOD.search(text) or _which_day(text)


def _which_day(text: str) -> re.Match[str] | None:
    match = _NAMED.search(text)
    return match if match and match["which"] else None


def _is_clock(match: re.Match[str], text: str) -> bool:
    """A bare number is no time of day; "um sechs", "sechs Uhr", "halb sechs" and "18:30" are."""
    led = re.match(r"(?:um|gegen|ab|bis|vor|nach)\b", match[0], re.IGNORECASE)
    after = text[match.end() :].lstrip().lower()
    if re.match(r"(?:minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|sekunden?|prozent|grad|euro)\b", after):
        return False
    if (
        led
        and led[0].lower() in ("vor", "nach", "ab", "bis")
        and not (match["uhr"] or match["digits"] or match["part"])
    ):
        return not after
    return bool(led or match["uhr"] or match["digits"] or match["part"])


def _part_minutes(part: str) -> int:
    fixed = {"halb": -30, "viertel vor": -15, "viertel nach": 15, "dreiviertel": -15, "kurz vor": -5, "kurz nach": 5}
    if part in fixed:
        return fixed[part]
    count = number_of(part.split()[0]) or 0
    signed = -count if " vor" in part else count
    return signed - 30 if part.endswith("halb") else signed


def _date(text: str, today: date) -> date | None:
    match = _DATE.search(text) or _DAY_OF_MONTH.search(text)
    if match is None:
        only = _MONTH.search(text)
        return _next(today, 1, MONTHS.index(only["month"].lower()) + 1, _is_past(text)) if only else None
    day = int(match["digits"]) if match["digits"] else _ORDINALS[match["word"].lower()]
    groups = match.groupdict()
    if not (groups.get("month") or groups.get("number")):
        month = today.month + (1 if day < today.day and not _is_past(text) else 0)
        return _valid(today.year + (month > 12), (month - 1) % 12 + 1, day)
    month = MONTHS.index(match["month"].lower()) + 1 if match["month"] else int(match["number"])
    if match["year"]:
        return _valid(int(match["year"]), month, day)
    return _next(today, day, month, _is_past(text) and "geburtstag" not in text.lower())


def _is_past(text: str) -> bool:
    return bool(
        re.search(r"\b(?:war|waren|hatte|hatten|wurde|gewesen|letzte[nrms]?|ge\w{3,}[tn])\b", text, re.IGNORECASE)
    )


def _next(today: date, day: int, month: int, past: bool) -> date | None:
    for year in (today.year, today.year - 1) if past else (today.year, today.year + 1):
        found = _valid(year, month, day)
        if found and (found <= today if past else found >= today):
            return found
    return None


def _valid(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _span(text: str, today: date) -> date | None:
    match = _SPAN.search(text)
    if match is None:
        return None
    word = match["count"].lower()
    count = 2 if word == "ein paar" else number_of(word)
    return None if count is None else _shift(today, -count if match["way"].lower() == "vor" else count, match["unit"])


def _named(text: str, today: date) -> date | None:
    match = _NAMED.search(text)
    if match is None:
        return None
    name = match["day"].lower()
    wanted = 5 if name == "sonnabend" else WEEKDAYS.index(name)
    which = (match["which"] or "").lower()
    if which.startswith(("letzt", "vergangen", "vorig")):
        return today - timedelta(days=(today.weekday() - wanted - 1) % 7 + 1)
    ahead = (wanted - today.weekday() - 1) % 7 + 1
    return today + timedelta(days=ahead + (7 if which.startswith("nächst") and today.weekday() < wanted else 0))


def _period(text: str, today: date) -> date | None:
    match = _PERIOD.search(text)
    if match is None:
        return None
    which, unit = match["which"].lower(), match["unit"].lower()
    way = -1 if which.startswith(("letzt", "vergangen", "vorig")) else 0 if which.startswith("dies") else 1
    if unit == "wochenende":
        return today + timedelta(days=(5 - today.weekday()) % 7 + 7 * (way if way < 0 else 0))
    return _shift(today, way, unit)


def _shift(today: date, count: int, unit: str) -> date | None:
    unit = unit.lower()
    if unit in ("tag", "woche"):
        return today + timedelta(days=count * (7 if unit == "woche" else 1))
    months = today.year * 12 + today.month - 1 + count * (12 if unit == "jahr" else 1)
    return _valid(months // 12, months % 12 + 1, today.day) or _valid(months // 12, months % 12 + 1, 28)
