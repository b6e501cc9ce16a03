"""The values that memory is made of. Plain frozen data: no file, no model, no clock."""

from edge_memory.records.conversation import Message, Relations, Role, StoredMessage, Summary, TurnHit, UserTurn
from edge_memory.records.language import Language
from edge_memory.records.ranker import Ranker
from edge_memory.records.record import (
    Kind,
    Layer,
    NewRecord,
    Origin,
    Priority,
    Record,
    RecordHit,
    Status,
)
from edge_memory.records.wording import words_of

__all__ = [
    "Kind",
    "Language",
    "Layer",
    "Message",
    "NewRecord",
    "Origin",
    "Priority",
    "Ranker",
    "Record",
    "RecordHit",
    "Relations",
    "Role",
    "Status",
    "StoredMessage",
    "Summary",
    "TurnHit",
    "UserTurn",
    "words_of",
]
