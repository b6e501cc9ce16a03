"""What says that something must not be."""

from __future__ import annotations

import pytest

from edge_memory.observe import restricts


@pytest.mark.parametrize(
    "text",
    [
        "The user is terribly allergic to wasps",
        "Latex gives the user a rash",
        "Mussels make me sick",
        "The user is strictly vegetarian",
        "The user doesn't eat pork",
        "My daughter can't have nuts",
        "The user gave up smoking",
        "The user must not lift heavy boxes",
        "The doctor told the user to avoid salt",
        "The user gets headaches from cheap wine",
        "Milk upsets the user's stomach",
        "The nurse stopped Ingrid from eating kippers",
        "Thunder sets Ingrid's dog off",
        "Gorse sets off the user's hay fever",
        "Stout triggers the user's gout",
        "Lilies are poisonous to cats",
        "Ingrid can't do figs",
        "Cheap perfume gives Ingrid nosebleeds",
        "The user has a bad tooth so toffee is out for the user",
    ],
)
def test_it_restricts(text: str) -> None:
    assert restricts(text)


@pytest.mark.parametrize(
    "text",
    [
        "The user lives in Wels",
        "The user never liked Tom",
        "The user gave up the piano",
        "The user doesn't play tennis",
        "The user is no longer allergic to wasps",
        "The user can't wait for the summer",
        "The user used to be vegan",
        "The user has the keys",
        "Ingrid is out for lunch",
        "The rain stopped Ingrid from coming",
        "The user set off at nine",
        "The user gives Ingrid lessons",
    ],
)
def test_it_does_not(text: str) -> None:
    assert not restricts(text)
