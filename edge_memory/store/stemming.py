"""How the indices of words reduce a word to its stem, by language. English is FTS5's own Porter stemmer."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from edge_memory.records import Language

if TYPE_CHECKING:
    import apsw
    from apsw import Connection

TOKENIZERS = {
    Language.ENGLISH: "porter unicode61",
    Language.GERMAN: "german unicode61 remove_diacritics 0",  # the stemmer folds ä, ae and a, ß and ss
}
_MOST_STEMS = 16_384  # kept; the words of one household come again and again
_SHORTEST_ROOT = 4
# What the stemmer leaves apart: "wohnt" and "wohne", "allergie" and "allergisch".
_ENDING = re.compile(r"(?<=[^aeiouy])t$|(?<=[^aeiou])i$")


def add_stemmers(connection: Connection) -> None:
    """Makes the tokenizers of all languages known to a connection."""
    connection.register_fts5_tokenizer("german", _german)


@lru_cache(maxsize=_MOST_STEMS)
def german_stem(word: str) -> str:
    """The stem of a word in lower case, umlauts folded: "Erdnüsse" and "Erdnuss" are one."""
    stem = _snowball()(word)
    return _ENDING.sub("", stem) if len(stem) > _SHORTEST_ROOT else stem


def _german(connection: Connection, arguments: list[str]) -> apsw.Tokenizer:
    from apsw.fts5 import TransformTokenizer

    return TransformTokenizer(german_stem)(connection, arguments)


@lru_cache(maxsize=1)
def _snowball() -> Callable[[str], str]:
    from snowballstemmer import stemmer

    stem: Callable[[str], str] = stemmer("german").stemWord
    return stem
