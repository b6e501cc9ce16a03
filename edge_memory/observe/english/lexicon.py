"""Closed word classes of English that the rules share. No names of people and no words of any data set."""

from __future__ import annotations

_KIN_WORDS = (
    "wife husband partner spouse girlfriend boyfriend fiancee fiancée fiancé fiance mother mum mom mummy mommy father"
    " dad daddy sister brother daughter son baby child kid aunt auntie uncle cousin niece nephew"
    " grandmother grandma gran granny nan nana grandfather grandpa grandad granddad granddaughter grandson"
    " stepmother stepfather stepmum stepmom stepdad stepson stepdaughter mother-in-law father-in-law"
    " sister-in-law brother-in-law son-in-law daughter-in-law"
    " twin eldest youngest oldest friend mate neighbour neighbor boss manager colleague coworker doctor dentist"
    " therapist teacher tutor coach nanny babysitter childminder cleaner gardener roommate flatmate housemate lodger"
    " landlord landlady tenant godmother godfather goddaughter godson ex plumber electrician accountant lawyer"
    " vet carer maid driver housekeeper solicitor physio midwife supervisor consultant gp"
    " cook watchman hairdresser barber helper caregiver caretaker"
    " missus hubby lad lass mam mammy ma pa papa mama gramps nanna bro sis pal buddy bestie maw da amma appa"
    " suegra suegro tia tio comadre compadre hermana hermano mami papi kuya didi bhai"
    " gogo ouma oupa"
    " abba ammi abuela abuelo oma opa nonna nonno tutu lola lolo yaya yiayia pappou babcia halmoni popo bibi"
    " teta jiddo memaw meemaw"
    " mamaw papaw mormor farmor nani dadi ajji thatha mamgu tadcu nain taid granda"
    " baby-mother baby-father baby-mama baby-daddy ex-husband ex-wife ex-boyfriend ex-girlfriend ex-partner"
    " first-born last-born firstborn lastborn"
).split()
_PET_WORDS = (
    "cat kitten dog puppy pup rabbit bunny hamster gerbil parrot parakeet budgie finch"
    " bird fish goldfish turtle tortoise horse pony hen"
    " chicken goat snake lizard ferret canary cockatiel donkey sheep rat mouse frog duck gecko chinchilla guinea-pig"
).split()
_NUMBER_WORDS = (
    "zero oh one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand half quarter double"
    " triple"
).split()
_ORDINAL_WORDS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
    " sixteenth seventeenth eighteenth nineteenth twentieth thirtieth"
).split()

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
DAY = f"(?:{'|'.join(WEEKDAYS)})s?"
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
COLOURS = frozenset(
    "red orange yellow green blue purple pink brown black white grey gray teal turquoise violet cream beige navy gold"
    " silver maroon crimson indigo magenta ochre lilac".split()
)
SIDES = frozenset("left right top bottom front back upper lower upstairs downstairs north south east west".split())
NUMBERS = frozenset(_NUMBER_WORDS)
ORDINALS = frozenset(_ORDINAL_WORDS)
COUNT = rf"(?:\d+|{'|'.join(sorted(NUMBERS))})"

_SPACED = [word.replace("-", " ") for word in _KIN_WORDS if "-" in word]
KIN = "(?:best friend|" + "|".join(sorted([*_KIN_WORDS, *_SPACED], key=len, reverse=True)) + ")"
PET = "(?:guinea pig|" + "|".join(sorted(_PET_WORDS, key=len, reverse=True)) + ")"
# Whom one tells apart from the others of a family by "the".
ONE_OF_OURS = (
    "(?:(?:(?:first|last|second)[ -]?born|eldest|oldest|youngest|(?:big|little|small|tall|young|middle|older"
    "|younger|elder)"
    "(?= one)|wife|husband|missus|other half)(?: one| child| boy| girl| son| daughter)?)"
)
KIN_OR_PET = f"(?:{KIN}|{PET})"
# Whom one calls so without "my".
CALLED_BY_KIN = frozenset(
    """mum mom mommy mam mammy mama maw mummy da dad daddy pa papa poppa
    granny gran nan nana nanna grandma grandpa grandad gramps amma appa gogo
    ouma oupa abba ammi abuela abuelo oma opa nonna nonno tutu lola lolo yaya yiayia pappou babcia halmoni popo bibi
    teta jiddo memaw meemaw mamaw papaw mormor farmor nani dadi ajji thatha mamgu tadcu nain taid granda uncle auntie
    aunty grandmother grandfather""".split()
)
# One is meant, whatever they are called.
SAME_KIN = {
    **dict.fromkeys(("mum", "mom", "mam", "mammy", "mummy", "mommy", "ma", "mama", "maw"), "mother"),
    **dict.fromkeys(("dad", "daddy", "da", "pa", "papa"), "father"),
    **dict.fromkeys(("hubby",), "husband"),
    **dict.fromkeys(("missus",), "wife"),
}
SHE = frozenset(
    """wife girlfriend fiancee fiancée mother mum mom mummy mommy sister daughter aunt auntie niece grandmother grandma
    gran granny nan nana granddaughter stepmother stepmum stepmom stepdaughter mother-in-law sister-in-law
    daughter-in-law ex-wife ex-girlfriend landlady godmother goddaughter missus lass mam mammy ma mama nanna sis midwife
    maid""".split()
)
HE = frozenset(
    """husband boyfriend fiance fiancé father dad daddy brother son uncle nephew grandfather grandpa grandad
    granddad grandson stepfather stepdad stepson father-in-law brother-in-law son-in-law ex-husband
    ex-boyfriend landlord godfather
    godson hubby lad pa papa gramps bro""".split()
)
KIN_SET = frozenset([*_KIN_WORDS, *_SPACED, "best friend"])
# Whom one has one of at a time.
ONE_HOLDER = (
    "(?:best friend|(?:line )?manager|boss|supervisor|doctor|gp|dentist|therapist|landlord|landlady|childminder"
    "|nanny|babysitter|cleaner"
    "|gardener|carer|caregiver|helper|home help|accountant|lawyer|solicitor|consultant|coach|teacher|tutor"
    "|driver|maid|cook|lodger"
    "|flatmate"
    "|roommate|housemate|boyfriend|girlfriend|partner|fianc\\w+|husband|wife|vet|physio|midwife|social worker"
    "|hairdresser|barber|optician|pharmacist|landlord|personal trainer"
    "|key worker)"
)
PET_SET = frozenset([*_PET_WORDS, "guinea pig"])

# What a household calls by its bare name: "practice is on Mondays".
ACTIVITY = (
    "(?:"
    "after school club|ballet|band|basketball|beavers|bible study|bin day|bingo|book club"
    "|breakfast|bridge|brownies|camogie|cards|chemo|choir|church|class|classes"
    "|cricket|cubs|darts|dialysis|dinner|drama|football|golf|guides|guitar|gymnastics"
    "|hockey|homework|hurling|judo|karate|lunch|mass|netball|nursery|physio|piano"
    "|pilates|playgroup|practice|rent|rugby|school|scouts|slimming world|soccer|swimming"
    "|swim(?:ming)? (?:club|lessons?|practice|team)|tea|tennis|training|violin|weight watchers|work|yoga|bath ?time"
    "|bed ?time|pay ?day|park ?run"
    ")"
)
# Verbs of the third person that people use about each other and about their things.
VERB_WORDS = frozenset(
    """is was has had lives works likes loves hates prefers needs wants takes makes uses plays goes went moved got broke
    turned turns starts started studies drives speaks teaches eats drinks can can't cannot will won't would doesn't
    didn't isn't wasn't hasn't comes came died passed left quit owns keeps kept runs enjoys collects sleeps wakes gets
    gave hurt finished graduated retired married joined bought sold lost found became arrives leaves lands stays reads
    writes sings swims cooks bakes knits paints attends visits swears snores barks bites opens closes ends costs expires
    does did should must may might adores dislikes detests trains rides walks cycles volunteers coaches manages supports
    follows practises practices learns lifts plans hopes thinks wears grows sits stands leaks sticks belongs overheats
    works worked lived moves changed fell flew won called named allergic doesnt isnt cant wont just never always still
    also usually really only now expired dead divorced separated emigrated rang
    phoned texted visited popped mows minds helps fixes cuts washes delivers brings collects picks drops calls phones
    sends pays buys sells rents draws dances don't dont ain't aint""".split()
)
# What can stand after "my sister" without being her name.
NOT_A_NAME = frozenset(
    """a an the my our his her their its your this that these those i we you he she it they me us him them who whom
    which
    what when where why how and or but so because if as than then to in on at of for from with by about into over under
    near after before during until since through off up down out around between behind beside without against is are was
    were be been being am has have had do does did will would can could should shall may might must not no yes too very
    also just still now never always often usually sometimes really only again already yet ago last next every each all
    both some any more most other another same one two three four five six seven eight nine ten today tomorrow
    yesterday tonight morning afternoon evening night week month year day weekend first second there here home back
    away together well please called named got there's it's he's she's they're everyone everybody someone somebody
    nobody nothing something anything everything people things thing lot kind sort going coming getting said says
    told asked wants needs likes loves hates lives works plays goes comes gets makes takes has'nt isn't doesn't can't
    won't didn't hasn't wasn't i'm i've we're we've in-law old older younger elder little big new good great in's who's
    """.split()
) | frozenset(WEEKDAYS) | frozenset(MONTHS)  # fmt: skip

ADVERBS = (
    r"(?:(?:also|really|just|still|now|currently|only|usually|always|mostly|generally|absolutely|actually|recently"
    r"|finally|already|both|all|quite|definitely|probably|mainly|officially|normally|often|sometimes|even|totally"
    r"|secretly|soon|nearly|almost|basically|honestly|literally|simply|obviously|apparently|rather)\s+)*"
)


def word_class(word: str) -> str | None:
    """The class of a word whose members take each other's place in a correction: a day for a day."""
    low = word.lower().removesuffix("s").removesuffix("'")
    low = low if low in WEEKDAYS else word.lower()
    if low in WEEKDAYS:
        return "weekday"
    if low in MONTHS:
        return "month"
    if low in NUMBERS or low.replace(":", "").replace(".", "").isdigit():
        return "number"
    if low in ORDINALS or (low[:-2].isdigit() and low[-2:] in ("st", "nd", "rd", "th")):
        return "ordinal"
    if low in COLOURS:
        return "colour"
    return "side" if low in SIDES else None


# Medicines by the stems of their international names (WHO, "The use of stems in the selection of INN"), the common
# names without such a stem, and what people call the kinds.
MEDICINES = (
    r"(?:(?:blood|water|beta|heart|sleeping|anti-?|epi-?|immuno-?)[ -]?"
    r"(?:thinners?|tablets?|pills?|blockers?|pens?|suppressants?)"
    r"|(?:blood pressure|cholesterol|thyroid|diabetes|epilepsy|allergy|asthma|anxiety|arthritis|hay ?fever|angina)"
    r" (?:tablets?|pills?|medicines?|medication|meds|injections?)"
    r"|\w{2,}(?:artan|olol|dipine|pril|statin|formin|gliptin|gliflozin|glutide|glitazone|prazole|cillin|mycin|cycline"
    r"|floxacin|conazole|vir|oxetine|pramine|triptyline|triptan|azepam|zolam|zepine|barbital|xaban|gatran|parin|lukast"
    r"|terol|asone|onide|olone|thiazide|semide|oxicam|profen|coxib|codone|morphone|mab|tinib|dronate|setron"
    r"|oxacin|afil|osin|racetam|thyroxine)"
    r"|humalog|novolog|novorapid|lantus|ozempic|mounjaro|symbicort|seretide|lipitor|xarelto|eliquis|zoloft|prozac|xanax"
    r"|valium|tylenol|advil|nurofen|calpol|ritalin|adderall|concerta|synthroid|plavix|nexium|coumadin|lasix|norvasc"
    r"|warfarin|insulin|aspirin|paracetamol|acetaminophen|naproxen|diclofenac|metformin|digoxin|lithium|levodopa"
    r"|methotrexate|azathioprine|ciclosporin|tacrolimus|clopidogrel|amiodarone|diltiazem|verapamil|spironolactone"
    r"|gliclazide|sertraline|citalopram|escitalopram|mirtazapine|venlafaxine|trazodone|quetiapine|clozapine"
    r"|olanzapine|haloperidol|lamotrigine|carbamazepine|valproate|phenytoin|gabapentin|pregabalin|tramadol|codeine"
    r"|morphine|fentanyl|methadone|melatonin|zopiclone|zolpidem|salbutamol|ventolin|tamoxifen|letrozole|allopurinol"
    r"|colchicine|hydroxychloroquine|sulfasalazine|nitroglycerine?|nitrofurantoin|trimethoprim|metronidazole"
    r"|co-?codamol|co-?amoxiclav|steroids?|statins?|antibiotics?|anti-?histamines?|anti-?depressants?|anti-?coagulants?"
    r"|anti-?psychotics?|anti-?epileptics?|diuretics?|painkillers?|chemo(?:therapy)?|hrt"
    r"|(?:contraceptive |(?<=the ))pill)\b"
)

# Banks by their common names, and what else a name says to be one.
BANKS = (
    r"(?:(?:[\w'&-]+ ){1,3}?(?:bank|building society|credit union|banking)"
    r"|bank of (?:the )?[\w-]+|\w{2,}bank|barclays|hsbc|lloyds|nat ?west|rbs|santander|halifax|nationwide|tsb|monzo"
    r"|starling|revolut"
    r"|first direct|virgin money|chase|wells fargo|citi(?:bank)?|capital one|pnc|truist|ally|chime|sofi|usaa"
    r"|aib|ptsb|n26|bunq"
    r"|sbi|hdfc|icici|axis|kotak|canara|pnb|anz|westpac|commbank|nab|kiwibank|rbc|scotiabank|bmo|cibc|td"
    r"|gtb(?:ank)?|zenith"
    r"|uba|opay|kuda|bdo|bpi|gcash|n26|wise)"
)
