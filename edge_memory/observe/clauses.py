"""Cutting an utterance into clauses that can be judged one by one."""

from __future__ import annotations

import re

_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|\n+")
_SUBJECT = r"(?:i|i'm|i've|i'd|i'll|my|we|we're|we've|our|he|she|they|his|her|their|it's|(?-i:[A-Z]\w+)(?:'s)?)"
_NO_VERB = r"(?:and|or|to|in|at|on|for|with|from|of|near|by|as|but|too|called|named)\b"
# "..., I ..." and "... and I ..." begin a new clause; "bread and butter" and "Leo, Mia and Tom" do not.
_NEW_SUBJECT = re.compile(
    rf"\s*(?:,\s*(?:and|but|so)?|\s(?:and|but|so))\s+(?={_SUBJECT}\s+(?!{_NO_VERB})[a-z'])", re.IGNORECASE
)
_LEAD_IN = re.compile(
    r"^(?:(?:and|but|so|well|oh|ok|okay|um+|uh+|er+|hey|actually|by the way|you know|i mean|please|also|look|listen"
    r"|just so you know|for the record|fyi|no|yes|yeah)\b[,\s]+)+",
    re.IGNORECASE,
)
_SAME_VERB_AFTER_NAME = re.compile(r"^(?:[A-Z]\w+)(?:\s+[A-Z]\w+)*$")


def split_clauses(text: str) -> list[str]:
    """The clauses of an utterance in order, without end marks. Never empty strings."""
    clauses: list[str] = []
    for sentence in _SENTENCE_END.split(text.replace("\u2019", "'").strip()):
        clauses.extend(_split_sentence(sentence))
    return clauses


def strip_lead_in(clause: str) -> str:
    """Without the words that people start with and that say nothing ("well", "by the way")."""
    return _LEAD_IN.sub("", clause).strip()


def _split_sentence(sentence: str) -> list[str]:
    question = sentence.rstrip().endswith("?")
    parts = [part.strip(" ,.!?;") for part in _NEW_SUBJECT.split(sentence)]
    parts = [part for part in parts if part and not _SAME_VERB_AFTER_NAME.match(part)] or [sentence.strip(" ,.!?;")]
    if question:
        parts[-1] += "?"
    return [part for part in parts if part.strip("?")]
