"""The table of what people say about their things, rules and appointments."""

from __future__ import annotations

from typing import Any

from edge_memory.observe.english.lexicon import ADVERBS, DAY, KIN, MONTHS, NUMBERS, ONE_HOLDER, ORDINALS
from edge_memory.observe.english.patterns import NAME, WHO, WHOSE, form
from edge_memory.records import Kind, Layer, Priority

_HARD: dict[str, Any] = {"kind": Kind.POLICY, "priority": Priority.CRITICAL}
_WHAT = r"(?P<what>(?!(?:is|are|was)\b)[\w' -]+?)(?<!\bthe user)"
_OF_US = r"(?P<user>the user's)"
_OURS = rf"(?:{_OF_US}|the|our)"
_WHEN = (
    rf"(?P<value>(?:(?:on|at|in|from|around|about|by|every|each|for|now|due) )*(?:the )?(?:{DAY}|{'|'.join(MONTHS)}|tomorrow|today|tonight|next \w+|this \w+|noon|midday|midnight"
    rf"|(?:twenty[ -]|thirty[ -])?(?:{'|'.join(ORDINALS)})(?! (?:floor|shelf|drawer|door|row|road|street|avenue|left|right|page|platform)\b)|\d+(?:st|nd|rd|th)|(?:(?<=at )|(?<=around )|(?<=about ))(?:half |quarter |\d|{'|'.join(sorted(NUMBERS))})[\w: ]*)\b.*?)"
)
_DATE_WORD = rf"(?:{DAY}|{'|'.join(MONTHS)}|{'|'.join(ORDINALS)}|{'|'.join(sorted(NUMBERS))}|tomorrow|today|tonight|next|this|noon|midday|midnight|morning|afternoon|evening|week\w*|month|year|spring|summer|autumn|winter|\d\w*)"
_WHEN_FROM_NOW = rf"(?P<value>in (?:about |around |roughly |just |only |under |over |less than )*(?:(?:an?|a couple of|a few|\d+|{'|'.join(sorted(NUMBERS))}) (?:minute|hour|day|week|fortnight|month|year)s?|the (?:morning|afternoon|evening|new year)|(?:the )?(?:spring|summer|autumn|winter)(?! (?:house|room|bag|box)\b))\b.*?)"
_NO_PLACE = r"(?!(?:still |now )*on (?:[\w-]+ ){0,3}?(?:tablets?|pills?|medicines?|medication|meds|drops|injections?|antibiotics|steroids|insulin|diet)\b)"
_WHERE = rf"{_NO_PLACE}(?P<value>(?:(?:just|right|always|usually|now|kept|stored|hidden|taped|stuck|locked|hung|hanging|parked|buried|sitting|back|out|up|down) )*(?:in|under|underneath|on|behind|inside|at|by|next to|beside|above|below|near|with|outside|over|between|on top of|upstairs|downstairs)\b.*?)"
_LIES = r"(?: now| always| usually)* (?:live|lives|sit|sits|hang|hangs|stay|stays|goes|belong|belongs|(?:is|are) kept)(?: now)?"
_IS = r"(?:'s| is| are|'re)(?: (?:now|actually|currently|still|going to be|officially|usually))*"
_NO_TRAIT = (
    r"(?!(?:very |so |really |too |quite |a bit |not |feeling |always |getting |going |coming |being |having |just |also |here|there|gone|broken|missing|ready|out of)"
    r"|(?!(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|zero|oh)\b)(?-i:[a-z]+)(?: today| again| now)?$)"
)
_NO_HOLDER = r"(?:now |still |only |both |all )*(?:in|at|on|with|from|an?|the|very|not|no|alone|\w+ing|\w+ed|\w+ (?:in|at|on|with|for|to|of|years) .+)\b"
_CODE = r"(?:[\w -]*\b)?(?:password|passcode|code|pin|combination|key code|wi-?fi)(?: (?:for|of|to) [\w' -]+?)?"
_AMOUNT = rf"(?=(?:about |around |nearly |almost |over |under |only |an? )?(?:[£$€]|\d|half\b|hundred|thousand|(?:{'|'.join(sorted(NUMBERS))})\b))"
_MOVED = r"(?: has been| was| got| is| has|'s been|'s)?(?: just)? (?:moved|changed|rescheduled|pushed(?: back| forward)?|put back|postponed|brought forward|shifted|delayed)"
_MOVED_IN_TIME = rf"(?:{_MOVED}|(?: has)? switched)"
_THEY = r"(?:the user|they(?:'ve| have)?|she|he|somebody|someone|the [\w' -]+?|[A-Z]\w+)(?: has| have)?(?: just| now)?"

THINGS = (
    form(rf" favou?rite {_WHAT}(?:'s| is| are)(?: now)? (?P<value>.+)", "{who}.favourite_{what}", WHOSE, kind=Kind.PREFERENCE),
    form(r"(?:don't (?:you )?(?:ever|dare)|do not ever|never) (?P<value>.+)", "rule.never", "(?:please )?", many=True, **_HARD),
    form(r"(?:always|from now on,?) (?P<value>.+)", "rule.always", "(?:please )?", many=True, **_HARD),
    form(r"no (?P<value>(?!one\b).+)", "rule.never", "(?:please )?", many=True, **_HARD),
    form(r"(?:don't|do not) (?P<value>.+)", "rule.never", "(?:please )?", many=True, **_HARD),
    form(r"(?P<value>(?:keep(?! in mind)|make|give|use|speak|talk|answer|reply|respond|address|avoid|stick|limit|stay|be|ask|whisper|knock|check|warn|tell|wake|remind)\b.+)", "rule.always", "(?:please )?", many=True,
         kind=Kind.PREFERENCE, priority=Priority.HIGH),
    form(r"(?:would like|wants|needs|would prefer) you to (?P<value>.+)", "rule.always", "the user ", many=True, kind=Kind.PREFERENCE, priority=Priority.HIGH),
    form(rf" (?P<what>{_CODE})(?: has| is|'s| was)?(?: been)? (?:changed|reset|updated)(?: from .+?)? to (?P<value>.+)", "home.{what}", r"(?:the user's|the)", layer=Layer.SEMANTIC),
    # appointments that move
    form(rf" {_WHAT}{_MOVED_IN_TIME}(?: from .+?)? (?:to|until|till|for) (?P<value>.*\b{_DATE_WORD}\b.*|\d.*)", "{who}.{what}.when", _OURS),
    form(rf" {_WHAT}{_MOVED}(?: from .+?)? (?:to|into) (?P<value>.+)", "{who}.{what}.place", _OURS),
    form(r"(?:moved|changed|rescheduled|pushed(?: back)?|postponed|shifted|put back|delayed)(?: back)? (?:the user's|the) (?P<what>(?!(?:password|passcode|code|pin)\b)[\w' -]*?(?:appointment|meeting|lesson|class|flight|train|party|dinner|lunch|exam|interview|visit|check-?up|session|delivery|trip|dentist|doctor|vet|game|practice|rehearsal|call|date|haircut|booking|reservation|viewing|wedding|concert|recital|play))(?: from .+?)? (?:to|until|till|for) (?P<value>.+)",
         "user.{what}.when", _THEY + " "),
    form(rf"(?:moved|changed|rescheduled|pushed(?: back)?|postponed|shifted|put back|delayed)(?: back)? the user's {_WHAT}(?: from .+?)? (?:to|until|till) {_WHEN}", "user.{what}.when", _THEY + " "),
    form(rf"{_WHAT}{_MOVED_IN_TIME}(?: from .+?)? (?:to|until|till|for) {_WHEN}", "home.{what}.when", "(?:the )?(?!the user)"),
    # codes and what else is changed to something
    form(r"(?:changed|reset|updated|switched|swapped) (?:the user's|the(?! user)) (?P<what>[\w' -]+?)(?: from .+?)? to (?P<value>.+)", "home.{what}", _THEY + " ", layer=Layer.SEMANTIC),
    form(rf" (?P<what>{_CODE}){_IS} (?P<value>.+)", "home.{what}", r"(?:the user's|the)", layer=Layer.SEMANTIC),
    form(rf" (?P<what>(?:[\w'-]+ ){{0,2}}?(?:rent|mortgage|deposit|fees?|bills?|council tax|insurance|premium|subscription|allowance|pension|salary|wages?)){_IS} (?P<value>{_AMOUNT}.+)", "home.{what}", r"(?:the user's|the(?! user))"),
    form(r" (?P<what>wi-?fi(?: network)?)(?:'s| is) (?:called|named) (?P<value>.+)", "home.wifi_name", r"(?:the user's|the)", layer=Layer.SEMANTIC),
    form(rf" (?!user\b){_WHAT}(?: has| is)?(?: just)? (?:went|gone|going|risen|rose|fell|fallen|dropped|increased|jumped) (?:up |down )?to (?P<value>{_AMOUNT}.+)", "user.{what}", _OURS),
    # what, when, where
    form(r" (?P<what>birthday|date of birth|anniversary|wedding anniversary|name day)(?:'s| is| was)(?: actually| now)? (?P<value>.+)", "{who}.{what}", WHOSE),
    form(r"was born (?:back )?in (?:the year )?(?P<value>(?:19|20)\d\d|nineteen [\w -]+|two thousand[\w -]*|twenty [\w -]+)", "{who}.birth_year", WHO + " " + ADVERBS),
    form(rf"(?:was born|has a birthday) (?P<value>(?:on|in) (?:the |early |late )?(?:{DAY}|{'|'.join(MONTHS)}|{'|'.join(ORDINALS)}|\d|nineteen|twenty|two thousand|spring|summer|autumn|winter).*)", "{who}.birthday", WHO + " " + ADVERBS),
    form(r"was born in (?P<value>.+)", "{who}.birthplace", WHO + " "),
    form(rf" (?P<what>(?:[\w-]+ )?(?:internet|broadband|mobile|phone contract|electric\w*|gas|energy|power|insurance|tv)){_IS} with (?P<value>.+)", "home.{what}", r"(?:the user's|the(?! user))"),
    form(r"(?:has )?(?:just |now )?(?:switched|moved|changed|gone|went|is)(?: over)? (?:to|with) (?P<value>[\w'&-]+(?: [\w'&-]+)?) for (?:the user's |the )?(?:[\w-]+ )?(?P<what>insurance|internet|broadband|electricity|gas|energy|power|mobile|phone|tv|television)", "home.{what}", "the user "),
    form(rf" {_WHAT}{_IS} {_WHEN_FROM_NOW}", "{who}.{what}.when", WHOSE),
    form(rf" {_WHAT}{_IS} {_WHEN}", "{who}.{what}.when", WHOSE),
    form(rf" {_WHAT}{_IS} {_WHERE}", "{who}.{what}.place", WHOSE),
    form(rf" {_WHAT}{_IS} {_WHEN_FROM_NOW}", "home.{what}.when", "the(?! user)", layer=Layer.SEMANTIC),
    form(rf" {_WHAT}{_LIES} {_WHERE}", "home.{what}.place", "the(?! user)", layer=Layer.SEMANTIC),
    form(rf" {_WHAT}{_IS} {_WHEN}", "home.{what}.when", "the(?! user)", layer=Layer.SEMANTIC),
    form(rf" {_WHAT}{_IS} {_WHERE}", "home.{what}.place", "the(?! user)", layer=Layer.SEMANTIC),
    form(rf"(?:moved|shifted|put|transferred|switched|stuck) (?:the user's|the(?! user)) (?!{KIN}\b)(?P<what>[\w' -]+?)(?: over| up| down| back)? (?P<value>(?:in|into|to|on|onto|under|behind)\b (?!the user\b)(?!{_AMOUNT}\w)(?!(?:the )?(?:{DAY}|{'|'.join(MONTHS)}|{'|'.join(ORDINALS)})(?! floor)\b).+)", "home.{what}.place", "(?:they|somebody|someone)(?: have| has)? " + ADVERBS, layer=Layer.SEMANTIC),
    form(r"(?:keeps?|kept|put|hides?|hid|has hidden|has put|has moved|stuck|left|stored|moved|shifted|has shifted|is keeping) (?:the user's|the) (?P<what>[\w' -]+?) (?P<value>(?:in|at|under|on|behind|inside|by|next to|above|below|beside|with|to)\b .+)", "home.{what}.place", "the user " + ADVERBS, layer=Layer.SEMANTIC),
    form(rf" (?P<what>[\w' -]+?)(?:'s| is| are) (?:called|named) (?P<value>{NAME}.*)", "{who}.{what}_name", WHOSE),
    form(r" (?:new )?(?:mobile )?(?:phone|mobile|cell ?phone|handset)(?:'s| is)(?: now| actually)? (?P<value>(?:an?|the) .+)", "{who}.handset", WHOSE),
    form(rf" (?!(?:new )?{ONE_HOLDER}\b)(?P<what>[\w' -]+?)(?:'s| is) (?:called|named) (?P<value>{NAME}.*)", "home.{what}_name", "the(?! user)", layer=Layer.SEMANTIC),
    form(r" (?P<what>truck|van|ute|bakkie|pickup|motorbike|boat|tractor|lorry)(?:'s| is)(?: now| actually)? (?P<value>(?:an?|one of those) (?!(?:mess|wreck|write-off|nightmare|pain)\b).+)", "user.{what}", "the(?! user)"),
    form(r" car(?:'s| is)(?: now| actually)? (?P<value>(?:an?|one of those) (?!(?:mess|wreck|write-off|nightmare|pain)\b).+)", "user.car", "the(?! user)"),
    form(r"is (?:now )?driving an? (?P<value>.+?) (?:now|these days|instead)", "{who}.car", WHO + " " + ADVERBS),
    form(rf" (?!{KIN} [\w-]+ (?:is|are)\b)(?!{KIN}(?:'s| is| are) (?:{_NO_HOLDER})){_WHAT}(?:'s(?! [\w -]+ (?:is|are|was|were|has|had)\b)| is| are)(?: now| actually)? {_NO_TRAIT}(?P<value>.+)", "{who}.{what}", WHOSE),
    form(r"(?:has|has got|owns|bought|has bought|got) an? (?P<value>(?:[\w-]+ )*?(?P<what>car|van|motorbike|bike|bicycle|boat|caravan|motorhome|piano|guitar|allotment|greenhouse|printer|router|television|telescope|camera)\b.*)", "{who}.{what}", WHO + " " + ADVERBS, many=True),
)  # fmt: skip
