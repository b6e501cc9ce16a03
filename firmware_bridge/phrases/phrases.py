"""The phrases that every language has: sentences with places in braces, and pairs of a form for one and for many."""

from __future__ import annotations

from dataclasses import dataclass

Counted = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    # turns
    ask_again: str
    not_kept: str
    echoed: str
    thinking: str
    manner: str
    my_name_is: str
    i_am: str
    # the prompt
    you_are: str
    agency: str
    long_term: str
    always: str
    relevant: str
    physical: str
    recalled: str
    said_on: str
    examples: tuple[tuple[str, str], ...]
    # what is known, and what must be kept
    receipts: tuple[str, str, str, str]
    sorry_for_loss: str
    sorry_to_hear: str
    glad_to_hear: str
    dont_know: str
    nearest: str
    nothing_nearer: str
    said_later: str
    still_waits: str
    second_try: str
    must_be_kept: str
    careful: str
    how_about: str
    as_you_told_me: str
    nothing_fits: str
    cannot_tell: str
    ask_pharmacist: str
    check_contents: str
    better_not: str
    ask_doctor: str
    you_told_me: str
    # memory by voice
    did_you_mean: str
    do_you_mean: str
    one_of_them: str
    or_else: str
    left_as_it_was: str
    goes_by_that: str
    forgets: str
    forgets_nothing: str
    too_vague: str
    nothing_to_forget: str
    too_much: str
    will_ask: str
    will_remember: str
    wrote_down: str
    noted: str
    told_before: str
    tidied: str
    knows_nothing: str
    knows_nothing_about: str
    remembers: str
    nothing_waits: str
    there_is_more: str
    steps: Counted
    memories: Counted
    faded: Counted
    things: Counted
    turns: Counted
    more_wait: Counted
    # reminders and timers
    wake_up: str
    your_reminder: str
    when_question: str
    timer_question: str
    time_is_past: str
    no_clock: str
    too_far: str
    only_once: str
    due_in: str
    due_at: str
    too_many: str
    too_long: str
    timer: str
    timer_set: str
    no_such_timer: str
    no_such_reminder: str
    which_one: str
    cancelled: str
    no_timers: str
    no_reminders: str
    waiting: str
    and_more: str
    told_missed: str
    told_in: str
    told_at: str
    reminder_due: str
    # devices
    cannot_change_volume: str
    no_volume_here: str
    volume: str
    quiet: str
