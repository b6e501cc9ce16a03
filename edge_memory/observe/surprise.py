"""How surprising a statement is, in five parts, each from 0 to 1 and each worked out by rule when it is written."""

from __future__ import annotations

from collections.abc import Sequence

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import ORDINALS, word_class
from edge_memory.observe.english.wording import telling

_WEIGHTS = {"novelty": 0.40, "contradiction": 0.25, "specificity": 0.20, "emphasis": 0.10, "context_switch": 0.05}
_NEWEST_LEAST = 0.5  # one new word makes it new by half
_EMPHATIC = re.compile(
    r"\b(?:really|very|never|always|absolutely|definitely|important|must|remember|extremely|severely|deadly|please"
    r"|ever|love"
    r"|hate|so much|promise|swear)\b|!",
    re.IGNORECASE,
)
_NAME_OR_NUMBER = re.compile(r"(?<=[\w,;] )[A-Z][\w-]+|\d")


def surprise_of(
    text: str, *, known: Sequence[str], contradicts: bool, explicit: bool, said: str, previous: str
) -> dict[str, float]:
    """The parts and their weighted `score`. `known` are texts believed already, `previous` what was said before."""
    words = telling(text)
    parts = {
        "novelty": _novelty(words, [telling(other) for other in known]),
        "contradiction": float(contradicts),
        "specificity": _specificity(text, words),
        "emphasis": 1.0 if explicit else 0.5 if _EMPHATIC.search(said) else 0.0,
        "context_switch": float(bool(previous) and not words & telling(previous)),
    }
    score = sum(_WEIGHTS[name] * value for name, value in parts.items())
    return {name: round(value, 3) for name, value in parts.items()} | {"score": round(score, 3)}


def _novelty(words: frozenset[str], known: Sequence[frozenset[str]]) -> float:
    """1 when nothing like it is known, 0 when one thing known has all its words."""
    if not words:
        return 0.0
    missing = min((len(words - other) + ("not" in other - words) for other in known), default=len(words))
    return _NEWEST_LEAST + (1 - _NEWEST_LEAST) * missing / len(words) if missing else 0.0


def _specificity(text: str, words: frozenset[str]) -> float:
    """Names, numbers and dates make it specific, and so do many telling words."""
    marks = len(_NAME_OR_NUMBER.findall(text)) + sum(word in ORDINALS or word_class(word) is not None for word in words)
    return min(1.0, 0.25 * marks + 0.15 * len(words))
