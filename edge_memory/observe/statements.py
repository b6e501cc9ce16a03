"""Does a clause state something that is worth keeping? Decided by rule, before any model is asked."""

from __future__ import annotations

import re

_QUESTION = re.compile(
    r"\?$|^(?:what|what's|who|who's|whose|whom|when|where|where's|why|how|how's|which|is|are|am|was|were|do|does|did|can"
    r"|could|will|would|should|shall|may|might|have|has|had|isn't|aren't|don't you|doesn't|didn't|can't|couldn't"
    r"|won't|wouldn't)\b(?!\s+ever\b)",
    re.IGNORECASE,
)
_COMMAND = re.compile(
    r"^(?:please\s+)?(?:turn|play|stop|pause|resume|skip|tell|show|give|set|start|open|close|call|ring|wake|remind|read"
    r"|say|sing|repeat|explain|describe|translate|calculate|count|add|make|let|help|find|search|look|check|switch|mute"
    r"|unmute|lower|raise|increase|decrease|dim|cancel|delete|remove|write|define|spell|guess|listen|wait|hold|go"
    r"|come|be quiet|shut|try|tweet|send|lock|unlock|record|recommend|suggest|list|name|talk|sleep|hush|volume)\b",
    re.IGNORECASE,
)
_STANDING_ORDER = re.compile(r"^(?:always|never|(?:do not|don't)\s+(?:ever\s+)?\w+|from now on)\b", re.IGNORECASE)
_SMALL_TALK = re.compile(
    r"^(?:hi|hello|hey|hiya|howdy|bye|goodbye|good (?:morning|evening|night|afternoon|day)|see you|thanks|thank you|cheers"
    r"|ok|okay|alright|right|sure|fine|great|cool|nice|wow|yes|yeah|yep|yup|no|nope|maybe|exactly|correct|indeed|got it"
    r"|i see|i understand|i think so|i guess so|i don't know|i know|never ?mind|sorry|excuse me|oops|please|that's \w+"
    r"|sounds good|no problem|no worries|you're welcome|mm+|hm+|mm hmm|uh huh|um+|uh+|ah+|oh+|er+|lobug|lo-bug)"
    r"(?:[\s,]+(?:there|you|all|then|very much|so much|a lot|everyone|again|now|thanks|lobug|lo-bug|it|that|ok|okay))*$",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"^(?:i (?:wonder|want to know|need to know|would like to know|was wondering|am wondering|want you to|need you to)"
    r"|i'd like (?:you )?to (?:know|hear|ask)|let me|can you|could you|would you|will you|you (?:are|can(?! call me\b)|should|said|told))\b",
    re.IGNORECASE,
)
_TAKEOVER = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:previous|prior|above|earlier|all|your)\b.{0,20}"
    r"\b(?:instructions?|rules?|prompts?|orders?)\b|\byou are now\b|\bsystem prompt\b|\bnew instructions?\b"
    r"|\bdeveloper mode\b|\bjailbreak\b|\bpretend (?:to be|you are)\b|<\|",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(
    r"\b(?:i|i'm|i've|i'd|i'll|im|ive|my|mine|me|we|we're|we've|we'll|our|ours|us)\b", re.IGNORECASE
)
_BROADCAST = re.compile(
    r"\b(?:score|minute|half[- ]time|goal|kick[- ]off|league|innings|touchdown|headlines?|breaking news|correspondent|viewers"
    r"|listeners|stay tuned|coming up|after the break|commercial|sponsored|episode|season finale|subscribe|channel"
    r"|percent|shares|stocks?|markets?|index|election|senator|president|minister|parliament|government|police said"
    r"|officials?|forecast|highs? of|lows? of|offer ends|terms and conditions|call now|only \$?\d+)\b",
    re.IGNORECASE,
)
_NAMED_SUBJECT = re.compile(r"^(?:the|this|that|these|those)\s+\w+|^[A-Z][\w-]+(?:'s)?\s+\w+")
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|do|will|goes|lives|works|likes|loves|hates|prefers|needs|wants|takes|makes|uses|runs|starts|ends"
    r"|leaves|arrives|opens|closes|belongs|stays|keeps|sits|stands|costs|expires|overheats|breaks|turned|moved|broke"
    r"|died|started|ended|changed|\w+(?:ed|es)|\w{3,}s)\b",
    re.IGNORECASE,
)
_FEWEST_WORDS = 2
_MOST_WORDS = 60


def takes_over(text: str) -> bool:
    """Whether a text tries to give orders to the assistant's memory or rules rather than to tell it something."""
    return bool(_TAKEOVER.search(text))


def is_statement(clause: str) -> bool:
    """Whether a clause, without its lead-in, states something about the user's life.

    Questions, commands, greetings, confirmations and what a television says do not.
    """
    words = clause.split()
    if not _FEWEST_WORDS <= len(words) <= _MOST_WORDS:
        return False
    if _STANDING_ORDER.match(clause):
        return True
    if any(pattern.search(clause) for pattern in (_QUESTION, _COMMAND, _SMALL_TALK, _ASKING)):
        return False
    if _FIRST_PERSON.search(clause):
        return True
    return bool(_NAMED_SUBJECT.match(clause) and _VERB.search(clause) and not _BROADCAST.search(clause))
