"""What a sentence says is over, in whatever words, and whether that is what a record tells of.

No sentence form is asked for: the phrases of ending are looked for anywhere, and what they end must be told of by a
record: the same doing of the same person, or the thing itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import KIN_SET, PET_SET, VERB_WORDS
from edge_memory.observe.english.wording import (
    COMMON_VERBS,
    classes_of,
    is_negative,
    is_past,
    same_subject,
    stem,
    subject_stems,
    subjects_of,
    telling,
    told_of,
)
from edge_memory.observe.statement import Statement
from edge_memory.records import Kind, Record, words_of

_CUT = re.compile(
    r"[,.;].*$|\b(?:because|cause|cos|since|so|but|after|until|till|when|if|as|now|cannot|too|last \w+|yesterday"
    r"|the user(?!'s)|can't|couldn't|won't"
    r"|any ?more|altogether|completely"
    r"|entirely|then|for (?:good|now|ever|the|a)|instead|these days|to (?!the\b|work\b)\w+|and (?:the user|he|she"
    r"|they|it|bought|got|leased|joined|started|took)|for the user|they|it|he|she|its)\b.*$",
    re.IGNORECASE,
)
# What comes before its end: "done with rowing", "chucked in the evening class".
_BEFORE_OBJECT = re.compile(
    r"\b(?:(?:done|finished|through) with|(?:has |just )*(?:finished|completed|graduated from)|no more|had"
    r" enough of|g[ai]ven? up(?: on)?|cut(?: right)? out|sworn off|swore off|kicked|giving up|(?:packed|jacked"
    r"|chucked|packing"
    r"|jacking|chucking)(?: it)? in|(?:dropped|dropping) out of|dropped|dropping|quit|quitting|pulled out of"
    r"|backed out of|bailed on|cancell?ed|cancell?ing|called off|calling off|scrap|scrapped|scrapping|binned|ditched"
    r"|ditching|shelved|stopped(?: going to| doing| using| taking| playing| having)?|(?:gone|went|going|is"
    r"|am) (?:right |well )?off(?= )"
    r"|decided (?:against|not to)|(?:changed|changing) (?:the user's|his|her|their) mind (?:about|on)"
    r"|(?:stepped|stepping|stood) down (?:as|from)|resigned (?:as|from)|retired from|unsubscribed from"
    r"|(?:lost|losing) interest in|can't be (?:bothered|doing) with|got rid of|getting rid of|sold|traded in|trading in"
    r"|part[- ]exchanged|wrote off|totall?ed|donated|rehomed|gave away|given away|threw out"
    r"|thrown out)\s+(?P<object>\S.*)",
    re.IGNORECASE,
)
_TAKEN_OFF = re.compile(
    r"\b(?:got|had|has had|has got|getting) (?P<object>(?:the user's|his|her|their|the) [\w' -]+?) (?:off|out"
    r"|removed|taken (?:off|out))\b",
    re.IGNORECASE,
)
_GIVEN_TO = re.compile(
    r"\b(?:gave|given|handed|passed|sent) (?P<object>(?!the user\b|him\b|her\b|them\b|it\b"
    r"|up\b)[\w' -]+?) (?:over |on |back )?to\b",
    re.IGNORECASE,
)
# A plan that is not carried out: ends plans only.
_NOT_DONE = re.compile(
    r"\b(?:isn't|aren't|is not|are not|not|won't be|no longer) (?:now )?(?:doing|going(?: (?:to|on|for"
    r"|ahead with))?|getting"
    r"|buying|having|taking|starting|moving(?: to)?|joining|applying(?: for| to)?|bothering with)\s+(?P<object>\S.*)"
    r"|\b(?:forget|never mind)(?: about)?\s+(?P<idea>\S.*)",
    re.IGNORECASE,
)
_THING_FIRST = re.compile(
    r"^(?P<thing>(?!it\b|that\b|this\b|he\b|she\b|they\b)[\w' -]+?)(?:"
    r"(?:'s|\s+(?:is|was|are|were|has|have|got|gets|had|has been|have been|is being))\s+"
    r"(?:(?:been|now|all|finally|just|completely|pretty much|officially|sadly)\s+)*"
    r"(?:off|over|finished|cancell?ed|called off|scrapped|binned|no more|history|sold|stolen|nicked|pinched|robbed"
    r"|hijacked|carjacked|impounded|repossessed|wrecked"
    r"|given(?: away)?|donated|rehomed|half-inched|towed(?: away)?|written off|a write-?off|totall?ed|dead"
    r"|kaput|fallen through|closed (?:down"
    r"|for good)"
    r"|shut(?: down)?|burnt down|demolished|knocked on the head|given up the ghost|not happening|not going ahead"
    r"|gone(?: for good)?"
    r"|broken beyond repair|down the drain|out of the window|on the scrap ?heap|conked out|packed (?:up|in))"
    r"|\s+(?:(?:finally|just|sadly)\s+)?(?:fell through|closed? down|shut down|burnt down|folded|disbanded"
    r"|packed (?:up|in)"
    r"|packed it in"
    r"|conked out|gave up the ghost|died(?: a death| on .+)?|bit the dust|expired))"
    r"(?:\s+(?:now|then|too|for good|this year|this time|last \w+|again|yesterday|today|by .+|from .+|in .+"
    r"|to the .+|(?:till|until|for) .+))*$",
    re.IGNORECASE,
)
_GONE_TO = re.compile(
    r"^(?P<thing>the (?!user\b(?!'s))[\w' -]+?) (?:is|are|has|have) (?:now |all )?gone to (?!(?:the|a|an|hospital"
    r"|school|work|town|bed"
    r"|sleep|church|college|uni|university|see|get|be|live|stay)\b)[\w'-]+",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"\b(?:today|tonight|for (?:the day|now|a (?:bit|while|minute|moment|few))|early|this (?:morning|afternoon|evening)"
    r"|reading|eating|watching|breakfast|lunch|dinner|tea|homework|washing(?: up)?)\b",
    re.IGNORECASE,
)
_SOMEBODYS = re.compile(r"(?:i|we|my|our|the|his|her|their)\b", re.IGNORECASE)
_SHORT = 5
_PIECES = re.compile(r",\s+|\s+(?:so|because|and|but|cause|cos|since)\s+", re.IGNORECASE)
_CALLED_OFF = re.compile(r"\b(?:cancelled|canceled|called off|fell through|scrapped|axed)\b", re.IGNORECASE)
OWNERS = ("user", "home")
_VEHICLES = (
    ".car",
    ".van",
    ".bike",
    ".motorbike",
    ".boat",
    ".truck",
    ".ute",
    ".bakkie",
    ".pickup",
    ".tractor",
)  # where "the Polo" may be the Polo Vivo
_MOST_BESIDE = 2
_CALLED = re.compile(r"\b(?:called|named)\b", re.IGNORECASE)
_BEGUN = re.compile(
    r"\b(?:started|joined|began|begun|took up|transferred|enrolled at|taken up|signed up|enrolled|got into)\b",
    re.IGNORECASE,
)
_OWNED = frozenset("has owns drives rides bought got keeps called named".split())
_NO_THINGS = frozenset(
    "place when likes dislikes prefers never always decision learning plays speaks school age diet allergy name home"
    " occupation employer condition cannot_have".split()
)
_GENERIC = frozenset(
    map(
        stem,
        """account membership class course lesson club team subscription job group habit practice training trip holiday
        party season game gig plan idea thing school night morning evening every""".split(),
    )
)
_TWO = re.compile(
    r"\b(?P<one>[\w'-]+) and (?P<other>(?!the user\b)(?:(?:an?|the|some) )?[\w'-]+(?: [\w'-]+)?)", re.IGNORECASE
)
_NO_MORE = re.compile(r"(?:, so|,| so| and) no more \w", re.IGNORECASE)
_WORDS = r"(?:[\w'-]+ ){1,3}(?:over |on |back )?"
_OF_THE_USER = re.compile(r"\bthe user\b", re.IGNORECASE)


def is_bare_end(clause: str) -> bool:
    """ "Norway is off": whose plan it was, the sentence after it tells."""
    return len(clause.split()) <= _SHORT and bool(_THING_FIRST.match(clause)) and not _SOMEBODYS.match(clause)


def things_ended(text: str) -> Iterator[frozenset[str]]:
    """The stems of each thing that a sentence of the third person says is over."""
    if _PASSING.search(text):
        return
    found = [match["object"] for match in _BEFORE_OBJECT.finditer(text)]
    found += [match["object"] for match in _TAKEN_OFF.finditer(text)]
    found += [match["thing"] for piece in _PIECES.split(text) if (match := _THING_FIRST.match(piece.strip()))]
    found += [gone["thing"] for gone in _GONE_TO.finditer(text)]
    yield from filter(None, (telling(_CUT.sub("", words)) for words in found))


def things_given_away(text: str) -> Iterator[frozenset[str]]:
    """The stems of what somebody else has got, which ends that it is had, if that is its name."""
    yield from filter(None, (telling(match["object"]) for match in _GIVEN_TO.finditer(text)))


def plans_given_up(text: str) -> Iterator[frozenset[str]]:
    """The stems of each thing that it says is not done after all, which ends a plan."""
    matches = (_NOT_DONE.search(piece) for piece in _PIECES.split(text))
    yield from filter(None, (telling(_CUT.sub("", match["object"] or match["idea"])) for match in matches if match))


def is_ended(statement: Statement, record: Record, about: frozenset[str]) -> bool:
    """What "I don't row any more" and "we sold the car" end: the same doing of the same person, or the thing itself."""
    assert statement.slot is not None
    about = about - COMMON_VERBS or _whole_doing(statement, record, about)
    if any(not classes_of(frozenset({word})) for word in about - _GENERIC):
        about -= _GENERIC
    attribute, _, aspect = (record.key or "").partition(".")[2].partition(".")
    named = telling(attribute.replace("_", " "))
    if not about or not about <= telling(told_of(record)) | named or is_negative(record.text):
        return False
    if len(about) == 1 and classes_of(about) and "user" in subjects_of(statement.text):
        return False  # "I can't do Sundays any more": what of Sundays?
    if _is_only_a_part(about, telling(told_of(record))) or _is_one_of_two(about, record.text):
        return False
    if not statement.slot.thing:
        own = "user" in subjects_of(statement.text) and (record.key or "").startswith(OWNERS)
        treated = ".medicine_" in statement.slot.key and "user" in subjects_of(record.text)
        return same_subject(statement.text, record.text) or treated or (about == named and own)
    if _is_somebody(statement.text) and not same_subject(statement.text, record.text):
        return False
    if _is_of_another(statement.text, record.text):
        return False
    itself = "user" not in subjects_of(statement.text) and same_subject(statement.text, record.text)
    if about <= named or itself:
        return True
    if _CALLED_OFF.search(statement.text) and "user" in subjects_of(record.text) and not is_past(record.text):
        return True
    is_thing = attribute not in _NO_THINGS and not aspect
    return (is_thing and about <= telling(str(record.value or ""))) or _is_had(record)


def _whole_doing(statement: Statement, record: Record, about: frozenset[str]) -> frozenset[str]:
    """ "Ann has stopped coming" ends that she comes on Mondays."""
    theirs = "user" not in subjects_of(statement.text) and same_subject(statement.text, record.text)
    return about if theirs and not is_past(record.text) else frozenset()


def is_over(statement: Statement, record: Record, thing: frozenset[str]) -> bool:
    """Whether what is said to be over is what the record tells of: of the same person, and not past already."""
    thing -= COMMON_VERBS
    thing = thing - _GENERIC or thing
    if record.kind is Kind.RELATIONSHIP or is_negative(record.text) or _is_history(record):
        return False
    if not thing or not thing <= telling(told_of(record)) or _is_only_a_part(thing, telling(told_of(record))):
        return False
    if (len(thing) == 1 and classes_of(thing)) or _is_one_of_two(thing, record.text):
        return False
    if not (record.key or "").endswith(_VEHICLES) and not _is_named_itself(thing, told_of(record)):
        return False
    about_itself = thing <= subject_stems(statement.text) or any(
        thing <= telling(piece["thing"]) for piece in map(_THING_FIRST.match, _PIECES.split(statement.text)) if piece
    )
    if about_itself and not subjects_of(statement.text).isdisjoint(KIN_SET):
        return False
    named = thing <= telling(str(record.value or "")) and _CALLED.search(record.text)
    if named and "user" in subjects_of(statement.text):
        return True
    said_of_oneself = (
        about_itself
        or bool(_CALLED_OFF.search(statement.text) and classes_of(thing))
        or bool(_NO_MORE.search(statement.text))
        or bool(_OF_THE_USER.search(statement.text) and not _is_somebody(statement.text))
    )
    mine = record.text.startswith("The user's ") and not _is_somebody(record.text)
    its_own = mine or (record.text.startswith("The ") and stem(words_of(record.text)[1]) in thing)
    return same_subject(statement.text, record.text) or (
        said_of_oneself and ("user" in subjects_of(record.text) or its_own)
    )


def is_given_away(statement: Statement, record: Record, thing: frozenset[str]) -> bool:
    """Whether it is what the record tells to be the user's: by its name, or as the one that they have."""
    if not {"user"} <= subjects_of(statement.text) & subjects_of(record.text):
        return False
    if thing <= telling(str(record.value or "")) and _CALLED.search(record.text):
        return True
    the_one = bool(thing) and re.search(rf"\b(?:the|the user's) {_WORDS}to\b", statement.text) is not None
    return the_one and _is_had(record) and is_over(statement, record, thing)


def _is_history(record: Record) -> bool:
    """What happened once; not what was begun or bought, and goes on."""
    return is_past(record.text) and not _is_had(record) and not _BEGUN.search(record.text)


def _is_somebody(text: str) -> bool:
    """Whether a sentence is about a person or an animal other than the user, as far as words tell."""
    return not (subjects_of(text) - {"user"}).isdisjoint(KIN_SET | PET_SET)


def _is_of_another(text: str, old: str) -> bool:
    """What Ola sold was not Jan's."""
    who, whom = (subjects_of(told) - {"user"} for told in (text, old))
    named = not any(told.lower().startswith("the ") for told in (text, old))
    return named and bool(who and whom) and who.isdisjoint(whom)


def _is_named_itself(thing: frozenset[str], text: str) -> bool:
    """Whether the words stand for the thing: a sold "truck" ends no "truck driver", but "piano" the "piano lessons"."""
    words = words_of(text)
    ends = [place for place, word in enumerate(words) if stem(word) in thing]
    after = words[ends[-1] + 1 :][:1] if ends else []
    return (
        not after
        or not telling(after[0]) - COMMON_VERBS
        or stem(after[0]) in _GENERIC
        or bool(classes_of(telling(after[0])))
    )


def _is_only_a_part(about: frozenset[str], held: frozenset[str]) -> bool:
    """Dropping the Monday class does not end the ones of the other days, nor what else is told with the Monday."""
    if len(dated := [word for word in about if classes_of(frozenset({word}))]) == len(about) - 1 and dated:
        return len(held - about) > _MOST_BESIDE
    return any(
        len([word for word in held if classes_of(frozenset({word})) == {kind}]) > 1 for kind in classes_of(about)
    )


def _is_one_of_two(about: frozenset[str], text: str) -> bool:
    """Giving up the beans does not end "grows leeks and broad beans"."""
    for two in _TWO.finditer(text):
        one, other = telling(two["one"]), telling(two["other"])
        if one and other and VERB_WORDS.isdisjoint(words_of(two["other"])) and bool(one & about) != bool(other & about):
            return True
    return False


def _is_had(record: Record) -> bool:
    return not _OWNED.isdisjoint(words_of(record.text)) and "user" in subjects_of(record.text)
