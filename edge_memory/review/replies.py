"""What a person answers when asked whether something is so, or which of several things is meant."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from edge_memory import lazy_re as re
from edge_memory.records import words_of
from edge_memory.review import german_replies


class Reply(StrEnum):
    YES = "yes"
    NO = "no"


# Over the words of an utterance without their marks: "that's" is "that s".
_IT = r"(?:that s|that is|it s|it is|this is|you re|you are|thats|its|youre)"
_WHO = r"(?:i|it|that|she|he|they|we)"
_SAVE = r"(?:update|change|remember|save|keep|store|do) (?:it|that)"
_FILLER = r"oh|uh|um|hm|hmm|well|ok|okay|now|thanks|thank you|lobug|lo bug|please|totally|completely|i think so"
# A yes must be nothing but a yes: "yes, but only in winter" and "yes what time is it" are none.
_YES = "|".join(
    (
        r"yes|yeah|yep|yup|yea|aye|sure|right|correct|exactly|indeed|absolutely|definitely|certainly|true|affirmative",
        rf"{_IT} (?:quite |absolutely |all )?(?:right|correct|true|so|it)",
        rf"{_WHO} (?:am|do|did|is|are|was|were|have|has|does)",
        r"(?:i|that s what i) (?:did |do )?(?:mean|meant|said)(?: it| that)?",
        rf"(?:accept|approve)(?: (?:it|that|this))?|of course|for sure|please do|go ahead|(?:you can )?{_SAVE}",
        r"(?:i )?confirm(?:ed)?(?: it| that)?|(?:you )?(?:heard|got) (?:me |it )?right",
    )
)
_NO = "|".join(
    (
        r"no|nope|nah|negative|wrong|incorrect|never|of course not|leave it(?: as it is)?",
        r"not (?:at all|really|true|right|correct|so)|no way|no sir",
        rf"{_IT} (?:not|wrong|incorrect|false)(?: .*)?",
        rf"{_WHO} (?:didn t|did not|don t|do not|am not|isn t|is not|aren t|are not|wasn t)(?: .*)?",
        rf"(?:don t|do not)(?: {_SAVE})?",
        r"(?:reject|discard|dismiss|decline)(?: (?:it|that|this|that one|this one|the change))?",
    )
)
_PLAIN_YES = re.compile(rf"(?:(?:{_FILLER}) )*(?:{_YES})(?: (?:{_YES}|{_FILLER}))*")
_PLAIN_NO = re.compile(rf"(?:(?:{_FILLER}) )*(?:{_NO})(?: (?:{_NO}|{_FILLER}))*")
# A no may go on ("no my name is Kari"): what follows is a statement of its own, and the observer reads it. Where no
# mark parts them, it begins as a statement does: "no visitors after ten" is an order.
_NO_IS_PART_OF_MORE = r"problem|idea|worries|one|doubt|wonder|longer|matter|clue|more|need|hurry|thanks"
_ASKS = r"what|who|where|when|why|how|which|can|could|would|will|do you|did you|are you|tell me"
_BEGINS_A_STATEMENT = (
    r"i|i[md]|my|our|your|his|her|their|he|she|it|its|they|we|you|that|thats|this|these|those|the|there|not|no|still|just"
    r"|only|actually|really|because|dont|do|leave|keep|forget|of|way|sir|sorry|please|thank|absolutely|definitely"
)
_NO_AND_MORE = re.compile(
    rf"(?:(?:{_FILLER}) )*(?:no|nope|nah) (?!(?:{_NO_IS_PART_OF_MORE}|{_ASKS}|turn|play|set|stop)\b)\S.*"
)
_NO_PARTED = re.compile(rf"(?:no|nope|nah)(?:\s*[,.;:!\u2013\u2014-]|\s+(?:{_BEGINS_A_STATEMENT})\b)", re.IGNORECASE)
_UNSURE = re.compile(r"\b(?:maybe|perhaps|not sure|don t (?:know|care)|do not (?:know|care)|no idea|later|wait)\b")

_NONE = (
    r"(?:none|neither|nothing|no one)(?: of (?:them|those|these|that|it))?|never ?mind|forget (?:about )?it"
    r"|leave (?:it|them)(?: .*)?|keep .*"
)
_NONE_MEANT = re.compile(rf"(?:(?:{_FILLER}|no|nope) )*(?:{_NONE})(?: (?:{_FILLER}))*")
_ALL_MEANT = re.compile(
    rf"(?:(?:{_FILLER}|yes|yeah|yep|yup) )*(?:both|all|all (?:two|three)|everything|every one)"
    rf"(?: of (?:them|those|these|it))?(?: (?:{_FILLER}))*"
)
_PLACES = (r"first|1st|former|one|number one", r"second|2nd|two|number two", r"third|3rd|three|number three")
_LAST = r"last|latter"
_PICKING = frozenset("yes yeah yep the one ones i mean meant about that just only please i m thing with".split())
_ROOT_LETTERS = 5
_YES_AND_SO = re.compile(rf"(?:(?:{_FILLER}) )*(?:yes|yeah|yep|yup|yea|correct|right|exactly) (?P<so>\S.*)")
_DENIES = frozenset("no not never longer any more anymore t".split())
_SMALL = frozenset("i m am my me we re are our is s it that he she they his her their the a an to do don".split())


def begins_with_yes(utterance: str) -> bool:
    """Whether it says yes and goes on."""
    return _yes_and_so(utterance) is not None


def says_yes_again(utterance: str, asked: str) -> bool:
    """Whether a yes only repeats what was asked ("yes, I'm no longer allergic"), and denies if that does."""
    match = _yes_and_so(utterance)
    so, meant = frozenset(words_of(match["so"]) if match else ()), frozenset(words_of(asked))
    repeated = so - _DENIES - _SMALL
    return bool(repeated) and repeated <= meant and bool(so & _DENIES) == bool(meant & _DENIES)


def _yes_and_so(utterance: str) -> re.Match[str] | None:
    if utterance.rstrip().endswith("?"):
        return None
    return _YES_AND_SO.fullmatch(" ".join(words_of(utterance.replace("\u2019", "'"))))


def answers_proposal(utterance: str) -> Reply | None:
    """Whether an utterance plainly accepts or plainly refuses; None for anything else, which decides nothing.

    To be asked only about the utterance that follows the question: a "yes" means nothing elsewhere.
    """
    said = " ".join(words_of(utterance.replace("\u2019", "'")))
    if not said or utterance.rstrip().endswith("?") or _UNSURE.search(said):
        return None
    if _PLAIN_YES.fullmatch(said):
        return Reply.YES
    if _PLAIN_NO.fullmatch(said) or (_NO_AND_MORE.fullmatch(said) and _NO_PARTED.search(utterance)):
        return Reply.NO
    answer = german_replies.answers(said)
    return None if answer is None else Reply.YES if answer else Reply.NO


def picks(utterance: str, offered: Sequence[str]) -> tuple[int, ...] | None:
    """Which of the sentences offered an answer picks, as places from 0: none, one or all of them.

    None for an utterance that picks nothing, such as a plain yes to several.
    """
    said = " ".join(words_of(utterance.replace("\u2019", "'")))
    if not said or utterance.rstrip().endswith("?") or _UNSURE.search(said):
        return None
    if _NONE_MEANT.fullmatch(said) or _PLAIN_NO.fullmatch(said) or german_replies.means_none(said):
        return ()
    accepts = bool(_PLAIN_YES.fullmatch(said) or german_replies.answers(said))
    if _ALL_MEANT.fullmatch(said) or german_replies.means_all(said) or (len(offered) == 1 and accepts):
        return tuple(range(len(offered)))
    place = _place(said, len(offered))
    place = german_replies.place(said, len(offered)) if place is None else place
    return _named(said, offered) if place is None else (place,)


def _place(said: str, count: int) -> int | None:
    for place, words in enumerate((*_PLACES[:count], _LAST)):
        if re.fullmatch(
            rf"(?:(?:{_FILLER}|yes|yeah|i mean|it s) )*(?:the )?(?:{words})(?: one)?(?: (?:{_FILLER}))*", said
        ):
            return min(place, count - 1)
    return None


def _named(said: str, offered: Sequence[str]) -> tuple[int, ...] | None:
    """The one whose own words make up the answer; it erases, so that nothing else may be said with them."""
    told = [_roots(words_of(text)) for text in offered]
    heard = _roots(said.split()) - _SMALL - _PICKING - german_replies.PICKING
    common = set.intersection(*told) if len(told) > 1 else set[str]()
    fitting = [place for place, words in enumerate(told) if heard <= words and heard - common]
    return (fitting[0],) if len(fitting) == 1 else None


def _roots(words: Sequence[str]) -> set[str]:
    return {word[:_ROOT_LETTERS] if len(word) > _ROOT_LETTERS else word.removesuffix("s") for word in words}
