from __future__ import annotations

import pytest

from edge_memory.observe.english.third_person import third_person


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I bake bread on Sundays", "The user bakes bread on Sundays"),
        ("we keep bees behind the shed", "The user keeps bees behind the shed"),
        ("I'm a piano tuner", "The user is a piano tuner"),
        ("im a piano tuner", "The user is a piano tuner"),
        ("I\u2019ve sold the boat", "The user has sold the boat"),
        ("ive sold the boat", "The user has sold the boat"),
        ("we're out of oat milk", "The user is out of oat milk"),
        ("I'd rather walk", "The user would rather walk"),
        ("we'll repaint the fence", "The user will repaint the fence"),
        ("I am left-handed", "The user is left-handed"),
        ("we are twins", "The user is twins"),
        ("we were neighbours", "The user was neighbours"),
        ("I have a loom", "The user has a loom"),
        ("I haven't got a car", "The user hasn't got a car"),
        ("I don't eat celery", "The user doesn't eat celery"),
        ("i dont eat celery", "The user doesn't eat celery"),
        ("I can't whistle", "The user can't whistle"),
        ("I cannot whistle", "The user cannot whistle"),
        ("I must take the bins out", "The user must take the bins out"),
        ("I usually skip lunch", "The user usually skips lunch"),
        ("I also really enjoy fog", "The user also really enjoys fog"),
        ("I rarely ever fly", "The user rarely ever flies"),
        ("I secretly knit hats", "The user secretly knits hats"),
        ("I no longer smoke", "The user no longer smokes"),
        ("I rely on the bus", "The user relies on the bus"),
        ("I went to Oslo", "The user went to Oslo"),
        ("I told Ingrid about it", "The user told Ingrid about it"),
        ("I grew up in Gdansk", "The user grew up in Gdansk"),
        ("I planted garlic", "The user planted garlic"),
        ("I need a new rake", "The user needs a new rake"),
        ("I feed the hens", "The user feeds the hens"),
        ("I teach chemistry", "The user teaches chemistry"),
        ("I wash the van", "The user washes the van"),
        ("I fix clocks", "The user fixes clocks"),
        ("I do yoga", "The user does yoga"),
        ("I go rowing", "The user goes rowing"),
        ("I carry a torch", "The user carries a torch"),
        ("I play the oboe", "The user plays the oboe"),
        ("my aunt gave me her loom", "The user's aunt gave the user her loom"),
        ("our cellar is damp", "The user's cellar is damp"),
        ("the red coat is mine", "The red coat is the user's"),
        ("Ingrid drove us home", "Ingrid drove the user home"),
        ("I cut myself", "The user cut themself"),
        ("I drive for the US mail", "The user drives for the US mail"),
        ("my wife and I sing", "The user's wife and the user sings"),
        ("the boiler hums at night", "The boiler hums at night"),
        ("I like \u201cDune\u201d, 3.5 stars", "The user likes \u201cDune\u201d, 3.5 stars"),
    ],
)
def test_the_user_is_retold_in_their_own_words(said: str, told: str) -> None:
    assert third_person(said) == told


@pytest.mark.parametrize("nothing", ["", "   ", "...", "\U0001f600"])
def test_nothing_said_is_nothing_told(nothing: str) -> None:
    assert third_person(nothing) == nothing.strip()
