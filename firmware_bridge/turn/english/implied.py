"""Verbs that a question may use for what was told without them."""

from __future__ import annotations

from collections.abc import Container

from edge_memory import lazy_re as re
from firmware_bridge.turn.english.kinds import CAR_MAKES

_JOB = re.compile(
    r"(?<!\bthere)(?:'m|'s|'re|\b(?:is|was|am|are|used to be|became|works? as)) (?:an? |the )(?:[\w-]+ ){0,4}?"
    r"(?:(?!user\b)\w+(?:er|or|ist|eer|man|woman|ian|ress|ant|eur|smith|monger)|nurse|vet|chef|clerk|cook|pilot|judge|accountant|assistant|librarian"
    r"|musician"
    r"|technician|electrician|physician|surgeon|student|intern|apprentice)\b",
    re.IGNORECASE,
)
_BUSINESS = re.compile(
    r"\b(?:runs?|owns?|manages?|running) (?:an? |the |my |our |his |her |their )?(?:[\w-]+ ){0,3}?"
    r"(?:shop|store|stall|business|company|firm|agency|studio|salon|garage|farm|orchard|vineyard|nursery|restaurant"
    r"|cafe"
    r"|cafeteria|canteen|kitchen|warehouse|depot|branch|ward|library|office|team|site|care home|nursing home|estate"
    r"|café|bakery|pub|bar|hotel|hostel|guest house|school|gym|clinic|practice|pharmacy"
    r"|charity|workshop|brewery|gallery)\b"
    r"|\bfor a living\b",
    re.IGNORECASE,
)
_STUDIES = re.compile(
    r"\b(?:doing|reading|majoring in) (?:an? |his |her |their |my )?"
    r"(?:engineering|medicine|law|nursing|accountancy|history|english|art|business|degree|masters?|mba|phd|doctorate"
    r"|a-levels|apprenticeship|[a-z]{3,}(?:ics|ology|onomy|istry))\b",
    re.IGNORECASE,
)
_GAVE_UP = re.compile(r"\b(?:g[ai]ve[ns]? up|giving up|packed in|swor[en] off)\b", re.IGNORECASE)
_TAUGHT_BY = re.compile(r"\blearn(?:t|ed|s|ing)?\b.*\bfrom\b", re.IGNORECASE)
_MARRIED = re.compile(r"\bmarried (?:to |an? |the |my |our |[A-Z])", re.IGNORECASE)
_HAD_A_BABY = re.compile(
    r"\b(?:had|having|gave birth|expecting)\b.*\b(?:baby|babies|twins|boy|girl|son|daughter)\b", re.IGNORECASE
)
_IS_FROM = re.compile(r"(?:'m|'s|'re|\b(?:is|am|are|was|were)) (?:originally |all |both )?from\b", re.IGNORECASE)
_STAYS_WITH = re.compile(r"\b(?:stay|stays|staying) with (?:the user|us|me)\b", re.IGNORECASE)
_SHARES_A_HOME = re.compile(
    r"\bshar(?:es?|ed|ing) (?:an? |the |my |our |his |her |their |the user's )?(?:[\w-]+ )?"
    r"(?:home|house|flat|apartment|farmhouse|bungalow|cottage|place|room|digs)\b|\b(?:house|flat|room)mates?\b",
    re.IGNORECASE,
)
_IS_WITH_A_FIRM = re.compile(
    r"(?:'m|'s|'re|\b(?:is|am|are|was)) (?:now |still )?(?:(?:on )?with|at) (?:an?|the|this)?(?: [\w-]+)? ?(?:gang|crowd|outfit|firm|company|crew"
    r"|agency|team|spot|place called|joint|school system|council|district|county|city|railway|railways|post office|bank)\b",
    re.IGNORECASE,
)
_TURNED = re.compile(
    r"\b(?:(?:turns?|turned|turning) (?:\d|\w+)|(?:shalls?|will|'ll) be (?:\d+|\w+ty(?:[- ]\w+)?|\w+teen) (?:in|on|next)\b)",
    re.I,
)
_DRIVES_FOR_A_LIVING = re.compile(
    r"\b(?:drives?|drove|driving|flies|flew|captain(?:s|ed)?|operates?|works) (?:an? |the )?(?:[\w-]+ ){0,3}?"
    r"(?:truck|lorry|bus|buses|taxi|cab|train|trains|tram|crane|hauler|ambulance|ferry|forklift|rig|digger|tanker|van"
    r"|bulldozer|loader|combine|dumper|tractor|hearse|coach|minibus|trailers?|machinery|till)\b|\bteach"
    r"(?:es)?\b",
    re.IGNORECASE,
)
_EMPLOYED = re.compile(
    r"\b(?!was|went|goes|go|is|am|are)\w+ (?:[\w-]+ ){0,3}?(?:for|at) (?:an?|the) (?:[\w-]+ ){0,3}?"
    r"(?:company|firm|outfit|contractor|agency|factory|plant|warehouse|garage|salon|workshop|council|practice)\b",
    re.IGNORECASE,
)
_FROM_HOME = re.compile(
    r"\b(?:i|user|we|he|she|[A-Z][\w-]+) (?!(?:is|am|are|was|come|comes|live|lives|moved|go|goes|walk|walks)\b)\w+ "
    r"(?:[\w-]+ ){1,4}?"
    r"(?:from home|for people|for a living|for (?:other|the) (?:people|neighbou?rs|village|parish)|on commission|to"
    r" order)\b",
    re.IGNORECASE,
)
_USED_TO = re.compile(
    r"\bused to (?:skipper|captain|teach|nurse|run|manage|drive|fly|sell|build|make|fix|repair|own|farm|fish|cook|sew"
    r"|weave|mine|work)\b",
    re.IGNORECASE,
)
_IS_ON_THE_BUSES = re.compile(
    r"(?:'s|'m|'re|\b(?:is|am|are|was|were)) (?:now |still |away )?(?:(?:on|down|in|at|with) the (?:oil )?(?:rigs?"
    r"|boats|trawlers|buses|trains|railways?"
    r"|trams|mines?|pits?|docks|mill|council|post office|sites|tools|force|army|navy|air force|fire brigade|ambulances"
    r"|taxis|lorries)"
    r"|in (?:construction|insurance|it|retail|finance|banking|sales|marketing|catering|nursing|teaching|forestry"
    r"|shipping|mining|logistics"
    r"|security|property|recruitment|advertising|publishing|farming))\b",
    re.IGNORECASE,
)
_KEEPS_BOOKS = re.compile(
    r"\bdo(?:es|ing)? (?:the |some )?(?:books|accounts|payroll|cleaning|cooking|catering|night shifts?|deliveries|hair"
    r"|nails|bookkeeping|admin|reception|security)\b.*\b(?:for|at|in)\b",
    re.IGNORECASE,
)
_DOES_HAIR = re.compile(
    r"\b(?!user\b)\w+ (?:does|do) (?:hair|nails|make-?up|massages?|tattoos|alterations|eyebrows|lashes)\b", re.I
)
_SERVES = re.compile(
    r"\bin (?:the )?(?:navy|army|air force|marines|coastguard|police|fire service|fire brigade|civil service)\b", re.I
)
_PASTIME = re.compile(
    r"\b(?:keeps? (?:racing )?(?:pigeons|bees|hens|chickens|budgies|ferrets|koi|tropical fish)|collects?|knits|crochets|paints"
    r"|fishes|gardens|sews|bakes|sings|birdwatch\w*|carves|races|mad (?:about|on|for)|(?:is|'s|'m) (?:really |well |dead )?into"
    r"|obsessed with|loves? \w+ing|plays? (?:the )?\w+)\b",
    re.IGNORECASE,
)
_SIGHT = re.compile(
    r"\b(?:blind|cataracts?|glaucoma|short-?sighted|partially sighted|macular|wears? (?:glasses|contacts))\b", re.I
)
_HEARING = re.compile(r"\b(?:deaf|hearing aids?|hard of hearing)\b", re.IGNORECASE)
_WALKING = re.compile(
    r"\b(?:wheelchair|walker|zimmer|walking stick|walking frame|crutch(?:es)?|cane|rollator|mobility scooter)\b", re.I
)
_DEAD = re.compile(
    r"\b(?:passed(?: away| on| over|$| (?:in|last|at|when|a \w+|\w+) )|lost (?:his|her|their) life|late (?:husband|wife|mother|father|mum|dad|mom))\b",
    re.I,
)
_CAUSES = re.compile(r"\b(?:sets? (?:[\w' ]{1,20} )?off|brings? on|gives? \w+|makes? \w+|triggers?)\b", re.IGNORECASE)
_REACTS = re.compile(
    r"\b(?:can't (?:be (?:around|near)|go near|have|eat|touch)|swell|swells|hives|rash|react\w*|sting|anaphyla\w*|epipens?)\b",
    re.I,
)
_LITTLE = re.compile(
    r"\b(?:and|our|my) (?:little|wee|baby) (?!one|boy|girl|brother|sister|son|daughter|dog|cat|house)[A-Za-z]\w+",
    re.IGNORECASE,
)
_CHURCHMAN = re.compile(r"\b(?:Father|Fr|Pastor|Reverend|Rev|Canon|Imam|Rabbi|Monsignor) [A-Z]")
_TRADES = re.compile(
    r"(?:'m|'s|'re|\b(?:is|was|am|are)) (?:an? |the )?(?:[\w-]+ ){0,3}?(?:sparky|chipp(?:y|ie)|brickie|truckie|postie|cabbie"
    r"|tradie|rigger|joiner|scaffie|roofie|squaddie|copper|locum|au pair|mechanic|architect|chemist|dentist)\b",
    re.IGNORECASE,
)
_HANDLES = re.compile(  # what somebody makes, mends or sells many of, but no habit and no taste
    r"(?:^the user|^the user's [\w-]+(?-i: [A-Z][\w-]+)?|^(?!the|my|our|no|never)[\w-]+|^my \w+) (?!(?:user|likes?|loves?|hates?|wants?|needs?"
    r"|has|have|keeps?|takes?|eats?|drinks?|plays?|speaks?|wears?|watch(?:es)?|gets?|goes|go|does|do|owes?|knows?|sees?|hears?"
    r"|enjoys?|prefers?|comes?|lives?|stays?|is|was|are|had|did|buys?|pays?|owns?|calls?|puts?|says?|thinks?|tells?|walks?"
    r"|visits?|phones?|rings?|hears?|forgets?|leaves?|lost|broke|met|meets?|misses|gives?|loses?|finds?|sings?|reads?|collects?|smokes?|wakes?|sleeps?|runs?|rides?|swims?|climbs?|hikes?|knits?|crochets?|bakes?|follows?|supports?)\b)"
    r"(?-i:[a-z]+s) (?!(?:on|in|off|the|an?|my|his|her|it|me|to|at|for|with)\b)(?:[\w-]+ )?(?!\w*days\b)\w{3,}s\b(?! (?:old|ago))"
    r"|\b(?:lays?|imports?|exports?|installs?|hauls?) \w+",
    re.IGNORECASE,
)
_CHILDMINDER = re.compile(r"\b(?:child ?minder|baby ?sitter|nanny|au pair)\b", re.IGNORECASE)
_FARRIER = re.compile(r"\b(?:farrier|blacksmith)\b", re.IGNORECASE)
_HAIRDRESSER = re.compile(r"\b(?:hairdresser|barber|stylist)\b", re.IGNORECASE)
_IS_TRANSFERRED = re.compile(r"\b(?:transferred|relocated|posted) (?:back |over )?to\b", re.IGNORECASE)
_OPERATED = re.compile(
    r"\b(?:had|has|having|have|getting|got) (?:my|his|her|their|the|a|an|both|the user's) [\w ]{1,24}? (?:out|removed"
    r"|replaced|pinned|taken out|fixed)\b|\bhad (?:an? )?(?:[\w-]+ )?(?:bypass|stent|transplant|caesarean|c-section|\w+ectomy"
    r"|replacement)\b",
    re.IGNORECASE,
)
_HAS_A_CAR = re.compile(
    r"\b(?:bought|got|have|has|had|traded|swapped|owns?|leased|leasing|picked up|upgraded|drives?)\b.*\b(?:"
    + "|".join(sorted(CAR_MAKES))
    + r")\b",
    re.IGNORECASE,
)
_EMPLOYER = re.compile(
    r"\b(?:fell(?:a|ow)|guy|man|woman|lady|bloke|chap|one|person|fundi|boss|people) (?:that |who |whom )?(?:i|the user|we) works? (?:for|under)\b",
    re.I,
)
_IMPLIED = (
    ("boss", _EMPLOYER),
    ("work", _DOES_HAIR),
    ("work", _SERVES),
    ("military", _SERVES),
    ("trade", _DOES_HAIR),
    ("hobby", _PASTIME),
    ("into", _PASTIME),
    ("learn", re.compile(r"\bplays? (?:the )?(?!for|with|in\b)\w+", re.IGNORECASE)),
    ("see", _SIGHT),
    ("sight", _SIGHT),
    ("eye", _SIGHT),
    ("hear", _HEARING),
    ("walk", _WALKING),
    ("die", _DEAD),
    ("trigger", _CAUSES),
    ("allergic", _REACTS),
    ("priest", _CHURCHMAN),
    ("youngest", _LITTLE),
    ("work", _KEEPS_BOOKS),
    ("work", _TRADES),
    ("work", _HANDLES),
    ("mind", _CHILDMINDER),
    ("child", _CHILDMINDER),
    ("shoe", _FARRIER),
    ("horse", _FARRIER),
    ("cut", _HAIRDRESSER),
    ("hair", _HAIRDRESSER),
    ("operation", _OPERATED),
    ("drive", _HAS_A_CAR),
    ("work", _IS_ON_THE_BUSES),
    ("work", _USED_TO),
    ("work", _FROM_HOME),
    ("work", _JOB),
    ("work", _BUSINESS),
    ("study", _STUDIES),
    ("stop", _GAVE_UP),
    ("teach", _TAUGHT_BY),
    ("husband", _MARRIED),
    ("wife", _MARRIED),
    ("born", _HAD_A_BABY),
    ("birthday", _TURNED),
    ("hail", _IS_FROM),
    ("come", _IS_FROM),
    ("live", _STAYS_WITH),
    ("work", _DRIVES_FOR_A_LIVING),
    ("work", _EMPLOYED),
    ("work", _IS_WITH_A_FIRM),
    ("live", _SHARES_A_HOME),
    ("live", _IS_TRANSFERRED),
    ("work", _IS_TRANSFERRED),
)


IMPLIED_VERBS = frozenset(verb for verb, _ in _IMPLIED)


def implied_verbs(text: str, among: Container[str] = IMPLIED_VERBS) -> list[str]:
    """ "Runs a shop" implies work, "learnt it from my aunt" that she taught it. Only those `among` are looked for."""
    of_a_car = "work" in among and not CAR_MAKES.isdisjoint(text.lower().split())
    return [
        verb
        for verb, pattern in _IMPLIED
        if verb in among and pattern.search(text) and not (of_a_car and pattern is _JOB)
    ]
