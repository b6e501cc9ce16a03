"""Numbers, times, units and short forms as a German voice says them."""

from __future__ import annotations

import re
from collections.abc import Callable

_MONTHS = "Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember"
_MONTH_NAMES = _MONTHS.split("|")
_NUMBER = r"\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+(?:,\d+)?"
_DIGITS = "null eins zwei drei vier fünf sechs sieben acht neun".split()
_UNITS = {
    "°C": "Grad Celsius", "°": "Grad", "%": "Prozent", "km/h": "Kilometer pro Stunde", "km": "Kilometer",
    "cm": "Zentimeter", "mm": "Millimeter", "m²": "Quadratmeter", "m": "Meter", "kg": "Kilogramm", "mg": "Milligramm",
    "g": "Gramm", "ml": "Milliliter", "l": "Liter", "kWh": "Kilowattstunden", "kW": "Kilowatt", "W": "Watt",
    "V": "Volt",
    "min": "Minuten", "Std.": "Stunden", "h": "Stunden", "s": "Sekunden", "GB": "Gigabyte", "MB": "Megabyte",
    "€": "Euro", "EUR": "Euro", "$": "Dollar", "Ct": "Cent",
}  # fmt: skip
_SHORT = {
    "z. B.": "zum Beispiel", "z.B.": "zum Beispiel", "d. h.": "das heißt", "d.h.": "das heißt",
    "bzw.": "beziehungsweise",
    "usw.": "und so weiter", "etc.": "und so weiter", "ca.": "circa", "evtl.": "eventuell", "ggf.": "gegebenenfalls",
    "Nr.": "Nummer", "Dr.": "Doktor", "Prof.": "Professor", "Hr.": "Herr", "Fr.": "Frau", "Tel.": "Telefon",
    "inkl.": "inklusive", "max.": "maximal", "min.": "mindestens", "u. a.": "unter anderem", "u.a.": "unter anderem",
}  # fmt: skip
_FIRST_YEAR, _LAST_YEAR = 1_100, 1_999
_PHONE_DIGITS = 7
_MOST_DIGITS = 15


def in_words(text: str) -> str:
    """The text with everything that is written in signs or digits spelled out."""
    for pattern, say in _RULES:
        text = pattern.sub(say, text)
    return text


def cardinal(written: str) -> str:
    """ "1.250,5" becomes "eintausendzweihundertfünfzig Komma fünf"."""
    whole, _, fraction = written.replace(".", "").partition(",")
    if len(whole) > _MOST_DIGITS or (len(whole) > 1 and whole.startswith("0")):
        return digit_by_digit(whole)
    said = _words(int(whole or "0"), "cardinal")
    return f"{said} Komma {digit_by_digit(fraction)}" if fraction else said


def digit_by_digit(written: str) -> str:
    return " ".join(_DIGITS[int(digit)] for digit in re.findall(r"\d", written))


def _bare(match: re.Match[str]) -> str:
    written = match[0]
    if written.isdecimal() and len(written) == 4 and _FIRST_YEAR <= int(written) <= _LAST_YEAR:
        return _words(int(written), "year")
    if written.isdecimal() and len(written) >= _PHONE_DIGITS:
        return digit_by_digit(written)
    return cardinal(written)


def _clock(match: re.Match[str]) -> str:
    hour, minute = int(match["hour"]), int(match["minute"])
    return f"{_hour(hour)} Uhr" + (f" {_words(minute, 'cardinal')}" if minute else "")


def _full_hour(match: re.Match[str]) -> str:
    left = f" {_words(int(match['minute']), 'cardinal')}" if match["minute"] else ""
    return f"{_hour(int(match['hour']))} Uhr{left}"


def _hour(hour: int) -> str:
    return "ein" if hour == 1 else _words(hour, "cardinal")


def _date(match: re.Match[str]) -> str:
    """ "Am 3. Mai" is "am dritten Mai", "der 3. Mai" "der dritte Mai"."""
    ending = "" if match["article"] and match["article"].lower() in ("der", "das") else "n"
    month = match["month"] or _month(int(match["number"]))
    year = f" {_bare_year(match['year'])}" if match["year"] else ""
    article = f"{match['article']} " if match["article"] else ""
    return f"{article}{_words(int(match['day']), 'ordinal')}{ending} {month}{year}"


def _iso_date(match: re.Match[str]) -> str:
    month, day = int(match["m"]), int(match["d"])
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return digit_by_digit(match[0])
    return f"{_words(day, 'ordinal')}r {_month(month)} {_bare_year(match['y'])}"


def _month(number: int) -> str:
    return _MONTH_NAMES[number - 1] if 1 <= number <= 12 else cardinal(str(number))


def _bare_year(written: str) -> str:
    return _words(int(written), "year" if int(written) <= _LAST_YEAR else "cardinal")


def _quantity(match: re.Match[str]) -> str:
    number, unit = match["number"], _UNITS[match["unit"]]
    if number == "1":
        feminine = unit.endswith(("Stunden", "Minuten", "Sekunden"))
        return f"{'eine' if feminine else 'ein'} {unit.removesuffix('n') if feminine else unit}"
    return f"{cardinal(number)} {unit}"


def _money(match: re.Match[str]) -> str:
    euros, cents = match["euros"].replace(".", ""), match["cents"]
    return f"{_hour(int(euros))} Euro {_words(int(cents), 'cardinal')}"


def _one(match: re.Match[str]) -> str:
    return f"{'ein' if match['noun'].lower() in ('tag', 'monat', 'jahr', 'mal') else 'eine'} {match['noun']}"


def _words(number: int, form: str) -> str:
    from num2words import num2words

    return str(num2words(number, lang="de", to=form))


_SHORT_FORMS = "|".join(re.escape(short) for short in sorted(_SHORT, key=len, reverse=True))
_UNIT = "|".join(re.escape(unit) for unit in sorted(_UNITS, key=len, reverse=True))
_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(rf"(?<!\w)(?:{_SHORT_FORMS})(?!\w)"), lambda match: _SHORT[match[0]]),
    (re.compile(r"\b(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})\b"), _iso_date),
    (
        re.compile(
            rf"\b(?:(?P<article>der|das|am|den|dem|vom|zum|bis)\s+)?(?P<day>[0-3]?\d)\.\s?(?:(?P<month>{_MONTHS})\b|(?P<number>1[0-2]|0?[1-9])\.)"
            r"(?:\s?(?P<year>(?:19|20)\d\d)\b)?",
            re.IGNORECASE,
        ),
        _date,
    ),
    (re.compile(r"(?<![\d:])(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?![\d:])(?: Uhr\b)?"), _clock),
    (re.compile(r"\b(?P<hour>[01]?\d|2[0-4])\sUhr(?:\s(?P<minute>[0-5]?\d)\b)?"), _full_hour),
    (re.compile(r"(?:\+\d{1,3}[ -]?)?\b0\d{2,5}[ /-]\d{3,9}\b"), lambda match: digit_by_digit(match[0])),
    (re.compile(r"\b(?P<euros>\d{1,3}(?:\.\d{3})*|\d+),(?P<cents>[0-9][1-9]|[1-9]0)\s?(?:€|EUR)"), _money),
    (re.compile(rf"(?<![\w.,])(?P<number>{_NUMBER})\s?(?P<unit>{_UNIT})(?![\w/])"), _quantity),
    (re.compile(r"\b1 (?P<noun>(?:Stunde|Minute|Sekunde|Woche|Tag|Monat|Jahr|Mal|Erinnerung|Sache)\b)"), _one),
    (re.compile(r"(?<=\d)\s?[-\u2013]\s?(?=\d)"), lambda match: " bis "),
    (re.compile(rf"(?<![\w.]){_NUMBER}(?![\w])"), _bare),
    (re.compile(r"(?<=\w)\s*&\s*(?=\w)"), lambda match: " und "),
    (re.compile(r"(?<=\s)\+(?=\s)"), lambda match: "plus"),
    (re.compile(r"(?<=\s)=(?=\s)"), lambda match: "gleich"),
    (re.compile(r"[„“”]"), lambda match: ""),
)
