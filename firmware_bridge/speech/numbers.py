"""Numbers as a person says them."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

_DIGIT_WORDS = "zero one two three four five six seven eight nine".split()
_FIRST_YEAR, _LAST_YEAR = 1_100, 2_099
_PHONE_DIGITS = 7
_MOST_DIGITS = 15


def cardinal(written: str) -> str:
    """ "1,250.5" becomes "one thousand two hundred and fifty point five"; what is no number stays as it is."""
    plain = written.replace(",", "").replace("\u2212", "-").strip()
    try:
        number = Decimal(plain)
    except InvalidOperation:
        return written
    digits = plain.lstrip("-").partition(".")[0]
    if len(digits) > _MOST_DIGITS or (len(digits) > 1 and digits.startswith("0") and "." not in plain):
        return digit_by_digit(plain)
    whole, point, fraction = plain.partition(".")
    said = _in_words(abs(int(Decimal(whole or "0"))), "cardinal")
    if point and fraction:
        said = f"{said} point {digit_by_digit(fraction)}"
    return f"minus {said}" if number < 0 else said


def ordinal(number: int) -> str:
    return _in_words(number, "ordinal")


def year(number: int) -> str:
    """ "1987" as "nineteen eighty-seven", "2005" as "two thousand and five"."""
    return _in_words(number, "year")


def is_year(written: str) -> bool:
    return len(written) == 4 and written.isdecimal() and _FIRST_YEAR <= int(written) <= _LAST_YEAR


def digit_by_digit(written: str) -> str:
    return " ".join(_DIGIT_WORDS[int(digit)] for digit in re.findall(r"\d", written))


def bare(written: str) -> str:
    """A number that stands alone: a year, a telephone number, or a count."""
    if is_year(written):
        return year(int(written))
    if written.isdecimal() and len(written) >= _PHONE_DIGITS:
        return digit_by_digit(written)
    return cardinal(written)


def _in_words(number: int, form: str) -> str:
    from num2words import num2words

    return str(num2words(number, to=form)).replace(",", "")
