""" "Vergiss meine Telefonnummer": what a user may have erased by voice in German."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.errors import NothingMatches
from edge_memory.observe.english.forgetting import LAST_STATEMENT, Eraser, Forgetting
from edge_memory.observe.german.clauses import cleaned, instructs
from edge_memory.observe.german.slots_asked import slots_named
from edge_memory.records import Record, Status

_FORGET = re.compile(
    r"^(?:(?:bitte|kannst du|könntest du|du kannst|du sollst|würdest du|ich möchte,? dass du|ich will,? dass du|jetzt)[\s,]+)*"
    r"(?:(?:vergiss|vergesse|lösche|lösch|streich|streiche|entferne)(?: bitte| mal| wieder)*[\s,:]+(?P<first>(?!nicht\b).+?)"
    r"|(?<=\s)(?P<last>(?!ich\b).+?) (?:vergessen|vergisst|löschst|löschen|streichen))[.!?]*$",
    re.IGNORECASE,
)
_DELETES = re.compile(r"^(?:bitte )?(?:lösch|streich|entfern)", re.IGNORECASE)
_MEMORY = re.compile(
    r"\s*(?:aus (?:deinem|dem) (?:gedächtnis|speicher)|aus deinen erinnerungen|wieder|bitte|jetzt)$", re.IGNORECASE
)
_JUST_SAID = re.compile(
    r"^(?:das|dies|es|was ich (?:gerade|eben|zuletzt)(?: gesagt| erzählt)?(?: habe)?|das (?:letzte|eben|gerade|von eben)|das (?:gerade|eben) gesagte|den letzten satz)$",
    re.IGNORECASE,
)
_NOTHING_NAMED = re.compile(
    r"^(?:mich|dich|ihn|sie|alles(?: über mich| von mir)?|den rest|dein (?:ganzes )?gedächtnis)$", re.IGNORECASE
)
_AROUND = re.compile(
    r"^(?:alles (?:über|zu|von)|was (?:ich|du) (?:dir )?(?:über|zu|von)|das (?:mit|über)|(?:die )?(?:sache|notiz|information) (?:mit|über|zu)|dass|wo|wie|wann|wer|was|über)\s+"
    r"|\s+(?:gesagt|erzählt|weißt|gesagt habe|erzählt habe)$",
    re.IGNORECASE,
)
_EVERYTHING = re.compile(r"\b(?:alles|alle|sämtliche)\b", re.IGNORECASE)
_MOST_BY_VOICE = 6
_LONGEST_WISH = 300


def read_forget(utterance: str) -> str | None:
    """As `edge_memory.observe.english.forgetting.read_forget`."""
    what = _meant(utterance)
    if what is None or _NOTHING_NAMED.match(what):
        return None
    return LAST_STATEMENT if _JUST_SAID.match(what) else what


def says_that(utterance: str) -> bool:
    """Whether it is "vergiss das", which means the last statement only if there is one."""
    return (_meant(utterance) or "").lower() in ("das", "es", "dies")


async def what_to_forget(eraser: Eraser, utterance: str, named: str, user_id: str) -> Forgetting:
    """As `edge_memory.observe.english.forgetting.what_to_forget`."""
    if named.isdecimal():
        return Forgetting()
    found: dict[int, Record] = {}
    for key in slots_named(named):
        found |= {record.id: record for record in await _of_key(eraser, key, user_id)}
    words = named
    while (shorter := _AROUND.sub("", words)) != words:
        words = shorter
    if not found:
        found = {record.id: record for record in await _holding(eraser, words, user_id)}
    standing = [record for record in found.values() if record.status is Status.ACTIVE]
    if not found:
        near = await eraser.near(words, user_id)
        return Forgetting(choices=tuple({record.id: record for record in near}.values()))
    if not _EVERYTHING.search(utterance) and (len(standing) > 1 or len(found) > _MOST_BY_VOICE):
        return Forgetting(choices=tuple(standing or found.values()))
    return Forgetting(tuple(found[record_id] for record_id in sorted(found)), certain=True)


async def _of_key(eraser: Eraser, key: str, user_id: str) -> list[Record]:
    try:
        return await eraser.of_key(key, user_id)
    except NothingMatches:
        return []


async def _holding(eraser: Eraser, words: str, user_id: str) -> list[Record]:
    try:
        return await eraser.find(words, user_id)
    except NothingMatches:
        return []


def _meant(utterance: str) -> str | None:
    plain = cleaned(utterance)
    if len(plain) > _LONGEST_WISH or instructs(plain):
        return None
    match = _FORGET.match(plain)
    if match is None:
        return None
    what = (match["first"] or match["last"]).strip(" ,.!?")
    if _DELETES.match(plain) and not _MEMORY.search(what) and not slots_named(what):
        return None  # "lösche den Timer"
    while (shorter := _MEMORY.sub("", what)) != what:
        what = shorter
    return what or None
