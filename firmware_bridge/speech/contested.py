"""Places where the readings of one sound part ways: words that the recogniser does not know it spells in many ways."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_POSSESSIVE = re.compile(r"['\u2019]s$")


Step = tuple[str, int, int, int, int]  # as SequenceMatcher's opcodes


@dataclass(frozen=True, slots=True)
class Contested:
    """Words of the best reading, and what each reading has there, the best one's first."""

    words: Sequence[re.Match[str]]
    variants: Sequence[Sequence[str]]

    @property
    def named(self) -> str:
        """The word with a capital letter that several readings have there, perhaps a name that the recogniser knows."""
        last = Counter(bare(variant[-1]) for variant in self.variants if variant and variant[-1][:1].isupper())
        word, readings = last.most_common(1)[0] if last else ("", 0)
        return word if readings > 1 else ""

    @property
    def is_sure(self) -> bool:
        """Whether that is in most of them, the best one too."""
        last = [_folded(variant[-1]) for variant in self.variants if variant]
        return self.words[-1][0][:1].isupper() and 2 * last.count(_folded(self.words[-1][0])) > len(self.variants)


def contested(text: str, others: Sequence[str]) -> Iterator[Contested]:
    """The places of `text` where at least one of the other readings has other words."""
    words = list(WORD.finditer(text))
    mine = [_folded(word[0]) for word in words]
    read = [(theirs, _steps(mine, theirs)) for theirs in map(WORD.findall, others) if theirs]
    for begin, end in _joined(step for _, steps in read for step in steps):
        if here := words[begin:end]:
            variants: list[list[str]] = [[word[0] for word in here]]
            variants += [theirs[_place(steps, begin) : _place(steps, end, last=True)] for theirs, steps in read]
            yield Contested(here, variants)


def bare(word: str) -> str:
    """A word without its possessive."""
    return _POSSESSIVE.sub("", word)


def _steps(mine: Sequence[str], theirs: Sequence[str]) -> Sequence[Step]:
    return SequenceMatcher(None, mine, [_folded(word) for word in theirs], autojunk=False).get_opcodes()


def _joined(steps: Iterable[Step]) -> list[tuple[int, int]]:
    """Where anything differs, as few spans; such as touch are one."""
    spans: list[tuple[int, int]] = []
    for begin, end in sorted((step[1], step[2]) for step in steps if step[0] != "equal"):
        if spans and begin <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(end, spans[-1][1])
        else:
            spans.append((begin, end))
    return spans


def _place(steps: Sequence[Step], here: int, *, last: bool = False) -> int:
    """Where the other reading is when this one is before word `here`; the last such place, or the first."""
    places = [
        (theirs + here - begin, theirs + here - begin) if tag == "equal" else (theirs, theirs_end)
        for tag, begin, end, theirs, theirs_end in steps
        if begin <= here <= end
    ]
    if not places:
        return 0
    return places[-1][1] if last else places[0][0]


def _folded(word: str) -> str:
    return bare(word).casefold()
