"""Records as turns leave them, for tests of what replies may say."""

from __future__ import annotations

from edge_memory.records import Kind, Layer, Priority, Record


def told(excerpt: str, text: str, key: str | None = None, value: str | None = None) -> Record:
    return Record(Layer.PROFILE, Kind.FACT, text, key=key, value=value, source_excerpt=excerpt)


def rule(excerpt: str, text: str, key: str, value: str) -> Record:
    return Record(
        Layer.PROFILE, Kind.POLICY, text, key=key, value=value, source_excerpt=excerpt, priority=Priority.CRITICAL
    )


AUNT = told("my aunt Wilma lives in Ghent", "The user's aunt Wilma lives in Ghent", "wilma.lives_in", "Ghent")


NUTS = rule("I'm allergic to hazelnuts", "The user is allergic to hazelnuts", "user.allergy", "hazelnuts")


VEGAN = rule("I'm vegan", "The user is vegan", "user.diet", "vegan")


DRY = rule("I never drink alcohol", "The user never drinks alcohol", "user.never", "drink alcohol")


NO_CALLS = rule(
    "never ring my uncle Bert", "Never ring the user's uncle Bert", "rule.never", "ring the user's uncle Bert"
)


PILLS = rule("I take lithium at night", "The user takes lithium at night", "user.medicine", "lithium")
