"""What a statement makes untrue by the kind of what it tells: a move, a new job, a liking turned round, a new dose.

The frames are of the third person, and a record is met by what it tells, whether it has a slot or not.
"""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe import frames
from edge_memory.observe.company import takes_the_place
from edge_memory.observe.endings import is_planned
from edge_memory.observe.lexicon import KIN, KIN_SET, word_class
from edge_memory.observe.likings import turns_liking
from edge_memory.observe.reading import Statement
from edge_memory.observe.slots import is_death
from edge_memory.observe.wording import (
    COMMON_VERBS,
    LITTLE,
    VISIT,
    classes_of,
    is_negative,
    is_past,
    same_subject,
    stem,
    subject_stems,
    subjects_of,
    telling,
)
from edge_memory.records import Kind, Record, words_of

_KIN = re.compile(rf"^the user's (?:\w+ )?{KIN}\b(?! {VISIT}\b)", re.IGNORECASE)
_ASPECTS_OF_HOME = ("home", "place")


_WISHING = telling("wants wanted plans planning hopes thinking would new")
_PLANNING = _WISHING | telling("buying going getting having taking moved changed date")
_TRYING = telling("learn try start see visit join begin moving leaving coming")
_SAME_PLAN = 2  # words that both tell


def undoes(statement: Statement, record: Record) -> bool:
    """Whether the record, an older one that is believed, cannot be true beside the statement."""
    text, slot = statement.text, statement.slot
    if turns_liking(statement, record):
        return same_subject(text, record.text) or frames.LIKED_AGAIN.search(text) is not None
    if is_negative(record.text) and slot is not None and slot.ends:
        return False
    if takes_the_place(statement, record) or _is_back(text, record):
        return True
    attribute = slot.key.partition(".")[2] if slot and not slot.many else ""
    if attribute == "bank" and record.text.startswith("The user's ") and frames.BANKS.search(record.text):
        return True
    if _puts_off(statement, record) or _carries_out(text, record):
        return True
    if frames.RENEWS.search(text) and frames.RUNS_OUT.search(record.text):
        return bool(telling(text) & telling(record.text) - COMMON_VERBS - subject_stems("the user"))
    if is_death(slot) and _was_for_the_dead(statement, record):
        return True
    if not same_subject(text, record.text):
        return False
    return (
        (_stops_working(text) and _is_work(record))
        or (is_death(slot) and _ends_with_a_life(statement, record))
        or (attribute == "home" and not frames.PLAN.search(text) and _is_dwelling(record))
        or (attribute == "post" and statement.change and bool(frames.SHIFTS.search(record.text)))
        or _changes_post(statement, record)
        or (attribute == "occupation" and statement.change and _is_job(record))
        or (attribute == "employer" and bool(slot and not slot.ends) and _begins_work(statement, record))
        or (bool(frames.NEW_SCHOOL.search(text)) and _is_studies(record))
        or (_is_elsewhere(statement) and (_is_dwelling(record) or frames.ELSEWHERE.search(record.text) is not None))
        or _has_come_back(text, record)
        or _turns_round(statement, record)
        or _plans_otherwise(statement, record)
        or (
            bool(frames.STOPS_STUDYING.search(text))
            and (_is_studies(record) or bool(frames.ELSEWHERE.search(record.text)))
        )
        or _denies(statement, record)
        or _costs_otherwise(statement, record)
        or _narrows(statement, record)
        or _drops_a_plan(text, record)
        or _can_again(statement, record)
        or _does_otherwise(statement, record)
        or _takes_it_otherwise(statement, record)
    )


def words_undone(statement: Statement) -> str:
    """Words to find such records by that share none with the statement."""
    slot = statement.slot
    attribute = slot.key.partition(".")[2] if slot and not slot.many else ""
    if attribute == "home":
        return "lives living stays staying settled based rents home alone"
    if attribute == "post":
        return "works working nights days shifts earlies lates afternoons"
    if frames.PUT_OFF.search(statement.text) and "marri" in telling(statement.text):
        return "married marrying wedding"
    if attribute == "bank":
        return "bank banks account accounts money savings"
    if attribute in ("occupation", "employer") and statement.change:
        return "works working teaches drives studying studies doing college"
    if _stops_working(statement.text):
        return "works working teaches teaching drives employed"
    return ""


def is_switch(statement: Statement) -> bool:
    return bool(frames.SWITCHED.search(statement.excerpt)) and bool(statement.instead_of)


def _ends_with_a_life(statement: Statement, record: Record) -> bool:
    """What is told of kin stays true of them but for where they lived and worked; of an animal nothing does."""
    text = statement.text
    dead = (statement.slot.key if statement.slot else "").replace("_", " ")
    if not telling(dead) & telling(record.text):
        return False
    if _KIN.search(text):
        return _is_dwelling(record) or _is_work(record)
    return not is_past(record.text) and not frames.BORN.search(record.text)


def _was_for_the_dead(statement: Statement, record: Record) -> bool:
    """What the user does with or for somebody, who has died: visiting, ringing, minding them."""
    tended = frames.TENDS.match(record.text)
    return tended is not None and not (subjects_of(statement.text) - KIN_SET).isdisjoint(words_of(tended["whom"]))


def _is_dwelling(record: Record) -> bool:
    attribute = (record.key or "").partition(".")[2]
    if attribute in _ASPECTS_OF_HOME:
        return True
    return record.key is None and bool(frames.DWELLS.search(record.text)) and not is_negative(record.text)


def _is_elsewhere(statement: Statement) -> bool:
    """ "Jan is in Oslo now": of people, and of a town or a house by its name."""
    of_people = statement.slot is not None and statement.slot.key.endswith(".place")
    return of_people and statement.replaces and frames.ELSEWHERE.search(statement.text) is not None


def _has_come_back(text: str, record: Record) -> bool:
    """ "Jan is back from Oslo" ends that he is there."""
    back = frames.CAME_BACK.search(text)
    if back is None or is_past(record.text) or not (frames.ELSEWHERE.search(record.text) or _is_dwelling(record)):
        return False
    return telling(back["place"]) <= telling(record.text)


def _is_job(record: Record) -> bool:
    return record.key is None and bool(frames.EARNS.search(record.text)) and not is_negative(record.text)


def _stops_working(text: str) -> bool:
    return bool(frames.AT_HOME.search(text))


def _changes_post(statement: Statement, record: Record) -> bool:
    post = frames.NEW_POST.search(statement.text)
    return post is not None and telling(post["post"]) <= telling(record.text) and not is_past(record.text)


def _begins_work(statement: Statement, record: Record) -> bool:
    """Somebody's new work ends their studies, and what else they did somewhere."""
    if _is_studies(record):
        return statement.change
    return bool(statement.change or frames.NEW_WORK.search(statement.text)) and _is_work(record)


def _is_work(record: Record) -> bool:
    attribute = (record.key or "").partition(".")[2]
    if is_negative(record.text) or is_past(record.text):
        return False
    if attribute == "occupation" and not re.search(r"\b(?:at|for|in)\b", record.text):
        return False
    return attribute in ("employer", "post", "occupation") or bool(frames.WORKS.search(record.text))


def _is_studies(record: Record) -> bool:
    apart = record.key is not None and not record.key.endswith((".learning", ".school", ".place"))
    return not apart and bool(frames.STUDIES.search(record.text)) and not is_negative(record.text)


def _turns_round(statement: Statement, record: Record) -> bool:
    """ "doesn't eat snails" and "eats snails now": what was denied is so now."""
    if not statement.replaces or is_negative(statement.text) or not is_negative(record.text) or is_past(record.text):
        return False
    denied = telling(record.text) - LITTLE - COMMON_VERBS - telling("never") - subject_stems(record.text)
    return bool(denied) and denied <= telling(statement.text)


def _costs_otherwise(statement: Statement, record: Record) -> bool:
    """Another price of the same: "wants five now" beside "charges four crowns a trip"."""
    now, before = frames.PRICED.match(statement.text), frames.PRICED.match(record.text)
    if now is None or before is None or not statement.replaces:
        return False
    return now["amount"].lower() != before["amount"].lower()


def _denies(statement: Statement, record: Record) -> bool:
    """ "Doesn't get the bus" beside "gets the number 9 bus": the same doing, denied without a condition."""
    denied = frames.DENIES.match(statement.text)
    if denied is None or is_negative(record.text) or is_past(record.text) or record.kind is Kind.RELATIONSHIP:
        return False
    doing, told = telling(frames.REST.sub("", denied["what"])) - LITTLE, telling(record.text)
    return (
        bool(doing)
        and doing <= told
        and not classes_of(doing)
        and stem(denied["verb"].lower()) in map(stem, words_of(record.text))
    )


def _narrows(statement: Statement, record: Record) -> bool:
    """ "only does nights from now on" and "does two days and three nights"."""
    if (
        not (statement.replaces and frames.ONLY.search(statement.text))
        or record.key is not None
        or is_past(record.text)
    ):
        return False
    shared = telling(statement.text) & telling(record.text)
    return bool(shared - COMMON_VERBS - LITTLE - subject_stems(record.text)) and not is_negative(record.text)


def _does_otherwise(statement: Statement, record: Record) -> bool:
    """The same doing with the same thing, at another place or in another way: "keeps the seeds in the shed now"."""
    if not statement.replaces or is_negative(statement.text) or is_negative(record.text) or is_past(record.text):
        return False
    now, before = _doing(statement.text), _doing(record.text)
    if now is None or before is None:
        return False
    if now[:1] == before[:1] and now[2:] == before[2:] and now[1] != before[1]:
        return not frames.DATE.search(now[3])
    return now[:3] == before[:3] and now[3] != before[3]


def _takes_it_otherwise(statement: Statement, record: Record) -> bool:
    """Steak done otherwise, another number of sugars, another hour to get up at."""
    fewer = frames.COUNTS_DOWN.search(statement.text)
    if fewer:
        held = {stem(one["what"].lower()): one["count"].lower() for one in frames.COUNTED.finditer(record.text)}
        return held.get(stem(fewer["what"].lower()), fewer["count"].lower()) != fewer["count"].lower()
    if not statement.replaces:
        return False
    now, before = frames.TAKEN_SO.match(statement.text), frames.TAKEN_SO.match(record.text)
    if now and before and now["thing"].lower() == before["thing"].lower():
        return True
    return all(map(frames.GETS_UP.search, (statement.text, record.text)))


def _doing(text: str) -> tuple[str, str, str, str] | None:
    """Verb, object, preposition and the rest of a sentence like "The user puts the ladder behind the barn"."""
    match = frames.DOING.match(text)
    if match is None:
        return None
    verb, thing = stem(match["verb"].lower()), " ".join(map(stem, words_of(match["thing"])))
    return verb, thing, match["way"].lower(), match["rest"].lower()


def _is_back(text: str, record: Record) -> bool:
    """What has come back is no longer away."""
    if frames.FIXED.search(text) and same_subject(text, record.text):
        return bool(frames.AWAY.search(record.text))
    match = frames.BACK.search(text)
    if match is None or not frames.AWAY.search(record.text):
        return False
    return telling(match["thing"]) <= telling(record.text)


def _drops_a_plan(text: str, record: Record) -> bool:
    """ "Jan is not coming after all"."""
    planned = frames.PLANNED.search(record.text)
    if planned is None or not frames.NOT_AFTER_ALL.search(text):
        return False
    return stem(planned["verb"].lower()) in telling(text)


def _can_again(statement: Statement, record: Record) -> bool:
    can, could_not = frames.CAN.search(statement.text), frames.CANNOT.search(record.text)
    if can is None or could_not is None or is_negative(statement.text):
        return False
    return can["verb"].lower() == could_not["verb"].lower() and statement.replaces


def _carries_out(text: str, record: Record) -> bool:
    """What was planned has been done: "wants to buy a tent" and "bought the tent"."""
    if (
        not is_planned(record.text)
        or not (is_past(text) or frames.HAS_BEEN.search(text))
        or is_negative(text)
        or is_negative(record.text)
    ):
        return False
    theirs = same_subject(text, record.text) or ("user" in subjects_of(record.text) and "the user" in text)
    whom = subject_stems(record.text)
    shared = telling(text) & telling(record.text) - COMMON_VERBS - _WISHING - whom
    meant = telling(record.text) - COMMON_VERBS - _WISHING - whom - _TRYING
    return theirs and (len(shared) >= _SAME_PLAN or (bool(meant) and meant <= telling(text)))


def _plans_otherwise(statement: Statement, record: Record) -> bool:
    """Another plan for the same occasion, told as a change."""
    if not (is_planned(statement.text) and is_planned(record.text)) or is_negative(record.text):
        return False
    told_so = statement.replaces or frames.CHANGES_PLANS.search(statement.text)
    return bool(told_so) and bool(telling(statement.text) & telling(record.text) - COMMON_VERBS - _PLANNING)


def _puts_off(statement: Statement, record: Record) -> bool:
    """An appointment that has got another day: whatever both dates and the words that tell the event have in common."""
    text = statement.text
    moved = frames.PUT_OFF.search(text) or (statement.replaces and frames.DATE.search(text))
    if not moved or not all(map(frames.DATE.search, (text, record.text))) or is_negative(record.text):
        return False
    new, old = ({stem(word) for word in words_of(told) if word_class(word)} for told in (text, record.text))
    if new <= old:
        return False
    dates = new | old
    event = telling(text) & telling(record.text) - COMMON_VERBS - dates - _PLANNING
    of_a_thing = record.text.lower().startswith("the ") and not _KIN.match(record.text)
    named = telling(" ".join(subjects_of(record.text) - {"user"}))
    if (is_past(record.text) and not is_planned(record.text)) or not (event if of_a_thing else event - named):
        return False
    own = "user" in subjects_of(record.text) and bool(event - _TRYING)  # "starts" tells of no event
    return same_subject(text, record.text) or (of_a_thing and bool(event & named)) or own
