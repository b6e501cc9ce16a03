"""Ages beside a name are clauses of their own."""

from __future__ import annotations

import pytest

from edge_memory.observe.english.appositions import ages_apart


@pytest.mark.parametrize(
    ("sentence", "rest", "ages"),
    [
        ("two girls, Ann who's six and Bea, who is nine", "two girls, Ann and Bea", ["Ann is six", "Bea is nine"]),
        (
            "our twins are Ola, who's ten, Per, who's ten, and Bo",
            "our twins are Ola, Per and Bo",
            ["Ola is ten", "Per is ten"],
        ),
        ("my son Per, who's only 9, sings", "my son Per sings", ["my son Per is 9"]),
        ("a girl called Bea, she's two", "a girl called Bea", ["Bea is two"]),
        ("I work with Ann, who's a nurse", "I work with Ann, who's a nurse", []),
        ("is it Ann who's six?", "is it Ann who's six?", []),
        ("Per goes to St Olaf, he's six", "Per goes to St Olaf, he's six", []),
    ],
)
def test_ages_stand_apart(sentence: str, rest: str, ages: list[str]) -> None:
    assert ages_apart(sentence) == (rest, ages)
