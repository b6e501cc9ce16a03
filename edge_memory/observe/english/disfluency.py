"""From what a recogniser wrote down to what the speaker meant to say: fillers, stutters and slips taken out."""

from __future__ import annotations

from functools import lru_cache

from edge_memory import lazy_re as re
from edge_memory.observe.english.agreement import agreed
from edge_memory.observe.english.apostrophes import with_apostrophes
from edge_memory.observe.english.dialect import in_standard_english
from edge_memory.observe.english.lexicon import KIN, KIN_OR_PET, NUMBERS, ONE_HOLDER, ONE_OF_OURS, PET, word_class
from edge_memory.observe.english.names import may_be_a_name
from edge_memory.records import words_of

_FILLER = re.compile(
    r"(?:(?<=^)|(?<=[\s,]))(?!(?-i:Ah|Er|Em) (?-i:[A-Z][a-z]))(?:um+|uh+|erm+|er|ehm|emm+|hmm+|mmm+|ah+)"
    r"(?=[\s,.]|$)[,.]*\s*"
    r"|,?\s+(?:can|would) (?:you|ya) believe it\b,?"
    r"|,\s*(?:you know|like|i mean|i guess|sort of|kind of)\s*(?=,),?"
    r"|\b(?<!do )(?<!did )(?<!if )(?<!as )(?<!let )(?<!that )you know(?=\s+(?:my|our|the|i|we|she|he|it)\b)\s*"
    r"|(?<=\bi'm )like (?=(?:really|so|totally|very|super)\b)|(?<=\bis )like (?=(?:really|so|totally|very|super)\b)",
    re.IGNORECASE,
)
_STUTTER = re.compile(
    r"\b(i|i'm|my|we|our|the|a|an|to|in|on|at|is|it's|and|he|she|of|for|so|but)(?:[\s,]+\1\b)+", re.IGNORECASE
)
_SLIP = re.compile(
    r"[\s,.\u2026-]+(?:(?:no|wait|sorry|oh|oops|er|actually)[\s,]+)*"
    r"(?:no wait|wait no|no sorry|sorry no|no i mean|sorry i mean|i mean|i meant|or rather|make that|(?:scratch"
    r"|strike|scrap) that"
    r"|hang on"
    r"|no hang on|no actually|wait|sorry|correction|oops)\b[\s,]+(?:(?:no|i mean|i meant|it's|its|that's"
    r"|actually)\b[\s,]+)*",
    re.IGNORECASE,
)
_ORDINARY = re.compile(r"(?:wait|sorry|oops|correction|i meant|actually)(?:\s+(?:it's|its|that's))?", re.IGNORECASE)
_TAKES_BACK = re.compile(r"\b(?:scratch|strike|scrap) that\b", re.IGNORECASE)
_BARE_NO = re.compile(r"(?<=\w),?\s+no,?\s+(?=[\w']+(?:\s+[\w']+){0,3}[.!]?$)", re.IGNORECASE)
_NEW_CLAUSE = re.compile(
    r"^(?:i|we|my|our|he|she|they|it|it's|i'm|we're|you|there|the \w+ (?:is|was|has))\b", re.IGNORECASE
)
# "sold the boat" without its "I"; "got it" and "heard that" say nothing.
_DROPPED_I = re.compile(
    r"^(?=(?:sold|bought|got|had|paid|traded|moved|started|lost|found|finished|gave|took|went|met|broke|changed"
    r"|switched"
    r"|stopped|dropped|joined|booked|ended up|used to|left|quit|haven't|didn't|gave up|signed|picked|planted"
    r"|painted|built"
    r"|fixed|retired|adopted|married|wrote|spent|saw|swapped)\s+(?!i\b|we\b|it\b|that\b|this\b|you\b|ya\b|me\b"
    r"|off\b|there\b|here\b"
    r"|to bed\b|enough\b|by\b|in\b)\S+\s+\S+)",
    re.IGNORECASE,
)
# What may be an order but for the past that it is set in: "put the hens in the barn last night".
_PAST_PUT = re.compile(
    r"^(?=(?:put|cut|set|let|shut|read|hit|beat|bet|hurt|split|spread|quit)\b.*"
    r"\b(?:yesterday|last (?:night|week|month|year|\w+day)|this morning|finally|ago|already|earlier)$)",
    re.IGNORECASE,
)
# "Scrap the trip" tells that one's own plan is off.
_CALLS_OFF = re.compile(r"^(?:scrap|bin|ditch|shelve|scratch)(?= (?:the|my|our|that) \w+)", re.IGNORECASE)
_SCRAPPED = {"scrap": "scrapped", "bin": "binned", "ditch": "ditched", "shelve": "shelved", "scratch": "scrapped"}
_REPLANNED = re.compile(
    r"^(?:there's been a )?(?:change of plans?|new plan)[\s,.:]+(?P<plan>\S+ \S+.*)$", re.IGNORECASE
)
_INTERJECTION = re.compile(
    r"\b(?:oh )?(?:my (?:god|goodness|gosh|word|lord|days)|dear me|bless me)\b[,!.]*\s*", re.IGNORECASE
)
_DROPPED_HAVE = re.compile(r"^been(?= (?:\w+ing|in|at|to|with|on|here|a)\b)", re.IGNORECASE)
_SOLD_GOT = re.compile(
    r"\b(?P<sold>(?:sold|scrapped|traded in|swapped|gave away|returned|binned) (?:the|my"
    r"|our) [\w-]+(?: (?!and\b)[\w-]+)?) (?=(?:got|bought) )",
    re.IGNORECASE,
)
_THIS_IS = re.compile(
    r"^this is (?P<name>[\w-]+)(?=,? (?:and|but) i'm\b| speaking$|,? (?:i (?:just|am|live|work|moved)|i'm|i've)\b)",
    re.IGNORECASE,
)
# Without its capital, a name looks like what somebody is: "my husband is goran".
_PARENTS = re.compile(
    r"\b(?:my |our )?(?:mum|mom|mam|mother|mummy|mama) and (?:my |our )?(?:dad|da|father|daddy|papa)\b(?!'s)"
    r"(?= (?:are|have|were|live|lived|moved|got|want|came|come|both|still|just|had|bought|sold|retired)\b)",
    re.IGNORECASE,
)
_WHO_SERVES = rf"(?:[\w-]+ )?(?:(?:\w*(?:man|woman|lady|girl|boy))|guy|bloke|fella|chap|lad|nurse|{ONE_HOLDER})"
_KIN_IS_NAME = re.compile(
    rf"\b(?P<who>(?i:my|our) (?:\w+ )?{KIN_OR_PET}|(?i:the) {ONE_OF_OURS}|(?i:(?:the|my|our) new {PET})"
    rf"|(?i:(?:the|our|my) {_WHO_SERVES})) is (?P<name>[a-z][\w-]+)"
    r"(?=$|[,.!]|\s+(?:and|but|he|she|he's|she's|who|now)\b)"
)
_NEW_HOLDER = re.compile(rf"^(?:(?:the|our)\s+)?new\s+(?={ONE_HOLDER}\b)", re.IGNORECASE)
# "My eldest, Ann, is ...", "a boyfriend, name of Bo".
_APPOSED = re.compile(
    rf"\b(?P<who>(?i:my|our) (?:\w+ )?(?i:{KIN_OR_PET})), (?P<name>[A-Z][\w-]+(?: [A-Z][\w-]+)?),(?= (?:is"
    rf"|was|has|had|can|lives|works"
    r"|runs|goes|does|plays|sings|studies|teaches|drives|never|always|just)\b)"
)
_NAME_OF = re.compile(
    rf"\b(?P<what>(?i:an?) (?i:\w+ )?(?i:{KIN_OR_PET}))(?: at last| now)?,? (?:by the )?name of (?P<name>[\w-]+)"
)
# "We keep a goat too, Lady Jane".
_PET_TOO = re.compile(
    rf"(?P<pet>\b(?:got|have|has|had|bought|adopted|'ve|'s) (?i:an?|another|one) (?i:(?:[\w-]+ )?{PET}))"
    r"(?i: too| as well| here| now)*"
    r"(?:,? (?i:called|named)|,) (?P<name>(?:(?i:miss|mister|mr|mrs|lady|sir|king|queen|princess|prince|captain)"
    r" [\w-]+|(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)?))(?=$|[,.])"
)
_CALLS_ME_IT = re.compile(
    r"\b(?:nobody|no ?one) calls me (?:that|it),? (?:it's|i'm|just) (?P<name>[\w-]+)$", re.IGNORECASE
)
_I_AM_NAME = re.compile(
    r"^(?i:(?:ok|okay|so|well|hi|hello|hey|yeah|right)[ ,]+)*(?i:i'm|i am) (?P<name>[a-z][\w-]+(?: [a-z][\w-]+)?)"
    r"(?=,? (?:and|but) (?:(?:everyone|everybody|nobody|no one|people|folks|they|(?:all )?my \w+)(?: all)? calls? me"
    r"|(?:i'm|i am) (?:an?|the|from|married|retired)) "
    rf"|,? (?:and )?(?i:i'm|i am) (?:{'|'.join(sorted(NUMBERS))}|\d\d|\w+teen)\b)"
)
_MY_NAME_IS = re.compile(r"\b(my (?:\w+ )?name)'s\b", re.IGNORECASE)
_DROPPED_MY = re.compile(
    r"^(?:(?:hi|hello|hey|howdy|g'day|greetings|good (?:morning|afternoon|evening))(?: there)?[\s,!.]+)?(?:the |me"
    r" )?name(?='s\b| is\b)",
    re.IGNORECASE,
)
# What people hang on the end of a sentence and what says nothing.
_PLEASED = (
    r"(?:it's |it is )?(?:so |very |really )?(?:nice|pleased|good|lovely|great|a pleasure|glad|happy)"
    r" to (?:meet|see|know|talk to) you(?: (?:too|all))?"
)
_GREETING = re.compile(rf"^(?:(?:hi|hello|hey)[\s,]+)?{_PLEASED}[\s,.!]+(?=\w)", re.IGNORECASE)
_MYSELF = re.compile(
    r"^myself,? (?P<name>[\w-]+(?: (?!i\b|and\b|am\b|from\b)[\w-]+)?)(?=$|[,.]| (?:i|i'm|and|from)\b)", re.IGNORECASE
)
_TAG = re.compile(
    rf"[\s,.!]+(?:(?:and )?{_PLEASED}|so (?:i|he|she|it|they|we) (?:did|do|does|is|was|am|are|were|has|have|had"
    rf"|will|would)|to be honest|tbh"
    r"|to be fair|in fairness|god rest (?:him|her|them|his soul|her soul)|you know|you see|i guess|i suppose"
    r"|(?:or )?so (?:he|she|they) (?:says?|said|reckons?|claims?|tells? me)|(?:or )?so (?:i'm|i am) told"
    r"|or whatever|(?:and )?(?:no|without (?:a|any)) (?:contest|question|competition|doubt)(?: about it)?|hands down"
    r"|by (?:far|a mile)|no two ways about it|and (?:all|all that|everything|stuff)|innit|isn't it|if you (?:must|want"
    r" to) know|let me tell you|thank god"
    r"|thanks be to god|believe it or not|in the end|of course|to tell you the truth|would you believe"
    r"|the poor (?:thing"
    r"|pet|love))[.!]*$",
    re.IGNORECASE,
)
_MY_KIN = re.compile(
    rf"(?:(?<=^)|(?<=\band )|(?<=\bso )|(?<=\bwith )|(?<=\bis ))me (?=(?:\w+ )?{KIN}\b)"
    r"|^me (?=(?!and\b|too\b|neither\b|either\b)(?:[\w-]+ ){1,3}(?:is|are|was|has|hurts?|aches?)\b)",
    re.IGNORECASE,
)
_LONGEST_REPAIR = 6
_FEWEST_LEFT = 2
_MOST_KEPT = 256
_LONGEST_BREATH = 600  # characters; what is longer was typed, not said


@lru_cache(_MOST_KEPT)  # a turn is read for several things
def clean_up(utterance: str) -> str:
    """The same words without fillers and stutters, with the apostrophes that a recogniser leaves out."""
    text = re.sub(r"\s+", " ", utterance.replace("\u2019", "'").replace("\u2018", "'")).strip()
    text = re.sub(r"\s+", " ", _FILLER.sub(" ", with_apostrophes(text))).strip(" ,")
    text = _MY_KIN.sub("my ", _STUTTER.sub(r"\1", text))
    text = agreed(_MY_NAME_IS.sub(r"\1 is", in_standard_english(text)))
    text = _CALLS_OFF.sub(lambda match: f"I {_SCRAPPED[match[0].lower()]}", _without_interjection(text))
    text = _THIS_IS.sub(lambda match: _with_name(match, "my name is"), _SOLD_GOT.sub(r"\g<sold> and ", text))
    text = _NEW_HOLDER.sub("my new ", _PARENTS.sub("my parents", text))
    text = _MYSELF.sub(lambda match: _with_name(match, "my name is"), _GREETING.sub("", text))
    text = _KIN_IS_NAME.sub(lambda match: _with_name(match, f"{match['who']} is called"), text)
    text = _CALLS_ME_IT.sub(r"everyone calls me \g<name>", text)
    text = _PET_TOO.sub(r"\g<pet> called \g<name>", text)
    text = _NAME_OF.sub(r"\g<what> called \g<name>", _APPOSED.sub(r"\g<who> \g<name>", text))
    text = _I_AM_NAME.sub(lambda match: _with_name(match, "my name is"), text)
    text = _REPLANNED.sub(r"\g<plan> instead", text)
    text = _DROPPED_MY.sub("my name", _said_of_oneself(_DROPPED_HAVE.sub("I've been", text)))
    shorter = _TAG.sub("", text)
    text = shorter if len(shorter.split()) >= _FEWEST_LEFT else text
    return repair(text) if len(text) <= _LONGEST_BREATH else text


def _said_of_oneself(text: str) -> str:
    """With the "I" that was left out."""
    dropped = _DROPPED_I.match(text) or _PAST_PUT.match(text)
    return f"I {text[0].lower()}{text[1:]}" if dropped else text


def _with_name(match: re.Match[str], told: str) -> str:
    named = all(map(may_be_a_name, match["name"].split()))
    told = re.sub(r"^the (?=new )", "my ", told, flags=re.IGNORECASE)
    return f"{told} {match['name']}" if named else match[0]


def _without_interjection(text: str) -> str:
    """ "He missed it, oh my god" is not about a god of the speaker's."""
    shorter = _INTERJECTION.sub(" ", text).strip()
    return shorter or text


def repair(text: str) -> str:
    """Applies what the speaker took back in the same breath: "on Tuesday, no wait, Wednesday"."""
    while match := _SLIP.search(text):
        set_off = "," in match[0] or not _ORDINARY.fullmatch(match[0].strip())
        said, instead = text[: match.start()], text[match.end() :]
        if _TAKES_BACK.search(match[0]) and _NEW_CLAUSE.match(instead) and len(instead.split()) > _FEWEST_LEFT:
            return repair(instead)
        repaired = _put_right(said, instead, set_off)
        if repaired is None:
            break
        text = repaired
    slip = _BARE_NO.search(text)
    if slip:
        before, after = text[: slip.start()].split(), text[slip.end() :].split()
        kinds = {word_class(word) for word in after} - {None}
        if kinds & {word_class(word) for word in before} or (len(after) == 1 and "," in slip[0]):
            text = _put_right(" ".join(before), " ".join(after)) or text
    return text


def _put_right(before: str, after: str, set_off: bool = True) -> str | None:
    """`before` with its end replaced by `after`; None when `after` is a new thought.

    Words that are not `set_off` by a comma or a clear "no" need a word of their own class to replace.
    """
    old, new = before.split(), after.split()
    if not old or not new:
        return None
    if new[0].lower() == "not":
        return f"{before}, {after}"  # "on the ninth, sorry, not the eighth": the clause says itself what it puts right
    said = [word.lower().strip(",.") for word in old]
    first = new[0].lower().strip(",.")
    if _NEW_CLAUSE.match(after):
        same_start = len(new) > 1 and words_of(before)[:2] == words_of(after)[:2]
        return after if same_start else None
    if set_off and first in said[1:] and len(new) <= _LONGEST_REPAIR:
        return " ".join([*old[: len(said) - 1 - said[::-1].index(first)], *new])
    kinds = [word_class(word.strip(",.")) for word in said]
    wanted = word_class(first) or word_class(new[-1].strip(",."))
    if wanted in kinds and wanted is not None:
        at = len(kinds) - 1 - kinds[::-1].index(wanted)
        start = at
        while start > 0 and kinds[start - 1] == wanted:
            start -= 1
        return " ".join([*old[:start], *new, *(old[at + 1 :] if len(new) == 1 else [])])
    if not set_off or len(new) > _LONGEST_REPAIR // 2 or len(new) >= len(old):
        return None
    return " ".join([*old[: -len(new)], *new])
