from __future__ import annotations

from collections.abc import Iterator

import apsw
import pytest

from edge_memory.store.words import RowCounts, match_expression, ranked


@pytest.fixture
def index() -> Iterator[apsw.Connection]:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE notes USING fts5 (text, tokenize = 'porter unicode61')")
    connection.execute(
        "INSERT INTO notes VALUES ('The hens need grit'), ('Ingrid''s naïve parrot'), ('Bins go out on Tuesday')"
    )
    yield connection
    connection.close()


def found(index: apsw.Connection, query: str, *, every: bool = False) -> list[int]:
    expression = match_expression(query, every=every)
    if not expression:
        return []
    return [row for (row,) in index.execute("SELECT rowid FROM notes WHERE notes MATCH ? ORDER BY rank", (expression,))]


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("what do the hens need?", [1]),
        ("Ingrid's parrot", [2]),
        ("Ingrid\u2019s NAIVE parrots", [2]),
        ('"hens" AND (NOT grit* OR NEAR(a b)) -parrot ^col:', [1, 2]),
        ("hens' \"grit", [1]),
        ("tuesday; DROP TABLE notes --", [3]),
        ("\U0001f414 hens \U0001f414", [1]),
        ("hen\x00s", [1]),
        ("snake_case hens", [1]),
        ("grit " * 2_000, [1]),
        ("x" * 10_000, []),
        ("what is it that you do?", []),
        ("?!'\"()*:^-", []),
        ("\U0001f600", []),
        ("", []),
    ],
)
def test_whatever_is_typed_is_a_query_that_fts5_takes(index: apsw.Connection, query: str, rows: list[int]) -> None:
    assert sorted(found(index, query)) == rows


def test_a_phrase_counts_more_than_its_words(index: apsw.Connection) -> None:
    index.execute("INSERT INTO notes VALUES ('grit for roads, hens for eggs'), ('hens grit')")
    assert found(index, "hens grit")[0] == 5


def test_every_word_may_be_demanded(index: apsw.Connection) -> None:
    assert found(index, "the hens and the grit", every=True) == [1]
    assert found(index, "hens on tuesday", every=True) == []
    assert match_expression("the and of", every=True) == ""


def test_a_word_of_very_many_rows_is_only_searched_for_where_nothing_rarer_is_asked(index: apsw.Connection) -> None:
    index.executemany("INSERT INTO notes VALUES (?)", [("the garden again",)] * 1_200 + [("hens in the garden",)])

    def ids(query: str) -> list[int]:
        return [row for row, _ in ranked(index, "notes", (1.0,), query, 50, set)]

    assert sorted(ids("garden hens")) == [1, 1204]
    assert len(ids("the garden")) == 50


def test_a_row_without_any_of_the_rarest_words_is_found_where_others_do_not_suffice(index: apsw.Connection) -> None:
    hens, grit, other = [("hens in straw",)] * 700, [("grit in straw",)] * 600, [("nothing else",)] * 400
    index.executemany("INSERT INTO notes VALUES (?)", [*hens, *grit, *other])

    def found(hidden: str) -> set[str]:
        texts = {row: text for row, text in index.execute("SELECT rowid, text FROM notes") if text != hidden}
        return {texts[row] for row, _ in ranked(index, "notes", (1.0,), "hens and grit", 50, texts.keys().__and__)}

    assert found(hidden="") == {"The hens need grit", "grit in straw"}
    assert found(hidden="grit in straw") == {"The hens need grit", "hens in straw"}


def test_a_word_is_counted_anew_once_the_index_has_grown(index: apsw.Connection) -> None:
    counts, asked = RowCounts(), list[str]()
    index.executemany("INSERT INTO notes VALUES (?)", [("the garden again",)] * 990 + [("straw",)] * 20)

    def note(_: apsw.Cursor, sql: str, __: apsw.Bindings | None) -> bool:
        asked.append(sql)
        return True

    index.exec_trace = note

    def ids() -> list[int]:
        return [row for row, _ in ranked(index, "notes", (1.0,), "garden straw", 1_000, set, counts=counts)]

    assert len(ids()) == len(ids()) > 1_000 - 1
    assert sum("LIMIT 1001" in sql for sql in asked) == 2, "each word once"
    index.executemany("INSERT INTO notes VALUES (?)", [("the garden again",)] * 110)
    assert len(ids()) == 20, "the other is common by now"


def test_what_is_common_is_so_for_every_place_and_no_pair_holds_it() -> None:
    """bm25 goes through every row of each word and pair, wherever it was said."""
    connection, looked_for = apsw.Connection(":memory:"), list[str]()
    connection.execute("CREATE VIRTUAL TABLE said USING fts5 (body, place)")
    rows = [("the garden again", "elsewhere")] * 1_200 + [("a garden", "here"), ("grit for hens in the garden", "here")]
    connection.executemany("INSERT INTO said VALUES (?, ?)", rows)

    def note(_: apsw.Cursor, sql: str, values: apsw.Bindings | None) -> bool:
        if "bm25" in sql and isinstance(values, tuple):
            looked_for.append(str(values[0]))
        return True

    connection.exec_trace = note
    found = ranked(connection, "said", (1.0, 0.0), "garden hens grit", 50, set, "{body} : ", 'place : "here"')
    assert [row for row, _ in found] == [1202]
    assert looked_for == ['{body} : ("hens" OR "grit" OR "hens grit") AND place : "here"']
