"""What a statement makes untrue by the kind of what it tells: a move, a new job, a liking turned round, a new dose.

The forms are of the third person, and a record is met by what it tells, whether it has a slot or not.
"""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.contradictions.deaths import ends_with_a_life, was_for_the_dead
from edge_memory.observe.english.contradictions.expiry import things_ended
from edge_memory.observe.english.contradictions.habits import (
    does_otherwise,
    is_back,
    is_held_elsewhere,
    is_paid,
    is_renewed,
    is_with_another,
)
from edge_memory.observe.english.contradictions.likings import is_liked_again, turns_liking
from edge_memory.observe.english.contradictions.plans import (
    carries_out,
    completes,
    drops_a_plan,
    is_rescheduled,
    plans_otherwise,
    puts_off,
)
from edge_memory.observe.english.contradictions.relationships import ends_relationship
from edge_memory.observe.english.contradictions.rivals import takes_its_place
from edge_memory.observe.english.contradictions.states import ends_a_state
from edge_memory.observe.english.contradictions.vehicles import replaces_vehicle, vehicle_words
from edge_memory.observe.english.contradictions.work_and_home import (
    changes_work_or_home,
    has_other_hours,
    leaves_a_house,
    runs_another,
    stops_working,
    words_of_runs,
)
from edge_memory.observe.english.lifted_orders import ways_ordered
from edge_memory.observe.english.slots import is_death, single_attribute
from edge_memory.observe.english.wording import COMMON_VERBS, is_negative, same_subject, subject_stems, telling
from edge_memory.observe.statement import Statement
from edge_memory.records import Record

_BANKS = re.compile(
    r"\b(?:banks? with|account\b.*\b(?:with|at)|(?:money|savings|salary) (?:is|are|goes|in|with|at))\b", re.IGNORECASE
)


def contradicts(statement: Statement, record: Record) -> bool:
    """Whether the record, an older one that is believed, cannot be true beside the statement."""
    text, slot = statement.text, statement.slot
    if turns_liking(statement, record):
        return same_subject(text, record.text) or is_liked_again(text)
    if is_negative(record.text) and slot is not None and slot.ends:
        return False
    if any(rule(text, record) for rule in (is_back, is_with_another, runs_another)):
        return True
    if ends_relationship(statement, record):
        return True
    if single_attribute(slot) == "bank" and record.text.startswith("The user's ") and _BANKS.search(record.text):
        return True
    if any(
        rule(statement, record)
        for rule in (is_held_elsewhere, is_paid, has_other_hours, replaces_vehicle, puts_off, leaves_a_house)
    ):
        return True
    if (
        carries_out(text, record)
        or completes(text, record)
        or takes_its_place(statement, record)
        or ends_a_state(statement, record)
    ):
        return True
    if is_renewed(text, record):
        return bool(telling(text) & telling(record.text) - COMMON_VERBS - subject_stems("the user"))
    if is_death(slot) and was_for_the_dead(statement, record):
        return True
    return same_subject(text, record.text) and (
        (is_death(slot) and ends_with_a_life(statement, record))
        or changes_work_or_home(statement, record)
        or plans_otherwise(statement, record)
        or drops_a_plan(text, record)
        or does_otherwise(statement, record)
    )


def words_contradicted(statement: Statement) -> str:
    """Words to find such records by that share none with the statement."""
    attribute = single_attribute(statement.slot)
    if ways := ways_ordered(statement.slot):
        return ways
    if attribute == "home":
        return "lives living stays staying settled based rents home alone flat house apartment bungalow cottage"
    if attribute == "post":
        return "works working nights days shifts earlies lates afternoons"
    if "marri" in telling(statement.text) and (is_rescheduled(statement.text) or any(things_ended(statement.text))):
        return "married marrying wedding"
    if attribute == "bank":
        return "bank banks account accounts money savings"
    if attribute in ("occupation", "employer") and statement.change:
        return "works working teaches drives studying studies doing college"
    if stops_working(statement.text):
        return "works working teaches teaching drives employed"
    return vehicle_words(statement.text, statement.slot) or words_of_runs(statement.text)
