"""Which words name something to look for, and which of them mean the same."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from edge_memory import lazy_re as re
from edge_memory.observe.english.inflection import base_form, stem_of
from edge_memory.records import words_of

# Words of a question that name nothing to look for.
GENERIC = frozenset(
    """what whats who whos whose whom when whens where wheres which how why old many much long often is are am was were
    be been being do does did doing done have has had having he she they him her them his hers their theirs it its i
    im ive my me mine myself we our ours us you your the a an of in to on at for from by with as and or but if that
    this these those there here s t re ve ll m d don doesn didn isn aren wasn tell told remind know known knew
    remember say said says mention mentioned please hey so ok okay again now name names named call called calls any
    anything some something about ever also too currently still usually really exactly actually today nowadays
    lately days moment anyway though just quite very right today happen happened keep kept get gets got getting go
    goes going went will would can could should thing things stuff one ones kind sort type bit up down out off over
    whole since own idea forgot forgotten well oh new current""".split()
)
# Verbs and the like that a person may choose another word for, when the rest of the question is told.
LOOSE = frozenset(
    """located situated placed written put puts travel travels
    hail hails visit visits left leave leaves leaving stored store stores hide
    hid hidden park parked set sets stay stays find found look looks looking come comes coming came need needs use
    uses used using want wants make makes made making take takes taking taken bring brings brought give gives gave
    given start starts begin begins end ends happen happens mean means see sees seen meet meets due run runs seem
    feel feels spend spends let lets show shows turn turns become supposed meant like everybody everyone somebody
    someone anybody anyone person people guy man woman lady bloke mate before after first last next later soon
    already always never sometimes normally typically generally mostly main exact full proper whole rough roughly
    actual usual best big little dear lovely other else favour belong belongs""".split()
) - {"first", "last", "next", "like", "never", "always"}
# Words that ask for the same thing. The first of each row stands for all.
_SAME = (
    "live lives lived living home house moved move moving reside resides based address city town flat flats apartment",
    "work works worked working job jobs business employer company employed office occupation profession trade earn"
    " retired career livelihood",
    "birthday birthdays birth born bday",
    "anniversary wedding married marry marries wed",
    "die died dies dead death deceased passing",
    "priest pastor preacher vicar minister reverend parson chaplain imam rabbi curate",
    "afraid scared frightened terrified fear fears phobia petrified dread dreads",
    "nursery preschool kindergarten daycare creche playgroup kindy",
    "grave buried bury burial cemetery graveyard laid",
    "inhaler puffer",
    "electricity electric power",
    "weigh weighs weighed weight heavy",
    "flight flights tickets",
    "colour color colours colors coloured",
    "mother mum mom mama mummy mam ma mammy mamma amma ammi",
    "father dad papa daddy da pops appa baba",
    "grandmother grandma granny gran nan nana nanny",
    "grandfather grandpa grandad granddad gramps",
    "wife husband spouse partner missus hubby",
    "girlfriend boyfriend fiance fiancee fiancé fiancée",
    "child children kid kids daughter daughters son sons girl girls boy boys lad lads lass lasses bairn bairns"
    " twins triplets",
    "grandchild grandchildren grandkids grandkid grandson granddaughter grandsons granddaughters grandbaby grandbabies",
    "sibling siblings brother sister brothers sisters",
    "pet pets cat dog rabbit hamster cats dogs puppy kitten budgie parrot tortoise"
    " retriever labrador poodle terrier spaniel beagle collie dachshund corgi greyhound whippet rottweiler dalmatian"
    " heeler kelpie husky pug boxer bulldog mastiff doberman chihuahua setter schnauzer lurcher staffie alsatian"
    " pomeranian labradoodle cockapoo cavapoo ridgeback mutt hound westie tabby moggy tomcat",
    "hen hens chicken chickens chook chooks",
    "allergic allergy allergies intolerance intolerant",
    "like likes liked enjoy enjoys love loves prefer prefers preferred preference keen fond favourite favorite"
    " favourites favorites fave",
    "hate hates dislike dislikes stand bear abide loathe loathes detest detests",
    "age aged years",
    "car drive drives driving vehicle motor van truck cab taxi park parked parking",
    "mile miles mileage odometer",
    "night nights bedtime",
    "learn learning learned learnt study studying studies majoring lessons course",
    "phone number mobile telephone cell",
    "ring rings rang rung calls",
    "medicine medicines medication medications pill pills tablet tablets drug drugs prescription",
    "jog jogging jogs",
    "drink drinks drinking drank",
    "eat eats eating ate",
    "fly flies flying plane leave leaves leaving depart departs departing",
    "team club side supports support supporting root follow barrack barracks barracking",
    "boss manager supervisor gaffer chief",
    "doctor gp physician",
    "neighbour neighbor neighbours neighbors",
    "mad crazy obsessed",
    "stop stops stopped stopping quit quits",
    "holiday vacation trip holidays travel travelling",
    "volunteer volunteers volunteering",
    "password passcode passphrase code pin combination combo",
    "instrument instruments",
    "teach teaches teacher taught",
    "boat boats skiff dinghy yacht canoe kayak trawler sailboat rowboat",
    "meet meeting meets appointment",
    "operation operations operated operate surgery surgeon surgeons op procedure",
    "college university uni",
    "collect collects collected collecting fetch fetches fetched pick picks picked picking",
    "police policeman policewoman guard gardai garda cop cops officer",
    "accounts books bookkeeping",
    "practice practise practises practising rehearse rehearses rehearsal rehearsals training",
    "honeymoon honeymooned",
    "stepmother stepmum stepmom",
    "dinner supper",
    "bus buses",
    "garden yard allotment",
    "deliver delivers delivered delivery",
    "breakfast brekkie",
    "bin bins rubbish trash garbage",
    "veteran army navy marines soldier",
    "sick ill poorly unwell",
    "baby newborn infant youngest lastborn",
    "eldest oldest firstborn",
    "pay pays paid paying due owe owes owed",
    "food dish dishes meal meals",
    "physio physiotherapist physiotherapy",
    "vet vets veterinary veterinarian",
    "pharmacist pharmacy chemist druggist",
    "optician optometrist",
    "lawyer solicitor attorney",
    "hairdresser barber stylist hairdressers",
    "cloth fabric fabrics material",
)
_CANONICAL = {word: row.split()[0] for row in _SAME for word in row.split()}
# Asking for one of these is answered only by its own row, though it belongs to a wider family.
_PRECISE_ROWS = (
    "wife missus",
    "husband hubby",
    "daughter daughters girl girls lass lasses",
    "son sons boy boys lad lads",
    "cat cats kitten kittens tabby moggy tomcat",
    "dog dogs puppy puppies pup retriever labrador poodle terrier spaniel beagle collie dachshund corgi greyhound"
    " whippet rottweiler dalmatian heeler kelpie husky pug boxer bulldog mastiff doberman chihuahua setter schnauzer"
    " lurcher staffie alsatian pomeranian labradoodle cockapoo cavapoo ridgeback mutt hound westie",
    "rabbit rabbits bunny",
    "hamster hamsters",
    "budgie parrot parakeet",
    "tortoise turtle",
    "brother brothers",
    "sister sisters",
    "grandson grandsons",
    "granddaughter granddaughters",
    "boss manager supervisor",
    "twins twin",
    "triplets triplet",
)
_PRECISE = {word: row.split()[0] for row in _PRECISE_ROWS for word in row.split()}
_SINGULARS = {"children": "child", "men": "man", "women": "woman", "people": "person", "feet": "foot", "teeth": "tooth"}
_PARENTS = {"mum": "mother", "mom": "mother", "dad": "father"}
_RELATED_BY = re.compile(
    r"\b(?:(?P<born>first|last)[- ]born|ex[- ](?P<ex>wife|husband|girlfriend|boyfriend|partner)"
    r"|(?P<kin>mother|mum|mom|father|dad|brother|sister|son|daughter)s?[- ]in[- ]law)\b",
    re.IGNORECASE,
)
_SHORT, _STEM_LETTERS = 3, 7
_MOST_STEMS = 8_192  # kept; the words of one user come again and again
_MOST_TEXTS = 1_024
_NO_SHAPES = (frozenset[str](),) * 3


@lru_cache(maxsize=_MOST_STEMS)
def stem(word: str) -> str:
    """As `stem_of`, but short enough that "photographer" and "photography" are one."""
    return stem_of(_SINGULARS.get(word, word))[:_STEM_LETTERS]


@lru_cache(maxsize=_MOST_STEMS)
def family(word: str) -> str:
    if word == "left":  # a side more often than a departure
        return word
    return _CANONICAL.get(word) or _CANONICAL.get(_SINGULARS.get(word) or base_form(word)) or stem(word)


def with_whole_kin(text: str) -> str:
    """With "brother in law" and "ex wife" as one word each: they are no brother and no wife."""

    def joined(match: re.Match[str]) -> str:
        if match["born"]:
            return f"{match['born'].lower()}born"
        if match["ex"]:
            return f"ex{match['ex'].lower()}"
        kin = match["kin"].lower()
        return f"{_PARENTS.get(kin, kin)}inlaw"

    return _RELATED_BY.sub(joined, text)


def forms(word: str) -> set[str]:
    """A word and what may be its singular: "bees" and "bee", "tomatoes" and "tomato"."""
    found = {word}
    if word.endswith("s") and len(word) > _SHORT:
        found.add(word[:-1])
    if word.endswith("es") and len(word) > _SHORT + 1:
        found.add(word[:-2])
    if word.endswith("ies"):
        found.add(word[:-3] + "y")
    return found


def telling_words(text: str) -> frozenset[str]:
    """The stems of the words that carry a text's meaning."""
    return frozenset(stem(word) for word in words_of(text) if word not in GENERIC)


def holds(told: Iterable[str], word: str) -> bool:
    """Whether the words of a text have this one, or one that means the same."""
    precise, families, stems = _shapes(tuple(told))
    own, kindred, root = _shape(word)
    return own in precise if own else kindred in families or root in stems


@lru_cache(maxsize=_MOST_TEXTS)
def _shapes(told: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    """What `holds` compares, of the words of a text: a question asks it of each telling for each of its words."""
    return tuple(map(frozenset, zip(*map(_shape, told), strict=True))) or _NO_SHAPES


@lru_cache(maxsize=_MOST_STEMS)
def _shape(word: str) -> tuple[str, str, str]:
    return _PRECISE.get(word, ""), family(word), stem(word)


def may_mean(word: str, said: Iterable[str]) -> bool:
    """Whether one of the words that were said may stand for this one: "kids" for a daughter, "son" never."""
    return any(
        family(other) == family(word)
        and (word not in _PRECISE or other not in _PRECISE or _PRECISE[other] == _PRECISE[word])
        for other in said
    )
