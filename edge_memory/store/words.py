"""Search by words: what is typed or said becomes a query that FTS5 cannot misread."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from itertools import pairwise

from edge_memory.records import Language, words_of
from edge_memory.store.connection import Connection
from edge_memory.store.stemming import TOKENIZERS
from edge_memory.store.visible import Among, first_visible

_POSSESSIVE = re.compile(r"['\u2019]s\b")
_MOST_WORDS = 64
COMMON = 1_000  # rows; a word that more of them hold tells little about any
_ENOUGH = 500  # rows that hold one of the rarest words of a query
_GROWN, _MOST_COUNTED = 100, 4_096
_INDICES = ("records_fts", "turn_words")
_MERGED_PAGES = 64  # written at once; a few milliseconds
# What the index's own stemmer leaves apart. Roots are long, because they are looked for as beginnings of words.
_ENDINGS = re.compile(r"(?:ical|ics|ic|ies|ied|age|es|y)$")
_SHORTEST_ROOT = 5
STOP_WORDS = frozenset(
    """a about after again all also am an and any are as at be because been before being but by can could did do does
    doing don done for from further get go had has have having he her here hers him his how i if in into is it its
    just know let like ll may me might more most my no nor not now of off on once only or other our ours out over own
    please re remember s same say see she should so some still such t tell than that the their theirs them then there
    these they this those through to too under until up us ve very want was we were what when where which while who
    whom whose why will with would you your yours""".split()
)
GERMAN_STOP_WORDS = frozenset(
    """aber alle allem allen aller alles als also am an ander andere anderen anderer anderes auch auf aus bei beim bin
    bis bist bitte da dabei daran darauf darum das dass dein deine deinem deinen deiner dem den denn der des dich die
    dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch
    euer eure für gegen gehabt gewesen hab habe haben hast hat hatte hatten hier hin hinter ich ihm ihn ihr ihre ihrem
    ihren ihrer im in ins ist ja jede jedem jeden jeder jedes jetzt kann kannst können könntest könnte machen man
    mein meine meinem meinen meiner meines mich mir mit muss nach nicht nichts noch nun nur ob oder ohne sag sage schon
    sehr sein seine seinem seinen seiner seit sich sie sind so soll sollte sonst über um und uns unser unsere unserem
    unseren unserer unter viel vom von vor war waren warst was weil weißt welche welchem welchen welcher welches wenn
    wer werde werden wie wieder will willst wir wird wirst wo wollen würde würden zu zum zur zwar zwischen""".split()
)
_STOP_WORDS = {Language.ENGLISH: STOP_WORDS, Language.GERMAN: GERMAN_STOP_WORDS}
_OWNER = {Language.ENGLISH: frozenset({"user"}), Language.GERMAN: frozenset({"nutzer", "nutzers"})}
_SHORTEST_PART = 5  # letters of a word that German may have put before others: "zahnarzt" in "zahnarzttermin"
_INDEX_FORMS = {
    "records_fts": "text, tags, scope, content = 'records', content_rowid = 'id'",
    "turn_words": "body, around, day, place",
}


def language(connection: Connection) -> Language:
    """The language of a file: that of its indices of words."""
    made = str(connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'records_fts' LIMIT 1").get)
    return next((one for one, tokenizer in TOKENIZERS.items() if f"'{tokenizer}'" in made), Language.ENGLISH)


def speak(connection: Connection, spoken: Language) -> bool:
    """Makes the indices of words anew for another language; whether that was needed. `turn_words` is then empty."""
    if language(connection) is spoken:
        return False
    for index, columns in _INDEX_FORMS.items():
        connection.execute(f"DROP TABLE {index}")
        connection.execute(f"CREATE VIRTUAL TABLE {index} USING fts5 ({columns}, tokenize = '{TOKENIZERS[spoken]}')")
        for option, value in (("secure-delete", 1), ("usermerge", 2), ("pgsz", 900)):
            connection.execute(f"INSERT INTO {index} ({index}, rank) VALUES (?, ?)", (option, value))
    connection.execute("INSERT INTO records_fts (records_fts) VALUES ('rebuild')")
    return True


def stop_words(connection: Connection) -> frozenset[str]:
    """The words of the language of a file that tell nothing, and those for whoever owns it."""
    spoken = language(connection)
    return _STOP_WORDS[spoken] | _OWNER[spoken]


def match_expression(query: str, *, every: bool = False, spoken: Language = Language.ENGLISH) -> str:
    """An FTS5 expression for any text: its words quoted and joined by OR, adjacent pairs as phrases.

    With `every`, all words must be there. Empty when nothing in the text can be searched for.
    """
    said = _words(query)
    telling = _telling(said, spoken)
    if every:
        return " AND ".join(_term(word, spoken) for word in telling)
    return _any_of(said, telling, spoken)


def _words(query: str) -> list[str]:
    return words_of(_POSSESSIVE.sub("", query))[:_MOST_WORDS]


def _telling(said: Sequence[str], spoken: Language) -> list[str]:
    return list(dict.fromkeys(word for word in said if word not in _STOP_WORDS[spoken]))


def _any_of(said: Sequence[str], wanted: Sequence[str], spoken: Language) -> str:
    """The wanted words, and each pair of them that was said together."""
    pairs = [f"{a} {b}" for a, b in pairwise(said) if a in wanted and b in wanted]
    return " OR ".join(dict.fromkeys([*(_term(word, spoken) for word in wanted), *(f'"{pair}"' for pair in pairs)]))


def _term(word: str, spoken: Language) -> str:
    """One word as FTS5 looks it up; a long German one also where it begins a longer one."""
    return f'"{word}" *' if spoken is Language.GERMAN and len(word) >= _SHORTEST_PART else f'"{word}"'


def telling_words(connection: Connection, query: str) -> list[str]:
    """What of a query can be searched for, in order."""
    return _telling(_words(query), language(connection))


def in_any_form(connection: Connection, word: str) -> str:
    """An FTS5 expression for one word: as the index stems it, or sharing its root ("allergy" and "allergic")."""
    if language(connection) is Language.GERMAN:
        return _term(word, Language.GERMAN)
    root = _ENDINGS.sub("", word)
    return f'"{word}" OR "{root}" *' if len(root) >= _SHORTEST_ROOT and root != word else f'"{word}"'


def search(
    connection: Connection, query: str, among: Among, limit: int, counts: RowCounts | None = None
) -> list[tuple[int, float]]:
    """Ids of records with their relevance (bm25, higher is better), best first; `among` tells which may be seen."""
    return ranked(connection, "records_fts", (1.0, 0.5, 0.5), query, limit, among, counts=counts)


def ranked(
    connection: Connection,
    index: str,
    weights: tuple[float, ...],
    query: str,
    limit: int,
    among: Among,
    columns: str = "",
    and_also: str = "",
    counts: RowCounts | None = None,
) -> list[tuple[int, float]]:
    """The rows of an FTS5 table with their bm25 (higher is better), best first; `among` picks those that may be seen.

    `weights` are those of its columns; `columns` is a filter of FTS5 such as "{title} : ", `and_also` an
    expression that must hold as well. Words that very many rows hold count only where the query has no other, so that
    a search costs about the same however much there is: bm25 counts the rows of each word and pair in the whole table,
    whatever else must hold. Rows without any of the rarer words are weighed only where others do not suffice. `counts`
    are kept from search to search.
    """
    said, spoken = _words(query), language(connection)
    telling = _telling(said, spoken)
    if not telling:
        return []
    expressions = {word: f"{columns}({_term(word, spoken)})" for word in telling}
    wanted, rarest = _worth_looking_for(connection, index, expressions, counts or RowCounts())
    any_of, also = f"{columns}({_any_of(said, wanted, spoken)})", f" AND {and_also}" if and_also else ""
    among_rarest = "" if and_also or len(rarest) == len(wanted) else f"{columns}({_any_of(said, rarest, spoken)})"
    relevance: dict[int, float] = {}

    def look(count: int, which: str, expressions: tuple[str, ...]) -> list[int]:
        weighed = ", ".join(map(str, weights))
        cursor = connection.execute(
            f"SELECT rowid, -bm25({index}, {weighed}) AS relevance FROM {index} WHERE {index} MATCH ?{which}"
            " ORDER BY relevance DESC LIMIT ?",
            (*expressions, count),
        )
        rows: list[tuple[int, float]] = list(cursor)
        relevance.update(rows)
        return [row[0] for row in rows]

    def best(count: int) -> list[int]:
        if among_rarest:
            # "+": each row's id is looked for among these, not these in the index one by one
            which = f" AND +rowid IN (SELECT rowid FROM {index} WHERE {index} MATCH ?)"
            if len(found := look(count, which, (any_of, among_rarest))) == count:
                return found
        return look(count, "", (any_of + also,))

    return [(identity, relevance[identity]) for identity in first_visible(best, among, limit)]


def merge(connection: Connection) -> None:
    """Some of the merging that keeps the indices in few parts. For the background: each transaction adds a part."""
    for index in _INDICES:
        connection.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('merge', ?)", (_MERGED_PAGES,))


def _worth_looking_for(
    connection: Connection, index: str, expressions: Mapping[str, str], counts: RowCounts
) -> tuple[Sequence[str], Sequence[str]]:
    """The words that tell rows apart, in their order, and of these the rarest, as many as are in enough rows. All tell
    something in a small index, and where all are common. `expressions` says how each is looked up.
    """
    words, newest = list(expressions), int(connection.execute(f"SELECT coalesce(max(id), 0) FROM {index}_docsize").get)
    if newest <= COMMON:
        return words, words
    held = {word: counts.of(connection, index, expressions[word], newest) for word in words}
    wanted = [word for word in words if held[word] <= COMMON]
    rarest, rows = list[str](), 0
    for word in sorted(wanted, key=held.__getitem__):
        if rows < _ENOUGH:
            rarest.append(word)
            rows += held[word]
    return (wanted, rarest) if wanted else (words, words)


class RowCounts:
    """In how many rows of an index a word is, up to `COMMON` and one more: counted once, and anew when the index has
    grown by more than `_GROWN` rows. For one thread.
    """

    def __init__(self) -> None:
        self._counted: OrderedDict[tuple[str, str], tuple[int, int]] = OrderedDict()

    def of(self, connection: Connection, index: str, expression: str, newest: int) -> int:
        """`expression` is how FTS5 looks the word up, `newest` the index's newest row."""
        held, counted_at = self._counted.get((index, expression), (0, -_GROWN))
        if abs(newest - counted_at) >= _GROWN:
            rows = f"SELECT 1 FROM {index} WHERE {index} MATCH ? LIMIT {COMMON + 1}"
            held = int(connection.execute(f"SELECT count(*) FROM ({rows})", (expression,)).get)
            self._counted[index, expression] = held, newest
            if len(self._counted) > _MOST_COUNTED:
                self._counted.popitem(last=False)
        return held
