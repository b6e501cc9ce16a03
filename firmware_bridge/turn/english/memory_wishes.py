"""Sentences that ask something of memory itself: remember, what do you know, how much, what are you unsure of. By rule."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.records import words_of
from firmware_bridge.turn.wished import Count, Doubts, EraseAll, Happened, Learn, MemoryWish, Recall, TidyUp, Way

_POLITE = (
    r"^\W*(?:(?:hey|ok|okay|so|and|please|lo-?bug|well|now|oh|can you|could you|would you|will you|i want you to|i'd like you to"
    r"|i need you to|just)[\s,]+)*"
)
_LEARN = re.compile(
    rf"{_POLITE}(?:remember|memorise|memorize|note(?: down)?|make a (?:mental )?note(?: of)?|don't (?:ever )?forget|do not forget"
    r"|(?:learn|store|save)(?= that\b)|keep in mind|bear in mind"
    r"|write (?:this|that|it) down|for (?:your information|the record))\b[\s,:]*(?:that\b|this:?)?[\s,:]*"
    r"(?!to\b|me\b|us\b|what\b|when\b|where\b|who\b|how\b|why\b|about\b|it\b|him\b|her\b|them\b)(?P<what>\S.*?)[\s.!]*$",
    re.IGNORECASE | re.DOTALL,
)
_KNOW = r"(?:know|remember|recall|have (?:stored|saved|noted|on file))"
_RECALL = re.compile(
    rf"{_POLITE}(?:tell me )?(?:what (?:(?:do|can|else do) you |all do you |you |exactly do you )?(?:still )?{_KNOW}(?: (?:about|of|on|regarding) (?P<a>.+?))?"
    rf"|(?:tell me )?(?:everything|all|anything|something|all that) you {_KNOW} (?:about|of) (?P<b>.+?)"
    rf"|do you {_KNOW} (?:anything|something|stuff|things) (?:about|of) (?P<c>.+?)"
    r"|what (?:have i|did i|i've|i have) (?:ever |already )?(?:told|tell|said|say|mentioned|mention)(?: to)?(?: you)? about (?P<d>.+?)"
    r"|what have you (?:learned|learnt|remembered|stored|noted|saved)(?: so far)?(?: (?:about|of|on) (?P<f>.+?))?"
    r"|(?:recall|recollect) (?:everything |all |anything )?(?:(?:you know )?about )?(?P<g>(?:my|our) .+?|me|myself)"
    r"|who am i|tell me about (?P<e>me|myself|my .+?))[\s?.!]*$",
    re.IGNORECASE,
)
_ABOUT_ME = re.compile(
    r"(?:me|myself|my life|us|my family and me|me so far|me by now|me then|me again|me now|who i am)(?: so far| already| then| now)?",
    re.IGNORECASE,
)
_COUNT = re.compile(
    rf"{_POLITE}(?:tell me )?(?:how (?:much|many (?:things|facts|memories|records|notes))(?: stuff)? (?:do you|you|have you) "
    r"(?:\w+ )?(?:know|remember|remembered|stored?|learn(?:ed|t)?|saved?|noted)"
    r"|how many (?:memories|things) (?:do you have|are (?:there )?in your memory)|how (?:big|full|large) is your memory"
    r"|(?:show |give |read )?(?:me )?(?:(?:your|the) )?(?:memory )?(?:stats|statistics)(?=(?: please)?[\s?.!]*$)|what are your memory stat\w*)\b.*$",
    re.IGNORECASE,
)
_DOUBTS = re.compile(
    rf"{_POLITE}(?:what (?:are|aren't) you (?:not |un)?(?:sure|certain|unsure|uncertain)(?: about| of)?"
    r"|(?:is there |have you |do you have )?(?:anything|something|any questions?)(?: else)?(?: (?:that )?(?:you|i))?(?: (?:want|need|have|should|can|would like))*"
    r" (?:to |for me to )?(?:confirm|ask me|check with me|clarify|clear up)"
    r"|what (?:should|can|do|must) i (?:need to |have to )?confirm"
    r"|what (?:needs|wants|is there|do you need|do you want|have i got)(?: me)?(?: to)? (?:confirming|confirm|confirmation)"
    r"|what(?:'s| is) (?:pending|waiting for (?:me|my (?:word|answer))|unconfirmed)"
    r"|(?:do you have |have you )?any (?:open )?(?:questions|doubts)(?: for me)?)[\s?.!]*$",
    re.IGNORECASE,
)
_ERASE_ALL = re.compile(
    rf"{_POLITE}(?:forget|erase|delete|wipe|clear|remove) (?:(?:everything|all)(?: (?:that )?(?:you (?:know|remember|have)"
    r"|i (?:said|told you)))?(?: (?:about|on|of) (?:me|us|myself))?|me|(?:all )?your (?:whole |entire )?memory)[\s?.!]*$",
    re.IGNORECASE,
)

_EPISODE = re.compile(
    rf"{_POLITE}(?:add|make|keep|log|write(?: down)?|record|save|create) (?:this as )?an? (?:new )?(?:episode|(?:diary|log) entry)\b"
    r"[\s,:]*(?:that\b|saying(?: that)?\b|about how\b)?[\s,:]*(?P<what>\S.*?)[\s.!]*$",
    re.IGNORECASE | re.DOTALL,
)
_PROCEDURE = re.compile(
    rf"{_POLITE}(?:(?:remember|learn|note|save|store|this is|here(?:'s| is)) how (?:to|we|i) (?P<how>[^:,]+?)"
    r"|(?:save|add|make|store|remember|note) (?:a|the|this) (?:procedure|workflow|recipe)(?: (?:called|named|for))? (?P<name>[^:,]+?))"
    r"(?::|, (?=first)|,? (?=first ))\s*(?P<steps>\S.*?)[\s.!]*$",
    re.IGNORECASE | re.DOTALL,
)
_NEXT_STEP = re.compile(
    r"[\s,;.]*\b(?:and then|then|after that|next|finally|lastly)\b[\s,:]*|\s*[;,]\s*(?:and )?", re.IGNORECASE
)
_FIRST_STEP = re.compile(r"^(?:first(?:ly)?(?: of all)?|you|start by)\b[\s,:]*", re.IGNORECASE)
_TIDY = re.compile(
    rf"{_POLITE}(?:tidy|clean|sort|consolidate|reorganise|reorganize|defragment)(?: up| out)? (?:your|the) (?:memory|memories)"
    r"(?: up| out)?(?: please)?[\s.!]*$",
    re.IGNORECASE,
)


def memory_wish(text: str) -> MemoryWish | None:
    """What an utterance asks of memory itself; None for anything else."""
    said = text.replace("\u2019", "'").strip()
    if _ERASE_ALL.match(said):
        return EraseAll()
    if _COUNT.match(said):
        return Count()
    if _DOUBTS.match(said):
        return Doubts()
    if _TIDY.match(said):
        return TidyUp()
    if (match := _EPISODE.match(said)) and len(words_of(match["what"])) > 1:
        return Happened(match["what"])
    if (match := _PROCEDURE.match(said)) and len(steps := _steps(match["steps"])) > 1:
        return Way((match["how"] or match["name"]).strip(), steps)
    match = _RECALL.match(said)
    if match:
        topic = next((group for group in match.groups() if group), "")
        return Recall("" if _ABOUT_ME.fullmatch(topic.strip()) or not words_of(topic) else topic.strip())
    match = _LEARN.match(said)
    return Learn(match["what"]) if match and len(words_of(match["what"])) > 1 else None


def _steps(told: str) -> tuple[str, ...]:
    steps = (_FIRST_STEP.sub("", step.strip(" .,")) for step in _NEXT_STEP.split(told))
    return tuple(step for step in steps if words_of(step))
