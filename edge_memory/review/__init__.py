"""Deciding about memory: proposals and their confirmation, the profile, what is kept by hand, and upkeep."""

from edge_memory.review.consolidation import Consolidated, due_consolidation
from edge_memory.review.decisions import Decision
from edge_memory.review.notes import Notes
from edge_memory.review.profile import Profile
from edge_memory.review.replies import Reply, answers_proposal
from edge_memory.review.review import Proposal, Review
from edge_memory.review.upkeep import Merger, Upkeep

__all__ = [
    "Consolidated",
    "Decision",
    "Merger",
    "Notes",
    "Profile",
    "Proposal",
    "Reply",
    "Review",
    "Upkeep",
    "answers_proposal",
    "due_consolidation",
]
