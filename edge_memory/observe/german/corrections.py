""" "Nein, in Bonn": German fragments that put the last statement right."""

from __future__ import annotations

from dataclasses import replace

from edge_memory import lazy_re as re
from edge_memory.observe.context import Before
from edge_memory.observe.english.corrections import Correction
from edge_memory.observe.english.corrections import put_right as swapped
from edge_memory.observe.german.clauses import asks
from edge_memory.observe.german.reading import corrected, read_statements
from edge_memory.observe.german.verbs import third_person
from edge_memory.observe.statement import Statement

_MARK = (
    r"(?:(?:nein|nee|nö|halt|moment|stopp|sorry|entschuldigung|falsch|quatsch|ich meine|ich meinte|ich wollte sagen|korrektur"
    r"|das war falsch|das stimmt nicht|stimmt nicht|doch)\b[\s,.:!]*)+"
)
_IT_IS = r"(?:(?:es|das|er|sie) (?:ist|war|sind|heißt|muss heißen)\s+)?"
_BUT = re.compile(rf"^(?:{_MARK})?{_IT_IS}nicht (?P<wrong>.+?),? sondern (?P<right>.+)$", re.IGNORECASE)
_NOT = re.compile(rf"^(?:{_MARK}){_IT_IS}(?P<right>.+?),? (?:und )?nicht (?P<wrong>.+)$", re.IGNORECASE)
_ALONE = re.compile(rf"^{_MARK}{_IT_IS}(?P<right>.+)$", re.IGNORECASE)
_LEADING = re.compile(
    r"^(?:in|im|am|um|bei|an|auf|mit|für|nach|gegen|der|die|das|dem|den|ein|eine|einen)\s+", re.IGNORECASE
)
_SENTENCE = re.compile(
    r"\b(?:ich|wir|bin|habe|hat|hast|du|mein\w*|danke|egal|lieber|noch|weiß|gut|alles|nicht|nein|doch|bitte|nichts)\b",
    re.IGNORECASE,
)
_LONGEST_FRAGMENT = 6  # words


def put_right(utterance: str, before: Before) -> list[Statement]:
    """As `edge_memory.observe.context.put_right`."""
    correction = read_correction(utterance)
    if correction is None or read_statements(utterance, before.context):
        return []
    newest = [record for record in before.last_told if record.source_turn_id == before.last_told[0].source_turn_id]
    for record in before.last_told if correction.wrong else newest:
        said = record.source_excerpt
        for wanted in (correction, replace(correction, right=_LEADING.sub("", correction.right))):
            told = swapped(replace(record, text=said), wanted)
            if told is not None and told != said and not _doubled(told):
                return [corrected(third_person(told), told, record.id, before.context)]
    return []


def read_correction(utterance: str) -> Correction | None:
    """What a fragment puts right; None when it is a sentence of its own, or corrects nothing."""
    text = utterance.strip(" .!")
    if asks(text):
        return None
    for pattern in (_BUT, _NOT):
        match = pattern.match(text)
        if match and _is_fragment(match["right"]) and _is_fragment(match["wrong"]):
            return Correction(_LEADING.sub("", match["right"].strip()), _LEADING.sub("", match["wrong"].strip()), True)
    match = _ALONE.match(text)
    return Correction(match["right"].strip(), plain=True) if match and _is_fragment(match["right"]) else None


def _is_fragment(text: str) -> bool:
    return 0 < len(text.split()) <= _LONGEST_FRAGMENT and not _SENTENCE.search(text)


def _doubled(text: str) -> bool:
    """ "in in Bonn": the preposition was there already."""
    return bool(re.search(r"\b(\w+) \1\b", text, re.IGNORECASE))
