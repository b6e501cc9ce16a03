"""Whether what is told says by name what somebody or something is: "Ravi is a plumber", "the Heron is a pub"."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import KIN, PET
from edge_memory.observe.english.names import is_name

_BREED = (
    "animal|pet|mare|stallion|mongrel|beagle|labrador|poodle|spaniel|terrier|collie|greyhound|whippet|dachshund|corgi"
    "|alsatian|husky|pug|boxer|retriever|setter|shepherd|lurcher|tabby|tortoiseshell|siamese|maine coon|ragdoll"
)
_PLACE = (
    "town|city|village|suburb|hamlet|island|county|state|country|province|region|neighbou?rhood|district|estate|street"
    "|road|lane|square|river|lake|loch|hill|mountain|valley|forest|wood|beach|bay|harbour|harbor|park|garden|farm"
    "|ranch|house|cottage|building|school|college|university|hospital|hospice|clinic|surgery|care home|church|mosque"
    "|temple|synagogue|chapel|pub|bar|cafe|café|restaurant|diner|bakery|hotel|shop|store|market|supermarket|museum"
    "|library|theatre|theater|cinema|stadium|station|airport|gym|pool"
)
_GROUP = (
    "band|choir|orchestra|team|club|league|charity|company|firm|business|agency|union|party|newspaper|magazine|paper"
    "|brand|programme|program|app|website|boat|ship|ferry|yacht|barge|train|car|van|truck|bike|motorbike|robot"
)
_PERSON = (
    "man|woman|boy|girl|baby|child|teenager|person|guy|bloke|lady|relative|cousin|lodger|student|pensioner|widow"
    "|widower|singer|actor|actress|writer|author|footballer|player|politician|character"
)
_TRADE = (
    r"(?!(?:lover|swimmer|smoker|drinker|believer|beginner|member|winner|loser|number|matter|bother|danger|wonder|killer"
    r"|disaster|pleasure|monster)\b)\w{2,}(?:er|or|ist|ian|eer|wright|man|woman|smith)|nurse|chef|vet|clerk|pilot|judge"
    r"|guard|priest|vicar|imam|rabbi|surgeon|architect|mechanic|engineer|lecturer"
)
_RELATING = "with|in|at|on|of|for|to|from|near|by|and|or|but|who|that|which|as|than"
_WORD = r"(?-i:[A-Z])[\w'’-]*"
_NAMED = re.compile(
    rf"^(?:the )?(?P<name>{_WORD}(?: (?:(?:of|and|the) )?{_WORD}){{0,3}}) (?:is|was) (?:an?|the|one of (?:the|our|my))"
    rf" (?:(?!(?:{_RELATING}) )[\w'’-]+ ){{0,4}}?(?:{KIN}|{PET}|{_BREED}|{_PLACE}|{_GROUP}|{_PERSON}|{_TRADE})\b",
    re.IGNORECASE,
)


def named_entity(text: str) -> str:
    """The name of whom or what a statement describes by its kind, empty if it describes nobody."""
    match = _NAMED.match(text)
    return match["name"] if match and is_name(match["name"]) else ""
