from __future__ import annotations

import pytest

from edge_memory.observe.english.apostrophes import of_names, with_apostrophes


@pytest.mark.parametrize(
    ("heard", "meant"),
    [
        ("my names ola", "my name's ola"),
        ("my aunts in narvik", "my aunt's in narvik"),
        ("my aunts called vera", "my aunt's called vera"),
        ("my aunts birthday is in may", "my aunt's birthday is in may"),
        ("my pilots name is ola", "my pilot's name is ola"),
        ("the gas bills due on monday", "the gas bill is due on monday"),
        ("the oars its under the bench", "the oars it's under the bench"),
        ("were moving to moss", "we're moving to moss"),
        ("their seven and nine", "they're seven and nine"),
        ("ill be home at six", "i'll be home at six"),
        # what is meant as it stands
        ("my aunts are in narvik", "my aunts are in narvik"),
        ("my aunts live in narvik", "my aunts live in narvik"),
        ("were you there", "were you there"),
        ("their hens lay", "their hens lay"),
        ("i was ill last week", "i was ill last week"),
        ("its coat is grey", "its coat is grey"),
    ],
)
def test_without_names(heard: str, meant: str) -> None:
    assert with_apostrophes(heard) == meant


def test_with_the_names_of_the_house() -> None:
    names = frozenset({"ola", "vera", "jens", "bo"})
    assert of_names("olas boat and veras hens", names) == "ola's boat and vera's hens"
    assert of_names("jens sings", names) == "jens sings"
    assert of_names("bos is short for nobody", names) == "bos is short for nobody"
    assert of_names("ola's boat", names) == "ola's boat"
