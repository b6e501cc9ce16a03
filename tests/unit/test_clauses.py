from __future__ import annotations

import pytest

from edge_memory.observe.english.clauses import split_clauses, strip_lead_in


@pytest.mark.parametrize(
    ("said", "clauses"),
    [
        ("I paint fences", ["I paint fences"]),
        ("I paint fences. My aunt sells them!", ["I paint fences", "My aunt sells them"]),
        ("I paint fences and my aunt sells them", ["I paint fences", "my aunt sells them"]),
        ("i paint fences and i hate rain", ["i paint fences", "i hate rain"]),
        ("I paint fences, but Ingrid hates the smell", ["I paint fences", "Ingrid hates the smell"]),
        ("I eat bread and butter", ["I eat bread and butter"]),
        ("i gave up rowing it's too cold", ["i gave up rowing", "it's too cold"]),
        ("berit left so the new cleaner is solveig", ["berit left", "the new cleaner is solveig"]),
        ("i paint fences and i'm at the mill on fridays", ["i paint fences", "i'm at the mill on fridays"]),
        ("i think it's a boat", ["i think it's a boat"]),
        ("the code has changed it's nine four", ["the code has changed it's nine four"]),
        ("we visited Oslo, Bergen and Narvik", ["we visited Oslo, Bergen and Narvik"]),
        ("we moved from Bergen, Norway to York", ["we moved from Bergen, Norway to York"]),
        ("our twins are Olga and Piotr", ["our twins are Olga and Piotr"]),
        ("I sold the van, so what should I drive?", ["I sold the van, so what should I drive?"]),
        ("the tap drips\nthe hen sits", ["the tap drips", "the hen sits"]),
        ("I\u2019m tired; it\u2019s late", ["I'm tired", "it's late"]),
        ("", []),
        (" ?!. ", []),
    ],
)
def test_an_utterance_falls_into_clauses(said: str, clauses: list[str]) -> None:
    assert split_clauses(said) == clauses


@pytest.mark.parametrize(
    ("clause", "rest"),
    [
        ("well, by the way I knit", "I knit"),
        ("okay so the tap drips", "the tap drips"),
        ("Yesterday I knitted", "Yesterday I knitted"),
        ("um", "um"),
    ],
)
def test_lead_ins_say_nothing(clause: str, rest: str) -> None:
    assert strip_lead_in(clause) == rest
