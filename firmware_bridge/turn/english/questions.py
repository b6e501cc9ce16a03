"""What a question asks of memory, read by rule."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from edge_memory import lazy_re as re
from edge_memory.records import words_of
from firmware_bridge.turn.english.kinds import kind_of
from firmware_bridge.turn.english.wordforms import GENERIC, LOOSE, with_whole_kin

_LEAD = re.compile(
    r"^(?:(?:hey|so|and|but|ok|okay|oh|well|right|now|lobug|lo-bug|please|quick question|question|sorry|excuse me|um"
    r"|uh)\b[\s,:]*"
    r"|(?P<asking>(?:(?:can|could|would|will) you (?:please )?)?(?:tell me|remind me|say)(?: (?:again|please|once"
    r" more))?(?: of| about)?"
    r"|do you (?:still |happen to |by any chance )*(?:know|remember|recall)|(?:can|could) you (?:remember|recall)"
    r"|have i (?:ever |already )?(?:told you|mentioned|said)|did i (?:ever |already )?(?:tell you|mention|say)"
    r"|i(?:'ve| have)? (?:(?:can't|cannot|don't|can never) (?:remember|recall|know)|forgot|forgotten|wonder|was"
    r" wondering|need to know|want to know)"
    r"|i'm (?:wondering|trying to remember|not sure|asking)|any idea|you know|remember)\b[\s,]*)*",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"^(?:(?:in|on|at|for|from|with|to|by|of|since|until) )?(?:(?:what|who|when|where)'d|what|what's|whats|who|who's|whos|whose|whom|when|when's"
    r"|whens|where|where's|wheres|which"
    r"|why (?:is|are|was|were|does|do|did|has|have|doesn't|don't|didn't|can't|isn't|won't|aren't)|how(?:'s)? (?:(?:old|much|tall|long|far|big|high|late|early)(?:'s)?|many|often|heavy|fast|do|does|did|am|is|are"
    r"|was|were"
    r"|have|has)|is|are|am|was|were"
    r"|do(?! not\b)|does|did|have|has|had|isn't|aren't|wasn't|don't(?=\s+(?:i|we|you|they|my|our|the|people)\b)|doesn't"
    r"|didn't|haven't|hasn't)(?!')\b",
    re.IGNORECASE,
)
_LITTLE_ONE = re.compile(
    r"\b(?:the|our|my) (?:little|wee|small) (?:one|fella|fellow|chap|guy|bloke|man|lad|lass)\b", re.IGNORECASE
)
# "I'm locked out, who has a key?"
_ASKS_AT_THE_END = re.compile(
    r"[,.!;] (?:so |and )?(?P<asked>(?:who|who's|where|where's|when|when's|which|what's|what time|how many|how old)\b[^,.!;?]+\??)\s*$",
    re.IGNORECASE,
)
_A_YEAR = re.compile(r"\b(?:an?|per|each) (?:year|month|week|day|hour)\b", re.IGNORECASE)
_NOUN_PHRASE = re.compile(r"^(?:my|our|the|[A-Z][\w-]+'s|(?:if|whether) (?:i|my|we|our))\b")
# Advice, permission and wishes ask for more than what was told.
_ADVICE = re.compile(
    r"\b(?:(?<!when )should|can|could|may|might|would|shall|(?<!when )(?<!time )(?<!day )(?<!often )(?<!where )must)\s+(?:i|we)\b|\bhow\s+(?:to|can|should)\b"
    r"|\bis(?: it|n't it| that| this)? (?:ok|okay|fine|safe|cool|alright|all right|allowed|good|bad|healthy|wise)\b"
    r"|\bwhat (?:to|if|about)\b|\b(?:suggest|recommend)\w*\b|(?<!day )(?<!time )(?<!\bwork )(?<!\bworks )(?<!\bworked )(?<!\bworking )\bfor me\b|\bgive me\b|\btell me (?:a"
    r"|an|some)\b|\bgood"
    r" idea\b"
    r"|\bany (?:ideas|suggestions|tips)\b|\bwould (?:be|make)\b|\bam i allowed\b",
    re.IGNORECASE,
)
_WHERE_FOUND = re.compile(r"^where (?:can|could|would|will|might) (?:i|we) (?:find|look for|have put)\b", re.IGNORECASE)
_OF_THE_OTHER = re.compile(
    r"^(?:do|are|can|will|have|did|would|could|were|what do|how do|what are|who are|what can) you\b", re.IGNORECASE
)
_OF_THE_WORLD = re.compile(r"^(?:is|was|will|are|were) (?:it|there|this|that)\b", re.IGNORECASE)
_HOW_TO = re.compile(r"^how (?:do|does|can|did)\b(?! (?:i|we) (?:take|like|have|drink|prefer|want) (?:my|our)\b)", re.I)
_OF_ANOTHER = re.compile(r"\b(?:does|did|do|has|have)\s+(?!(?:i|we)\b)", re.IGNORECASE)
_BY_USER = re.compile(
    r"\b(?:am|do|did|have|had|was|were|can|can't|could|don't|didn't|haven't|will|would)\s+(?:i|we)\b", re.IGNORECASE
)
_OF_ATTRIBUTE = re.compile(
    r"\b(?:what|which) [\w -]+? (?:is|are|was|were) (?:my|our|the|[A-Z][\w-]+'s)\b", re.IGNORECASE
)
_OF_OWN_THING = re.compile(r"\b(?:is|are|was|were|'s) (?:my|our)\b", re.IGNORECASE)
_WHAT_AM_I_CALLED = re.compile(
    r"\bcalls?\s+me\b|\bam i called\b|\bi (?:like|prefer|want) to be called\b|\bi go by\b|\bto call me\b", re.IGNORECASE
)
_WHO_IS = re.compile(
    r"^(?:who(?:'s|s| is| was| are)) (?!in\b|at\b|my\b|our\b|the\b|a\b)[\w-]+(?: [A-Z][\w-]+)?(?: again)?\W*$",
    re.IGNORECASE,
)
_WHO_MARRIED = re.compile(r"^who(?:m)? (?:am i|did i (?:get )?|have i) ?marr(?:ied|y)\b", re.IGNORECASE)
_CATEGORY = re.compile(
    r"\b(?:what|which|whose)\s+(?:kind of\s+|sort of\s+|type of\s+)?(?P<kind>(?!my\b|our\b|your\b|the\b|i\b|we\b|is\b"
    r"|are\b|was\b|were\b|do\b|does\b|did\b|am\b"
    r"|have\b|has\b|had\b|can\b|can't\b|will\b|would\b|it\b|that\b|a\b|an\b|else\b)[\w -]+?)"
    r"(?:'s|\s+(?:is|are|was|were|do|does|did|am|have|has|had|can|can't|cannot|will|won't|would|should|don't|doesn't"
    r"|didn't|am|it|goes|comes|fits|runs))\b",
    re.IGNORECASE,
)
_ABOUT_ME = re.compile(r"\b(?:i|i'm|i've|i'd|my|me|mine|myself|we|we're|we've|our|ours|us)\b", re.IGNORECASE)
_OF_A_KIND = re.compile(r"^(?:do|does|did|have|has|is|am|are)\b.* (?:any|an?) (?P<kind>[\w-]+)\W*$", re.IGNORECASE)
_LIVELIHOOD = re.compile(
    r"\bdo(?:es)?\b(?=.* for (?:a living|work|a job|a crust|a quid|money)\b)|^what's (?:my |our )?(?:[\w-]+ ){1,2}do(?:"
    r" for (?:a living|work|a job|a crust|a quid|money))?\W*$|^what do i do(?: again| these days| all day)?\W*$|^what (?:(?:kind|sort|type|line) of )?work\b|^what"
    r" (?:does|did) (?:(?:my|our) (?:\w+ )?)?(?!i\b|we\b|it\b|that\b|this\b)[\w'-]+ do(?: (?:in|at|over|up|down|out|now|these days|before) ?[\w' ]*)?\W*$",
    re.IGNORECASE,
)
_GOES_OUT_WITH = re.compile(
    r"\b(?:going out with|dating|seeing|courting|engaged to|going steady with)\b", re.IGNORECASE
)
_TO_BECOME = re.compile(r"\bwants? to (?:be|become)\b", re.IGNORECASE)
_NOT_LIKED = re.compile(
    r"\b(?:n't|not|don't|doesn't|didn't) (?:i |he |she |we |they |[A-Z][\w-]+ )?(?:really |much )?(?:like|enjoy|care for|care to)\b",
    re.IGNORECASE,
)
_CALLS = re.compile(r"\b(?:do|does|did|will)\s+(?:[\w-]+\s+){1,2}call\b(?! (?:him|her|it|them|my|our|the|me)\b)", re.I)
_NAME = re.compile(r"^(?:who|who's|whos|whose|whom)\b|\bname[ds]?\b|\bcall(?:ed|s)?\b", re.IGNORECASE)
_PLACE = re.compile(
    r"\b(?:where|where's|wheres|whereabouts)\b|\b(?:which|what) (?:country|city|town|street|place|village|room|part"
    r"|address)\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"^(?:\w+ )?when(?:'?s)?\b|\bhow (?:long|often|late|early)\b|\b(?:which|what) (?:date|day|days|night|nights|evening"
    r"|evenings|morning|mornings|afternoon|week|month|year|time"
    r"|season)\b|\bdate\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\bhow (?:old|many|much|tall|far|big|heavy|high|fast)\b|\b(?:which|what) (?:number|size|age|amount|weight"
    r"|height)\b|\bnumber\b",
    re.IGNORECASE,
)
_PLACE_WORDS = frozenset("country city town street place village room part address".split())
_TIME_WORDS = frozenset(
    "date day days night nights evening evenings morning mornings afternoon week month year time season late early".split()
)
_NUMBER_WORDS = frozenset("number size age amount".split())

_ATTRIBUTE_OF = re.compile(r"^what(?:'s|s| is| was) the (?P<what>colou?r|breed|make|model) of ", re.IGNORECASE)

_MOST_ASKED = 64  # kept: one is read by each who answers


class Sort(StrEnum):
    """What kind of thing would answer."""

    NAME = "name"
    PLACE = "place"
    TIME = "time"
    NUMBER = "number"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Question:
    """`words` must be told by what answers it, `loose` ones need not be where the others are; `category` is what kind
    of thing is asked for ("what instrument ..."). `personal` ones are about the user's own life: what memory does not
    know of it, nobody does. `of_another` says that it asks what somebody else does,
    `by_user` what the user does, `of_own_thing` that it asks of what is theirs ("when is my birthday"), `of_attribute` that it asks of what category something is ("what breed is my dog"), `who_is` that it asks who somebody is, of whom all counts.
    """

    text: str
    words: frozenset[str]
    loose: frozenset[str] = frozenset()
    category: frozenset[str] = frozenset()
    sort: Sort = Sort.ANY
    personal: bool = False
    of_another: bool = False
    of_attribute: bool = False
    by_user: bool = False
    of_own_thing: bool = False
    who_is: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it names nothing to look for ("what do you know")."""
        return not (self.words or self.loose or self.category)


@lru_cache(_MOST_ASKED)
def read_question(text: str) -> Question | None:
    """None for what is no question, or one that what was told cannot answer: for advice, for leave, about the other."""
    text = with_whole_kin(text.replace("\u2019", "'"))
    lead = _LEAD.match(text)
    rest = text[lead.end() :] if lead else text
    led = bool(lead and lead["asking"])
    if not (_ASKS.match(rest) or (led and _NOUN_PHRASE.match(rest))):
        after = _ASKS_AT_THE_END.search(rest)
        if after is None:
            return None
        rest = after["asked"]
    if (_ADVICE.search(rest) and not _WHERE_FOUND.match(rest)) or _OF_THE_OTHER.match(rest):
        return None
    rest = _ATTRIBUTE_OF.sub(r"what \g<what> is ", rest)
    match = _CATEGORY.search(rest)
    kind = words_of(match["kind"]) if match else []
    category = frozenset(kind[-1:])  # a high school is a school, not whatever is high
    heard = words_of(_LITTLE_ONE.sub("the baby", _A_YEAR.sub("", rest)))
    telling = {word for word in heard if word not in GENERIC} - set(kind)
    if not category and (of_a_kind := _OF_A_KIND.search(rest)) and kind_of(of_a_kind["kind"].lower()):
        category = frozenset((of_a_kind["kind"].lower(),))
        telling -= category
    telling = _in_words_that_are_told(telling, rest)
    category = frozenset(word for word in category if word not in GENERIC and word not in telling)
    if not telling and not category:
        telling = {"age"} if {"old", "age"} & set(heard) else {"name"} & set(heard)
    sort = _sort_of(rest)
    if _WHAT_AM_I_CALLED.search(rest):
        telling = {"name"}
    elif _WHO_MARRIED.search(rest):
        telling = {"spouse"}
    named_by_sort = {Sort.PLACE: _PLACE_WORDS, Sort.TIME: _TIME_WORDS, Sort.NUMBER: _NUMBER_WORDS}.get(
        sort, frozenset()
    )
    return Question(
        text=rest,
        words=frozenset(telling - LOOSE - named_by_sort) or frozenset(telling - LOOSE),
        loose=frozenset(telling & LOOSE),
        category=category - named_by_sort,
        sort=sort,
        personal=bool(_ABOUT_ME.search(rest)) and not _OF_THE_WORLD.match(rest) and not _HOW_TO.match(rest),
        of_own_thing=bool(_OF_OWN_THING.search(rest)),
        by_user=bool(_BY_USER.search(rest)),
        of_attribute=bool(_OF_ATTRIBUTE.search(rest)),
        of_another=bool(_OF_ANOTHER.search(rest)),
        who_is=bool(_WHO_IS.match(rest)),
    )


def _in_words_that_are_told(telling: set[str], rest: str) -> set[str]:
    """With the words by which something is told in place of those by which it is asked for."""
    if _CALLS.search(rest):
        telling |= {"ring"}
    if rest.lower().startswith("who") and _GOES_OUT_WITH.search(rest):
        telling = telling - {"dating", "seeing", "courting", "engaged", "steady"} | {"girlfriend"}
    if _NOT_LIKED.search(rest):
        telling = telling - {"like", "not", "enjoy", "care", "eat", "eating", "food"} | {"hate"}
    if _TO_BECOME.search(rest):
        telling -= {"become"}
    if _LIVELIHOOD.search(rest):
        telling = telling - {"living"} | {"work"}
    return telling


def asks(text: str) -> bool:
    """Whether an utterance is a question of any kind."""
    lead = _LEAD.match(text)
    if text.rstrip().endswith("?") or (lead and lead["asking"]):
        return True
    return bool(_ASKS.match(text[lead.end() :] if lead else text))


def _sort_of(text: str) -> Sort:
    for sort, pattern in ((Sort.NUMBER, _NUMBER), (Sort.PLACE, _PLACE), (Sort.TIME, _TIME), (Sort.NAME, _NAME)):
        if pattern.search(text):
            return sort
    return Sort.ANY
