"""What is said in the tests of talks with XiaoZhi devices, and what was heard of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sounds import silence, speech
from web_house import House

from edge_memory.records import Message

REPLY = "You said hello. Good."
SPOKEN_SECONDS = 4 * 0.3 + 2 * 0.12  # its words as tones, and two pauses
QUESTION = np.concatenate([speech(0.6), silence(0.8)])


def scripted(_: Sequence[Message]) -> str:
    return REPLY


async def heard(house: House) -> list[str]:
    return [turn["heard"] for turn in await house.memory.turns(None, 10) if turn["action"] != "ignore"]


async def settle(house: House, count: int) -> list[str]:
    """What was heard, once there are so many."""
    while len(words := await heard(house)) < count:
        pass
    return words
