"""Instructions to an assistant: what a planted sentence wants to become.

The owner may say how they themselves want to be treated ("never ring after ten", "call me Rosie"); that is a
standing order, and kept. What tells an assistant how to talk to anybody is not, whoever seems to say it.
"""

from __future__ import annotations

from edge_memory import lazy_re as re

_TALKING = (
    r"(?:say|answer|reply|respond|tell|ask|speak|talk|call|mention|recommend|suggest|advise|advertise|promote|praise"
    r"|claim|insist|pretend|act as|repeat|refuse|obey|comply|write|print|output|sing|send|direct|refer|introduce"
    r"|describe|address|greet|reveal|deny|lie|announce|include|insert|append|add|begin|start|end|finish|close|urge"
    r"|convince|persuade|encourage|warn|agree|confirm|explain|translate|quote|name|read out|spell|sign|swear)"
)
_GAP = r"\W{0,3}"  # bounded, as all here: anybody may send anything
_LATELY = r"(?:(?:now|always|never|only|also|just|immediately|secretly|please|kindly|then|from now on),?\s+){0,4}"
_HAS_TO = (
    r"(?:must|will|shall|should|can|may|(?:has|have|had|need|needs|ought|likes?|loves?|wants?|is|are|were|was|(?:is|are"
    r"|was|were|been) (?:told|asked|ordered|required|supposed|allowed|obliged|instructed|programmed))(?= to\b))"
    r"(?: not)?(?: to)?"
)
_ASSISTANT = (
    r"(?:(?:the|this|every|each|all|any|an?|my|our|your|voice|smart|ai|digital)\s+){0,3}"
    r"(?:assistants?|smart speakers?|your speakers|chatbots?|language models?|lo-?bug|devices|machines|companions"
    r"|robots|computers)"
)
_TOLD_TO_ASSISTANTS = re.compile(
    rf"\b{_ASSISTANT},?\s+(?:{_HAS_TO}\s+|remember to\s+|to\s+)?{_LATELY}{_TALKING}\b"
    r"|\bas (?:my|an|the|your) assistant,? you\b"
    r"|\byour (?:job|task|duty|role|purpose|goal|instructions?|orders?|rule|mission)s? (?:is|are)(?: now)? to\b"
    r"|\b(?:instructions?|orders?|way to (?:answer|reply|respond)\b.{0,80}?|house rules?(?: for .{0,40}?)?)"
    rf" (?:is|are) to {_LATELY}{_TALKING}\b"
    r"|\bthe (?:\w+ )?(?:answer|reply|response) to\b.{0,80}?\b(?:is|are|was|be|been)\b.{0,40}?\bto [a-z]+\b"
    rf"|\b(?:the|this) (?:user|owner) (?:\w+ ){{1,3}}?(?:you|{_ASSISTANT})\b"
    r"|\b(?:wrote|writes|written|texted|posted|emailed|says|said|reads?|simple|rule|means?)\b"
    rf"{_GAP}(?:[:,\"“‘]{_GAP}|please ){_LATELY}{_TALKING}\b"
    rf"|\b(?:said to|told to|reads?|means?) {_LATELY}{_TALKING}\b(?! (?:him|her|them|me|my|us|it)\b)"
    r"|\bwho (?:made|built|programmed|trained|owns|runs) you\b",
    re.IGNORECASE,
)
_LYING_IN_WAIT = re.compile(
    r"\b(?:if|when|whenever|after|once|as soon as|(?:the )?(?:next|each|every) time)\b.{0,60}?"
    r"\b(?:asks?|says?|hears?|the words?|mentions?|speaks?|questions?)\b.{0,80}?"
    rf"(?:,\s*(?:then\s+)?|\bthen\s+|\byou\s+){_LATELY}{_TALKING}\b",
    re.IGNORECASE,
)
_HOW_LOUD = r"(?:up|out|slow\w*|loud\w*|clear\w*|quiet\w*|soft\w*|twice|again)"
_TOLD_TO_YOU = re.compile(
    rf"\byou(?:'ll)?\s+{_LATELY}(?:{_HAS_TO}\s+)?{_LATELY}"
    rf"(?!(?:speak|talk|repeat|say it|spell it) {_HOW_LOUD}\b){_TALKING}\b",
    re.IGNORECASE,
)
_OF_ONESELF = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|me|my|mine|myself|we|we're|us|our|ours)\b", re.IGNORECASE)
# What only somebody would say who tells a talker how to talk: the owner's own standing orders begin otherwise.
_OF_TALK = re.compile(
    rf"\b{_TALKING}\b.{{0,80}}\b(?:(?:every|each) (?:answer|reply|response|sentence|message)s?|the user"
    r"|to (?:everyone|everybody|anyone|anybody))\b",
    re.IGNORECASE,
)
# What all are to do, told to nobody by name: "let each guest ...", "have everybody ...".
_ALL_MADE_TO = re.compile(
    r"(?:^|[:;,.]|\band|\bis)\W{0,3}(?:let|have|make|get)\s+(?:each|every|everyone|everybody|people)\b"
    r"(?! (?:round|over|in|here|home|back|for|at|on|together|along|around|else|a|an|some|their)\b)",
    re.IGNORECASE,
)
_STANDING_ORDER = re.compile(
    r"^\W{0,3}(?:please )?(?:always|never|from now on(?!,? you)|don't|do not)\b", re.IGNORECASE
)
_IMPERATIVE = re.compile(
    rf"(?:^|[:;.,]|\b(?:please|(?<!likes )(?<!loves )(?<!wants )to|{_HAS_TO})){_GAP}{_LATELY}(?:(?:do not|don't)\s+)?"
    rf"{_TALKING}\b",
    re.IGNORECASE,
)
_OF_THE_USER = re.compile(r"^\W{0,3}(?:the user|i|i'm|my|we|our)\b", re.IGNORECASE)


def instructs(utterance: str) -> bool:
    """Whether what was said tells an assistant how to talk, other than how the speaker wants to be talked to."""
    if _TOLD_TO_ASSISTANTS.search(utterance) or _LYING_IN_WAIT.search(utterance):
        return True
    if _ALL_MADE_TO.search(utterance):
        return True
    if _OF_TALK.search(utterance) and not _STANDING_ORDER.match(utterance):
        return True
    return bool(_TOLD_TO_YOU.search(utterance)) and not _OF_ONESELF.search(utterance)


def is_instruction(text: str) -> bool:
    """The same for a text of a file or a program, whose commands nobody has heard the owner give."""
    return instructs(text) or (not _OF_THE_USER.match(text) and bool(_IMPERATIVE.search(text)))
