"""The verbs and phrases by which people tell what changes: of the third person, as `third_person` tells them."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.lexicon import DAY, MONTHS, NUMBERS, ONE_HOLDER, ORDINALS

DWELLS = re.compile(
    r"\b(?:lives?|living|stays?|staying|resides?|residing|settled|based|rents?|renting|flats?|flatting|lodges?|lodging"
    r"|boards?|boarding|dwells?|camps? out)\s+(?:[\w-]+\s+){0,3}?"
    r"(?:in|at|on|near|above|over|alone|round|around|across|opposite|nearby|by|with the user(?!'s)|there|here"
    r"|downstairs|upstairs|next door|round the corner)\b"
    r"|\b(?:is"
    r"|are)\s+(?:\w+\s+){0,2}?(?:at home|alone)\b"
    r"|\b(?:has|has got|owns|rents|bought|got) (?:a|the|an) (?:\w+ ){0,2}?(?:flat|house|apartment|room|place"
    r"|condo|studio|bungalow"
    r"|cottage) (?:in|on|at|near)\b",
    re.IGNORECASE,
)
PLAN = re.compile(
    r"\b(?:is|are|'s) (?:\w+ )?(?:moving|coming|going|planning|hoping|thinking)\b|\b(?:will|going to|might|may|wants?"
    r"|would|could|hopes?|plans?)\b",
    re.IGNORECASE,
)
WORKS = re.compile(
    r"\b(?:works?|working|teaches|teaching|lectures|employed)\s+(?:\w+ ){0,3}?(?:at|in|for|with|on|as|nights|days|a|an"
    r"|the)\b"
    r"|\b(?:cooks|nurses|cleans|bartends|waitresses|serves|guards) (?:\w+ ){0,2}?(?:at|in|for) (?:an?|the)\b"
    r"|\bdrives (?:a|the) (?:\w+ )?(?:bus|taxi|lorry|truck|cab|van)\b",
    re.IGNORECASE,
)
AT_HOME = re.compile(
    r"\b(?:stays?|is|'s) at home (?:now|only|with|all day|these days|full[- ]time)\b|\bis (?:now )?(?:retired"
    r"|unemployed"
    r"|out of work)\b|\b(?:has )?(?:just )?retired\b|\btook (?:early retirement|(?:voluntary )?redundancy|vrs)\b"
    r"|\b(?:handed|gave|put|given) (?:in )?(?:the user's|his|her|their) notice\b|\b(?:got|was|been)"
    r" (?:laid off|made redundant|let go|fired|sacked)\b|\b(?:doesn't|does not|isn't|is not|not) work(?:ing"
    r"|s)? (?:any ?more"
    r"|now|these days|at the moment)\b|\b(?:changed|switched|lost|got|found|started|has|begins|took|taken"
    r"|accepted) (?:the user's|the|his"
    r"|her|their|a|an)(?: [\w-]+){0,2} (?:job|jobs|career|post|position)\b",
    re.IGNORECASE,
)
SHIFTS = re.compile(r"\bworks? (?:\w+ )?(?:nights|days|earlies|lates|afternoons|shifts|weekends)\b", re.IGNORECASE)
EARNS = re.compile(
    r"\b(?:works? as|working as|teaches|teaching|lectures|drives a (?:bus|taxi|lorry|truck|cab))\b", re.IGNORECASE
)
STUDIES = re.compile(
    r"\b(?:studies|studying|is doing (?:his|her|their|a|the user's)|is doing [\w ]+ at|(?:is|goes|went"
    r"|in \w+ \w+) (?:in|at"
    r"|to) (?:\w+ ){0,3}?(?:uni"
    r"|college|university|school|academy|nursery|kindergarten|primary|polytechnic)|(?:is|started|starts) (?:in"
    r"|at) (?:\w+ ){0,3}?"
    r"(?:year|grade|form|class|jss|sss|term|semester|school|college|university) ?\w*"
    r"|is (?:a|in) (?:\w+ ){0,2}?(?:student|fresher|freshman|sophomore|undergraduate|year of))\b",
    re.IGNORECASE,
)
NEW_POST = re.compile(
    r"\b(?:moved|changed|switched|swapped) (?P<post>wards?|departments?|teams?|units?|branch(?:es)?|offices?"
    r"|depots?|crews?)\b",
    re.IGNORECASE,
)
NEW_SCHOOL = re.compile(
    r"\b(?:changed|switched|moved|swapped|transferred|new) (?:to )?(?:an? |the |the user's |his |her "
    r"|their )?(?:new |different )?"
    r"(?:schools?|college|uni|university|course|degree|major|class|nursery|academy)\b",
    re.IGNORECASE,
)
NEW_WORK = re.compile(
    r"\b(?:has|is|have)(?: now| just)? (?:gone|went|going) (?:to work|into|off to work|back to work)\b"
    r"|\bwent (?:to work|into)\b"
    r"|\b(?:started|joined|picked up|got|landed|took|taken|has taken|retrained|transferred|moved to|went over to"
    r"|gone over to|been"
    r" (?:promoted|made)|got (?:promoted|made)|was (?:promoted|made))\b",
    re.IGNORECASE,
)
BANKS = re.compile(
    r"\b(?:banks? with|account\b.*\b(?:with|at)|(?:money|savings|salary) (?:is|are|goes|in|with|at))\b", re.IGNORECASE
)
DISLIKES = re.compile(
    r"\b(?:(?:can't|cannot|can not|couldn't) (?:stand|bear|abide|stick|stomach)|hates?|dislikes?|detests?|loathes?"
    r"|(?:went"
    r"|gone|going|goes|is|put the user) (?:right |completely |totally |well |clean )?off|sick of|fed up (?:with|of)"
    r"|(?:isn't|is not|no longer|not) (?:\w+ )?(?:keen on|into|fond of|a fan of|mad about|crazy about)"
    r"|(?:doesn't|does not|no longer|never|didn't|not) (?:\w+ )?(?:likes?|loves?|enjoys?|fancy|fancies|care for|eats?"
    r"|drinks?|watch|watches|listens? to|bothers? with))\b(?P<object>.*)",
    re.IGNORECASE,
)
LIKED_AGAIN = re.compile(
    r"^(?P<object>.+?) (?:doesn't|does not|no longer) (?:bothers?|upsets?|puts?) the user\b"
    r"|^(?P<grown>.+?) (?:has )?(?:grew|grown) on the user\b",
    re.IGNORECASE,
)
LIKES = re.compile(
    r"\b(?:(?:doesn't|does not) (?:really |even |much )?mind|goes (?:to|for)|plays|grown? on|grew on"
    r"|got(?:ten)? used to"
    r"|c[ao]me (?:a)?round (?:to|on)|warmed to|acquired a taste for|taken to|took to"
    r"|has a (?:crush|thing|soft spot)|likes?|loves?|enjoys?|adores?|(?:mad|crazy|wild|nuts) (?:about|for|on|into)"
    r"|fond of"
    r"|keen on|fan of|favou?rite|prefers?|eats?|drinks?|watch(?:es)?|listens? to)\b(?P<object>.*)",
    re.IGNORECASE,
)
TURNED = re.compile(
    r"\b(?:now|nowadays|these days|any ?more|no longer|lately|again|gone|went|grown|grew|sick of|fed up|used to|come"
    r"|came|turned|since|doesn't mind|does not mind|after all|started|has taken to)\b",
    re.IGNORECASE,
)
REST = re.compile(
    r"[,;].*$|\b(?:because|since|cos|cause|now|these days|nowadays|any ?more|but|to be honest|so much|at all|again"
    r"|lately)\b.*$",
    re.IGNORECASE,
)
HAS_BEEN = re.compile(r"\bhas (?:now |finally )?been \w+ing\b", re.IGNORECASE)
CHANGES_PLANS = re.compile(r"\b(?:instead|after all|changed .* mind|decided on|rather)\b", re.IGNORECASE)
PUT_OFF = re.compile(
    r"\b(?:change|move|push|bring|reschedule|postpone|shift|delay|moved|shifted|rescheduled|postponed|preponed"
    r"|pushed|put|brought|changed|delayed|moving|pushing|switched|bumped|reset"
    r"|extended|swapped|rearranged|rebooked|set back|slipped|shortened)\b"
    r".*\s(?:to|till|until|for|by|on)\s",
    re.IGNORECASE,
)
DATE = re.compile(
    rf"\b(?:{'|'.join([DAY, *MONTHS, *(f'the {day}' for day in ORDINALS)])}"
    rf"|the \w+[- ]\w+(?:st|nd|rd|th)"
    rf"|tomorrow"
    r"|today|tonight|next \w+|this \w+|\d+(?:st|nd|rd|th)|\w+ (?:o'clock|am|pm))\b",
    re.IGNORECASE,
)
SWITCHED = re.compile(
    r"\b(?:switched|changed|swapped|dropped|traded|replaced|ditched|moved|converted|instead|gave up|given up|went"
    r"|gone)\b",
    re.IGNORECASE,
)
ALTERS = re.compile(
    r"\b(?:changed?|switched|swapped|stopped"
    r"|discontinued|broke|broken|withdrew|cashed|cut|took|taken|come off|came off|closed?|cancelled|canceled"
    r"|outgrown|outgrew"
    r"|no longer|no more|finished|ended)\b|(?:n't|\bnot)\b.*\b(?:now|any ?more|after all|need)\b"
    r"|(?:n't|\bnot|\bno longer|\bnever)\b.*\b(?:allerg|intoleran|diabet|asthma|coeliac|celiac|epilep|pregnan)\w*"
    r"|\bcan (?:eat|have|drink|take|tolerate|do)\b|\b(?:is|are|was|does|do) (?:\w+ )?(?:okay|ok|fine|all ?right"
    r"|good|safe|well)"
    r" (?:with|for|on|to (?:have|eat|drink|take))\b|\b(?:eat|drink|hav|tak)(?:s|es|ing|ed)?\b.*\bagain\b|\bno"
    r" problems? with\b"
    r"|\b(?:actually|turns out)\b.*\bnot\b|\bcan\b.*\b(?:now|again)\b",
    re.IGNORECASE,
)
_COUNT = rf"(?:\d+|{'|'.join(sorted(NUMBERS))})"
AMOUNT = re.compile(rf"\b(?:\d+|{'|'.join(sorted(NUMBERS))}|once|twice)\b", re.IGNORECASE)
DOSE = re.compile(
    rf"\b(?P<amount>(?:\d[\d.,]*|{'|'.join(sorted(NUMBERS))})(?:[ -]{_COUNT})*) ?"
    r"(?:mgs?|mcg|ml|g|milligrams?|micrograms?|grams?|units?|puffs?|drops?|tablets?|pills?|capsules?)\b",
    re.IGNORECASE,
)
RAISES = re.compile(
    r"\b(?:increas|decreas|reduc|doubl|halv|lower|rais|upp|went up|goes up|gone up|put up|going up|going down"
    r"|go up|went down|gone down"
    r"|(?:puts?|putting|bump(?:s|ed|ing)?|mov(?:es?|ed|ing)|took|taken|tak(?:es|ing)|brought|nudged|knocked"
    r"|pushed|stepped|cut)"
    r" (?:[\w'-]+ ){0,5}?(?:up|down|back)\b|(?:higher|lower|bigger|smaller|stronger|extra) (?:dose|strength)|tripl)\w*",
    re.IGNORECASE,
)
# "They doubled the tablets" needs no figure to be another dose.
MULTIPLIES = re.compile(
    r"\b(?:doubl|halv|tripl)\w+|\b(?:higher|lower|bigger|smaller|stronger|extra) (?:dose|strength)", re.IGNORECASE
)
MEDICINE_CHANGED = re.compile(
    r"\b(?:tablets?|pills?|medicines?|medication|meds|injections?|inhalers?|drops)\b.*\b(?:changed|switched"
    r"|swapped|replaced)\b"
    r"|\b(?:changed|switched|swapped|replaced)\b.*\b(?:tablets?|pills?|medicines?|medication|meds|injections?"
    r"|inhalers?)\b",
    re.IGNORECASE,
)
TREATED = re.compile(
    r"\b(?:the user|him|her|them) (?:from|off|on|onto|to)\b|\b(?:for|with) (?:the user(?!')|him|her|them)\b"
    r"|^(?:they|the \w+|doctor|dr)\b",
    re.IGNORECASE,
)
_ROLE = (
    rf"(?P<role>{ONE_HOLDER}|(?:[a-z]+ )?(?:[a-z]{{3,}}(?:er|or|ist|ian|ant|eon|man|woman|lady)|help|gp|nurse"
    rf"|chef|principal"
    r"|rep|pastor|vicar|priest))"
)
_TITLE = r"(?:mr|mister|mrs|ms|miss|dr|doctor|nurse|sister|professor|reverend|rev|pastor|father|rabbi|imam)\b\.?"
_NAME = rf"(?P<holder>{_TITLE} [\w'-]+(?: [\w'-]+)?|(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+)?)"
NEW_HOLDER = re.compile(
    rf"^The user has (?:got |found |hired )?an? new {_ROLE}(?: (?:called|named) (?P<holder>[\w'. -]+?))?(?:$|,"
    rf"| and\b| now\b)",
    re.IGNORECASE,
)
# "The driver is Mr Ray", "the landlord is a guy called Ray": the role, and who holds it.
HOLDER = re.compile(
    rf"^The (?:user's )?(?:new |current |present )?{_ROLE}(?: (?:at|in|from) [\w' -]+?)?(?:'s name)?(?: is|'s)(?: now)?"
    rf" (?:(?:an? \w+ |now )?(?:called|named) (?P<called>[\w'. -]+?)|{_NAME})(?: (?:at|in|from|on|over) .+)?(?: now)?$",
    re.IGNORECASE,
)
SEES = re.compile(
    rf"^The user (?:now )?(?:sees|goes to|is with|is seeing|has"
    rf"|has got)(?: now)?(?: got)? (?:an? )?{_NAME}(?: now| instead| these days)*$",
    re.IGNORECASE,
)
LEAVES = re.compile(
    r"\b(?:(?:has|is) (?:just )?(?:left|gone(?! (?:into|for|out|shopping|to (?:bed|the|town|work|school|lunch"
    r"|sleep))\b)|quit|retired|resigned|moved (?:out|away|on|back)|passed away|died"
    r"|emigrated|travelled)"
    r"|left|quit|resigned|retired|moved (?:out|away|on|back)|went (?:back|home|away)|(?:got|was|been) (?:sacked"
    r"|fired|let go)"
    r"|no longer (?:works?|comes?|does|is)|doesn't (?:work|come) (?:for|to|here|any)|stopped (?:coming|working))\b",
    re.IGNORECASE,
)
PARTED = re.compile(
    r"\b(?:broken? up|split up|splitting up|separated|divorced|divorcing|dumped|chucked|packed (?:it"
    r"|each other) in|(?:gone|went|going) (?:their|our|the user's) separate ways|called it (?:quits|a day|off)"
    r"|parted ways|part(?:ed|ing) company|(?:is|are|has|have) (?:all )?(?:finished|over|done)(?: with each other)?$"
    r"|over between|no longer together|(?:not|isn't|aren't) together|ended (?:it|things)|broke (?:it )?off"
    r"|(?:called|broken?) off the (?:engagement|wedding)|no longer (?:dating|seeing|engaged|married|going out)"
    r"|left (?:him|her)|(?:not|isn't|aren't) (?:seeing|dating|with) each other)\b",
    re.IGNORECASE,
)
PAIR = "bloke|fella|fellow|other half|boyfriend|girlfriend|partner|fianc\\w+|husband|wife"
COUPLED = re.compile(PAIR, re.IGNORECASE)
PAIRED = re.compile(
    rf"\b(?:{PAIR})(?:'s name)? (?:is|'s)(?: called| named)? [\w-]+$|\bhas an? (?:\w+ )?(?:{PAIR})\b"
    rf"|\b(?:{PAIR}) (?-i:[A-Z])"
    rf"|\bis (?:now )?the user's (?:new )?(?:{PAIR})\b"
    r"|\b(?:is|are|was) (?:dating|seeing|going out with|engaged|married)\b",
    re.IGNORECASE,
)
DOING = re.compile(
    r"^(?:the user|[\w-]+|the user's \w+(?: [\w-]+)?) (?:is |usually |always |now "
    r"|normally )*(?P<verb>\w+) (?:the user's |the |his |her"
    r" )?(?P<thing>[\w-]+(?: [\w-]+){0,3}?) (?P<way>in|on|at|under|behind|with|by|from|to) (?P<rest>.+?)(?:,? (?:now"
    r"|instead|these days"
    r"|nowadays|from now on|any ?more))*$",
    re.IGNORECASE,
)
_NO_TOWN = (
    "the|a|an|bed|hospital|town|work|class|love|trouble|pain|school|church|prison|jail|surgery|labou?r"
    "|here|his|her|their|my|day|time|noon|night|home"
)
ELSEWHERE = re.compile(
    rf"^(?!the user(?!'s)).*? (?:is|has been|was) (?:now |currently |still |over |out |up |down |back )*(?:in"
    rf"|at) (?!(?:{_NO_TOWN})\b)[\w'-]{{3,}}",
    re.IGNORECASE,
)
SHARES_A_HOME = re.compile(
    r"^the user\b.*\blives? with\b|\b(?:lives?|living|stays?|staying) with the user\b", re.IGNORECASE
)
BACK = re.compile(r"\b(?:got|has|picked up|collected|found) (?P<thing>(?:the user's|the) .+?) back\b", re.IGNORECASE)
AWAY = re.compile(
    r"\b(?:repair\w*|garage|menders?|cleaners|lost|missing|stolen|lent|borrowed|broken?|away)\b", re.IGNORECASE
)
# "Has cut down to one cigar", when it was three.
COUNTS_DOWN = re.compile(
    rf"\b(?:cut|gone|went|got|come|is|has)(?: right| back| it)? (?:down|up|back) to (?:only "
    rf"|just )?(?P<count>{_COUNT}) (?P<what>[\w-]+)",
    re.IGNORECASE,
)
COUNTED = re.compile(rf"\b(?P<count>{_COUNT}) (?P<what>[\w-]+)", re.IGNORECASE)
# "Likes the user's steak rare": how something is taken.
TAKEN_SO = re.compile(
    r"^the user (?:now )?(?:likes|takes|has|drinks|eats|prefers|wants) the user's (?P<thing>[\w-]+) (?P<how>\w.*)$",
    re.IGNORECASE,
)
GETS_UP = re.compile(r"\b(?:gets?|wakes?|is) up at \w", re.IGNORECASE)
CAME_BACK = re.compile(
    r"\b(?:(?:has|is) (?:just |now )?(?:come |moved |got )?back|(?:came|moved|got|flew) back"
    r"|(?:has )?returned)(?: home| here)?"
    r" from (?P<place>[\w' -]+?)(?: (?:for good|now|last|yesterday|today|this|on|and|to)\b.*)?$",
    re.IGNORECASE,
)
ONLY = re.compile(r"\b(?:only|just|solely|nothing but)\b", re.IGNORECASE)
BORN = re.compile(r"\b(?:birthday|born|anniversary|is called|name is)\b", re.IGNORECASE)
CALLED_OFF = re.compile(r"\b(?:cancelled|canceled|called off|fell through|scrapped|axed)\b", re.IGNORECASE)
PRICED = re.compile(
    r"^(?!the user(?!')).+? (?:charges?|wants?|costs?|asks?(?: for)?|takes?) (?:the user )?(?:only |about "
    r"|around |just )?[£$€]?"
    rf"(?P<amount>(?:\d[\d.,]*|{'|'.join(sorted(NUMBERS))})(?:[ -]{_COUNT})*)\b",
    re.IGNORECASE,
)
DENIES = re.compile(
    r"^(?:the user's )?[\w'-]+(?: [\w'-]+)? (?:doesn't|does not|don't) (?:actually |really )?(?P<verb>\w+)"
    r" (?P<what>\S.*)$",
    re.IGNORECASE,
)
RENEWS = re.compile(r"\b(?:renewed|extended|topped up|refilled|has (?:renewed|extended))\b", re.IGNORECASE)
RUNS_OUT = re.compile(r"\b(?:runs? out|expires?|lapses?|is up|(?:is|are) due|ends?)\b", re.IGNORECASE)
TENDS = re.compile(
    r"^the user (?:always |usually |still |now )*(?:visits?|sees?|rings?|calls?|phones?|minds?|feeds?|walks?"
    r"|drives?|takes?|cooks? for|lives? with"
    r"|stays? with|looks? after|cares? for|goes to see|pops in on|checks? on|brings?) (?:the user's"
    r" )?(?P<whom>[\w'-]+(?: [\w'-]+)?)",
    re.IGNORECASE,
)
SERVES = re.compile(
    r"^(?!the user\b(?!'s))(?:the user's )?[\w'-]+(?: [\w'-]+)? (?P<verb>picks|drives|takes|brings|cuts|cleans"
    r"|cooks|walks|minds|helps"
    r"|collects|drops|looks|teaches|visits|shops|does|mows|plows|ploughs|washes|delivers) (?P<doing>.*\bthe user\b.*)$",
    re.IGNORECASE,
)
PLANNED = re.compile(
    r"\b(?:is|are) (?P<verb>coming|going|moving|getting|having|buying|leaving|starting|visiting"
    r"|staying)\b",
    re.IGNORECASE,
)
NOT_AFTER_ALL = re.compile(
    r"\b(?:not|isn't|aren't|no longer)\b.*\b(?:after all|any ?more|now)\b|\bno longer\b", re.IGNORECASE
)
CAN = re.compile(r"\bcan (?P<verb>\w+)\b", re.IGNORECASE)
CANNOT = re.compile(r"\b(?:can't|cannot|can not) (?P<verb>\w+)\b", re.IGNORECASE)
REUNITED = re.compile(r"\b(?:(?:is|are|got|get) back together|made (?:it )?up)\b", re.IGNORECASE)
APART = re.compile(r"\b(?:not together|split up|broke up|separated)\b", re.IGNORECASE)
FIXED = re.compile(
    r"\b(?:is|'s|got|has been|was|are) (?:all )?(?:fixed|mended|repaired|sorted|working again)\b", re.IGNORECASE
)
STOPS_STUDYING = re.compile(
    r"\b(?:finished|completed|done with) (?:the user's|his|her|their|the|a) (?:studies|degree|course|masters|phd"
    r"|exams|training|school|college|uni|university)\b|\b(?:left|quit|stopped|packed in|gave up|chucked(?: in)?"
    r"|jacked(?: in)?|dropped|ditched|packed) (?:school"
    r"|college|uni|university)\b"
    r"|\bgraduated\b|\bdropped out\b",
    re.IGNORECASE,
)
