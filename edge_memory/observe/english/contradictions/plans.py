"""Plans and appointments: carried out, dropped, made otherwise or put off to another day."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import DAY, MONTHS, ORDINALS, word_class
from edge_memory.observe.english.wording import (
    COMMON_VERBS,
    is_negative,
    is_of_kin,
    is_past,
    same_subject,
    stem,
    subject_stems,
    subjects_of,
    telling,
)
from edge_memory.observe.statement import Statement
from edge_memory.records import Record, words_of

_INTENDED = re.compile(
    r"\b(?:wants?|hopes?|plans?|fancy|fancies|would (?:like|love)|is (?:thinking|planning|hoping|going|saving|training"
    r"|considering|looking|keen|off to|taking|sitting|moving|getting|having|buying|applying|starting|trying"
    r"|coming|visiting|flying|joining)"
    r"|going to|considering|dreams? of|intends?|signed up|booked)\b",
    re.IGNORECASE,
)
PLAN = re.compile(
    r"\b(?:is|are|'s) (?:\w+ )?(?:moving|coming|going|planning|hoping|thinking)\b|\b(?:will|going to|might|may|wants?"
    r"|would|could|hopes?|plans?)\b",
    re.IGNORECASE,
)
_HAS_BEEN = re.compile(r"\bhas (?:now |finally )?been \w+ing\b", re.IGNORECASE)
_CHANGES_PLANS = re.compile(r"\b(?:instead|after all|changed .* mind|decided on|rather)\b", re.IGNORECASE)
_PUT_OFF = re.compile(
    r"\b(?:change|move|push|bring|reschedule|postpone|shift|delay|moved|shifted|rescheduled|postponed|preponed"
    r"|pushed|put|brought|changed|delayed|moving|pushing|switched|bumped|reset"
    r"|extended|swapped|rearranged|rebooked|set back|slipped|shortened)\b"
    r".*\s(?:to|till|until|for|by|on)\s"
    r"|\b(?:can't|cannot|won't|not able to|unable to) (?:come|make it|do it|see the user|start|be here)\b.*\s"
    r"(?:till|until|before)\s",
    re.IGNORECASE,
)
DATE = re.compile(
    rf"\b(?:{'|'.join([DAY, *MONTHS, *(f'the {day}' for day in ORDINALS)])}"
    rf"|the \w+[- ]\w+(?:st|nd|rd|th)"
    rf"|tomorrow"
    r"|today|tonight|next \w+|this \w+|\d+(?:st|nd|rd|th)|\w+ (?:o'clock|am|pm))\b",
    re.IGNORECASE,
)
# Who tells of an appointment's new day is whom it is with: "the clinic rang, it's the ninth now".
_RANG = re.compile(
    r"^(?:the (?:user's )?)?(?P<who>[\w' -]+?) (?:has )?(?:just )?(?:rang|called|phoned|rung|texted|emailed|wrote"
    r"|messaged)(?: back| up)?, it(?:'s| is) ",
    re.IGNORECASE,
)
_COMPLETE = re.compile(
    r"^(?:the user's |the )?(?P<thing>[\w-]+(?: [\w-]+){0,2}) (?:is|are|has been|have been) (?:(?:all|finally|now|at"
    r" last|nearly) )*"
    r"(?:done|finished|up|in|built|ready|complete|completed|in place|painted|installed|over with)(?: now| at last|"
    r" too)*$",
    re.IGNORECASE,
)
_BUSY_WITH = re.compile(
    r"^[\w' -]+? (?:is|are) (?:\w+ )?\w+ing (?:up |in |out |down )?(?:the user's |the |an? )?(?P<thing>.+)$",
    re.IGNORECASE,
)
_IS_TO_COME = re.compile(
    r"\b(?:is|are) (?P<verb>coming|going|moving|getting|having|buying|leaving|starting|visiting"
    r"|staying)\b",
    re.IGNORECASE,
)
_TRAVELS = re.compile(
    r"\b(?:is|are) (?:coming|flying|arriving|landing|travelling|driving|getting in|sailing)\b", re.IGNORECASE
)
_NOT_AFTER_ALL = re.compile(
    r"\b(?:not|isn't|aren't|can't|cannot|won't|no longer)\b.*\b(?:after all|any ?more|now)\b"
    r"|\bno longer\b",
    re.IGNORECASE,
)
_WISHING = telling("wants wanted plans planning hopes thinking saving looking hoping would new")
_PLANNING = _WISHING | telling("buying going getting having taking moved changed date")
_TRYING = telling("learn try start see visit join begin moving leaving coming")
_SAME_PLAN = 2  # words that both tell


def is_planned(text: str) -> bool:
    """Whether a sentence tells what is meant to be."""
    return bool(_INTENDED.search(text))


def is_rescheduled(text: str) -> bool:
    """Whether it says that something gets another time."""
    return bool(_PUT_OFF.search(text))


def carries_out(text: str, record: Record) -> bool:
    """What was planned has been done: "wants to buy a tent" and "bought the tent"."""
    if (
        not is_planned(record.text)
        or not (is_past(text) or _HAS_BEEN.search(text))
        or is_negative(text)
        or is_negative(record.text)
    ):
        return False
    theirs = same_subject(text, record.text) or ("user" in subjects_of(record.text) and "the user" in text)
    whom = subject_stems(record.text)
    shared = telling(text) & telling(record.text) - COMMON_VERBS - _WISHING - whom
    meant = telling(record.text) - COMMON_VERBS - _WISHING - whom - _TRYING
    return theirs and (len(shared) >= _SAME_PLAN or (bool(meant) and meant <= telling(text)))


def completes(text: str, record: Record) -> bool:
    """ "The deck is finally up" and "is putting up a deck": what somebody was busy with is there."""
    done, doing = _COMPLETE.match(text), _BUSY_WITH.match(record.text)
    if done is None or doing is None or is_negative(text):
        return False
    thing = telling(done["thing"]) - subject_stems("the user")
    return bool(thing) and thing <= telling(doing["thing"]) and "user" in subjects_of(record.text)


def drops_a_plan(text: str, record: Record) -> bool:
    """ "Jan is not coming after all"."""
    planned = _IS_TO_COME.search(record.text)
    if planned is None or not _NOT_AFTER_ALL.search(text):
        return False
    comes = planned["verb"].lower() in ("coming", "visiting") and re.search(r"\b(?:come|coming|make it)\b", text)
    return bool(comes) or stem(planned["verb"].lower()) in telling(text)


def plans_otherwise(statement: Statement, record: Record) -> bool:
    """Another plan for the same occasion, told as a change."""
    if not (is_planned(statement.text) and is_planned(record.text)) or is_negative(record.text):
        return False
    told_so = statement.replaces or _CHANGES_PLANS.search(statement.text)
    return bool(told_so) and bool(telling(statement.text) & telling(record.text) - COMMON_VERBS - _PLANNING)


def puts_off(statement: Statement, record: Record) -> bool:
    """An appointment that has got another day: whatever both dates and the words that tell the event have in common."""
    text = statement.text
    moved = _PUT_OFF.search(text) or (statement.replaces and DATE.search(text))
    if not moved or not all(map(DATE.search, (text, record.text))) or is_negative(record.text):
        return False
    new, old = ({stem(word) for word in words_of(told) if word_class(word)} for told in (text, record.text))
    if new <= old:
        return False
    dates = new | old
    rang = _RANG.match(text)
    if (
        rang
        and telling(rang["who"]) <= telling(record.text)
        and not (is_past(record.text) and not is_planned(record.text))
    ):
        return True
    event = telling(text) & telling(record.text) - COMMON_VERBS - dates - _PLANNING
    if _TRAVELS.search(text) and _TRAVELS.search(record.text):
        event = event | {"travel"}
    subject, _, event_key = (statement.slot.key if statement.slot else "").partition(".")
    of_the_house = subject == "home" and telling(event_key.partition(".")[0].replace("_", " ")) <= telling(record.text)
    of_a_thing = (record.text.lower().startswith("the ") or of_the_house) and not is_of_kin(record.text)
    named = telling(" ".join(subjects_of(record.text) - {"user"}))
    if (is_past(record.text) and not is_planned(record.text)) or not (event if of_a_thing else event - named):
        return False
    own = "user" in subjects_of(record.text) and bool(event - _TRYING)  # "starts" tells of no event
    return same_subject(text, record.text) or (of_a_thing and bool(event & named)) or own
