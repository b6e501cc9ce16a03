"""Digesting a turn after its reply: what it stated, what that changes, and writing it down."""

from edge_memory.observe.apply import Source, apply_statements
from edge_memory.observe.auditor import Auditor
from edge_memory.observe.embedding import Embedding
from edge_memory.observe.english.forgetting import Forgetting
from edge_memory.observe.english.restrictions import restricts
from edge_memory.observe.languages import read_forget, read_statements, statement_of
from edge_memory.observe.observer import Observer
from edge_memory.observe.queue import JobQueue
from edge_memory.observe.statement import Context, Statement

__all__ = [
    "Auditor",
    "Context",
    "Embedding",
    "Forgetting",
    "JobQueue",
    "Observer",
    "Source",
    "Statement",
    "apply_statements",
    "read_forget",
    "read_statements",
    "restricts",
    "statement_of",
]
