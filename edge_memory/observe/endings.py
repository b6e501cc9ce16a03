"""What a sentence says is over, in whatever words: a phrase of ending, and the words of what it ends.

No sentence form is asked for: the phrases are looked for anywhere, and what they end must be told of by a record.
"""

from __future__ import annotations

from collections.abc import Iterator

from edge_memory import lazy_re as re
from edge_memory.observe.wording import telling

_CUT = re.compile(
    r"[,.;].*$|\b(?:because|cause|cos|since|so|but|after|until|till|when|if|as|now|cannot|too|last \w+|yesterday"
    r"|the user(?!'s)|can't|couldn't|won't"
    r"|any ?more|altogether|completely"
    r"|entirely|for (?:good|now|ever|the|a)|instead|these days|to (?!the\b|work\b)\w+|and (?:the user|he|she"
    r"|they|it)|for the user|they|it|he|she|its)\b.*$",
    re.IGNORECASE,
)
# What comes before its end: "done with rowing", "chucked in the evening class".
_BEFORE_OBJECT = re.compile(
    r"\b(?:(?:done|finished|through) with|(?:has |just )*(?:finished|completed|graduated from)|no more|had"
    r" enough of|g[ai]ven? up(?: on)?|giving up|(?:packed|jacked"
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
    r"|half-inched|towed(?: away)?|written off|a write-?off|totall?ed|dead|kaput|fallen through|closed (?:down"
    r"|for good)"
    r"|shut(?: down)?|burnt down|demolished|knocked on the head|given up the ghost|not happening|not going ahead"
    r"|gone(?: for good)?"
    r"|broken beyond repair|down the drain|out of the window|on the scrap ?heap|conked out|packed (?:up|in))"
    r"|\s+(?:(?:finally|just|sadly)\s+)?(?:fell through|closed? down|shut down|burnt down|folded|disbanded"
    r"|packed (?:up|in)"
    r"|packed it in"
    r"|conked out|gave up the ghost|died(?: a death| on .+)?|bit the dust|expired))"
    r"(?:\s+(?:now|then|too|for good|this year|this time|last \w+|again|yesterday|today|by .+|from .+|in .+))*$",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"\b(?:today|tonight|for (?:the day|now|a (?:bit|while|minute|moment|few))|early|this (?:morning|afternoon|evening)"
    r"|reading|eating|watching|breakfast|lunch|dinner|tea|homework|washing(?: up)?)\b",
    re.IGNORECASE,
)
_OWNED = re.compile(r"(?:i|we|my|our|the|his|her|their)\b", re.IGNORECASE)
_SHORT = 5
_PIECES = re.compile(r",\s+|\s+(?:so|because|and|but|cause|cos|since)\s+", re.IGNORECASE)
_PLANNED = re.compile(
    r"\b(?:wants?|hopes?|plans?|fancy|fancies|would (?:like|love)|is (?:thinking|planning|hoping|going|saving|training"
    r"|considering|looking|keen|off to|taking|sitting|moving|getting|having|buying|applying|starting|trying"
    r"|coming|visiting|flying|joining)"
    r"|going to|considering|dreams? of|intends?|signed up|booked)\b",
    re.IGNORECASE,
)


def is_bare_end(clause: str) -> bool:
    """ "Norway is off": whose plan it was, the sentence after it tells."""
    return len(clause.split()) <= _SHORT and bool(_THING_FIRST.match(clause)) and not _OWNED.match(clause)


def is_planned(text: str) -> bool:
    """Whether a sentence tells what is meant to be."""
    return bool(_PLANNED.search(text))


def ended_in(text: str) -> Iterator[frozenset[str]]:
    """The stems of each thing that a sentence of the third person says is over."""
    if _PASSING.search(text):
        return
    found = [match["object"] for match in _BEFORE_OBJECT.finditer(text)]
    found += [match["object"] for match in _TAKEN_OFF.finditer(text)]
    found += [match["thing"] for piece in _PIECES.split(text) if (match := _THING_FIRST.match(piece.strip()))]
    yield from filter(None, (telling(_CUT.sub("", words)) for words in found))


def given_away_in(text: str) -> Iterator[frozenset[str]]:
    """The stems of what somebody else has got, which ends that it is had, if that is its name."""
    yield from filter(None, (telling(match["object"]) for match in _GIVEN_TO.finditer(text)))


def given_up_in(text: str) -> Iterator[frozenset[str]]:
    """The stems of each thing that it says is not done after all, which ends a plan."""
    matches = (_NOT_DONE.search(piece) for piece in _PIECES.split(text))
    yield from filter(None, (telling(_CUT.sub("", match["object"] or match["idea"])) for match in matches if match))
