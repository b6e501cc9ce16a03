"""The verbs and phrases by which people tell what changes: of the third person, as `third_person` tells them."""

from __future__ import annotations

import re

from edge_memory.observe.lexicon import MONTHS, NUMBERS, ONE_HOLDER, WEEKDAYS

DWELLS = re.compile(
    r"\b(?:lives?|living|stays?|staying|resides?|residing|settled|based|rents?|renting)\s+(?:\w+\s+){0,2}?"
    r"(?:in|at|on|near|above|over|alone|round|around|across|opposite|nearby|by|with the user(?!'s)|there|here)\b"
    r"|\b(?:is"
    r"|are)\s+(?:\w+\s+){0,2}?(?:at home|alone)\b",
    re.IGNORECASE,
)
PLAN = re.compile(
    r"\b(?:is|are|'s) (?:\w+ )?(?:moving|coming|going|planning|hoping|thinking)\b|\b(?:will|going to|might|may|wants?"
    r"|would|could|hopes?|plans?)\b",
    re.IGNORECASE,
)
WORKS = re.compile(
    r"\b(?:works?|working|teaches|teaching|lectures|employed)\s+(?:\w+ )?(?:at|in|for|with|on|as|nights|days|a|an"
    r"|the)\b"
    r"|\bdrives (?:a|the) (?:\w+ )?(?:bus|taxi|lorry|truck|cab|van)\b",
    re.IGNORECASE,
)
AT_HOME = re.compile(
    r"\b(?:stays?|is|'s) at home (?:now|only|with|all day|these days|full[- ]time)\b|\bis (?:now )?(?:retired"
    r"|unemployed"
    r"|out of work)\b|\b(?:has )?(?:just )?retired\b|\btook (?:early retirement|(?:voluntary )?redundancy|vrs)\b"
    r"|\b(?:got|was|been)"
    r" (?:laid off|made redundant|let go|fired|sacked)\b|\b(?:doesn't|does not|isn't|is not|not) work(?:ing"
    r"|s)? (?:any ?more"
    r"|now|these days|at the moment)\b|\b(?:changed|switched|lost|got|found|started|has|begins|took|taken"
    r"|accepted) (?:the user's|the|his"
    r"|her|their|a|an)(?: [\w-]+){0,2} (?:job|jobs|career|post|position)\b",
    re.IGNORECASE,
)
EARNS = re.compile(
    r"\b(?:works? as|working as|teaches|teaching|lectures|drives a (?:bus|taxi|lorry|truck|cab))\b", re.IGNORECASE
)
STUDIES = re.compile(
    r"\b(?:studies|studying|is doing (?:his|her|their|a|the user's)|is at (?:uni|college|university|school))\b",
    re.IGNORECASE,
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
LIKES = re.compile(
    r"\b(?:(?:doesn't|does not) mind|grown? on|grew on|got(?:ten)? used to|c[ao]me (?:a)?round to|taken to|took to"
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
PUT_OFF = re.compile(
    r"\b(?:moved|shifted|rescheduled|postponed|preponed|pushed|put|brought|changed|delayed)\b(?: \w+)? ?(?:back|forward"
    r"|up)?\s*(?:from .+? )?(?:to|till|until|for|by)\s",
    re.IGNORECASE,
)
DATE = re.compile(
    rf"\b(?:{'|'.join([*WEEKDAYS, *MONTHS])}|tomorrow|today|tonight|next \w+|this \w+|\w+ (?:o'clock|am|pm))\b",
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
    r"|\b(?:actually|turns out)\b.*\bnot\b|\bcan\b.*\b(?:now|again)\b",
    re.IGNORECASE,
)
AMOUNT = re.compile(rf"\b(?:\d+|{'|'.join(sorted(NUMBERS))}|once|twice)\b", re.IGNORECASE)
RAISES = re.compile(
    r"\b(?:increas|decreas|reduc|doubl|halv|lower|rais|upp|went up|goes up|gone up|put up|went down|gone down)\w*",
    re.IGNORECASE,
)
TREATED = re.compile(
    r"\b(?:the user|him|her|them) (?:from|off|on|onto|to)\b|^(?:they|the \w+|doctor|dr)\b", re.IGNORECASE
)
NEW_HOLDER = re.compile(rf"^The user has (?:got |found )?an? new (?P<role>{ONE_HOLDER})\b", re.IGNORECASE)
HOLDER = re.compile(
    rf"^The user's (?:new |current |present )?(?P<role>{ONE_HOLDER})(?:'s name)?(?: is|'s)(?: now)?(?: called"
    rf"| named)? \w",
    re.IGNORECASE,
)
PARTED = re.compile(r"\b(?:broken? up|split up|separated|divorced|dumped)\b", re.IGNORECASE)
PAIR = "boyfriend|girlfriend|partner|fianc\\w+|husband|wife"
PAIRED = re.compile(
    rf"\b(?:{PAIR})(?:'s name)? (?:is|'s)(?: called| named)? [\w-]+$|\bhas an? (?:\w+ )?(?:{PAIR})\b"
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
SHARES_A_HOME = re.compile(
    r"^the user\b.*\blives? with\b|\b(?:lives?|living|stays?|staying) with the user\b", re.IGNORECASE
)
BACK = re.compile(r"\b(?:got|has|picked up|collected|found) (?P<thing>(?:the user's|the) .+?) back\b", re.IGNORECASE)
AWAY = re.compile(
    r"\b(?:repair\w*|garage|menders?|cleaners|lost|missing|stolen|lent|borrowed|broken?|away)\b", re.IGNORECASE
)
ONLY = re.compile(r"\b(?:only|just|solely|nothing but)\b", re.IGNORECASE)
BORN = re.compile(r"\b(?:birthday|born|anniversary|is called|name is)\b", re.IGNORECASE)
CALLED_OFF = re.compile(r"\b(?:cancelled|canceled|called off|fell through|scrapped|axed)\b", re.IGNORECASE)
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
    r"|exams|training)\b"
    r"|\bgraduated\b|\bdropped out\b",
    re.IGNORECASE,
)
