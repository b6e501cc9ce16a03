"""Hard constraints: allergies, diets, medicines and "never", and what goes against them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from edge_memory import lazy_re as re
from edge_memory.records import Record, words_of
from firmware_bridge.turn.english.foods import DIETS, DRUG_NAME, DRUGS, FOOD, KINDRED, PLAIN, mixes_badly
from firmware_bridge.turn.english.orders import (
    as_curfew,
    has_limit,
    holds_at,
    is_gone_against,
    is_told_as_order,
    things,
    with_alone,
)
from firmware_bridge.turn.english.told import subjects, told_by
from firmware_bridge.turn.english.wordforms import GENERIC, LOOSE, forms, may_mean, stem, with_whole_kin

_INTOLERANT = re.compile(r"\b(?:allerg|anaphyla|intoleran|reacts?\b|rash\b)", re.IGNORECASE)
_HAVING = frozenset(
    "have having try taste tasting finish swallow sip nibble glass bottle pint bowl plate slice portion".split()
)
_HAVING_NOTHING = re.compile(
    r"\b(?:have|having|try) (?:to|you|it|a (?:look|word|go|rest|nap|bath|shower|chat|moment|minute|day|seat|break|think"
    r"|meeting"
    r"|talk|lie|wash|party|good|reminder|timer|appointment))\b",
    re.IGNORECASE,
)
_TAKING_NOTHING = re.compile(
    r"\btake (?:a |an |the |my |our |his |her |it |me |you |off|out|up|on|care|part)(?!.*\b(?:pill|tablet|dose|capsule"
    r"|sip|bite))"
    r"|\btake (?:the )?(?:dog|car|bus|train|kids|bins?|day)\b",
    re.IGNORECASE,
)
_AT_THE_STOVE = re.compile(
    r"\b(?:cook|bake?|serve?|eat|drink|roast|grill|fry|prepare?)(?:ing)?\b|\bmak(?:e|ing) [\w ]+ for\b", re.IGNORECASE
)
_ASKS_WHAT_NOT = re.compile(
    r"^(?:(?:and|so|hey|please|tell me|remind me|do you (?:know|remember))\b[\s,]*)*what\b.*\b(?:(?:can't|cannot|can"
    r" not|mustn't|must not"
    r"|shouldn't|should not) \w+(?: \w+)? (?:eat|have|drink|take)\b|(?:allergic|intolerant) to\b|allergies\b)",
    re.IGNORECASE,
)
_OF_MYSELF = re.compile(r"\b(?:i|we|i'm)\b|\b(?:my|our) allergies\b", re.IGNORECASE)
_ADVISERS = frozenset("the doctor gp nurse consultant dentist physio surgeon hospital midwife pharmacist".split())
_TELLS_THE_USER = re.compile(r"\b(?:told|tells|asked|advised|warned|wants|says|said)(?: to)? (?:the user|me|i)\b", re.I)
_ADVISED_FOR = re.compile(  # "the doctor said no salt for Jo"
    r"\b(?:says?|said|told [\w' ]+?)(?: that)? no\b.* for (?:the user's )?(?!the user\b)(?P<whom>[A-Z][\w-]+|[a-z]+)\W*$"
)
_SPEAKERS = frozenset("i me my we us our".split())
_NOT_ONLY_EATEN = frozenset("order party serve serving shopping spread".split())
_IS_TAKEN = re.compile(
    r"\b(?:blood thinners?|heart|blood pressure|water|thyroid) (?:is|are|pills?|tablets?)\b|\bblood thinners?\b", re.I
)
KIN_TAG = "kin:"  # of a record: a word by which the user calls whom it is about
_EATEN = re.compile(
    r"\b(?:allerg|anaphyla|vegetarian|vegan|pesc[ae]tarian|intoleran|coeliac|celiac|diabet|gluten|kosher|halal|eat"
    r"|drink|stomach|diet|teetotal|have|food|touch)",
    re.IGNORECASE,
)
_NOT_THE_THING = (
    GENERIC
    | LOOSE
    | frozenset(
        """user users allergic allergy allergies never always intolerant intolerance severely badly deathly highly terribly
    very seriously take takes once twice daily day week morning mornings evening evenings night nights after before
    without ever drink drinks eat eats don weekends weekend touch tolerate won can cannot mustn must can't brings
    bring hives rash upset upsets stomach makes sick ill because since statins doctor says hospital put puts two
    three one half mg tablets tablet pill pills dose again supposed allowed anything nothing everything gave up quit
    years year smoker who whom any more strictly only no near react reacts strict mild severe life prescribed
    prescribes condition because swell swells swelling swollen up like throat closes out crook poorly stand stands hate hates dislike dislikes abide bear keen itches itchy all over so for brother sister mother father""".split()
    )
)
_REFUSES = re.compile(
    r"\b(?:no|not|never|avoid|careful|without|instead|rather|shouldn't|can't|cannot|don't|isn't|allergic|unsafe|doctor"
    r"|remember that)\b|n't\b",
    re.IGNORECASE,
)
_AGREES = re.compile(
    r"^\W*(?:yes|yeah|yep|sure|of course|certainly|absolutely|definitely|go ahead|okay|ok|no problem|sounds|great|enjoy"
    r"|you (?:can|may|should|could)\b(?! ?not))",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?\n]+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_CLAUSE_END = re.compile(r"(?<=[.!?,;])\s+")
_PERMISSION = re.compile(
    r"\b(?:can|could|may|might|should|shall|would|will|must)\s+(?:i|we|he|she|they|you|it|my|our|a|[A-Z]\w+)\b|\?\s*$"
    r"|\b(?:is|was|are|be|'s) (?:it |this |that |these |those )?(?:ok|okay|fine|safe|cool|alright|all right|allowed|a"
    r" good idea|wise)\b"
    r"|\bam i (?:allowed|ok|okay|safe)\b|\b(?:do you think|would it be|do you reckon) |\blet(?:'s| us)\b|\b(?:how|what)"
    r" about\b|\bfancy\b"
    r"|\bi(?:'d| would|'ll| will|'m going to|'m gonna| might| think i'll) (?:like|love|have|try|take|eat|drink|get"
    r"|order|make|buy|just)\b"
    r"|\bi (?:want|need|fancy|feel like|am going to)\b|\b(?:skip|miss|stop|double) (?:my|the)\b",
    re.IGNORECASE,
)
_BIDDING = re.compile(
    r"^(?:(?:please|hey|ok|okay|now|so|go on(?: then)?|right|well|just|lobug|and|(?:can|could|would|will) you|i(?:'d|"
    r" would)? (?:want|like) you to)\b[\s,]*)*(?:order|buy|get|make|bring|pour|cook|bake|wake|set|ring|call|phone"
    r"|text|message|tell|give|add|put|play|book|pass|find|recommend|suggest|plan|prepare|send|pick|choose|mix|fix|serve"
    r"|grab|read|show|turn"
    r"|invite|write|draft|compose|email|help me|start|remind|let|hand|heat|fetch|name|list|raise|lower|increase"
    r"|decrease|switch|open|close|lock|unlock|dial|crank|schedule|purchase|adjust|stick)\b",
    re.IGNORECASE,
)
_SUGGESTION = re.compile(
    r"\b(?:(?:a|any|some|something|anything) (?:good|nice|tasty|quick|easy|healthy|yummy)|suggest\w*|recommend\w*"
    r"|ideas?|recipes?|menus?|what (?:should|shall|can|could|would|might) (?:i|we)|which \w+ (?:should|shall|can|could)"
    r"|how about|what about|hungry|thirsty|peckish|starving|fancy|treat|surprise me|what goes|what's (?:good|nice"
    r"|tasty)"
    r"|(?:make|cook|bake|order|get|pour|fix|bring) (?:me|us))\b",
    re.IGNORECASE,
)
_OF_WHAT_WAS = re.compile(r"\b(?:what|which|who|when|where|how) did\b", re.IGNORECASE)


def in_force(constraints: Iterable[Record], text: str, said_at: float) -> tuple[Record, ...]:
    """Without the orders that hold at another hour ("no music after ten") than the wanted one.

    `said_at` is Unix time in seconds; the hour is this machine's own.
    """
    return tuple(r for r in constraints if not _is_order(r) or holds_at(r.text, text, said_at))


def touched(constraints: Sequence[Record], text: str) -> tuple[Record, ...]:
    """Those of the constraints that an utterance comes near to, by its words."""
    heard = _heard(text)
    near = [record for record in constraints if names(record, text) or _comes_near(record, heard, text)]
    of_the_named = [record for record in near if _subject(record) & heard]
    return tuple(near if heard & _SPEAKERS or not of_the_named else of_the_named)


def names(record: Record, text: str) -> bool:
    """Whether an utterance names the very thing that is forbidden."""
    heard, forbidden = _heard(text), _forbidden(record)
    if not _is_for_them(record, heard):
        return False
    if _is_order(record):
        return is_gone_against(record.text, heard, text)
    if curfew := as_curfew(record.text):
        return is_gone_against(curfew, heard, text)
    return bool(heard & forbidden)


def forbidden_to(text: str, constraints: Sequence[Record]) -> list[Record]:
    """What somebody may not have, when an utterance asks just that ("what can't Mia eat"); empty when it does not."""
    if not _ASKS_WHAT_NOT.search(text):
        return []
    heard, named = _heard(text), [record for record in constraints if _subject(record)]
    of_the_named = [record for record in named if _is_for_them(record, heard - _SPEAKERS | {"i"})]
    of_the_user = [record for record in constraints if not _subject(record)] if _OF_MYSELF.search(text) else []
    found = of_the_named or of_the_user
    return [record for record in found if not _is_order(record) and not is_medicine(record)]


def goes_against(reply: str, constraints: Iterable[Record], text: str) -> bool:
    """Whether a reply to `text` allows or suggests what one of the touched constraints forbids."""
    return any(_breaks(reply, record, text) for record in constraints)


def bids(text: str) -> bool:
    """Whether something is wanted to be done ("wake me", "ring my brother")."""
    return any(_BIDDING.match(clause) for clause in _CLAUSE_END.split(text))


def asks_permission(text: str) -> bool:
    """Whether the user is about to do something, or wants it done ("can I have", "wake me")."""
    return bool(_PERMISSION.search(text)) or bids(text)


def asks_suggestion(text: str) -> bool:
    """Whether something to have or to do is to be thought of."""
    return bool(_SUGGESTION.search(text)) and not _OF_WHAT_WAS.search(text)


def is_for_a_pharmacist(constraints: Iterable[Record], text: str) -> bool:
    """Whether leave is asked for something of which only a pharmacist can tell how it goes with what is taken."""
    return asks_permission(text) and not asks_suggestion(text) and any(map(is_medicine, constraints))


def is_medicine(record: Record) -> bool:
    return "medicine" in (record.key or "") or bool(_IS_TAKEN.search(record.text))


def is_dislike(record: Record) -> bool:
    """Whether it tells what somebody does not care for, which nobody would suggest to them."""
    return (record.key or "").endswith(".dislikes")


def is_order(record: Record) -> bool:
    """Whether it is told as an order ("never wake me early"), not as how the user is."""
    return _is_order(record)


def _comes_near(record: Record, heard: set[str], text: str) -> bool:
    if not _is_for_them(record, heard):
        return False
    about_drugs = _is_about_drugs(heard, text)
    if is_medicine(record):
        return about_drugs or bool(heard & mixes_badly(words_of(record.text)))
    if about_drugs and _INTOLERANT.search(record.text):
        return True
    if is_dislike(record):
        return bool(heard & FOOD) and asks_suggestion(text)
    return _is_eaten(record) and (bool(heard & FOOD) or _is_about_having(heard, text))


def _is_about_drugs(heard: set[str], text: str) -> bool:
    named = bool(heard & DRUGS or DRUG_NAME.search(text))
    return named or ("take" in heard and asks_permission(text) and not _TAKING_NOTHING.search(text))


def _is_about_having(heard: set[str], text: str) -> bool:
    """ "Can I have the calamari", whatever that is."""
    asked = (asks_permission(text) or asks_suggestion(text)) and not heard & PLAIN
    if asked and _AT_THE_STOVE.search(text):
        return True
    return asked and bool(heard & _HAVING) and not _HAVING_NOTHING.search(text)


def _breaks(reply: str, record: Record, text: str) -> bool:
    forbidden = _forbidden(record)
    grants, refuses = bool(_AGREES.match(reply)), bool(_REFUSES.search(reply))
    if asks_permission(text):
        if (is_medicine(record) or names(record, text)) and (grants or not refuses):
            return True
        if grants and not refuses and not _is_order(record) and not asks_suggestion(text):
            return True  # nobody knows what is in it
    return any(_heard(sentence) & forbidden and not _REFUSES.search(sentence) for sentence in _SENTENCE.findall(reply))


def _is_eaten(record: Record) -> bool:
    return bool(_EATEN.search(f"{record.text} {record.source_excerpt}")) or bool(
        (_forbidden(record) - _NOT_ONLY_EATEN) & FOOD
    )


def _is_for_them(record: Record, heard: set[str]) -> bool:
    """What binds somebody else counts when they are named, or nobody is: "what can we cook"."""
    subject = _subject(record)
    kin = {
        word
        for tag in record.tags
        if tag.startswith(KIN_TAG)
        for word in words_of(with_whole_kin(tag.removeprefix(KIN_TAG)))
    }
    return not subject or any(may_mean(word, heard) for word in subject | kin) or not heard & {"i", "me", "my"}


def _subject(record: Record) -> frozenset[str]:
    """Words that name whom it binds; none for the user, of whose own slot or on whose doctor's word it is."""
    if (record.key or "").startswith("user."):
        return frozenset()
    if named := _ADVISED_FOR.search(record.text):
        return frozenset(words_of(named["whom"]))
    advised = _ADVISERS if _TELLS_THE_USER.search(record.text) else frozenset[str]()
    return subjects(told_by(record)) - _forbidden(record) - advised


def _is_order(record: Record) -> bool:
    if not is_told_as_order(record.text):
        return False
    return has_limit(record.text) or not (_forbidden(record) - _NOT_ONLY_EATEN) & FOOD


def _things(record: Record) -> set[str]:
    if is_told_as_order(record.text):
        return things(record.text)
    said = words_of(with_alone(f"{record.value if isinstance(record.value, str) else ''} {record.text}"))
    subject = subjects(told_by(record)) - KINDRED.keys()  # "sulfa drugs give me hives" is about nobody
    if advised := _ADVISED_FOR.search(record.text):
        subject |= {*words_of(advised["whom"]), *_ADVISERS, "said", "told", "says"}
    named = {word for word in said if word not in _NOT_THE_THING and word not in subject and not word.isdigit()}
    return named or {word for word in said if word in KINDRED}


def _forbidden(record: Record) -> frozenset[str]:
    """The words of what is forbidden, with their kindred."""
    things = {form for word in _things(record) | _dietary(record) for form in forms(word)}
    families = {family for word in things for family in (*DIETS.get(word, ()), word)}
    stems = {stem(word) for word in things if word not in FOOD}  # "drove" goes against "can't drive"
    return frozenset(things.union(stems, *(KINDRED.get(family, frozenset()) for family in families)))


def _dietary(record: Record) -> set[str]:
    """Words that stand for what they forbid ("coeliac", "smoking"), also where they name who it is about."""
    return {word for word in words_of(record.text) if word in DIETS}


def _heard(text: str) -> set[str]:
    said = words_of(with_alone(with_whole_kin(text)))
    pairs = {f"{first}-{second}" for first, second in pairwise(said)}
    return {form for word in said for form in (*forms(word), stem(word))} | set(words_of(text.replace("-", ""))) | pairs
