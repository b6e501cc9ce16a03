"""German sentences that ask for a reminder or a timer, ask what is waiting, or call it off. By rule."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from edge_memory import lazy_re as re
from edge_memory.observe.german.dates import day_in, is_repeated
from edge_memory.observe.german.verbs import second_person
from edge_memory.records import Language
from firmware_bridge.phrases import PHRASES
from firmware_bridge.turn.asked_back import answered, only_tells_a_time
from firmware_bridge.turn.german import moments
from firmware_bridge.turn.german.moments import duration_in, is_moment, moment_in, without_durations
from firmware_bridge.turn.wished import AskWaiting, CallOff, Remind, Time, Wished

_PHRASES = PHRASES[Language.GERMAN]
_POLITE = r"^\W*(?:(?:hey|hallo|okay|ok|so|und|bitte|lo-?bug|dann|du|mal|kannst du|könntest du|würdest du|ich möchte,? dass du)[\s,]+)*"
_REMIND = re.compile(
    rf"{_POLITE}(?:(?P<verb>erinner(?:e|st)?|weck(?:e|st)?)\s+(?:du\s+)?(?:mich|uns)\b|(?P<thing>(?:stell|mach|setz|erstell)e?\s+(?:mir\s+)?(?:bitte\s+)?(?:einen|den|eine|noch einen|noch eine)\s+(?:wecker|erinnerung|alarm))\b"
    r"|(?:mich|uns)\s+(?P<before>.*?)\s*(?P<late>erinnern|wecken)\b)[\s,]*(?P<rest>.*?)[\s.!?]*$",
    re.IGNORECASE | re.DOTALL,
)
_ASKS_BACK = re.compile(r"(?:nicht\b|(?:an |daran,? )?(?:was|wen|wer|wo|wie|warum|ob)\b)", re.IGNORECASE)
_FORBIDS = re.compile(r"\b(?:nie|niemals)\b", re.IGNORECASE)  # a standing order: "weck mich nie vor acht"
_LEAD = re.compile(r"^(?:bitte |noch |mal )*(?:daran|dran)\b[\s,:]*|^(?:an|ans|wegen|für)\s+|^[,:\s]*", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:den|die|das|der|dem|meinen|meine|mein)\s+", re.IGNORECASE)
_TO_DO = re.compile(r"\bzu\s+(?P<verb>\w+n)$", re.IGNORECASE)
_JOINED_TO_DO = re.compile(
    r"\b(?P<prefix>ab|an|auf|aus|bei|durch|ein|fest|fort|heraus|herein|hin|hoch|los|mit|nach|raus|rein|runter|rüber|um|unter|vor|vorbei|weg|weiter|zu|zurück|zusammen|wieder)zu(?P<verb>\w+n)$",
    re.IGNORECASE,
)
_EVERY = re.compile(
    r"\b(?:jede[nrsm]?\s+|täglich\b|wöchentlich\b|monatlich\b|alle\s+(?:\w+\s+)?(?=tage|wochen|stunden|minuten))",
    re.IGNORECASE,
)
_TIMER = re.compile(
    rf"{_POLITE}(?:(?P<verb>stell|stelle|start|starte|mach|mache|setz|setze|gib)\b\s*)?(?:mir\s+|bitte\s+|mal\s+)*(?:einen |ein |den |noch einen |eine )?(?P<before>[\w\s,.-]*?)-?timer\b(?P<after>.*?)[\s.!?]*$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"[\s,]*(?:$|(?:auf|für|von|mit|bitte|ein|stellen|starten|setzen|und|danke|über|jetzt)\b)", re.IGNORECASE
)
_CALL_OFF = re.compile(
    rf"{_POLITE}(?:lösch|lösche|stopp|stoppe|entfern|entferne|brich|beende|streich|streiche|schalt|schalte|mach|stell|stelle|vergiss)\s+(?P<all>alle|beide|sämtliche)?(?P<before>[\w\s'-]*?)(?P<label>[\w-]*?)-?(?P<kind>timer|wecker|erinnerung|alarm)(?P<many>en)?\b(?P<after>.*?)[\s.!?]*$",
    re.IGNORECASE,
)
_ENDS = re.compile(r"^(?:.*\b(?:ab|aus|weg|löschen|beenden|stoppen)\b)", re.IGNORECASE)
_ASK = re.compile(
    rf"{_POLITE}(?:was|welche[nrms]?|wie lange|wie viel\w*|zeig\w*|nenn\w*|sag\w*|lies|habe ich|hab ich|gibt es|läuft|laufen|woran)\b.*?(?P<kind>timer|wecker|erinnerung|erinnern|erinnere|alarm)\w*\b",
    re.IGNORECASE,
)
_PLAIN = frozenset("mein meine meinen den die das der an für zu um auf am alle bitte einen eine".split())
_ASKED_WHEN = re.compile(
    "^(?:.* )?"
    + re.escape(_PHRASES.when_question).replace(r"\{text\}", "(?P<text>.+)").replace(r"\{lead\}", "(?P<lead>daran)")
    + "$",
    re.DOTALL,
)
_NOT_A_TIME = re.compile(r"\s*(?:auf|für|von)?\s*(?:-\s*\d|minus\b|0+\b|null\b)", re.IGNORECASE)
_LONGEST_LABEL = 3  # words


def wish_in(text: str, asked: str, said: datetime) -> Wished | None:
    """As `firmware_bridge.turn.english.wishes.wish_in`."""
    how_long = asked.endswith(_PHRASES.timer_question)
    answer = answered(text, _ASKED_WHEN.match(asked), how_long=how_long, said=said, times=moments)
    return answer or _call_off(text) or _ask(text) or _remind(text, said) or _timer(text)


def completed(text: str, asked: str) -> str:
    """As `firmware_bridge.turn.english.wishes.completed`."""
    question = _ASKED_WHEN.match(asked)
    if question is None or not only_tells_a_time(text, moments):
        return text
    return f"erinnere mich {text} an {question['text']}"


def _remind(text: str, said: datetime) -> Remind | None:
    match = _REMIND.match(text)
    if match is None or _ASKS_BACK.match(match["rest"]) or _FORBIDS.search(match["rest"]):
        return None
    rest = " ".join(f"{match['before'] or ''} {match['rest']}".split())
    rest, often = _EVERY.subn(lambda every: "am " if every[0].lower().startswith("jede") else "", rest)
    rest = re.sub(r"\bam (?=tag\b)", "", rest)
    wakes = "weck" in f"{match['verb'] or ''}{match['late'] or ''}{match['thing'] or ''}".lower()
    if wakes and not re.search(r"\bdaran\b|\ban\b(?! \w+tag\b)", rest, re.IGNORECASE):
        when = re.sub(r"^(?:für|auf|um)\s+(?=um|halb|\d)", "um ", rest)
        when += " früh" if day_in(when, said) and not re.search(r"mittag|abend|nacht", when, re.IGNORECASE) else ""
        wished = Remind(_PHRASES.wake_up, "daran", moment_in(when, said))
    else:
        when, what = _parted(rest)
        moment = moment_in(when, said) if when else None
        wished = Remind(_task(what) or _PHRASES.your_reminder, "daran", moment)
    return replace(wished, repeats=True) if often or is_repeated(rest) else wished


def _parted(rest: str) -> tuple[str, str]:
    """What of it says when, and what is left: the longest beginning, or else the longest end, that only says when."""
    words = rest.split()
    for end in range(len(words), 0, -1):
        if is_moment(" ".join(words[:end])):
            return " ".join(words[:end]), " ".join(words[end:])
    for start in range(1, len(words)):
        if is_moment(" ".join(words[start:])):
            return " ".join(words[start:]), " ".join(words[:start])
    return "", rest


def _task(what: str) -> str:
    """ "daran, den Müll rauszubringen" becomes "den Müll rausbringen", "an den Zahnarzt" "Zahnarzt"."""
    plain = _LEAD.sub("", what.strip(" ,.")).strip(" ,")
    if re.match(r"dass\b", plain, re.IGNORECASE):
        told = second_person(plain)
        return told[:1].lower() + told[1:]
    done = _JOINED_TO_DO.sub(r"\g<prefix>\g<verb>", plain)
    done = _TO_DO.sub(r"\g<verb>", done)
    if done != plain:
        return done
    noun = _ARTICLE.sub("", plain) if len(plain.split()) <= _LONGEST_LABEL else plain
    return second_person(noun) if re.search(r"\b(?:mein|meine|meinen|mir|mich)\b", noun, re.IGNORECASE) else noun


def _timer(text: str) -> Time | None:
    match = _TIMER.match(text)
    if match is None or re.search(r"\b(?:im|am|vom|mein|unser|der|war|ist)\b", match["before"], re.IGNORECASE):
        return None
    label = [word for word in re.findall(r"[^\W_]+", without_durations(match["before"])) if word.lower() not in _PLAIN]
    seconds = duration_in(f"{match['before'].replace('-', ' ')} | {match['after']}")
    if _NOT_A_TIME.match(match["after"]):
        return Time(" ".join(label), None)
    if not _GOES_ON.match(without_durations(match["after"])) or len(label) > _LONGEST_LABEL:
        return None
    if seconds is None and match["after"].strip() and not match["verb"]:
        return None
    return Time(" ".join(label), seconds)


def _call_off(text: str) -> CallOff | None:
    match = _CALL_OFF.match(text)
    if match is None:
        return None
    first = text.split()[0].lower()
    if first.startswith(("mach", "stell", "schalt", "brich")) and not _ENDS.match(match["after"] or ""):
        return None
    kind = "timer" if match["kind"].lower() == "timer" else "reminder"
    said = re.findall(r"[^\W_]+", f"{match['before']} {match['label']} {match['after']}".lower())
    words = frozenset(word for word in said if word not in _PLAIN | {"ab", "aus", "weg", "wieder"})
    every = bool(match["all"] or match["many"])
    return CallOff(kind, words, every)


def _ask(text: str) -> AskWaiting | None:
    match = _ASK.match(text)
    if match is None:
        return None
    if match["kind"].lower() in ("erinnern", "erinnere") and not re.search(
        r"\bworan\b|\bsollst\b", text, re.IGNORECASE
    ):
        return None
    return AskWaiting("timer" if match["kind"].lower() == "timer" else "reminder")
