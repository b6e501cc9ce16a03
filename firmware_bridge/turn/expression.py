"""The face that goes with a turn, by rule."""

from __future__ import annotations

from edge_memory import lazy_re as re
from firmware_bridge.contracts import Action, Expression, Said

_WARNS = re.compile(r"\b(?:better not|careful|danger\w*|warning|emergency|allergic|unsafe)\b", re.IGNORECASE)
_REGRETS = re.compile(
    r"\b(?:sorry|sad|sadly|unfortunately|i don't know|i can't|i cannot|condolences|died)\b", re.IGNORECASE
)
_DELIGHTS = re.compile(
    r"\b(?:great|nice|lovely|wonderful|congratulations|happy|glad|fun|thank(?:s| you)|welcome|hello|good morning)\b",
    re.IGNORECASE,
)


def expression_of(said: Said) -> Expression:
    """Alert for a warning, sad for regret or not knowing, happy for delight, else neutral."""
    if said.action is not Action.RESPOND:
        return Expression.NEUTRAL
    for pattern, expression in (
        (_WARNS, Expression.ALERT),
        (_REGRETS, Expression.SAD),
        (_DELIGHTS, Expression.HAPPY),
    ):
        if pattern.search(said.text):
            return expression
    return Expression.NEUTRAL
