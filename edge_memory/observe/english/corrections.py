""" "No, the right one, not the left one": fragments that put the last statement right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import word_class
from edge_memory.observe.english.prohibitions import forbidding
from edge_memory.observe.english.statements import is_statement, tells_nothing
from edge_memory.observe.english.third_person import third_person
from edge_memory.observe.english.word_order import uncleft
from edge_memory.records import Record, words_of

_MARK = (
    r"(?:(?:nah?|no+(?! more\b)(?: (?:man|mate|bro|dude|love|dear))?|nope|sorry|actually|wait|oh|oops|well"
    r"|hang on|ah|my mistake"
    r"|correction|i tell a lie|strike that|scrap that|scratch that|i mean|i meant"
    r"|i said|i should say|(?:it )?turns out)"
    r"\b[\s,.:]*)+"
)
_IT_IS = (
    r"(?:(?:it's|it is|it was|that's|that was|that is|it should be|that should be|make (?:that|it)"
    r"|they're|should be)\s+)?"
)
_RIGHT_NOT_WRONG = re.compile(
    rf"^(?P<mark>{_MARK})?{_IT_IS}(?P<right>.+?),?\s+(?:and\s+)?not\s+(?P<wrong>.+)$", re.IGNORECASE
)
_NOT_WRONG_BUT_RIGHT = re.compile(
    rf"^(?:{_MARK})?(?:it's |it is |that's )?not\s+(?P<wrong>.+?)(?:,\s*(?:(?:but|just)\s+)?|\s+(?:but|just)\s+"
    rf"|\s+it's\s+"
    rf"|\s+i meant\s+)(?:it's |it is |i meant )?(?P<right>.+)$",
    re.IGNORECASE,
)
# "Not my aunt Jan's aunt", as a recogniser writes it.
_NOT_THIS_BUT_THAT = re.compile(
    rf"^(?:{_MARK})?not (?P<wrong>(?:my|our|the|his|her|a|an) (?:\w+ )?(?P<head>\w+)) (?P<right>(?:\w+ )?[\w']+"
    rf" (?P=head))$",
    re.IGNORECASE,
)
# "Not the third the fourth", likewise.
_NOT_ONE_THE_OTHER = re.compile(
    rf"^(?:{_MARK})?not (?P<wrong>(?:(?:on |at |in |the |an? )*)?(?P<old>[\w-]+)) (?P<right>(?:(?:on |at |in "
    rf"|the |an? )*)(?P<new>[\w-]+))$",
    re.IGNORECASE,
)
_RIGHT_ALONE = re.compile(rf"^(?P<mark>{_MARK}{_IT_IS}|make (?:that|it)\s+)(?P<right>.+)$", re.IGNORECASE)
_NOT_IN_CLAUSE = re.compile(
    r"(?<!\bso)(?<!\bmeans),?\s+(?:and\s+)?(?:not|no more|no longer)\s+(?P<wrong>(?!any\b|yet\b|only\b|just\b"
    r"|very\b|really\b"
    r"|too\b|so\b|to\b|even\b|always\b|that\b|sure\b)[\w' -]+)$",
    re.IGNORECASE,
)
_BUT_IN_CLAUSE = re.compile(
    r"\bnot\s+(?P<wrong>(?!any\b|yet\b|only\b|just\b|to\b)[\w' -]+?),?\s+but\s+(?P<right>.+)$", re.IGNORECASE
)
_SWITCH = re.compile(
    r"\b(?:switched|changed|swapped|converted)\b(?: \w+){0,3}? from (?P<one>.+?) (?:on ?to|over to|to|into) \S"
    r"|\b(?:swapped|traded|dropped|ditched|exchanged|replaced)\s+(?P<two>.+?)(?: in)? (?:for|with|by|on)"
    r" (?!now\b|good\b|lent\b|an? (?:while|bit|few|couple|change)\b|the (?:time|moment|summer|winter|week)|(?:two"
    r"|three|four|five|six) \w+)\S"
    r"|\b(?:now|instead|rather)?\s*(?:instead of|in place of|rather than) (?P<three>[\w' -]+)$",
    re.IGNORECASE,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|am|has|have|had|do|does|did|will|would|can|could|lives?|works?|goes|likes?|i'm|i've"
    r"|he's|she's|there's|it's|rang|phoned|texted|emailed)\b",
    re.IGNORECASE,
)
# "is not", "why not": here the "not" belongs to the verb.
_DENIES = re.compile(
    r"\b(?:is|are|am|was|were|be|been|do|does|did|can|could|will|would|shall|should|may|might|must|has|have|had|or"
    r"|if|why|and"
    r"|but|certainly|definitely|probably|really|still|better|rather|also|just)$|'(?:m|re|s|ve|d|ll)$",
    re.IGNORECASE,
)
_POINTERS = frozenset(
    "the a an one ones that this my our his her their on at in for of to it is was i said meant user s".split()
)
_PLAIN = re.compile(
    r"\b(?:actually|i mean|i meant|i said|i should say|make|correction|my mistake|it's|it is|should be)\b",
    re.IGNORECASE,
)
# What people say of their slip rather than of its matter.
# "Ann says it's not red but blue": whose word it is does not matter to what it puts right.
_TOLD_BY = re.compile(
    r"^[\w'-]+(?: is| was)? (?:says|said|saying|telling|tells me|told me)(?: that)? (?=(?:it's|it is) not .+ but )",
    re.IGNORECASE,
)
_APOLOGY = re.compile(
    r"[\s,.]+(?:(?:so )?sorry|my mistake|my bad|silly me|what am i (?:saying|like|thinking)|i (?:always |keep "
    r"|just )*(?:get|got|getting)"
    r" (?:it|that|them|these|those) (?:wrong|mixed up|muddled(?: up)?|confused|the wrong way round)|i (?:got "
    r"|was )?(?:muddled|confused"
    r"|mixed (?:it|them) up)|i (?:can )?never remember(?: it)?|i(?:'m| am) (?:always|forever) getting (?:it"
    r"|that|them) wrong|i misspoke|i said (?:it|that) wrong)[\s.!]*$",
    re.IGNORECASE,
)
# "No, I said Monday, it's Tuesday": the last word of the same kind was wrong.
_I_SAID = re.compile(rf"^(?:{_MARK})?i said (?P<said>.+?),?\s+(?:but )?it(?:'s| is) (?P<right>[\w -]+)$", re.IGNORECASE)
# Why it is otherwise: "it's Tuesday, they swapped me".
_WHY = re.compile(
    r",?\s+(?:they|he|she|work|we)(?:'ve| have| has)? (?:swapped|changed|moved|switched|rescheduled"
    r"|put)(?: (?:me|it|us|them|that))?$",
    re.IGNORECASE,
)
_SLIPPED = re.compile(
    rf"^(?:{_MARK})?i(?:'ve)? (?:misread|misheard|misremembered|misspoke|got (?:it|that|the \w+) wrong|read "
    rf"(?:it|that) wrong)"
    r"(?: it| that)?[\s,:;.-]+(?=\S)",
    re.IGNORECASE,
)
_FOUND_OUT = re.compile(r"(?:(?:it )?turns out|actually)\b|(?:it's|it is) not\b", re.IGNORECASE)
_BARE_IT = re.compile(r"^(?:it's|it is|that's)\s+", re.IGNORECASE)
_REAL_MARK = re.compile(r"\b(?!(?:oh|ah|well)\b)\w", re.IGNORECASE)
_TAIL = re.compile(r"^(?P<head>.+ (?:to|in|at|on|with|from|by|called|for|near)) \S+(?: \S+){0,3}$", re.IGNORECASE)
_LONGEST_FRAGMENT, _SHORTEST_CLAUSE = 7, 3  # words
_LONGEST_CORRECTION = 200  # characters
_NUMERIC = ("number", "ordinal")


@dataclass(frozen=True, slots=True)
class Correction:
    """`right` is what was meant, `wrong` what was said before, when the user names it.

    `plain`: they said that it corrects something ("I meant ..."), so that it may replace a value of any shape.
    `found`: they put right what was found out since, whenever it was told ("turns out it's not the oak").
    """

    right: str
    wrong: str = ""
    plain: bool = False
    found: bool = False


def read_correction(utterance: str) -> Correction | None:
    """What a fragment puts right; None when the utterance is a sentence of its own, or corrects nothing."""
    plain = utterance.strip(" .!")
    if forbidding(plain) != plain:  # "no nuts for Leo"
        return None
    said = _SLIPPED.sub("no, ", plain)
    text = _TOLD_BY.sub("", _without_apology(said))
    if text != said:
        text = _BARE_IT.sub("no, ", text)
    text = _WHY.sub("", text)
    if text.endswith("?") or len(text) > _LONGEST_CORRECTION or uncleft(text) != text:
        return None
    repeated = _I_SAID.match(text)
    if repeated:
        kind = word_class(words_of(repeated["right"])[-1])
        wrong = [word for word in words_of(repeated["said"]) if kind and word_class(word) == kind]
        return Correction(repeated["right"].strip(), wrong[-1]) if wrong else None
    either = _NOT_ONE_THE_OTHER.match(text)
    if either and (kind := word_class(either["new"])) and kind == word_class(either["old"]):
        return Correction(either["right"].strip(), either["wrong"].strip())
    for pattern in (_NOT_THIS_BUT_THAT, _NOT_WRONG_BUT_RIGHT, _RIGHT_NOT_WRONG):
        match = pattern.match(text)
        if match and _is_fragment(match["right"]) and _is_fragment(match["wrong"]):
            return Correction(match["right"].strip(), match["wrong"].strip(), found=bool(_FOUND_OUT.match(text)))
    alone = _RIGHT_ALONE.match(text)
    if alone is None or not _is_fragment(alone["right"]) or not _REAL_MARK.search(alone["mark"].replace("'s", "")):
        return None
    if (
        re.match(r"not\b", alone["right"], re.IGNORECASE)
        or (is_statement(alone["right"]) and not re.match(r"(?:my|our|the)\b", alone["right"], re.IGNORECASE))
        or tells_nothing(alone["right"])
    ):
        return None
    return Correction(alone["right"].strip(), plain=bool(_PLAIN.search(alone["mark"])))


def _without_apology(said: str) -> str:
    shorter = _APOLOGY.sub("", said)
    return said if shorter == said else _without_apology(shorter)


def split_contrast(clause: str) -> tuple[str, str]:
    """A clause without its "not Y", and the Y: "my bike is red, not blue" gives "my bike is red" and "blue"."""
    but = _BUT_IN_CLAUSE.search(clause)
    if but and _FINITE.search(clause[: but.start()]) and not _FINITE.search(but["wrong"]):
        return clause[: but.start()] + but["right"], but["wrong"].strip()
    match = _NOT_IN_CLAUSE.search(clause)
    before = clause[: match.start()] if match else ""
    if (
        match
        and len(before.split()) >= _SHORTEST_CLAUSE
        and not _DENIES.search(before)
        and not _FINITE.search(match["wrong"])
    ):
        return clause[: match.start()].strip(" ,"), match["wrong"].strip()
    switch = _SWITCH.search(clause)
    return clause, (switch["one"] or switch["two"] or switch["three"] or "").strip() if switch else ""


def put_right(record: Record, correction: Correction) -> str | None:
    """The record's text with what was wrong replaced, None when it is not this record that is meant."""
    held = words_of(record.text)
    right = [word for word in words_of(correction.right) if word not in _POINTERS]
    wrong = [word for word in words_of(correction.wrong) if word not in _POINTERS]
    if correction.wrong:
        if not wrong or not set(wrong) <= set(held):
            return None
        if whole := _swap_phrase(record.text, third_person(correction.wrong), third_person(correction.right)):
            return whole
        if {_kind(word) for word in (*right, *wrong)} == {"number"} and len(right) == len(wrong):
            return _swap(record.text, wrong, right)  # "four five, not four four" is said as a whole
        shared = set(right) & set(wrong)
        old = [word for word in wrong if word not in shared]
        new = [word for word in right if word not in shared and (word not in held or word_class(word))]
        return _swap(record.text, old, _as_said(correction, _without_repeats(held, old, new)))
    if counted := _counted_anew(record.text, right):
        return counted
    new = [word for word in right if word not in held] or right
    if len(right) > 1 and all(_kind(word) == "number" for word in right):
        new = right  # a code is said anew as a whole
    old = _last_of(held, new[-1:], word_class) or _last_of(held, new, word_class) or _last_of(held, new, _kind)
    if not old and (overlaid := _overlaid(record.text, third_person(correction.right))):
        return overlaid
    if not old and correction.plain and isinstance(record.value, str):
        return _swap_value(record.text, record.value, correction.right)
    if not old and correction.plain and record.value is None:
        return _swap_tail(record.text, correction.right)
    return _swap(record.text, old, _as_said(correction, new))


def _counted_anew(text: str, right: list[str]) -> str | None:
    """ "Five early shifts and one late" for "one early shift and five late": each number before its own word."""
    pairs = [(one, two) for one, two in pairwise(right) if _kind(one) == "number" and _kind(two) != "number"]
    told = text
    for number, what in pairs if len(pairs) > 1 else ():
        numbers = [word for word, after in pairwise(words_of(text)) if after == what and _kind(word) == "number"]
        if not numbers:
            return None
        told = re.sub(rf"\b{re.escape(numbers[0])} (?={re.escape(what)}\b)", f"{number} ", told, flags=re.IGNORECASE)
    return told if told != text else None


def _overlaid(text: str, right: str) -> str | None:
    """ "At the start of June" laid over "... at the start of May": where it begins and ends with the same words."""
    said, held = right.lower().split(), text.split()
    plain = [word.lower().strip(",.") for word in held]
    longest = len(said) + 1
    for start in range(len(held) - 1, -1, -1) if len(said) > _SHORTEST_CLAUSE - 1 else ():
        stop = next(
            (end for end in range(start + 2, min(start + longest, len(held)) + 1) if plain[end - 1] == said[-1]), 0
        )
        if stop and plain[start] == said[0] and plain[start:stop] != said:
            return " ".join([*held[:start], right[0].lower() + right[1:], *held[stop:]])
    return None


def _is_fragment(text: str) -> bool:
    telling = [word for word in words_of(text) if word not in _POINTERS]
    return bool(telling) and len(text.split()) <= _LONGEST_FRAGMENT and not _FINITE.search(text)


def _kind(word: str) -> str | None:
    found = word_class(word)
    return "number" if found in _NUMERIC else found


def _last_of(held: list[str], new: list[str], class_of: Callable[[str], str | None]) -> list[str]:
    """The last run of words of the class of one of the new words."""
    kinds = {class_of(word) for word in new} - {None}
    at = next((index for index in range(len(held) - 1, -1, -1) if class_of(held[index]) in kinds), None)
    if at is None:
        return []
    start = at
    while start > 0 and _kind(held[start - 1]) == _kind(held[at]):
        start -= 1
    return held[start : at + 1]


def _as_said(correction: Correction, words: list[str]) -> list[str]:
    """The words with the capitals that the user gave them."""
    said = {word.lower(): word for word in re.findall(r"[^\W_]+", correction.right)}
    return [said.get(word, word) for word in words]


def _without_repeats(held: list[str], old: list[str], new: list[str]) -> list[str]:
    """`new` without the words that stand right before `old` already: "40 7 3, not 5" replaces only the 5."""
    at = next((place for place in range(len(held)) if held[place : place + len(old)] == old), 0)
    for length in range(min(at, len(new) - 1), 0, -1):
        if held[at - length : at] == new[:length]:
            return new[length:]
    return new


def _swap(text: str, old: list[str], new: list[str]) -> str | None:
    if not old or not new:
        return None
    between = r"\W+(?:\w+\W+){0,2}?"
    pattern = r"\b" + between.join(map(re.escape, old)) + r"\b"
    swapped, count = re.subn(pattern, " ".join(new), text, count=1, flags=re.IGNORECASE)
    return swapped if count else None


def _swap_phrase(text: str, wrong: str, right: str) -> str | None:
    """ "The user's aunt" for "Jan's aunt": the same head, another owner."""
    if wrong.lower().split()[-1] != right.lower().split()[-1] or "'s " not in wrong + right:
        return None
    swapped, count = re.subn(rf"\b{re.escape(wrong)}\b", lambda _: right, text, count=1, flags=re.IGNORECASE)
    return swapped[:1].upper() + swapped[1:] if count else None


def _swap_tail(text: str, right: str) -> str | None:
    """What stands after the last preposition is what was wrong: "is going to the mill, no, it's the dairy"."""
    match = _TAIL.match(text)
    return f"{match['head']} {right}" if match else None


def _swap_value(text: str, value: str, right: str) -> str | None:
    start = text.lower().rfind(value.lower())
    return text[:start] + right + text[start + len(value) :] if value and start >= 0 else None
