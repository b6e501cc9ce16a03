"""Deciding about memory: proposals and their confirmation, the profile, what is kept by hand, and upkeep."""

from edge_memory.review.consolidation import Consolidated, due_consolidation
from edge_memory.review.decisions import Decision
from edge_memory.review.marks import NO_MARKS, Marks
from edge_memory.review.notes import Notes
from edge_memory.review.profile import Profile
from edge_memory.review.replies import Reply, answers_proposal, picks
from edge_memory.review.review import Proposal, Review
from edge_memory.review.snapshots import due_profile, due_profiles_at_start
from edge_memory.review.upkeep import Merger, Upkeep

__all__ = [
    "NO_MARKS",
    "Consolidated",
    "Decision",
    "Marks",
    "Merger",
    "Notes",
    "Profile",
    "Proposal",
    "Reply",
    "Review",
    "Upkeep",
    "answers_proposal",
    "due_consolidation",
    "due_profile",
    "due_profiles_at_start",
    "picks",
]
