"""A written text as a person would read it aloud: English only, other languages pass with their markup removed."""

from __future__ import annotations

import re
from collections.abc import Callable

from firmware_bridge.speech.markup import plain
from firmware_bridge.speech.numbers import bare, cardinal, digit_by_digit, ordinal, year
from firmware_bridge.speech.spoken_german import in_words

_NUMBER = r"[-\u2212]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_MONTH_NAMES = "January February March April May June July August September October November December".split()
_MONTHS = {name[:3].lower(): name for name in _MONTH_NAMES}
_MONTH = r"(?:" + "|".join(rf"{name[:3]}(?:{name[3:]}|t)?\b\.?" for name in _MONTH_NAMES) + ")"
_DAYS = {"mon": "Monday", "tue": "Tuesday", "tues": "Tuesday", "wed": "Wednesday", "thu": "Thursday",
         "thur": "Thursday", "thurs": "Thursday", "fri": "Friday", "sat": "Saturday", "sun": "Sunday"}  # fmt: skip
_UNITS = {  # one, several
    "\u00b0C": ("degree Celsius", "degrees Celsius"), "\u00b0F": ("degree Fahrenheit", "degrees Fahrenheit"),
    "\u00b0": ("degree", "degrees"), "%": ("percent", "percent"), "km/h": ("kilometre an hour", "kilometres an hour"),
    "kph": ("kilometre an hour", "kilometres an hour"), "mph": ("mile an hour", "miles an hour"),
    "m/s": ("metre a second", "metres a second"), "km": ("kilometre", "kilometres"),
    "cm": ("centimetre", "centimetres"),
    "mm": ("millimetre", "millimetres"), "m": ("metre", "metres"), "ft": ("foot", "feet"), "mi": ("mile", "miles"),
    "kg": ("kilogram", "kilograms"), "mg": ("milligram", "milligrams"), "\u00b5g": ("microgram", "micrograms"),
    "mcg": ("microgram", "micrograms"), "g": ("gram", "grams"), "lb": ("pound", "pounds"), "lbs": ("pound", "pounds"),
    "oz": ("ounce", "ounces"), "ml": ("millilitre", "millilitres"), "mL": ("millilitre", "millilitres"),
    "cl": ("centilitre", "centilitres"), "l": ("litre", "litres"), "L": ("litre", "litres"),
    "ms": ("millisecond", "milliseconds"), "sec": ("second", "seconds"), "s": ("second", "seconds"),
    "min": ("minute", "minutes"), "mins": ("minute", "minutes"), "hrs": ("hour", "hours"), "hr": ("hour", "hours"),
    "h": ("hour", "hours"), "kWh": ("kilowatt hour", "kilowatt hours"), "kW": ("kilowatt", "kilowatts"),
    "W": ("watt", "watts"), "V": ("volt", "volts"), "mAh": ("milliamp hour", "milliamp hours"),
    "hPa": ("hectopascal", "hectopascals"), "bpm": ("beat a minute", "beats a minute"), "dB": ("decibel", "decibels"),
    "GHz": ("gigahertz", "gigahertz"), "MHz": ("megahertz", "megahertz"), "kHz": ("kilohertz", "kilohertz"),
    "Hz": ("hertz", "hertz"), "GB": ("gigabyte", "gigabytes"), "MB": ("megabyte", "megabytes"),
    "kB": ("kilobyte", "kilobytes"), "KB": ("kilobyte", "kilobytes"), "lx": ("lux", "lux"), "ppm": ("part per million",
    "parts per million"), "kcal": ("kilocalorie", "kilocalories"), "tsp": ("teaspoon", "teaspoons"),
    "tbsp": ("tablespoon", "tablespoons"),
}  # fmt: skip
_MONEY = {"$": ("dollar", "dollars", "cent"), "\u00a3": ("pound", "pounds", "penny"),
          "\u20ac": ("euro", "euros", "cent"), "\u00a5": ("yen", "yen", "")}  # fmt: skip
_SHORT = {
    "Dr.": "Doctor", "Mr.": "Mister", "Mrs.": "Missus", "Ms.": "Miz", "Prof.": "Professor", "Jr.": "Junior",
    "Sr.": "Senior", "e.g.": "for example", "i.e.": "that is", "etc.": "and so on", "vs.": "versus", "vs": "versus",
    "approx.": "about", "No.": "number", "w/": "with", "w/o": "without", "a.m.": "A M", "p.m.": "P M",
}  # fmt: skip
_FRACTIONS = {"1/2": "a half", "1/4": "a quarter", "3/4": "three quarters", "1/3": "a third", "2/3": "two thirds",
              "\u00bd": "a half", "\u00bc": "a quarter", "\u00be": "three quarters", "\u2153": "a third",
              "\u2154": "two thirds"}  # fmt: skip
_SIGNS = (
    (re.compile(r"(?<=\w)\s*&\s*(?=\w)"), " and "),
    (re.compile(r"(?<=\d)\s*[\u00d7]\s*(?=\d)"), " times "),
    (re.compile(r"(?<=\d)\s*\u00f7\s*(?=\d)"), " divided by "),
    (re.compile(r"(?<=\d)\s+\+\s+(?=\d)"), " plus "),
    (re.compile(r"(?<=[\w)])\s+=\s+(?=[\w(-])"), " equals "),
    (re.compile(r"#(?=\d)"), "number "),
    (re.compile(r"(?<=\w)@(?=\w)"), " at "),
    (re.compile(r"\s*[\u2014\u2013]\s*(?=\D)|\s+-\s+"), ", "),
    (re.compile(r"\u2192|->"), " to "),
)
_NOON = 12
_UNIT = "|".join(re.escape(unit) for unit in sorted(_UNITS, key=len, reverse=True))
_SPACES = re.compile(r"[^\S\n]+")


def spoken(text: str, language: str = "en") -> str:
    """What the voice gets; empty when nothing in the text can be said."""
    text = plain(text)
    if language == "en":
        for pattern, say in _RULES:
            text = pattern.sub(say, text)
        for pattern, sign in _SIGNS:
            text = pattern.sub(sign, text)
        text = re.sub(_NUMBER, lambda match: bare(match[0]), text)
    elif language == "de":
        text = in_words(text)
    text = re.sub(r"[*_`#|<>{}\[\]\\^~]+", " ", text)
    text = re.sub(r"\s*\n+\s*", lambda _: "\n", text.strip())
    text = re.sub(r"(?<=[^\s.,;:!?])\n", ". ", text).replace("\n", " ")
    text = re.sub(r"\s+([,.;:!?])", r"\1", _SPACES.sub(" ", text)).strip()
    return text if any(character.isalnum() for character in text) else ""


def _clock(match: re.Match[str]) -> str:
    hour, minute = int(match["hour"]), match["minute"]
    half = (match["half"] or "").replace(".", "").strip().upper()
    ending = f" {half[0]} M" if half else ""
    if minute is None:
        return f"{cardinal(str(hour))}{ending}"
    if minute == "00":
        full = " hundred hours" if hour > _NOON or hour == 0 else " o'clock"
        return f"{cardinal(str(hour))}{ending or full}"
    minutes = f"oh {cardinal(minute[1])}" if minute.startswith("0") else cardinal(minute)
    return f"{cardinal(str(hour))} {minutes}{ending}"


def _iso_date(match: re.Match[str]) -> str:
    month, day = int(match["m"]), int(match["d"])
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return digit_by_digit(match[0])
    return f"{_MONTH_NAMES[month - 1]} {ordinal(day)}, {year(int(match['y']))}"


def _month_day(match: re.Match[str]) -> str:
    return f"{_full_month(match['month'])} {ordinal(int(match['day']))}"


def _day_month(match: re.Match[str]) -> str:
    return f"the {ordinal(int(match['day']))} of {_full_month(match['month'])}"


def _full_month(written: str) -> str:
    return _MONTHS[written[:3].lower()]


def _amount(match: re.Match[str]) -> str:
    one, several, small = _MONEY[match["sign"]]
    whole, _, cents = match["number"].partition(".")
    said = f"{cardinal(whole)} {one if whole == '1' else several}"
    if match["scale"]:
        return f"{cardinal(match['number'])} {match['scale']} {several}"
    if small and len(cents) == 2 and int(cents):
        smaller = {"penny": "pence"}.get(small, f"{small}s")
        left = f"{cardinal(str(int(cents)))} {small if int(cents) == 1 else smaller}"
        return f"{said} and {left}" if int(whole.replace(",", "")) else left
    return said if not cents or not int(cents) else f"{cardinal(match['number'])} {several}"


def _quantity(match: re.Match[str]) -> str:
    one, several = _UNITS[match["unit"]]
    number = match["number"]
    if match["low"]:
        return f"{cardinal(match['low'])} to {cardinal(number)} {several}"
    return f"{cardinal(number)} {one if number in {'1', '-1'} else several}"


def _range(match: re.Match[str]) -> str:
    return f"{bare(match['low'])} to {bare(match['high'])}"


def _digits(match: re.Match[str]) -> str:
    return ", ".join(digit_by_digit(group) for group in re.split(r"\D+", match[0]) if group)


def _from(table: dict[str, str]) -> Callable[[re.Match[str]], str]:
    return lambda match: table[match[0]]


def _words(table: dict[str, str]) -> str:
    return "|".join(re.escape(word) for word in sorted(table, key=len, reverse=True))


_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(rf"(?<!\w)(?:{_words(_SHORT)})(?!\w)"), _from(_SHORT)),
    (re.compile(r"\bSt\.(?=\s[A-Z])"), lambda _: "Saint"),
    (re.compile(r"(?<=[a-z])\sSt\.(?=\s|$|,)"), lambda _: " Street"),
    (re.compile(r"\b(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})\b"), _iso_date),
    (
        re.compile(
            r"(?<![\d:])(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?::[0-5]\d)?"
            r"(?P<half>\s?[ap]\.?m\b\.?|\s?[AP]\.?M\b\.?)?(?![\d:])"
        ),
        _clock,
    ),
    (
        re.compile(r"(?<![\d.:])(?P<hour>1[0-2]|0?[1-9])(?P<minute>(?!))?(?P<half>\s?[ap]m\b|\s?[AP]M\b)"),
        _clock,
    ),
    (re.compile(r"(?:\+\d{1,3}[ -]?)?(?:\(?\d{3,5}\)?[ -]){1,3}\d{3,6}\b"), _digits),
    (re.compile(rf"\b(?P<month>{_MONTH})\s(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b"), _month_day),
    (re.compile(rf"\b(?:[Tt]he\s)?(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\s(?:of\s)?(?P<month>{_MONTH})"), _day_month),
    (re.compile(r"\b(?P<day>Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\b\.?(?=,?\s)"), lambda m: _DAYS[m["day"].lower()]),
    (re.compile(r"\b(\d\d[1-9])0s\b"), lambda match: year(int(match[1] + "0")).removesuffix("y") + "ies"),
    (re.compile(r"\b\d+(?:\.\d+){2,}\b"), lambda match: " point ".join(map(cardinal, match[0].split(".")))),
    (
        re.compile(
            rf"(?P<sign>[$\u00a3\u20ac\u00a5])\s?(?P<number>{_NUMBER})(?:\s(?P<scale>hundred|thousand|million|billion))?"
        ),
        _amount,
    ),
    (
        re.compile(
            rf"(?<![\w.])(?:(?P<low>\d+(?:\.\d+)?)\s?[-\u2013]\s?)?(?P<number>{_NUMBER})\s?(?P<unit>{_UNIT})(?![\w/])"
        ),
        _quantity,
    ),
    (re.compile(rf"(?<![\w/])(?:{_words(_FRACTIONS)})(?![\w/])"), _from(_FRACTIONS)),
    (re.compile(r"\b(\d{1,9})(?:st|nd|rd|th)\b"), lambda match: ordinal(int(match[1]))),
    (re.compile(r"(?<![\w.-])(?P<low>\d{1,4})\s?[-\u2013]\s?(?P<high>\d{1,4})(?![\w-])"), _range),
)
