"""Whom a sentence is about: somebody's life, or the assistant that hears it.

A memory is told of a life. What is told of the hearer ("you ...", "our speaker is set to ...", "every reply") is a
demand on it, in whatever words, and is no memory unless it has a form in which the owner may order something.
"""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.inflection import is_irregular_past
from edge_memory.observe.english.instructions import is_instruction
from edge_memory.observe.english.statements import is_standing_order, takes_over, tells_nothing

_YOU = re.compile(r"\b(?:you|your|yours|yourself|yourselves|you(?:'d|'ll|'re|'ve))\b", re.IGNORECASE)
# Of whom a "you" may tell: nobody, somebody who handles a thing of the house, or how the speaker likes to be treated.
_SAID_TO_HEARER = re.compile(
    r"\b(?:thank you|as you know|you know|you see|mind you|see you|if you (?:ask|must know|like|want|can|remember)"
    r"|(?:i|we)(?:'ve| have|'ll| can| will| should| must)?(?: already| just| only)? (?:tell|told|ask|asked|promise"
    r"|thank|need to tell|want to tell|wanted to tell|forgot to tell) you|between you and me|believe you me"
    r"|did you know|you can call me|call you back)\b"
    r"|^(?:if|when|whenever) (?:i|we|my \w+)\b.{1,40}?\byou(?:'re| are) to (?:ring|phone|wake|fetch|remind|warn)\b"
    r"|^(?:i|we)(?:'ve| have)?(?: \w+){1,5} your \w+(?: \w+){0,2}$"  # "I forgot all about your birthday"
    r"|^i(?:'d| would| really|'m)*(?: just)? (?:rather|prefer|like|love|hate|don't like|do not like|can't stand"
    r"|appreciate)(?: it)?(?: (?:when|if|that))? you\b(?: [\w']+ yourself\b)?",
    re.IGNORECASE,
)
_WHICH_ONE = r"(?:(?:just|only|always|never|first|then|also|really|still)\s+)*"
_HANDLING = re.compile(
    rf"\byou(?:'ve|'ll)?\s+{_WHICH_ONE}(?:(?:have|need|got|ought|used)\s+to\s+|(?:can|can't|cannot|could|must|mustn't|should"
    rf"|shouldn't|may|will|won't|do|don't)\s+)?{_WHICH_ONE}(?:press|push|pull|turn|twist|lift|open|close|shut|lock"
    r"|unlock|jiggle|wiggle|kick|tap|plug|unplug|switch|fill|empty|pour|mix|stir|heat|warm|cook|bake|boil|soak|rinse"
    r"|wash|clean|dry|knead|chop|fry|go|come|get|take|walk|drive|park|knock|wait|need|see|find|hear|type|click|charge"
    r"|feed|water|squeeze|hold|slide|fold|wind|reset|descale|defrost|shake|lean|reach|step|use|look"
    r"|(?:speak|talk|shout) (?:up|out|slow\w*|loud\w*|clear\w*))\b",
    re.IGNORECASE,
)
_HEARER = (
    r"(?:(?:the|this|that|my|our|your|every|each|all|any|an?|good|smart|voice|digital|home|last|new|old|such|these"
    r"|those|whose)\s+)+"
    r"(?:assistants?|speakers?|gadgets?|devices?|robots?|chatbots?|companions?|machines|computers)"
)
_NAMED = r"(?:good assistants|lo-?bug|smart speakers|language models?|chatbots)"
_NO_DEED = (
    r"(?:be|break|arrive|work|charge|leave|stop|come|go|die|move|fail|last|me|us|him|her|them|it|my|our|the|an?|that)"
)
_MADE_TO_ACT = re.compile(
    rf"\b(?:{_HEARER}|{_NAMED})(?:\s+[\w'-]+){{0,5}}?\s+(?:to|must|shall|should|ought to|will)\s+"
    rf"(?!{_NO_DEED}\b)[a-z]+\b"
    rf"|\b(?:{_HEARER}|{_NAMED})(?<=s) (?!need|have|had|use|cost|take|want|got|lost|play)[a-z]+(?<!s)"
    r" (?:the|an?|your|their|people|everyone|everybody)\b"
    rf"|\b(?:makes?|made|lets?|let|has|have) (?:{_HEARER}) (?!(?:of|in|on|for|and|with|at|from|to|work)\b)[a-z]+\b",
    re.IGNORECASE,
)
_INSTRUMENT = re.compile(rf"\b(?:use|uses|using|used|buy|bought|sold|got) {_HEARER}", re.IGNORECASE)
_OF_REPLIES = re.compile(
    r"\b(?:every|each|any|all|your|its) (?:\w+ )?(?:answers?|repl(?:y|ies)|responses?|sentences?|greetings?"
    r"|conversations?|sums?|calculations?)\b",
    re.IGNORECASE,
)
_EVERYBODY = re.compile(r"\b(?:everyone|everybody|anyone|anybody|whoever|people|callers|strangers)\b", re.IGNORECASE)
_OWN_DOING = re.compile(r"^(?:i|i'm|i've|we|we're|my|our|the user(?:'s)?)\s", re.IGNORECASE)

# What it is good manners to do, of nobody's life.
_MANNERS = re.compile(
    r"\b(?:it's|it is) (?:\w+ )?(?:polite|impolite|rude|courteous|customary|proper|(?:good|bad) (?:manners|form)"
    r"|common courtesy) to\b(?!.*\b(?:i|me|my|we|us|our)\b)",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"[\[\]<>{}|=`\\]|https?:|\bwww\.|[\n\r\x00-\x08\x0b-\x1f\u200b-\u200f\u202a-\u202e]")
_ASSISTANT = re.compile(r"\b(?:assistants?|lo-?bug|chatbots?|language models?|companions?|ai)\b", re.IGNORECASE)
_THE_USER = re.compile(r"\bthe (?:user|owner)\b", re.IGNORECASE)  # whom nobody calls so who speaks
_CUSTOM = re.compile(
    r"\b(?:rule|custom(?:ary)?|habit|polite|plan|style|policy|agreed|agreement|way|idea|duty|task|motto|deal|tradition"
    r"|wish|tip|usual|normal|standard|expected|common|practice)\b.{0,30}?(?:\bto|[:,])\s+(?!(?:the|an?|my|his|her|their|our)\b)[a-z]+\b"
    r"|\bthe user (?:wants?|expects?|wishes|enjoys?|loves?|likes?|prefers?|is happ\w+)\b"
    r"(?! to\b).*\b(?:people|everyone|everybody|anyone|anybody|whoever|callers|guests|visitors|others|replies"
    r"|answers)\b"
    r"|\bthe user (?:says?|said|asks?|asked|tells?|told)\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"^(?:the|my|our|his|her|their|an?|this|that|these|those|i|i'm|i've|we|we're|we've|he|she|they|it|there|one|two)\s",
    re.IGNORECASE,
)
_VERB = (
    r"(?:is|are|was|were|isn't|aren't|has|have|had|hasn't|does|do|did|doesn't|don't|didn't|can|can't|cannot|could|will"
    r"|won't|would|should|must|needs?|never|always|usually|i'm|[a-z]+ed|[a-z]{2,}(?<!s)s)\b"
)
_TELLS = re.compile(rf"\s{_VERB}|\w's\s", re.IGNORECASE)
_NAME = r"[^\W\d_](?:[\w'-]|\.(?=\s))*"
_NAME_TELLS = re.compile(
    rf"^{_NAME}(?:\s(?-i:[^\W\d_a-z])[\w'.-]*){{0,3}}\s{_VERB}"  # "Ann Lee works"
    rf"|^{_NAME}'s?(?:\s[\w'-]+){{1,3}}?\s{_VERB}|^{_NAME} and (?:the user|{_NAME})\s"  # "Ann's school is"
    rf"|^{_NAME} {_NAME} (?:is|are|was|were|has|have|had)\b",
    re.IGNORECASE,
)


def addresses_hearer(clause: str) -> bool:
    """Whether it tells what the hearer does or shall do, in no form in which the owner orders something."""
    if is_standing_order(clause):
        return False
    others_left = _SAID_TO_HEARER.sub(" ", clause)
    if _YOU.search(others_left if _EVERYBODY.search(clause) else _HANDLING.sub(" ", others_left)):
        return True
    if _MANNERS.search(clause):
        return True
    if _OF_REPLIES.search(clause) and not _OWN_DOING.match(clause):
        return True
    return bool(_MADE_TO_ACT.search(clause)) and not _INSTRUMENT.search(clause)


def tells_of_life(text: str) -> bool:
    """Whether a text that nobody was heard to say is plainly told of somebody's life or of a thing, and asks nothing of
    anybody: what a file or a program may have believed of it without the owner.
    """
    if _MARKUP.search(text) or _ASSISTANT.search(text) or _YOU.search(text) or _CUSTOM.search(text):
        return False
    if takes_over(_THE_USER.sub("she", text)) or is_instruction(text) or addresses_hearer(text):
        return False
    if _OF_REPLIES.search(text) or tells_nothing(text):
        return False
    words = text.split()
    if _SUBJECT.match(text):
        return bool(_TELLS.search(text)) or any(map(is_irregular_past, words))
    return bool(_NAME_TELLS.match(text)) or any(map(is_irregular_past, words[1:2]))
