"""How English verbs change their form: the one table of irregular verbs, and the regular endings."""

from __future__ import annotations

from edge_memory import lazy_re as re

# Base form, past tense, past participle.
IRREGULAR_VERBS = tuple(
    tuple(row.split())
    for row in """
    beat beat beaten | become became become | begin began begun | bend bent bent | bite bit bitten | blow blew blown
    | break broke broken | bring brought brought | build built built | burn burnt burnt | buy bought bought | catch
    caught caught | choose chose chosen | come came come | cost cost cost | cut cut cut | deal dealt dealt | dig dug
    dug | do did done | draw drew drawn | dream dreamt dreamt | drink drank drunk | drive drove driven | eat ate
    eaten | fall fell fallen | feel felt felt | fight fought fought | find found found | fly flew flown | forget
    forgot forgotten | forgive forgave forgiven | freeze froze frozen | get got got | give gave given | go went gone
    | grow grew grown | hang hung hung | have had had | hear heard heard | hide hid hidden | hit hit hit | hold held
    held | hurt hurt hurt | keep kept kept | know knew known | lead led led | learn learnt learnt | leave left left
    | lend lent lent | let let let | lose lost lost | make made made | meet met met | oversleep overslept overslept
    | pay paid paid | put put put | quit quit quit | read read read | ride rode ridden | ring rang rung | rise rose
    risen | run ran run | say said said | see saw seen | seek sought sought | sell sold sold | send sent sent | set
    set set | shake shook shaken | shoot shot shot | shut shut shut | sing sang sung | sink sank sunk | sit sat sat
    | sleep slept slept | slide slid slid | speak spoke spoken | spend spent spent | spin spun spun | split split
    split | spread spread spread | stand stood stood | steal stole stolen | stick stuck stuck | strike struck struck
    | swear swore sworn | sweep swept swept | swim swam swum | swing swung swung | take took taken | teach taught
    taught | tear tore torn | tell told told | think thought thought | throw threw thrown | understand understood
    understood | wake woke woken | wear wore worn | weep wept wept | win won won | withdraw withdrew withdrawn |
    write wrote written
    """.split("|")
)
_PARTICIPLES = {
    f"{stem}ing": participle
    for base, _, participle in IRREGULAR_VERBS
    for stem in (base, base.removesuffix("e"), base + base[-1])
}
PARTICIPLE_OF = {form: participle for base, past, participle in IRREGULAR_VERBS for form in (base, past)}
_AUXILIARY_PASTS = frozenset(("did", "had"))
_PASTS = frozenset(past for _, past, _ in IRREGULAR_VERBS) - _AUXILIARY_PASTS
_BASES = {form: base for base, past, participle in IRREGULAR_VERBS for form in (past, participle)}
_AGREEING = {
    "am": "is",
    "are": "is",
    "were": "was",
    "have": "has",
    "haven't": "hasn't",
    "do": "does",
    "don't": "doesn't",
    "aren't": "isn't",
    "weren't": "wasn't",
    "go": "goes",
    "dont": "doesn't",
    "havent": "hasn't",
    "arent": "isn't",
    "been": "has been",
}
_MODALS = frozenset(
    """can can't cannot cant could couldn't wont didnt wasnt ought gotta gonna wanna will won't would wouldn't should
    shouldn't must mustn't may might had hadn't was wasn't did didn't is has""".split()
)
_UNCHANGED = _MODALS | _PASTS | {"and", "or", "agreed", "freed"}
_AGREES_ALREADY = re.compile(r"(?<![siu])s$")  # "I goes", as some say
_ENDINGS, _LAST_LETTERS = ("ing", "es", "ed", "s", "e"), ("s", "d")
_WHOLE = frozenset(("care", "bus", "gas", "news"))  # "car" and "care" are two things
_NO_ENDINGS = ("eed", "ss")  # "need", "glass"
_SHORTEST_STEM = 3


def base_form(word: str) -> str:
    """The infinitive of a past form of an irregular verb, in lower case; any other word as it is."""
    return _BASES.get(word, word)


def stem_of(word: str) -> str:
    """A word in lower case without its ending, of three letters at least: "run" of "runs", "running" and "ran"."""
    word = base_form(word)
    if word in _WHOLE or word.isdigit() or len(word) <= _SHORTEST_STEM or word.endswith(_NO_ENDINGS):
        return word
    cut = _without(word, _ENDINGS)
    if len(cut) < _SHORTEST_STEM:
        cut = _without(word, _LAST_LETTERS)
    doubled = len(cut) > _SHORTEST_STEM and cut[-1] == cut[-2] and cut[-1] not in "lsz"
    return cut[:-1] if doubled else cut


def _without(word: str, endings: tuple[str, ...]) -> str:
    if not word.endswith(endings):
        return word
    return next(word.removesuffix(ending) for ending in endings if word.endswith(ending))


def is_irregular_past(word: str) -> bool:
    """Whether it is a past form of an irregular verb ("sank", "put"), an auxiliary not counted."""
    return word.lower() in _PASTS


def participle(gerund: str) -> str:
    """ "sold" of "selling", "mended" of "mending"."""
    stem = gerund.lower().removesuffix("ing")
    return _PARTICIPLES.get(gerund.lower(), stem + ("d" if stem.endswith("e") else "ed"))


def agreeing(verb: str) -> str:
    """The form for "he" of one for "I": "goes" of "go". A past form or an auxiliary stays."""
    word = verb.lower()
    if word in _AGREEING:
        return _AGREEING[word]
    if word in _UNCHANGED or _AGREES_ALREADY.search(word) or (word.endswith("ed") and not word.endswith("eed")):
        return verb
    if word.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"
