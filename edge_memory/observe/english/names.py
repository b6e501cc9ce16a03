"""Whether a word is somebody's name, with or without its capital."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import KIN_SET, NOT_A_NAME, NUMBERS, PET_SET, VERB_WORDS

_MONTHS_THAT_ARE_NAMES = frozenset(("april", "june"))
# What one may be in one word after "is", other than a name, as far as no ending tells it.
_TRAITS = frozenset(
    """able about abroad absent ace adult afraid alive alone amazing angry anxious army asleep autistic awake" " aware
    awful bad bald bankrupt bent big bilingual bisexual black bland blind blonde blunt bonkers boring bossy brave brief
    bright broke brown busy calm cheap cheeky chatty chubby clean clear clever close clumsy cocky cold common cool
    cranky crap crazy creepy cross cruel curly cute daft damp dead deaf dear deep dense different difficult dirty dizzy
    dodgy done downstairs dozy drunk dry due dull dumb early easy elderly engaged equal evil expecting extra fab fair
    faithful family fast fat few fiddly fierce fifty filthy fine firm fit flaky flat fluent fond forever forty free
    fresh friendly frail full fun funny furious fussy gay generous gentle ginger glad gobby gone gorgeous great green
    grey groggy grown grumpy gutted handsome handy happy hard harmless healthy heavy hefty high hilarious hip hoarse
    homeless homesick honest hopeless horrid hot huge hungry hurt ill immune important independent indoors infirm
    innocent inside intense itchy jealous jumpy keen kind lame late lazy left left-handed legend less lethal light like
    likely little lively livid local lonely long loose lost loud lousy lovely low loyal lucky mad male female mates
    mature mean mental messy mild mint missing modest moody mortal mute naff naked narrow nasty naughty navy near neat
    needy nervous neutral new nice noisy normal nosy numb odd ok okay old older open orange ordinary out outgoing
    outside overdue overseas overweight pale parked peckish perfect picky plain pleased polite poor poorly popular posh
    pregnant present pretty private proper proud public pure purple quick quiet quirky random rare raw ready real red
    related remote retired rich right right-handed rotten rough round rowdy rubbish rude runny sad safe same sane sassy
    scared scary separate serious severe shaky sharp shattered short shy sick sickly silent silly similar simple single
    skint skinny sleepy slim slow sly small smart smooth snobby sober soft solid solo soon sore sorry sound sour spare
    special spoilt stable steady stern stiff still straight strange strict strong stubborn stuck stupid subtle super
    sure sweet tall tame tender terrible thick thin thirsty thirty tidy tight tiny top tough transgender trans twin
    typical ugly unable underweight uneasy unhappy unwell upset upstairs urgent vague vain vegan veggie violent visible
    warm wary weak wealthy weary weird well white whole wicked wide wild willing wise witty wobbly wonderful woozy worse
    worst worth wrong young younger african american arab argentinian asian australian austrian bengali black brazilian
    british bulgarian canadian catholic chilean christian colombian croatian cuban czech dutch egyptian english french
    german ghanaian greek gujarati hindu hungarian indian iranian iraqi irish israeli italian japanese jewish kenyan
    korean lebanese malay maltese mexican muslim nepali nigerian norwegian pakistani polish portuguese protestant
    punjabi quaker romanian russian scottish serbian sikh slovak somali spanish sunni swedish swiss syrian tamil thai
    turkish ukrainian vietnamese welsh abled bedbound bedridden celiac coeliac elegant freelance halal housebound hyper
    incontinent insane kosher obese paranoid pescatarian police pregnant security teetotal underage vegetarian
    widower""".split()
)
_TRAIT_ENDING = re.compile(
    r"(?:ed|ing|ful|less|ous|ive|able|ible|ish|ical|onal|ual|ward|ese|teen|some|bound|ient|gent|lent|dent|time|ic)$"
)
_NAMES_LIKE_TRAITS = frozenset(
    """eric dominic cedric frederic ludovic alaric vic nic ted fred ned jed alfred wilfred mildred winifred winnifred
    ahmed mohamed mohammed hamed clive olive reese therese""".split()
)


def is_name(word: str) -> bool:
    """Whether it can be a name where one is expected, as after "my sister" or "called"."""
    first = word.split()[0].lower()
    if first in _MONTHS_THAT_ARE_NAMES:
        return True
    return len(first) > 1 and not first.isdigit() and first not in NOT_A_NAME | KIN_SET | PET_SET | VERB_WORDS


def may_be_a_name(word: str) -> bool:
    """Whether "my husband is" and this word, without a capital, tells a name rather than how he is."""
    low = word.lower()
    if low in _NAMES_LIKE_TRAITS:
        return True
    return is_name(low) and low not in _TRAITS | NUMBERS and not _TRAIT_ENDING.search(low)
