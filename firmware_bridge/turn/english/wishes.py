"""Sentences that ask for a reminder or a timer, ask what is waiting, or call it off. By rule."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from edge_memory import lazy_re as re
from edge_memory.records import Language
from firmware_bridge.phrases import PHRASES
from firmware_bridge.turn.asked_back import answered, only_tells_a_time
from firmware_bridge.turn.english import moments
from firmware_bridge.turn.english.moments import duration_in, is_moment, moment_in, without_durations
from firmware_bridge.turn.wished import AskWaiting, CallOff, Remind, Time, Wished

_PHRASES = PHRASES[Language.ENGLISH]
_POLITE = r"^\W*(?:(?:hey|ok|okay|so|and|please|lo-?bug|can you|could you|would you|will you|i want you to)[\s,]+)*"
_REMIND = re.compile(
    rf"{_POLITE}(?P<verb>remind me|wake me(?: up)?"
    r"|(?:set|make|add|create) (?:me )?(?:a|an|another) (?:reminder|alarm))\b[\s,]*(?P<rest>.*?)[\s.!?]*$",
    re.IGNORECASE | re.DOTALL,
)
_ASKS_BACK = re.compile(r"(?:of )?(?:what|who|whose|where|when|how|which|why|whether|if)\b", re.IGNORECASE)
_PARTS_OF_DAY = frozenset(("morning", "afternoon", "evening", "night"))
_EVERY = re.compile(
    r"\b(?:(?:every|each)\s+(?:(?:single|other|second|\d+|two|three|four|six|eight|twelve)\s+)?"
    r"(?:days?|weekdays?|weeks?|months?|years?|hours?|minutes?|(?P<when>morning|afternoon|evening|night"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day))\b|(?:daily|weekly|monthly|hourly)\b(?=\s*(?:$|at\b|to\b)))",
    re.IGNORECASE,
)
_SAYS_WHEN = re.compile(
    r"(?:at|on|in|after|by|before|around|tomorrow|today|tonight|next|this|again|later|soon|sometime)\b|-?\d",
    re.IGNORECASE,
)
_NOT_A_TIME = re.compile(r"\s*(?:for|of|to)?\s*(?:-\s*\d|minus\b|0+\b(?!\.)|zero\b|\d+e\d)", re.IGNORECASE)
_LEAD = re.compile(r"\b(?P<lead>to|about|that|of)\s+", re.IGNORECASE)
_TIMER = re.compile(
    rf"{_POLITE}(?:(?P<verb>set|start|make|run|give me) )?(?:me )?(?:a |an |the |another )?"
    r"(?P<before>[\w\s.-]*?)\btimer\b(?P<after>.*?)[\s.!?]*$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"[\s,]*(?:$|(?:for|to|of|with|please|now|thanks|thank you|and)\b)", re.IGNORECASE)
_CALL_OFF = re.compile(
    rf"{_POLITE}(?:cancel|stop|delete|remove|clear|turn off|switch off|forget) (?P<all>all|every|both)?"
    r"(?P<before>[\w\s'-]*?)\b(?P<kind>timer|reminder|alarm)(?P<many>s)?\b(?P<after>.*?)[\s.!?]*$",
    re.IGNORECASE,
)
_ASK = re.compile(
    rf"{_POLITE}(?:what|which|list|show|tell me|read|do i have|have i|are there|is there|how many|how long"
    r"|how much time)\b(?!.*\b(?:codes?|passwords?|pin|company|panel|burglar|smoke|fire|house|car|security)\b)"
    r".*\b(?P<kind>timer|reminder|alarm)s?\b",
    re.IGNORECASE,
)
_PLAIN = frozenset("my the a an of about to for that this is on at all me one set please".split())
_ASKED_WHEN = re.compile(r"When shall I remind you (?P<lead>to|about|that|of) (?P<text>.+)\?$", re.DOTALL)
_LONGEST_LABEL = 3  # words


def wish_in(text: str, asked: str, said: datetime) -> Wished | None:
    """`asked` is what the companion said last: an answer to its question may be no more than a time."""
    how_long = asked.endswith(_PHRASES.timer_question)
    answer = answered(text, _ASKED_WHEN.search(asked), how_long=how_long, said=said, times=moments)
    return answer or _call_off(text) or _ask(text) or _remind(text, said) or _timer(text)


def completed(text: str, asked: str) -> str:
    """An answer to "when shall I remind you" as the whole wish; any other utterance as it is."""
    question = _ASKED_WHEN.search(asked)
    if question is None or not only_tells_a_time(text, moments):
        return text
    when = text if re.match(r"\W*(?:at|in|on|by|tomorrow|tonight|today)\b", text, re.IGNORECASE) else f"at {text}"
    return f"remind me {question['lead']} {question['text']} {when}"


def _remind(text: str, said: datetime) -> Remind | None:
    match = _REMIND.match(text)
    if match is None or _ASKS_BACK.match(match["rest"]):
        return None
    rest, often = _EVERY.subn(_once, match["rest"])
    if match["verb"].lower().startswith("wake"):
        wished: Remind | None = Remind(_PHRASES.wake_up, "to", moment_in(rest, said))
    else:
        wished = _told(rest.strip(" ,"), said)
    return replace(wished, repeats=True) if wished is not None and often else wished


def _once(every: re.Match[str]) -> str:
    """The first of "every Monday" or "each morning"; nothing of "every day", which says no time."""
    word = every["when"] or ""
    return "" if not word else f"in the {word}" if word.lower() in _PARTS_OF_DAY else f"on {word}"


def _told(rest: str, said: datetime) -> Remind | None:
    unclear: Remind | None = None
    for lead in _LEAD.finditer(rest):
        before, what = rest[: lead.start()].strip(), rest[lead.end() :]
        moment = moment_in(before, said)
        if moment is not None and is_moment(before):
            return Remind(what, lead["lead"].lower(), moment)
        if not before:
            return _told_at_the_end(what, lead["lead"].lower(), said)
        if unclear is None and lead["lead"].lower() != "of" and _SAYS_WHEN.match(before):
            unclear = Remind(what, lead["lead"].lower(), moment)
    if unclear is not None:
        return unclear
    moment = moment_in(rest, said)
    asks = moment is not None or not rest or _SAYS_WHEN.match(rest)
    return Remind(_PHRASES.your_reminder, "of", moment) if asks else None


def _told_at_the_end(what: str, lead: str, said: datetime) -> Remind | None:
    """ "feed the cat tomorrow at six": the longest end that only says when. "Remind me of ..." may ask for a memory."""
    words = what.split()
    for start in range(1, len(words)):
        end = " ".join(words[start:])
        if is_moment(end) and (moment := moment_in(end, said)) is not None:
            return Remind(" ".join(words[:start]), lead, moment)
    return None if lead == "of" else Remind(what, lead, None)


def _timer(text: str) -> Time | None:
    match = _TIMER.match(text)
    if match is None:
        return None
    label = _words(without_durations(match["before"]))
    seconds = duration_in(f"{match['before']} | {match['after']}")
    if _NOT_A_TIME.match(match["after"]) and not (label and not match["verb"]):
        return Time(" ".join(label), None)
    told_of = not _GOES_ON.match(without_durations(match["after"])) or (label and not match["verb"])
    if told_of or len(label) > _LONGEST_LABEL or (seconds is None and match["after"].strip() and not match["verb"]):
        return None
    return Time(" ".join(label), seconds)


def _call_off(text: str) -> CallOff | None:
    match = _CALL_OFF.match(text)
    if match is None:
        return None
    kind = "timer" if match["kind"].lower() == "timer" else "reminder"
    words = frozenset(_words(f"{match['before']} {match['after']}"))
    return CallOff(kind, words, bool(match["all"] or match["many"]))


def _ask(text: str) -> AskWaiting | None:
    match = _ASK.match(text)
    if match is None:
        return None
    return AskWaiting("timer" if match["kind"].lower() == "timer" else "reminder")


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"[^\W_]+", text.lower()) if word not in _PLAIN]
