"""Semantic compaction: notes that say nearly the same about one subject are proposed to become one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations

from edge_memory.records import NewRecord, Origin, Priority, Record, words_of
from edge_memory.store.words import STOP_WORDS

_ALIKE = 0.5  # of the telling words that two texts have together
_HELD_INSIDE = 0.8  # of the shorter one's telling words
_FEWEST_SHARED = 2
_COMMON_WORD = 50  # a word that more notes hold than this brings none of them together
_MOST_SOURCES = 6
_MOST_TAGS = 5
_STEM_LETTERS = 6
_NEGATIONS = frozenset("not no never none nobody nothing nor cannot without isn doesn don didn wasn won can t".split())
_TRIVIAL = STOP_WORDS | {"user", "users"}
_ORDER = (Priority.CRITICAL, Priority.HIGH, Priority.MEDIUM, Priority.NORMAL)


def groups_of(notes: Sequence[Record]) -> list[list[Record]]:
    """Groups of two to six notes, each alike with each, in the order of their ids.

    Notes of two users, sessions, scopes or subjects never meet, nor do two with different numbers, or one that denies
    and one that does not.
    """
    alike = _alike_pairs(notes)
    groups: list[list[Record]] = []
    for note in notes:
        home = next(
            (
                group
                for group in groups
                if len(group) < _MOST_SOURCES and all(frozenset((note.id, other.id)) in alike for other in group)
            ),
            None,
        )
        if home is None:
            groups.append([note])
        else:
            home.append(note)
    return [group for group in groups if len(group) > 1]


def compacted(group: Sequence[Record]) -> NewRecord:
    """The proposal: one note that tells all that the group tells, with its lineage."""
    keys, kinds = {note.key for note in group}, Counter(note.kind for note in group)
    tags = tuple(dict.fromkeys(tag for note in group for tag in note.tags)) or _shared_words(group)
    confidence = min(note.confidence for note in group)
    first = group[0]
    return NewRecord(
        layer=first.layer,
        kind=kinds.most_common(1)[0][0],
        text=joined([note.text for note in group]),
        key=first.key if len(keys) == 1 else None,
        many=len(keys) > 1 or any(note.many for note in group),
        value={
            "origin": "compaction",
            "topic_tags": list(tags),
            "compacted_from": [note.id for note in group],
            "confidence": confidence,
            "evidence_refs": list(dict.fromkeys(note.source_turn_id for note in group if note.source_turn_id)),
        },
        confidence=confidence,
        importance=max(note.importance for note in group),
        priority=min((note.priority for note in group), key=_ORDER.index),
        scope=first.scope,
        tags=tags,
        session_id=first.session_id,
        user_id=first.user_id,
        origin=Origin.OWNER,
        valid_from=min(note.valid_from or 0.0 for note in group),
    )


def joined(texts: Sequence[str]) -> str:
    """The texts as sentences, without those whose every word another one holds."""
    kept: list[str] = []
    for text in texts:
        words = frozenset(words_of(text))
        if any(words <= frozenset(words_of(other)) for other in kept):
            continue
        kept = [other for other in kept if not frozenset(words_of(other)) <= words] + [text]
    return " ".join(text if text.endswith((".", "!", "?")) else f"{text}." for text in kept)


def _alike_pairs(notes: Sequence[Record]) -> set[frozenset[int]]:
    telling = {note.id: _telling(note.text) for note in notes}
    holders: defaultdict[str, list[Record]] = defaultdict(list)
    for note in notes:
        for word in telling[note.id]:
            holders[word].append(note)
    pairs: set[frozenset[int]] = set()
    for holding in holders.values():
        if len(holding) <= _COMMON_WORD:
            pairs.update(
                frozenset((a.id, b.id))
                for a, b in combinations(holding, 2)
                if _are_alike(a, b, telling[a.id], telling[b.id])
            )
    return pairs


def _are_alike(a: Record, b: Record, told: frozenset[str], told_too: frozenset[str]) -> bool:
    same_place = (a.user_id, a.session_id, a.scope, a.layer) == (b.user_id, b.session_id, b.scope, b.layer)
    if not same_place or not _may_share_a_subject(a, b) or _denies(a.text) != _denies(b.text):
        return False
    numbers, others = _numbers(a.text), _numbers(b.text)
    if not (numbers <= others or others <= numbers):
        return False
    shared = len(told & told_too)
    inside = shared >= _HELD_INSIDE * min(len(told), len(told_too))
    return shared >= _FEWEST_SHARED and (inside or shared >= _ALIKE * len(told | told_too))


def _may_share_a_subject(a: Record, b: Record) -> bool:
    """Two notes in slots must be about one subject; one without a slot may be about anything."""
    return a.key is None or b.key is None or a.key.partition(".")[0] == b.key.partition(".")[0]


def _denies(text: str) -> bool:
    return not _NEGATIONS.isdisjoint(words_of(text))


def _numbers(text: str) -> frozenset[str]:
    return frozenset(word for word in words_of(text) if word.isdigit())


def _telling(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM_LETTERS] for word in words_of(text) if word not in _TRIVIAL)


def _shared_words(group: Sequence[Record]) -> tuple[str, ...]:
    words: list[list[str]] = [[word for word in words_of(note.text) if word not in _TRIVIAL] for note in group]
    return tuple(_first(word for word in words[0] if all(word in others for others in words[1:])))


def _first(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))[:_MOST_TAGS]
