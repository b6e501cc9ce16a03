"""What must not be: sentences that say what somebody may not have or do, in whatever words."""

from __future__ import annotations

from collections.abc import Callable

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import PET_SET
from edge_memory.records import words_of

_WHOM = r"(?:the user|me|him|her|them|us|my \w+)"
_ANYONE = rf"(?:{_WHOM}|our \w+|it|(?-i:[A-Z])[\w-]+)"
_WHOSE = r"(?:the user's|my|our|his|her|their|[\w-]+'s)"
_HAVING = r"(?:have|eat|drink|touch|take|tolerate|digest|smoke|go near|be near|be around|be given|lift|climb|drive|fly|swim|use|wear)"
_VICES = (
    r"(?:smok\w+|drink\w*|alcohol|booze|meat|sugar|gambl\w+|betting|coffee|caffeine|cigarettes?|vaping|dairy"
    r"|gluten|chocolate|sweets"
    r"|bread|carbs|fish|soda|red meat|wine|beer)"
)
_AILMENTS = (
    r"(?:migraines?|headaches?|heartburn|indigestion|acidity|reflux|cramps|rash(?:es)?|hives|asthma|wheezy|bloated|sick"
    r"|ill|poorly|an upset stomach|fits|seizures|nosebleeds|palpitations|panic attacks|nightmares|the runs|diarrh?oea"
    r"|spots|eczema|hay ?fever|vertigo|flare[- ]ups?)"
)
_TRIGGERS = (
    rf"(?:(?:sets?|setting) {_ANYONE} off|sets? off {_WHOSE} \w+|sets? {_WHOSE} [\w ]{{2,20}}? off|triggers? (?:{_WHOSE} \w+|{_ANYONE})"
    rf"|brings? on (?:{_WHOSE} \w+|{_AILMENTS})|gives? [\w-]+ (?:an? |the )?(?:terrible |bad |awful |nasty )?{_AILMENTS}"
    rf"|makes? {_WHOSE} (?:\w+ ){{1,2}}(?:swell|itch|close|flare|burn|worse|ache|bleed)"
    rf"|(?:is|are) (?:poison|poisonous|toxic|deadly|fatal|lethal|dangerous) (?:for|to) [\w-]+"
    rf"|(?:plays?|wreaks?) havoc with {_WHOSE}|(?:doesn't|does not|don't|do not) agree with {_ANYONE}|disagrees? with {_ANYONE}"
    rf"|(?:could|would|will|might|can|nearly|almost) kill(?:ed)? {_ANYONE})"
)
_HARMS = (
    rf"(?:{_TRIGGERS}|allerg\w*|intoleran\w*|anaphyla\w*|(?:brings?|breaks?|comes?|came) (?:{_WHOM} )?out in|swells?|clos(?:es?|ed) [\w' ]{{0,20}}?(?:throat|airways?)"
    rf"|upsets?"
    rf" {_WHOM}"
    rf"|upsets? .* (?:stomach|tummy)|(?:react\w*|reaction) (?:\w+ ){{0,2}}to"
    rf"|makes? {_ANYONE} (?:\w+ )?(?:ill|sick|sneeze|swell|poorly|vomit|throw up|unwell|wheeze|itch|cough|faint"
    rf"|bloated|come out)"
    rf"|(?:gets?|gives? {_WHOM}) (?:\w+ )?{_AILMENTS}(?: \w+)* (?:from|if|when|with|after)|gives? {_ANYONE} (?:\w+"
    rf" )?{_AILMENTS})"
)
_HARMING = re.compile(rf"\b{_HARMS}\b", re.IGNORECASE)
_RESTRICTS = re.compile(
    rf"\b(?:{_HARMS}|coeliac|celiac|vegetarian|veggie|vegan|pesc[ae]tarian|diabetic|diabetes|teetotal\w*|kosher|halal"
    rf"|(?:can't|cannot|can not|can never|mustn't|must not|must never|may not|shouldn't|should not|should never"
    rf"|won't|will not|will never|refuses? to|not (?:allowed|supposed|meant) to"
    rf"|isn't (?:allowed|supposed|meant) to|never) (?:ever )?{_HAVING}|(?:not|isn't|aren't) allowed \w+"
    r"|(?:mustn't|must not|must never) (?!forget|miss|lose|be\b|think|say|worry)\w+"
    r"|(?:not|isn't) (?:supposed|meant) to (?!be\b)\w+"
    r"|(?:can't|cannot|can not) (?:do|handle|stomach|stand near|be exposed to) (?!without\b|it\b|that\b|this\b|much\b|anything\b|the\b|any\b)\w+(?=$|,| (?:at all|because|it|or))"
    r"|(?:must|has to|have to|needs? to) be (?:in bed|asleep|home|back|indoors) by"
    r"|on an? (?:strict |special )?(?:low|no|zero)[- ](?!income|budget|pay|wage)[\w-]+(?: [\w-]+)? diet"
    r"|(?:doesn't|does not|don't|do not) (?:ever )?(?:eat|drink|smoke|gamble|touch|take (?:alcohol|drink|milk|sugar))|(?:doesn't|does not|don't|do not) (?:[\w-]+ ){1,4}"
    r"since (?:the user's|my|his|her|their|the) (?:\w+ )?(?:fall|accident|op|operation|surgery|stroke|heart attack|crash|stent|bypass)|no longer (?:eats?|drinks?|smokes?)"
    rf"|(?:has |have )?(?:gave|given|giving) up (?:the )?{_VICES}|(?:has |have )?(?:quit|stopped|sw(?:ore|orn) off|cut"
    rf" out|come off) (?:all |the )?{_VICES}|is off (?:all |the )?{_VICES}|(?:is )?sober"
    r"|(?:told|warned|advised|asked|ordered) (?:the user|me|us|him|her|[A-Z]\w+) (?:no|not to|never to|to (?:avoid|stay"
    r"|keep|stop|lay) )"
    r"|(?:says?|said)(?: that)? no (?!one\b|more\b|to\b|way\b|and\b|but\b)\w+"
    rf"|(?:stopped|stops|barred|banned|forbade) (?:{_WHOM}|[\w'-]+) from (?:eating|drinking|having|taking|touching|smoking"
    rf"|lifting|driving)|(?:is|are) (?:strictly |right |all )?(?:out|off the menu|a no[- ]no) for (?:{_WHOM}|(?-i:[A-Z])\w+)"
    rf"|(?:so|and|means|therefore) no (?!one\b|longer\b|idea\b|problem\b|more\b|need\b|wonder\b|way\b|worries\b)[\w-]+(?: [\w-]+){{0,2}}? (?:for|til|till|until|before|after|while|during)"
    rf"|wants? {_ANYONE} (?:under|below|off|to (?:avoid|limit|watch|cut (?:out|down)|stay off|keep off))|(?:has|have) to watch (?:the|his|her|their|my) (?:sugar|salt|weight|carbs|sodium)"
    r"|(?:been|was|were|got) (?:told|warned|advised|ordered|asked) (?:no\b|not to|never to|to (?:avoid|stay|keep|stop|lay)\b)"
    r"|(?:vet|doctor|doc|nurse|gp|midwife|dentist|physio|consultant|surgeon|hospital|specialist)\b[^.]*, no (?!one\b|problem\b|need\b)\w+"
    rf"|asthma(?:tic)?|epilep\w+|off limits|stay(?:s|ing)? (?:away|off|clear)|steers? clear|avoids?|avoiding|keep\w* (?:away|off|clear)|bad for {_WHOM}"
    rf"|forbidden|banned)\b",
    re.IGNORECASE,
)
_THE_PET = re.compile(rf"\bthe (?:{'|'.join(sorted(PET_SET))})s?\b", re.IGNORECASE)
_TOLD_NOT_TO = re.compile(
    r"^(?:they|the [\w-]+|(?:my|our|his|her|their|[\w-]+'s) [\w-]+)(?:'ve|'s| have| has)? (?:told|warned|advised"
    r"|ordered) (?:me|us|the user)"
    r" (?:no \w|not to \w|never to \w|to (?:avoid|stay off|stay away|keep off|stop|lay off)\b|off \w)",
    re.IGNORECASE,
)
_OF_NOW = re.compile(
    r"\b(?:no longer (?:allergic|intolerant|diabetic)|used to|outgr[eo]wn?|(?:not|isn't) (?:allergic|diabetic"
    r"|vegan|vegetarian))\b",
    re.IGNORECASE,
)


_FORBIDS = re.compile(
    r"\b(?:can't|cannot|can not|can never|mustn't|must not|must never|may not|should never"
    rf"|(?:not|isn't|aren't|never) (?:allowed|supposed|meant) to|never) (?:ever )?{_HAVING}\b"
    r"|\bon an? (?:strict |special )?(?:low|no|zero)[- ](?!income|budget|pay|wage)[\w-]+(?: [\w-]+)? diet\b",
    re.IGNORECASE,
)


def forbids(text: str) -> bool:
    """Whether a statement tells what somebody can or must not have or do, not what they would rather not."""
    return bool(_FORBIDS.search(text)) and not _OF_NOW.search(text)


def is_told_not_to(text: str) -> bool:
    """Whether it tells what somebody was told to leave: "they told me no salt"."""
    return bool(_TOLD_NOT_TO.match(text))


def restricts(text: str) -> bool:
    """Whether a statement of the first or third person says what must not be, and still is so."""
    return bool(_RESTRICTS.search(text)) and not _OF_NOW.search(text)


def restricts_one_of(text: str, is_known: Callable[[str], bool]) -> bool:
    """Whether it restricts and names somebody known, or a pet of the house ("the dog")."""
    return restricts(text) and (any(map(is_known, words_of(text))) or bool(_THE_PET.search(text)))


def harms(text: str) -> bool:
    """Whether a statement tells that something does somebody harm: a reaction, a rash, a headache from wine."""
    return bool(_HARMING.search(text)) and not _OF_NOW.search(text)
