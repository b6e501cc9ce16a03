"""Another car, phone or boat in the place of the one that was told of, by kind or by make."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import KIN_SET
from edge_memory.observe.english.slots import single_attribute
from edge_memory.observe.english.wording import is_negative, is_past, subjects_of
from edge_memory.observe.statement import Slot, Statement
from edge_memory.records import Kind, Record

_KINDS = {
    "car": """car van truck ute bakkie pickup jeep suv minivan hatchback saloon sedan toyota ford nissan honda mazda
        hyundai kia vauxhall opel holden volkswagen vw audi bmw mercedes merc renault peugeot citroen citroën fiat skoda
        volvo saab subaru suzuki mitsubishi isuzu chevrolet chevy dodge chrysler buick cadillac tesla lexus jaguar
        dacia proton tata mahindra maruti corolla camry prius yaris hilux tacoma tundra sienna rav4 fiesta mondeo
        transit ranger civic accord jazz micra qashqai navara polo passat caddy transporter corsa astra zafira clio
        megane kangoo berlingo saxo punto octavia fabia forester outback impreza silverado impala malibu wrangler
        picanto sportage fortuner innova probox voxy vitz triton sprinter vito ducato""".split(),
    "motorbike": "motorbike motorcycle scooter moped vespa harley yamaha kawasaki ducati triumph enfield".split(),
    "phone": "phone mobile handset iphone samsung pixel android nokia huawei xiaomi oneplus motorola tecno infinix"
    " itel redmi oppo vivo realme honor".split(),
}
_NOT_ITSELF = (
    r"(?! (?:park|boot|wash|keys?|insurance|seat|alarm|lessons?|accident|payments?|course|club|driver|match|number|call"
    r"|bill|contract|case|charger|company|shop|box)\b)"
)
_OF_KIND = {
    kind: re.compile(rf"\b(?:{'|'.join(words)})\b{_NOT_ITSELF}", re.IGNORECASE) for kind, words in _KINDS.items()
}
_GETS = re.compile(
    r"\b(?:gave the user|got|gets|has got|has|bought|drives?|driving|ordered|leased|leasing|picked up|chose"
    r"|rides?|uses?|is)\b"
    r" (?!(?:been|gone|not|sold|lost|off|back|late|in|at|on|going)\b)(?:an?|the|one of|my|the user's|used|new"
    r"|second[- ]hand)\b",
    re.IGNORECASE,
)
_BESIDE = re.compile(r"\b(?:also|as well|too|another|second|spare|both|for (?:the user's|him|her))\b", re.IGNORECASE)
_HAS = re.compile(
    r"^(?:the user(?: \w+)? (?:drives?|has|has got|owns|rides?|uses|got|bought)|the user's (?:\w+ )?[\w-]+ is"
    r"|the [\w-]+ is)"
    r" (?:an?|the user's|one of)\b",
    re.IGNORECASE,
)


def replaces_vehicle(statement: Statement, record: Record) -> bool:
    """ "Got a used van now" beside "the car is an old estate": one has one at a time, unless told otherwise."""
    text = statement.text
    if (
        not (statement.replaces or re.search(r"\b(?:new|finally|is driving)\b", text))
        or _BESIDE.search(text)
        or is_negative(text)
    ):
        return False
    if record.kind is Kind.RELATIONSHIP or is_negative(record.text) or not _HAS.match(record.text):
        return False
    if not subjects_of(text).isdisjoint(KIN_SET) or not text.lower().startswith("the ") or not _GETS.search(text):
        return False
    if is_past(record.text) and not re.search(r"\b(?:got|bought)\b", record.text):
        return False
    by_key = single_attribute(statement.slot) == "car" and _OF_KIND["car"].search(record.text)
    return bool(by_key) or any(kind.search(text) and kind.search(record.text) for kind in _OF_KIND.values())


def vehicle_words(text: str, slot: Slot | None = None) -> str:
    """All words of the kind of what a sentence says is got, to find the one before by; empty if it says none."""
    if not _GETS.search(text):
        return ""
    if single_attribute(slot) == "car":
        return " ".join(_KINDS["car"])
    return " ".join(word for kind, words in _KINDS.items() if _OF_KIND[kind].search(text) for word in words)
