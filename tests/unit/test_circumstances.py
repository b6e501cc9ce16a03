"""What is forbidden only somewhere, at some hours, on some day, or to somebody in a car."""

from __future__ import annotations

import time

import pytest

from edge_memory.observe import read_statements
from edge_memory.records import Kind, Layer, Priority, Record
from firmware_bridge.turn.english.constraints import in_force, names

WEDNESDAY_NOON = time.mktime((2026, 11, 25, 12, 0, 0, 0, 0, -1))


def told(text: str) -> list[Record]:
    """What memory believes of an utterance."""
    return [
        Record(
            Layer.PROFILE,
            Kind.POLICY,
            statement.text,
            key=statement.slot.key if statement.slot else None,
            value=statement.slot.value if statement.slot else None,
            priority=Priority.HIGH,
        )
        for statement in read_statements(text)
    ]


@pytest.mark.parametrize(
    ("said", "asked", "against"),
    [
        ("no shoes inside my house", "can the electrician leave his trainers on in the kitchen", True),
        ("no shoes inside my house", "what shoes shall I buy", False),
        ("no alcohol under this roof", "can I bring a bottle of wine into the house", True),
        ("no pork in my house", "shall I fry some bacon at home", True),
        ("no pork in my house", "shall I have bacon at the cafe", False),
        ("no food in my car", "can the kids eat crisps in the car", True),
        ("no food in my car", "can I wash the car", False),
        ("we keep kosher, so no ham in our kitchen", "can I make a ham roll in the kitchen", True),
        ("don't phone me between eight and noon", "phone me at ten in the morning", True),
        ("don't phone me between eight and noon", "phone me at three in the afternoon", False),
        (
            "don't text me when I'm at work, that's nine in the morning till four",
            "text me at one in the afternoon",
            True,
        ),
        (
            "don't text me when I'm at work, that's nine in the morning till four",
            "text me at six in the evening",
            False,
        ),
        ("never ring me from ten at night till six in the morning", "ring me at two in the morning", True),
        ("I fast on Thursdays", "can I have a sandwich on Thursday", True),
        ("I fast on Thursdays", "it's Thursday evening, can I have some soup", False),
        ("I fast on Thursdays", "can I have a sandwich", False),
        ("I fast on Wednesdays", "can I have a sandwich", True),
        ("Ola mustn't have her friends in the car", "can Ola drive her mates home", True),
        ("Ola mustn't have her friends in the car", "can Ola give Jo a lift", True),
        ("Ola mustn't have her friends in the car", "can Ola drive to work", False),
        ("Duke can't have any grain", "can I give Duke some barley", True),
        ("Duke can't have any grain", "can I give Duke some hay", False),
        ("never let small children ride Duke", "can my five year old niece ride Duke", True),
        ("never let small children ride Duke", "can my fourteen year old niece ride Duke", False),
        ("Pavel has to stay away from the grinder", "should Pavel grind the axe", True),
        ("Pavel has to keep clear of the mower", "can Pavel mow the lawn", True),
        ("Pavel has to keep clear of the mower", "can Pavel rake the lawn", False),
    ],
)
def test_a_circumstance_is_heeded(said: str, asked: str, against: bool) -> None:
    binding = in_force(told(said), asked, WEDNESDAY_NOON)
    assert any(names(record, asked) for record in binding) is against
