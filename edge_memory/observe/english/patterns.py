"""The table of what people say about themselves and each other: sentence forms, each with the slot that it fills.

The forms are of the third person, as `third_person` tells them, so that "I live in", "my sister Vera lives in" and "Vera
lives in" are one form with three subjects.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import (
    ADVERBS,
    BANKS,
    KIN,
    KIN_OR_PET,
    MEDICINES,
    MONTHS,
    NOT_A_NAME,
    NUMBERS,
    ORDINALS,
    PET,
    VERB_WORDS,
    WEEKDAYS,
)
from edge_memory.records import Kind, Layer, Priority


@dataclass(frozen=True, slots=True)
class Form:
    """`key`, `value`, `about` and `opposite` are templates over the groups of `expression`; `{who}` is the subject.

    `ends`: it takes a value away. `about`: the words of what it ends or changes, when no slot tells. `thing`: it is
    something that is had. `opposite`: the slot in which the same value cannot stand at the same time.
    """

    expression: str
    key: str
    value: str = "{value}"
    many: bool = False
    kind: Kind = Kind.FACT
    layer: Layer = Layer.PROFILE
    priority: Priority = Priority.NORMAL
    ends: bool = False
    about: str = ""
    thing: bool = False
    opposite: str = ""

    def match(self, text: str) -> re.Match[str] | None:
        return _compiled(self.expression).match(text)


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    """Compiled at first use: doing so for all takes a second, and most commands never read a sentence."""
    return re.compile(expression, re.IGNORECASE)


_NOT_A_NAME = (
    "(?!(?:" + "|".join(sorted((NOT_A_NAME - {"april", "june"}) | VERB_WORDS, key=len, reverse=True)) + r")\b)"
)
NAME = rf"(?:(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)*|{_NOT_A_NAME}[\w-]+)"
_ADJECTIVE = (
    r"(?:older|younger|elder|little|big|youngest|eldest|oldest|other|new|old|twin|best|late|dear|middle|first|second)"
)
WHO = (
    rf"(?:the user's (?:{_ADJECTIVE} )?(?P<kin>{KIN_OR_PET})(?:,? (?P<kin_name>{NAME}),?)?|(?P<user>the user)(?!'s)"
    rf"|(?P<name>{_NOT_A_NAME}{NAME}))"
)
WHOSE = rf"(?:the user's (?:{_ADJECTIVE} )?(?P<kin>{KIN_OR_PET})(?:,? (?P<kin_name>{NAME}))?'s|(?P<user>the user's)|(?P<name>{_NOT_A_NAME}{NAME})(?:'s|(?<=s)'))"
_SINCE = (
    r"(?:,? (?:now|today|as of (?:today|yesterday|\w+day|last \w+)|these days|nowadays|at the moment|currently|any ?more|any longer|again|as well|too|already|recently|full[- ]time|part[- ]time"
    rf"|(?:since|until|from) .+|for (?:\w+ )?(?:\w+ )?(?:days|weeks|months|years|ages)(?: now)?|(?:last|this|next) \w+|yesterday|(?:an?|two|three|four|five|six|\d+|a few) \w+ ago"
    rf"|in (?:the (?:spring|summer|autumn|fall|winter|new year)|{'|'.join(MONTHS)}|\d{{4}})(?: .+)?|on (?:{'|'.join(WEEKDAYS)})s?|with .+|because .+|so .+)|,\s.+)*"
)
_V = r"(?P<value>.+?)"
_OVER = r"(?: on account of .+| any ?more| any longer| now| at all| because .+| cos .+| cause .+| since .+| due to .+|,\s.+)*"
_NUMBER = r"(?:\d+|(?:an?|one|two|three|four|five|six|seven|eight|nine) hundred(?: and (?:fifty|twenty five))?|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen)"
_DAY_OR_DATE = (
    "(?:"
    + "|".join([*WEEKDAYS, *MONTHS, *sorted(ORDINALS), "tomorrow", "next", "half", *sorted(NUMBERS - {"one"})])
    + r"|\d+)"
)
_DOSE = r"\b(?:day|days|daily|morning|mornings|evening|evenings|night|nightly|bedtime|week|weekly|meals?|breakfast|dinner|lunch|mg|milligrams?|micrograms?|pills?|tablets?|puffs?|units?|drops?|capsules?|injections?|medicine|medication|for (?:my|his|her|the user's) .+)\b"
_MEDICINE = rf"(?:{MEDICINES}|(?!(?:walks?|showers?|naps?|baths?|breaks?|class|classes|lessons?|notes?|pictures?|photos?|part|care|time|turns?|trains?|buses|taxis?|it|them|school|college|uni|university|work|football|dancing|choir|piano|guitar|judo|karate|ballet|tennis|golf|yoga|training|holiday|duty|call|track|top|fire|sale|sugar|milk|salt|butter|cream|sweeteners?|decaf|coffee|tea|nights|days|earlies|lates|shifts|diet|sick|holidays?|the hook|bus|route|tram|tills?|desk|line|crew|ward|rota|site|probation|leave|crutches|an?|the|two|him|her|us|me|about|over|off|out|up)\b)(?!\d|\w+ing\b)[\w-]+)"
_SO_MUCH = rf"(?:(?:{_NUMBER}) ?(?:mg|milligrams?|micrograms?|pills?|tablets?|units?|puffs?|drops?|capsules?)? ?(?:of (?:the )?)?)?"
_DIET = r"(?P<value>vegetarian|veggie|vegan|pescatarian)"
_RULE_OF_DIET = r"(?P<value>gluten[- ]free|dairy[- ]free|kosher|halal|teetotal)"
_CONDITION = r"(?P<value>diabetic|type (?:one|two|1|2) diabetic|pre-?diabetic|lactose[- ]intolerant|gluten[- ]intolerant|coeliac|celiac|asthmatic|epileptic|pregnant|colou?r[- ]?blind|deaf|blind)"
_ILLNESS = r"(?:type (?:one|two|1|2) )?(?P<value>diabetes|asthma|epilepsy|coeliac disease|celiac disease|high blood pressure|arthritis|a heart condition|migraines|dementia)"
_HAS_NO = r"(?:doesn't (?:actually |really )?have|does not have|hasn't(?: got)?|has not(?: got)?|no longer has|has no|never had) (?:an? |any )?"
# What one is by faith, conviction or country, and no trade.
_NO_TRADE = (
    r"(?:christian|buddhist|baptist|methodist|adventist|calvinist|presbyterian|episcopalian|atheist|feminist|socialist"
    r"|communist|nationalist|pacifist|libertarian|republican|optimist|pessimist|perfectionist|minimalist|idealist|realist"
    r"|humanitarian|lesbian|(?:ind|ital|austral|canad|niger|ghana|russ|iran|brazil|egypt|ukrain|armen|norweg|belg|austr"
    r"|hungar|roman|bulgar|serb|bosn|croat|alban|jordan|syr|palestin|colomb|peruv|boliv|argentin|liber|eston|latv|lithuan"
    r"|georg|macedon|malays|indones|mongol|cambod|alger|tunis|ethiop|zamb|gamb|maurit|bahama|californ|scandinav|as|pers)ian)"
)
_JOB_WORD = (
    rf"(?:(?!{_NO_TRADE}\b)(?!(?:lover|runner|swimmer|smoker|drinker|reader|believer|beginner|listener|sleeper|riser|eater|member|owner|father|mother|brother|sister|daughter|supporter|user"
    r"|teenager|number|winner|loser|starter|foodie|walker|keeper|dreamer|speaker|follower|fighter|sleepwalker|singer|dancer)\b)\w+(?:er|or|ist|ian|eer|wright|keeper|man|woman|smith|mistress|tress)"
    r"|nurse|chef|cook|vet|clerk|pilot|judge|guard|student|intern|midwife|surgeon|paramedic|architect|accountant|assistant|consultant|apprentice|trainee|attendant|sergeant|builder|mechanic|nanny|carer|engineer|scientist|analyst|executive|director|secretary|lecturer|receptionist|soldier|sailor|priest|vicar|teacher|GP|doctor|dentist|principal|head|partner)"
)
_POST = r"(?:ward|unit|team|department|wing|branch|desk|line|floor|shift|office|depot|section|crew|site|days|nights|earlies|lates|afternoons)"
_WORKPLACE = r"(?:school|hospital|clinic|surgery|practice|branch|office|firm|company|store|shop|restaurant|hotel|factory|plant|depot|station|salon|garage)"
_DOCTOR = r"(?:the user's (?:doctor|gp|consultant|nurse|dentist)|the (?:doctor|gp|consultant|nurse|dentist|specialist|hospital|clinic|pharmacist|surgery)|(?:doctor|dr) [\w-]+|doctors?|(?:the )?docs?|they|she|he)(?: has| have|'ve|'s)? (?:just )?"
_HARD: dict[str, Any] = {"kind": Kind.POLICY, "priority": Priority.CRITICAL}
_LIKES: dict[str, Any] = {"many": True, "kind": Kind.PREFERENCE}
_MANY: dict[str, Any] = {"many": True}
_ENDS: dict[str, Any] = {"ends": True}
# One eats no meat in one way; the other rules stand beside it, and conditions beside each other.
_DIETS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    (_DIET, "{who}.diet", {}),
    (_RULE_OF_DIET, "{who}.diet_rule", _MANY),
    (_CONDITION, "{who}.condition", _MANY),
)


def form(predicate: str, key: str, subject: str = WHO + " " + ADVERBS, **more: Any) -> Form:
    return Form(rf"^{subject}(?:{predicate})$", key, **more)


# The first that fits wins.
PEOPLE = (
    # identity
    form(rf"the user's (?:first |full |real )?name(?:'s| is) (?P<value>{NAME}(?: [\w'-]+){{0,2}}?){_SINCE}", "user.name", ""),
    form(r"the user's (?P<what>middle|last|maiden|family|sur)[ -]?name(?:'s| is) (?P<value>.+?)", "user.{what}_name", ""),
    form(rf"(?:you can |please )*call the user (?P<value>{NAME})(?: from now on)?", "user.nickname", "", **_MANY),
    form(rf"is called (?P<value>{NAME})", "user.name", r"(?P<user>the user) " + ADVERBS),
    form(r"is (?P<value>(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)?)", "user.name", r"(?P<user>the user) "),
    form(r"(?:is |has |will be )?(?:taking|taken|took) (?P<value>(?!the user)[\w-]+(?: [\w-]+)?'s (?:sur|last |family )?name)", "user.name", r"(?P<user>the user) " + ADVERBS),
    form(rf"changed the user's name to {_V}", "user.name", r"(?P<user>the user) " + ADVERBS),
    form(rf"the user's (?:{_ADJECTIVE} )?(?P<kin>{KIN})'s name(?:'s| is) (?P<value>{NAME}){_SINCE}", "user.{kin}", "", kind=Kind.RELATIONSHIP, **_MANY),
    form(rf"the user's (?:{_ADJECTIVE} )?(?P<kin>{KIN})(?: is(?: called| named)?|,) (?P<value>(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)?)", "user.{kin}", "", kind=Kind.RELATIONSHIP, **_MANY),
    form(rf"the user's (?:{_ADJECTIVE} )?(?P<kin>{KIN}) is (?:called|named) (?P<value>{NAME})", "user.{kin}", "", kind=Kind.RELATIONSHIP, **_MANY),
    form(rf" (?P<what>{KIN})(?:'s name)? is (?:also )?(?:called|named) (?P<value>{NAME}){_SINCE}", "{who}.{what}", rf"(?!the user's {KIN} ){WHOSE}", kind=Kind.RELATIONSHIP),
    form(rf"the user's (?:{_ADJECTIVE} )?(?P<pet>{PET})(?:'s name)? is(?: called| named)? (?P<value>{NAME})", "user.pet", "", value="{pet} {value}", kind=Kind.RELATIONSHIP, **_MANY),
    form(rf"(?:has|owns|got|adopted|keeps|has adopted|has bought)(?: got)? (?:an?|one|two|three|another) (?:\w+ ){{0,2}}?(?P<pet>{PET})s?(?:(?:,? (?:called|named) |, )(?P<value>{NAME}))?{_SINCE}",
         "{who}.pet", value="{pet} {value}", kind=Kind.RELATIONSHIP, **_MANY),
    form(rf"(?:has|owns|got|adopted|keeps)(?: got)? an? (?P<what>[\w-]+(?: [\w-]+){{0,2}}?) (?:called|named) (?P<value>{NAME}){_SINCE}", "{who}.{what}", kind=Kind.RELATIONSHIP, **_MANY),
    # home
    form(rf"(?:lives|resides|is living|is based|has lived|has been living|is staying|stays|is settled|has settled|settled)(?: down)?(?: now)?(?: on the user's own| on (?:his|her|their) own| by (?:themself|himself|herself)| alone| together)? (?:in|at|on|near|with(?= the user(?:{_SINCE})$)) {_V}{_SINCE}", "{who}.home"),
    form(rf"(?:has )?(?:just |now )*(?:got|has|rents|is renting|found|bought)(?: got)? an? (?:[\w-]+ )?(?:place|flat|house|apartment|room) of (?:the user's|his|her|their) own (?:in|at|on|near|over in|down in|up in) {_V}{_SINCE}", "{who}.home"),
    form(rf"(?:has |is )?(?:just |recently |now )?(?:moved|transferred|been moved|been transferred|got moved|switched|works?|is working|is(?: now)?)(?: over| up| down| across)? (?:to|on|in|into) (?P<value>(?:the |a )?(?:[\w'-]+ ){{0,4}}?{_POST}){_SINCE}", "{who}.post"),
    form(rf"(?:they|the boss|the manager|work)(?:'ve| have| has)? (?:just )?(?:moved|put|switched|transferred|changed) the user (?:over )?(?:to|on|onto|into) (?P<value>(?:the |a )?(?:[\w'-]+ ){{0,4}}?{_POST}){_SINCE}", "user.post", ""),
    form(rf"(?:is|has come|came|went|has gone)(?: now)? back (?:living )?(?:in|at|to|on(?= the\b)) (?!(?:the )?(?:work|school|hospital|bed|uni|college|office|top|track|time|form)\b){_V}{_SINCE}", "{who}.home", rf"(?!the user(?!'s)){WHO} {ADVERBS}"),
    form(rf"(?:has )?(?:just |recently |now )?(?:moved|come|came|gone|went|joined)(?: back)?(?: home)?(?: to live| to stay)?(?: in)? (?P<value>with (?:the user|him|her|them|the user's .+|his .+|her .+)|(?<=joined )the user){_SINCE}(?: from .+)?", "{who}.home"),
    form(rf"(?:has |is )?(?:just |recently |now |been )*(?:moved|switched|changed|transferred|gone)(?: over| up| across)? to (?P<value>(?:[\w'-]+ ){{1,4}}(?:school|academy|college|primary|nursery|high)){_SINCE}", "{who}.school", rf"(?!the user(?!'s)){WHO} {ADVERBS}"),
    form(rf"(?:has |is )?(?:just |recently |now |been )*(?:moved|switched)(?: over)? to (?P<value>{BANKS}){_SINCE}", "{who}.bank"),
    form(rf"(?:has |is |got |was )?(?:just |recently |now |been )*(?:transferred|posted|reassigned|seconded)(?: over| across)? to (?!(?:an?|another) )(?P<value>the .+?){_SINCE}", "{who}.employer"),
    form(rf"(?:has |is )?(?:just |recently |now )?(?:moved|relocated|shifted|migrated|emigrated|transferred)(?: house| back| over| down| up| out)?(?: from .+?)? (?:to|into) (?!tears\b|(?:the )?{_DAY_OR_DATE}\b|(?:an?|the|another) (?:[\w-]+ )?{_WORKPLACE}\b){_V}{_SINCE}", "{who}.home"),
    form(rf"(?:rents|is renting|bought|has bought|got|has got|has) an? (?:\w+ )?(?:flat|apartment|house|room|studio|cottage|bungalow|condo|townhouse) (?:in|on|at|near) {_V}{_SINCE}", "{who}.home"),
    form(rf"(?:has |is )?(?:just |recently |now )?(?:moved|shacked up|gone) in with (?:(?:the user's|his|her|their|an?) )?(?:[\w-]+ ){{0,3}}?(?:in|at|on|near) (?!(?:the )?(?:end|start|beginning|middle|{_DAY_OR_DATE})\b){_V}{_SINCE}", "{who}.home"),
    form(rf"(?:has |is )?(?:just |recently |now )?(?:moved|shacked up|gone) in (?P<value>with .+?){_SINCE}", "{who}.home"),
    form(rf"(?:has )?(?:just |recently |now )?(?:closed on|signed (?:a|the) lease (?:on|for)|got the keys (?:to|for)|put down a deposit on|bought|rented|took|has taken) (?:an?|the user's|the) (?:\w+ ){{0,2}}?(?:flat|apartment|house|room|studio|cottage|bungalow|condo|townhouse|place) (?:in|on|at|near|over in|out in) {_V}{_SINCE}", "{who}.home"),
    form(rf"(?:has |is )?(?:just |recently |now )?(?:gone|went|come|came|moved|off|going)(?: back| over| out| up| down)? to (?:live|stay|settle)(?: down)? (?:in|at|on|near) {_V}{_SINCE}", "{who}.home"),
    form(rf"(?:has |is )?(?:just |recently |now )?(?:had to )?(?:gone|went|go|goes|moved|moving|going|come|been put|been taken) into (?P<value>care|an? (?:\w+ )?home|sheltered .+?|assisted .+?|residential .+?){_SINCE}", "{who}.home"),
    form(rf"(?:lives|is living|stays|is based|flats|is flatting|rents|lodges|boards) (?:over|out|up|down|back|round) (?:in|at|on|by) {_V}{_SINCE}", "{who}.home"),
    form(rf"is now in (?!(?:the|a|an|my|trouble|charge|pain|bed|hospital|work|class|love|debt|business|order|remission|her|his|their|touch|contact|shape|here|total|front|my)\b)(?P<value>(?:[\w'-]+ ?){{1,3}}){_SINCE}", "{who}.home", "(?P<user>the user) "),
    form(rf"(?:no longer lives?|doesn't live|does not live|used to live) (?:in|at|on|near) {_V}{_OVER}", "{who}.home", **_ENDS),
    form(rf"(?:has )?(?:just )?(?:moved|packed|cleared|checked|got) (?:out of|away from) (?!bed\b|hospital\b|prison\b|the\b|there\b){_V}{_SINCE}", "{who}.home", **_ENDS),
    # work
    form(rf"(?:has )?(?:just )?(?:quit|left|lost|gave up|given up|resigned from|was (?:fired|let go|laid off|made redundant) from|got (?:fired|let go|laid off|made redundant) from) (?:the user's|his|her|their|the) (?:old )?job(?: (?:at|with|for) (?P<value>.+?))?{_SINCE}",
         "{who}.employer", **_ENDS),
    form(rf"(?:has )?(?:just )?(?:handed|gave|given|put|giving|handing) (?:in )?(?:the user's|his|her|their) notice(?: in)?(?: (?:at|to|with) (?P<value>.+?))?{_SINCE}", "{who}.employer", **_ENDS),
    form(rf"(?:has )?(?:just )?(?:retired|been made redundant|been laid off|got laid off|got fired|was laid off|was made redundant|(?:got|was given|has been given) the (?:sack|push|boot)|(?:was|got|been) (?:sacked|let go))(?: from (?P<value>.+?))?{_SINCE}|is (?:retired|unemployed|out of work){_SINCE}",
         "{who}.employer", value="{value}", **_ENDS),
    form(rf"(?:has )?(?:just )?(?:quit|left|resigned from|is leaving|walked out of|walked out on) (?!school\b|home\b|the house\b|early\b|for\b|\w+ing\b){_V}{_SINCE}", "{who}.employer", about="{value}", **_ENDS),
    form(rf"(?:no longer works?|doesn't work|does not work|stopped working|used to work) (?:at|for|in) {_V}{_OVER}", "{who}.employer", **_ENDS),
    form(rf"(?:works(?: (?:nights|days|shifts|weekends|mornings|full[- ]time|part[- ]time))?|is working|is employed|has a job|has got a job|got a job|got a new job|(?:has )?started(?: work(?:ing)?)?|(?:has )?(?:got|started|taken|took|has) a (?:new )?job|joined|has joined)(?! the user\b)(?: now)? (?:(?:at|for|with) |(?<=joined )(?!(?:an?|the|his|her|the user's) (?:[\w-]+ ){{0,3}}?(?:choir|club|band|team|gym|group|class|society|church|library|league|course|circle|party|committee|squad|class|library|forum|chat|union)\b)|(?<=joined now ))(?!night\b|nights\b|home\b|weekends?\b|the moment\b|the weekend\b|school\b|\w+ o'clock\b|the user's\b|uni\b)"
         rf"{_V}{_SINCE}", "{who}.employer"),
    form(rf"(?:has |is )?(?:just |now |been )*(?:moved|transferred|switched|changed|posted|moving|transferring)(?: over| across)? to (?P<value>(?:an?|the|another) (?:[\w-]+ )*?{_WORKPLACE}(?: .+)?)", "{who}.employer", r"(?P<user>the user) " + ADVERBS),
    form(rf"(?:has )?(?:just |recently )?(?:got|found|landed|started|taken|took|gets) (?:an? |the user's |his |her )?(?:new |full[- ]time |part[- ]time )?(?:job|work|post|position) in (?P<value>an? .+?){_SINCE}", "{who}.employer"),
    form(rf"(?:has )?(?:just |now )?(?:(?:gone|went|is going) (?:to work|off to work|back to work) (?:in|at|for|on|with|down)|(?:gone|went) into|(?:picked up|got|gets|has|has got) (?:some |a few |more )?(?:shifts|hours|work) (?:at|in|with|for)) (?!hospital\b|town\b|labou?r\b|the (?:garden|kitchen|house|city)\b|care\b|a home\b){_V}{_SINCE}", "{who}.employer"),
    form(rf"(?:works|is working|started|has started)(?: now)? as (?:an? |the )?{_V}{_SINCE}", "{who}.occupation"),
    form(rf"(?:is|became|has become) (?:an? |the )(?P<value>(?:[\w-]+ ){{0,3}}?{_JOB_WORD})(?: (?:out of|from|in|by|for|at) .+)?{_SINCE}", "{who}.occupation"),
    form(rf"(?:has )?(?:just |now )*(?:been|got|was|is|gets) (?:made|promoted to|appointed|elected)(?: up to)? (?:an? |the )?(?!redundant\b)(?P<value>(?:[\w-]+ ){{0,3}}?[\w-]+?)(?: (?:at|of|in|for) .+)?{_SINCE}", "{who}.occupation"),
    # health
    form(rf"(?:is )?(?:no longer|not)(?: any ?more)? allergic to {_V}{_OVER}|isn't allergic to (?P<isnt>.+?){_OVER}", "{who}.allergy", value="{value}{isnt}", ends=True, **_MANY, **_HARD),
    form(rf"{_HAS_NO}(?:(?:\w+ )?(?P<value>[\w-]+) (?:allergy|intolerance)|(?:\w+ )?(?:allergy|intolerance) to (?P<other>.+?)){_OVER}", "{who}.allergy", value="{value}{other}", ends=True, **_MANY, **_HARD),
    form(rf"{_HAS_NO}{_ILLNESS}{_OVER}", "{who}.condition", ends=True, **_MANY, **_HARD),
    form(rf"(?:has |'s )?(?:outgrown|grown out of|outgrew|grew out of) (?:(?:the user's|his|her|their|the) )?(?P<value>.+?) (?:allergy|intolerance|thing){_OVER}", "{who}.allergy", ends=True, **_MANY, **_HARD),
    form(rf"(?:is|was|has become|became) (?:severely |deathly |badly |very |mildly |terribly |highly )?allergic to {_V}(?:(?: only)?,? (?:and |but )?not (?:to )?.+)?{_SINCE}", "{who}.allergy", **_MANY, **_HARD),
    form(rf"(?:has|has got|suffers from|developed|has developed) (?:an? )?(?:\w+ )?(?:allergy|intolerance) to {_V}{_SINCE}", "{who}.allergy", **_MANY, **_HARD),
    form(rf"(?:has|has got|suffers from) (?:an? )?(?:\w+ )?(?P<value>[\w-]+) allergy{_SINCE}", "{who}.allergy", **_MANY, **_HARD),
    *(form(rf"(?:isn't|is not|is no longer|stopped being)(?: an?)? {value}{_OVER}", key, ends=True, **many, **_HARD) for value, key, many in _DIETS),
    *(form(rf"(?:is|has become|became|turned|has gone|went|has been diagnosed as|is now)(?: an?| strictly)? {value}{_SINCE}", key, **many, **_HARD) for value, key, many in _DIETS),
    form(rf"(?:can|is allowed to|is able to) (?:have|eat|drink|take|tolerate) {_V} (?:now|again|these days)", "{who}.cannot_have", ends=True, **_MANY, **_HARD),
    form(rf"(?:can't|cannot|isn't allowed to|mustn't|must not) (?:have|eat|drink|tolerate) {_V}{_SINCE}", "{who}.cannot_have", **_MANY, **_HARD),
    form(rf"(?:has )?(?:no longer takes?|doesn't take|does not take|stopped taking|has stopped taking|stopped|came off|come off|is off|is no longer (?:on|taking)|is not (?:on|taking)|isn't (?:on|taking)|gave up taking) (?:the user's |his |her |the )?(?!\w+ing\b)(?P<med>{_MEDICINE})(?: (?:tablets?|pills?|capsules?|injections?|inhaler|spray|cream|drops?|patch(?:es)?|supplements?|completely|altogether|for good|twice|once|every|in the|at|for) ?.*?)??{_OVER}",
         "{who}.medicine_{med}", value="{med}", **_ENDS, **_HARD),
    form(rf"{_DOCTOR}(?:(?:took|taken) the user off|stopped|discontinued|ended|(?:said|says|told the user)(?: to stop| to come off| to leave off| no more)) (?:the user's |the |that )?(?P<med>{_MEDICINE})(?:[ ,].+)?", "user.medicine_{med}", "", value="{med}", **_ENDS, **_HARD),
    form(rf" (?:[\w'-]+ ){{0,3}}?(?:tablets?|pills?|medicines?|medication|meds|inhalers?|injections?|drops|capsules?)(?: now)? (?:is|are)(?: now)?(?: called)?(?: the)? (?P<med>{MEDICINES}|{_NOT_A_NAME}[\w-]{{4,}}(?= (?:{_NUMBER}|{_NUMBER}[ -]?(?:mg|milligrams?|micrograms?))$))(?P<dose>.*)",
         "{who}.medicine_{med}", WHOSE, value="{med}{dose}", **_HARD),
    form(rf"(?:takes|uses|injects|is on|is taking|is using|has been taking|has been on|was put on|has been put on|was prescribed|has been prescribed|started(?: taking| on)?|has started(?: taking| on)?|switched to) {_SO_MUCH}(?:the user's |his |her |their |some |the )?(?P<med>{MEDICINES})(?P<dose>(?: .*)?)",
         "{who}.medicine_{med}", value="{med}{dose}", **_HARD),
    form(r"(?:takes|uses|needs) (?:an? |the user's |his |her )(?P<med>(?!(?:an?|the|some)\b)[\w-]+) (?P<dose>(?:tablet|pill|capsule|inhaler|injection|spray|patch)\b.*)", "{who}.medicine_{med}", value="{med} {dose}", **_HARD),
    form(rf"(?:takes|is on|is taking|has been taking|was put on|has been put on|was prescribed|has been prescribed|started(?: taking| on)?|has started(?: taking| on)?|switched to|needs) {_SO_MUCH}(?:the user's )?(?P<med>{_MEDICINE})\b(?=.*{_DOSE})(?!.*\b(?:lessons?|class|classes|bus|train|walk|shower)\b)(?P<dose>.*)",
         "{who}.medicine_{med}", value="{med}{dose}", **_HARD),
    form(rf"{_DOCTOR}(?:put|started|prescribed|gave|given|has|have|had|got|moved|switched|changed) {WHO}(?: over)? (?:(?:back )?on |(?:on)?to (?={MEDICINES})|(?=[\w-]+ (?:for|twice|once|to)\b)){_SO_MUCH}(?P<med>{_MEDICINE})(?P<dose>.*)", "{who}.medicine_{med}", "", value="{med}{dose}", **_HARD),
    form(rf"(?:has |have )?{_ILLNESS}(?: .*)?", "{who}.condition", **_MANY, **_HARD),
    # age, money
    form(rf"is (?:only |nearly |almost )?(?P<value>{_NUMBER})(?: (?:years|months|weeks) old)?{_SINCE}", "{who}.age"),
    form(rf"has (?P<value>{_NUMBER}) years{_SINCE}", "{who}.age"),
    form(rf"(?:has )?(?:just )?turned (?P<value>{_NUMBER}){_SINCE}", "{who}.age"),
    form(rf"(?:the user's|the) bank(?: is|'s)(?: now)? (?P<value>{BANKS}(?: .+)?)", "user.bank", ""),
    form(rf"the user's bank(?: is|'s)(?: now| called)? (?!(?:closed|shut|open|good|great|bad|awful|useless|rubbish|terrible|nice|lovely|near|right|far)\b)(?P<value>{NAME}(?: bank)?){_SINCE}", "user.bank", ""),
    form(rf"(?:banks|is banking) with {_V}{_SINCE}", "{who}.bank"),
    form(rf"(?:has )?(?:just )?(?:moved|switched|transferred|shifted|changed) (?:(?:the user's|his|her|their|all|the) )*(?:money|savings|accounts?|banking|banks?|salary)(?: account)?(?: over| across)? to (?!(?:the )?(?:left|right|back|front)\b){_V}{_SINCE}", "{who}.bank"),
    form(rf"(?:has )?(?:just )?(?:switched|moved|changed|swapped|gone|went|is going|is|banks)(?: all)?(?: over| back| across)?(?: now)? (?:to|with) (?:the )?(?P<value>{BANKS}){_SINCE}(?: instead)?", "{who}.bank"),
    form(rf"(?:has )?(?:just )?(?:taken|took|moved|brought) (?:the user's|all|the) (?:\w+ )?(?:business|money|custom|savings|banking)(?: over| across)? to (?:the )?(?P<value>{BANKS}){_SINCE}", "{who}.bank"),
    form(rf"(?:has )?(?:just )?(?:remortgaged|refinanced|mortgaged|(?:got|took out|has got|has taken out) an? (?:new )?mortgage|(?:moved|switched|took) (?:the user's|the) mortgage)(?: now)?(?: over)? (?:with|to) {_V}{_SINCE}", "user.mortgage", r"(?P<user>the user) " + ADVERBS),
    form(rf"(?:the user's|the) mortgage(?: is|'s)(?: now| still)? with {_V}{_SINCE}", "user.mortgage", ""),
    form(rf"(?:earns|makes) (?P<value>.+? (?:a|per|an) (?:year|month|week|hour)){_SINCE}", "{who}.salary"),
    form(rf"is (?:now |still |currently |living |working )*(?P<value>(?:(?:over|out|off|up|down|above|below|beyond|back|away) )?(?:in|at) (?!(?:the )?{_DAY_OR_DATE}\b|quarter\b|noon\b|midday\b).+)", "{who}.place", r"(?!the user(?!'s))" + WHO + " ", **_MANY),
    # tastes
    form(rf"(?:doesn't|does not|no longer|never|don't) (?:really |even |much )*(?:likes?|loves?|enjoys?|fancy) {_V}{_OVER}", "{who}.dislikes", opposite="{who}.likes", **_LIKES),
    form(rf"(?:is (?:not|no longer) (?:keen on|fond of|into)|isn't (?:keen on|fond of|into)|went off|has gone off) {_V}{_OVER}", "{who}.dislikes", opposite="{who}.likes", **_LIKES),
    form(rf"(?:hates|dislikes|can't stand|cannot stand|can't bear|detests|loathes|can't abide) {_V}{_SINCE}", "{who}.dislikes", opposite="{who}.likes", **_LIKES),
    form(rf"(?:would )?(?:prefers?|rather have|rather) {_V}{_SINCE}", "{who}.prefers", **_LIKES),
    form(rf"(?:quite |really |rather |actually )*(?:likes|loves|enjoys|adores|is (?:really |very |quite )?(?:into|fond of|keen on|a (?:big |huge )?fan of)) {_V}{_SINCE}", "{who}.likes", opposite="{who}.dislikes", **_LIKES),
    form(rf"never (?!(?:did|had|was|were|went|got|came|saw|knew|made|took|met|said|told|(?!need|feed)\w+ed)\b){_V}{_OVER}", "{who}.never", many=True, kind=Kind.PREFERENCE, priority=Priority.HIGH),
    form(rf"(?:has |have )?(?:decided|made up (?:the user's|his|her) mind)(?: to| on| that| against|:)? {_V}", "{who}.decision", kind=Kind.DECISION, layer=Layer.SEMANTIC, **_MANY),
    form(rf"(?:is|has been|started|has started|is trying) (?:learning|studying|to learn|taking up) (?:to |how to )?{_V}{_SINCE}", "{who}.learning", **_MANY),
    form(rf"(?:drives) (?!for\b|(?:an?|the) (?:[\w-]+ ){{0,3}}?(?:bus|coach|train|tram|ambulance)\b)(?:an? |the user's |his |her )?{_V}{_SINCE}", "{who}.car"),
    form(rf"(?:goes to|attends|is at|studies at) (?P<value>.*(?:school|college|university|nursery|academy|kindergarten|playgroup)){_SINCE}", "{who}.school"),
    form(rf"(?:plays) (?:the )?{_V}{_SINCE}", "{who}.plays", **_MANY),
    form(rf"speaks {_V}{_SINCE}", "{who}.speaks", **_MANY),
    form(rf"(?:is (?:married|engaged) to|got married to|married) (?P<value>{NAME}){_SINCE}", "{who}.married_to"),
)  # fmt: skip

# What ends without a slot that says so: found by the words that tell it.
ENDS = (
    form(rf"(?:isn't|is not|is no longer|no longer is) (?P<about>.+?){_OVER}", "", value="", about="{about}", **_ENDS),
    form(rf"(?:doesn't|does not|no longer|don't|never|can't|cannot|couldn't|won't) (?!mind\b)(?P<about>.+?)(?: any ?more| any longer| now| these days| nowadays){_OVER}", "", value="", about="{about}", **_ENDS),
    form(rf"no longer (?P<about>.+?){_OVER}", "", value="", about="{about}", **_ENDS),
    form(rf"(?:has )?(?:just |finally )*(?:gave|given|packed|jacked|chucked|handed|passed) (?P<about>.+?) (?:away|up|in|(?:over|on) to .+?){_SINCE}", "", value="", about="{about}", **_ENDS),
    form(rf"(?:has )?(?:just |finally )*(?:traded|swapped|part[- ]exchanged|sold|threw|thrown|chucked|took) (?P<about>(?:the|the user's) .+?) (?:in|for|on|out|away|off|to the (?:tip|dump|scrap\w*))(?: (?:for|on|against|to) .+?)?{_SINCE}", "", value="", about="{about}", thing=True, **_ENDS),
    form(rf"(?:has )?(?:just |finally )*(?:put|laid|packed) (?P<about>(?:the|the user's|his|her) .+?) (?:away|aside|down) for good{_SINCE}", "", value="", about="{about}", **_ENDS),
    form(rf"(?:has )?(?:just |finally )*finished (?P<about>(?!at\b|early\b|late\b|work\b|\w+ing\b).+?){_SINCE}", "", value="", about="{about}", **_ENDS),
    form(rf"(?:has )?(?:just )?(?:stopped|quit|gave up|given up|finished|left|done with|finished with|is off|off) (?P<about>\w+ing\b.*?){_SINCE}", "", value="", about="{about}", **_ENDS),
    form(rf"(?:has )?(?:just )?(?:gave up|given up|dropped|packed in|jacked in|kicked|chucked|ditched|binned|sacked off|knocked (?=.+ on the head)|cancelled|canceled|closed|discontinued|pulled out of|dropped out of|done with|finished with|off(?= the )) (?P<about>.+?){_SINCE}", "", value="", about="{about}", **_ENDS),
    form(rf"(?:has )?(?:just )?(?:sold(?: off)?|flogged|offloaded|parted with|rehomed|disposed of|traded in|gave away|given away|got rid of|threw (?:out|away)|scrapped|returned|crashed|has lost|lost) (?P<about>(?:the user's|the|that|his|her|our) .+?|(?-i:[A-Z])\w+){_SINCE}",
         "", value="", about="{about}", thing=True, **_ENDS),
    form(rf"(?:the user|they|the vet|he|she)(?: has| have)? (?:had to |just )?(?:put|have|had) (?:(?:the user's|the|his|her|their) (?P<kin>{PET})|(?:poor |old |dear |little )*(?P<name>{NAME})) (?:put )?(?:down|to sleep)(?: .+)?", "{who}", "", value="died", **_ENDS),
    form(rf"used to (?P<about>.+?)(?: but .+)?{_SINCE}", "", value="", about="{about}", **_ENDS),
    form(r"(?:has )?(?:sadly )?(?:died|dead|is dead|passed away|passed(?! (?:the|his|her|an?|all|first|out|by|round|it|us|me|him|on (?:the|it|his|her|a))\b)|expired|is no more|was put down|was put to sleep|had to be put (?:down|to sleep)|ran away|flew away|has (?:run|flown) away|got run over|was run over|drowned|got killed|was killed|slipped away|crossed the rainbow bridge|(?:is|isn't|is not) (?:no longer )?with (?:us|the user)(?: any ?more)?|(?:got|was) .+ and (?:didn't|did not) (?:make it|survive|pull through)|(?:didn't|did not) (?:make it through|survive|pull through))(?:[ ,].+)?", "{who}", value="died", **_ENDS),
    form(rf"(?:has )?(?:just |finally |now )*(?:paid off|paid back|settled up with|squared up with|paid (?=.+ back\b)) ?(?P<about>.+?)(?: back)?{_SINCE}", "", value="", about="owes {about}", **_ENDS),
    form(rf"(?:has )?(?:just )?moved out{_SINCE}", "{who}.home", value="", about="lives", **_ENDS),
    form(rf"(?:and (?P<with>{NAME}) )?(?:broke up|split up|separated|got divorced|is divorced|is getting divorced|has split up)(?: with (?P<about>.+?))?{_SINCE}", "", value="", about="{about}", **_ENDS),
    form(r"(?:the|that|this|the user's) (?P<about>.+?) (?:(?:is|was|has been|got|'s been|are|were|have been) (?:cancelled|canceled|called off|over|off|finished)|fell through|got stolen|was stolen|was sold|got sold|was written off|is gone|went to (?:the )?scrap|packed in|has folded|folded|disbanded|has disbanded|closed down|has closed down|shut down|has shut|went bust|has ended|ended|is no more)(?: now)?", "", "", value="", about="{about}", thing=True, **_ENDS),
)  # fmt: skip
