"""A question as whoever asks it means it: with the apostrophes that were left out, and the names behind kin words."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.apostrophes import of_names, with_apostrophes
from edge_memory.records import Relations, words_of

MY_KIN = re.compile(r"\b(?:my|our) (?P<kin>[\w-]+)\b(?!['’])", re.IGNORECASE)
_MY_IN_LAW = re.compile(
    r"\b(?:my|our) (?P<kin>(?:mother|father|brother|sister|son|daughter)[- ]in[- ]law)\b", re.IGNORECASE
)


def mended(text: str, relations: Relations) -> str:
    """With the apostrophes that a recogniser leaves out, also those of known names, and with the names of in-laws, as
    far as they are known: what is told of them is told by name, or as a husband's mother.
    """
    names = frozenset(word for called in relations.values() for name in called for word in words_of(name))
    return _with_in_laws(of_names(with_apostrophes(text), names), relations)


def with_names(text: str, relations: Relations) -> str:
    """ "How is my brother" with the name of the only brother that is known, by which most is told of him."""

    def named(match: re.Match[str]) -> str:
        names = relations.get(match["kin"].lower(), ())
        return f"{match[0]} {names[0]}" if len(names) == 1 and names[0].lower() not in text.lower() else match[0]

    return MY_KIN.sub(named, text)


def _with_in_laws(text: str, relations: Relations) -> str:
    """ "Where does my mother-in-law live" with her name instead, where one is known."""

    def named(match: re.Match[str]) -> str:
        names = relations.get("-".join(words_of(match["kin"])), ())
        return names[0] if len(names) == 1 else match[0]

    return _MY_IN_LAW.sub(named, text)
