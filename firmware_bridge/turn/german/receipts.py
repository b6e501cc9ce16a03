"""What German words a plain statement is told back by; sorrow and joy are felt with first."""

from __future__ import annotations

from collections.abc import Sequence

from edge_memory import lazy_re as re
from edge_memory.observe.german.clauses import asks
from edge_memory.observe.german.lexicon import KIN, PET
from edge_memory.observe.german.verbs import second_person
from edge_memory.records import Language
from firmware_bridge.turn.german.constraints import asks_permission, asks_suggestion
from firmware_bridge.turn.receipts import Receipts

_LEAD = re.compile(
    r"^(?:(?:hallo|hi|hey|moin|also|so|oh|ach|okay|ok|und|aber|übrigens|eigentlich|bitte|hör mal|sag mal|nur damit du es"
    r" weißt|guten (?:morgen|tag|abend))\b[\s,.!:]*)+",
    re.IGNORECASE,
)
_NOT_PLAIN = re.compile(
    r"\b(?:du|dir|dich|dein(?:e[mnrs]?)?)\b|(?:\bund|\baber|,) (?:wer|was|wann|wo|woher|wohin|warum|wieso|wie|welche\w*|kannst"
    r"|könntest|sag|bitte)\b",
    re.IGNORECASE,
)
_LOSS = re.compile(
    r"\b(?:gestorben|verstorben|starb|eingeschläfert|einschläfern|beerdig\w+|beerdigung|trauerfeier|fehlgeburt|totgeburt"
    rf"|ums leben gekommen|tödlich verunglückt|(?:mein|unser)e?n? (?:{KIN}|{PET}) verloren|{KIN} ist tot|{PET} ist tot)\b",
    re.IGNORECASE,
)
_BAD_NEWS = re.compile(
    r"\b(?:\w*krebs|\w*tumor|demenz|alzheimer|leukämie|schlaganfall|herzinfarkt|intensivstation|(?:liegt|liege|ist|bin|musste?"
    r"|kam) (?:\w+ )?(?:im|ins) krankenhaus|(?:hatte|einen) \w*unfall|getrennt|geschieden|scheidung|scheiden lass\w+|entlassen"
    r" worden|(?:job|stelle|arbeit) verloren|gekündigt worden|eingebrochen|gestohlen|geklaut|zwangsgeräumt|weggelaufen"
    r"|vermisst|depress\w+|(?:bein|arm|fuß|hüfte|hand|rippe|schulter) gebrochen)\b",
    re.IGNORECASE,
)
_GOOD_NEWS = re.compile(
    r"\b(?:verlobt|geheiratet|heiraten|schwanger|erwarte[tn]? (?:ein|zwillinge)|ein (?:baby|kind|mädchen|junge) bekommen"
    r"|(?:oma|opa|vater|mutter|tante|onkel|großeltern|eltern) geworden|befördert|(?:den|einen) (?:neuen )?job bekommen"
    r"|(?:die|eine) (?:neue )?stelle bekommen|\w*prüfung(?:en)? (?:\w+ )?bestanden|abitur|krebsfrei|wieder gesund|gewonnen"
    r"|(?:ist|wurde|sind|wurden) (?:\w+ )*geboren)\b",
    re.IGNORECASE,
)
# Denied, or long ago.
_NO_NEWS = re.compile(
    r"\b(?:(?:19|20)\d\d|vor (?:\w+ )*(?:jahr\w*|monaten)|früher|damals|letztes jahr|als (?:ich|wir|er|sie)|nicht|nie|niemals"
    r"|kein\w*|niemand|wenn|falls|ob|vielleicht|beinahe|fast|angeblich|scherz|witz)\b",
    re.IGNORECASE,
)
_RESTRICTS = re.compile(
    r"\b(?:nie|niemals|darf|dürfen|soll(?:en)?|allergi\w+|verträgt|vertrage|vertragen|meide\w*|unverträglich\w*)\b",
    re.IGNORECASE,
)
# How one bids, and how one says that one does it.
_ORDER = re.compile(r"^(?:bitte )?(?P<verb>[a-zäöüß]+) (?P<rest>(?:mich|mir|uns)\b.+)$", re.IGNORECASE)
_DONE = {
    "gib": "gebe", "sprich": "spreche", "nimm": "nehme", "lies": "lese", "vergiss": "vergesse", "hilf": "helfe",
    "sei": "bin", "erinner": "erinnere", "lass": "lasse",
}  # fmt: skip
_KEPT_LOWER = re.compile(
    r"^(?:du|ihr|dein\w*|euer|eure\w*|der|die|das|dem|den|ein\w*|er|sie|es|sein\w*|ihre?\w*|am|im|in|an|auf|ab|um|seit|jetzt|nun"
    r"|heute|morgen|gestern|bei|mit|nach|vor|von|zu|jede\w*|kein\w*|beide|alle|nächste\w*)\b",
    re.IGNORECASE,
)
_SMALL = frozenset(
    """und aber oder auch so ja er sie es sein seine ihr ihre der die das den dem des ein eine einen einem jetzt nun dann denn
    bitte ich wir mein meine unser unsere heißt namens ist sind war hat habe haben für zu dass""".split()
)


def _told_back(told: str, clauses: Sequence[str]) -> str:
    """An order as a promise, else clause by clause: in each, one verb stands right behind its subject."""
    if order := _ORDER.match(told):
        verb = order["verb"].lower()
        does = _DONE.get(verb) or (verb if verb.endswith("e") else f"{verb}e")
        rest = second_person(order["rest"])
        return f"ich {does} {rest[:1].lower()}{rest[1:]}"
    return " und ".join(_lowered(second_person(clause)) for clause in clauses)


def _lowered(told: str) -> str:
    return told[:1].lower() + told[1:] if _KEPT_LOWER.match(told) else told


GERMAN = Receipts(
    language=Language.GERMAN,
    lead=_LEAD,
    asks=lambda text: asks(text) or asks_permission(text) or asks_suggestion(text),
    not_plain=_NOT_PLAIN,
    loss=_LOSS,
    bad_news=_BAD_NEWS,
    good_news=_GOOD_NEWS,
    no_news=_NO_NEWS,
    restricts=lambda text: bool(_RESTRICTS.search(text)),
    small=_SMALL,
    told_back=_told_back,
)
