"""What the speaker does not state themself: what others said, what would be if, and what a television says."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.people import Household

_ON_AIR = re.compile(
    r"\b(?:half[- ]time|kick[- ]off|leads? by|trails? by|at the break|injury time|extra time|penalty (?:area"
    r"|kick|shoot)|breaking news|correspondent"
    r"|viewers|listeners|(?:closed|audio) captions?|captioning|stay tuned|next up(?=,| on\b| is\b| we\b| the\b)|coming up (?:next|after|at|on|later)|after the break|welcome back (?:to"
    r"|everyone)|back to the studio"
    r"|(?:our|tonight's|today's) (?:top story|headlines|guest|sponsor|next guest|programme|main story)"
    r"|brought to you by|sponsored|season finale|next episode|(?:previously|next time|next week|tonight|live"
    r"|later) on (?:the|channel|bbc|this|radio|itv|cnn|\w+ (?:news|tv|fm))\b|subscribe|terms and conditions"
    r"|call now|order now|while stocks last|offer ends|buy one get one|ladies and gentlemen|join us|we go live"
    r"|we'll be (?:right )?back|don't go away|more on that|for just (?:\S+ ){1,6}(?:you|a month|per)|only (?:[$£€]"
    r"|\d+ (?:pounds|dollars))|batteries not included|satisfaction guaranteed|side effects"
    r"|(?<!\w)folks(?=,)|that's (?:going to|gonna) do it|stay with us|don't touch that dial|(?:the|our)"
    r" (?:presenter|commentators?"
    r"|pundits?|panel(?= (?:of|show|tonight|discuss|agree|member|is joined|will)))|(?:a|the|another) try (?:in|from|under|for)|in the (?:top |bottom )corner|drop goal|line"
    r" ?out|scrum"
    r"|missed a sitter|all square|the final (?:whistle|furlong|lap|over|set)|match point|pole position|and they're off"
    r"|the weather (?:for|in|across) the (?:north|south|east|west|midlands|highlands|coast|region|weekend)|bright start"
    r"|back to (?:our|the|your) (?:program(?:me)?|show|movie|film|studio|action|game)|after these messages|lines"
    r" are (?:now )?open"
    r"|call in (?:now|with|on)|phone lines|in the final round|left hook|by knockout"
    r"|minutes (?:left|to go|remaining)|in the (?:first|second) half|third and (?:long|short|goal)|warnings? (?:has|have|is|are) (?:been )?(?:issued|in force)|gale warnings?"
    r"|back of the net|shoots|scored|the crowd|whistle|the referee|offside|corner kick|free kick|quarterback"
    r"|(?:last|remaining) \w+ overs|touchdown|innings|wicket|dribbl\w+|(?:\w+ )?nil (?:up|down|to)|love (?:fifteen|thirty|forty|all)|and the winner is|studio audience"
    r"|(?<!the )news at|traffic and travel|the time is now|this is the bbc|(?:is )?now (?:approaching|boarding"
    r"|departing"
    r"|arriving"
    r"|closing)|calling at|mind the gap|platform \w+|stand clear|all passengers|this is a customer announcement"
    r"|my fellow (?:\w+icans?|\w+tizens|countrymen|countrywomen|britons|members of)"
    r"|our (?:\w+ )?(?:reporter|newsroom|newsreader|political editor|weather(?:man|girl|woman)|news team)"
    r"|(?:i'm|i am|this is) (?!an?\b|the\b|working\b|\w+ing\b)[\w'-]+(?: (?!(?:for|at|from|with)\b)[\w'-]+)?"
    r" (?:for|at|from|with)"
    r"(?: \w+){0,3} (?:news|tv|radio|fm|sport)"
    r"|(?:i'm|i am|this is) [\w'-]+(?: [\w'-]+)?,? reporting\b"
    r"|junction \w+|anti-?clockwise|carriageway|tailbacks?|shipping forecast|press (?:one|two"
    r"|three|star|hash) (?:for|to)|your call is|please hold the line|leave a message after)\b",
    re.IGNORECASE,
)
_BROADCAST = re.compile(
    r"\b(?:(?:weather|outlook|skies|sunshine) .*(?:will|going to|expected|likely|spreading|moving|heading)"
    r"|(?:sunny|cloudy|overcast|breezy|windy|rainy|dry|wet|mild|chilly) .*(?:in|across|over) (?:the |much of )?(?:north"
    r"|south|east|west|midlands|highlands|coast)\w*|score|scores|scoring|minute of|goal|goals|league"
    r"|striker|keeper|defen[cs]e|penalty|headlines?"
    r"|news|episode|channel|percent|per cent|shares|stocks?|markets?|index|inflation|interest rates?"
    r"|election|senator|president|minister|parliament|congress|senate|government|governor|mayor|prime minister"
    r"|(?:king|queen|prince)(?!'?s? (?:street|st|road|square|avenue|cross|arms|park|mary|head))|duchess|police"
    r"|arrested|rescued|according to|has issued|flood (?:watch|warning)|advisory|reportedly|reported|killed|injured"
    r"|officials?|officers|authorities|spokes\w+|forecast\w*|forecasters|highs? of|lows? of|showers|sunny spells"
    r"|temperatures?"
    r"|scientists|researchers|experts|a new study|the economy|the economic|economists|investigators|detectives?"
    r"|suspect\w*|victims?|witnesses|court|judge|jury|trial|murder\w*|crash|explosion|earthquake|hurricane|storm"
    r"|wildfires?|troops|soldiers|army|rebels|ceasefire|protest\w*|strikes|(?<!credit )(?<!student )union|capital|nation|country"
    r"|(?:against|to) the (?:dollar|greenback|pound|euro|yen)|(?:closed|opened) (?:higher|lower|up|down)|points (?:higher|lower|up"
    r"|down)|ringgit|nationwide|billion|million|thousands|millions|hundreds of|world cup|champions|championship|tournament"
    r"|semi-?final|finals?(?! (?:starts?|begins?|are|ends?|finish))|season|match|team mates?|fans|stadium"
    r"|contestants?|judges|celebrity|actor|actress"
    r"|film stars?|box office|album|the band|chart|episode|drama|murderer|killer|viewers|customers|shoppers"
    r"|discount|sale now|brand new|introducing|deals?|savings|app store|website|dot com|galaxy|empire"
    r"|(?:in|of|from|on) (?:this|that|the) (?:serial|soap|series|sitcom|show|film|movie|programme?|drama|cartoon"
    r"|novel|play|advert)"
    r"|planet|kingdom|castle|villains?|zombies?|aliens?|superhero\w*|dragon|warriors?|agents?|captain|sheriff"
    r"|your honou?r|princess|wizard)\b",
    re.IGNORECASE,
)
# What stands in a book rather than in a life.
_LORE = re.compile(
    r"\b(?:is|are|was|were) (?:once |still |also )?(?:one of )?the (?:world's )?(?:\w{3,}est|most \w+|first|only"
    r"|second|third|capital)\b"
    r"(?! of (?:my|our|us)\b)|\b(?:in the world|on earth|ever lived|of all time|in history|by (?:area|volume"
    r"|population)|species"
    r"|mammals?|reptiles?|continents?|solar system|(?:was|were) (?:invented|discovered|founded)|(?:a|the) year"
    r" on average)\b",
    re.IGNORECASE,
)
# How it is out there at the moment: "the tram is very full today".
_AT_LARGE = re.compile(
    r"^the (?!(?:baby|kids|children|dog|cat|boiler|car)\b)[\w-]+(?: [\w-]+)? (?:is|are|was|were|looks?"
    r"|feels?)(?: (?:very|so|really|too|quite|pretty|super|a bit|bit"
    r"|absolutely|terribly))* (?:crowded|busy|packed|full|empty|awful|terrible|horrible|lovely|beautiful"
    r"|gorgeous|hot|cold|warm|wet|dry|late"
    r"|delayed|slow|quiet|noisy|loud|bad|good|nice|bright|dark|cloudy|grey|gray|blue|expensive|cheap|dear)"
    r"(?: (?:today|tonight|right now|now|at the moment|outside|out there|these days|this \w+))+$",
    re.IGNORECASE,
)
# What would be, not what is: "if i won ..., i'd ...", "if only ...", "imagine ...".
_UNREAL = re.compile(
    r"^(?:as if|if only|wish|had (?:i|we) known|(?:i|we|i'd) wish(?! to be \w+(?:ed|en)\b)|imagine|suppose|supposing|what if|say i"
    r"|let's say|pretend)\b"
    r"|^(?:even )?if\b.*\b(?:would|could|might|wouldn't|couldn't|\w+'d)\b"
    r"|\b(?:would|could|might|wouldn't|couldn't|\w+'d) .*\bif (?:i|we|he|she|they|you|it|only)\b(?!.*\b(?:prefer"
    r"|rather)\b)"
    r"|^if\b(?!.*\b(?:sick|ill|rash|swell|die|faint|ache|hurts?|call|ring|tell)\b).*\b(?:i'll|we'll|will|(?:i'm|i am|we're) (?:\w+ing|off"
    r"|going|gonna|moving|buying))\b"
    r"|^(?:i|we) (?:would|could|might)\b(?!.*\b(?:like|prefer|rather|never|appreciate|call me|love to)\b)"
    r"|^(?:i|we) (?:should|could|would|might)(?:n't)?(?: have|'ve)\b"
    r"|^(?:i|we)'d (?:kill|die|murder|go|do|say|be|give|eat|buy|move|take|have (?!a\b|an\b|the\b)|get|want|think"
    r"|hate|miss|sell|live)\b"
    r"|\b(?:i'm|i am|we're) (?:\w+ )?(?:the )?(?:king|queen|pope|emperor|president|prime minister|tooth fairy"
    r"|easter bunny|santa|batman"
    r"|superman|spider-?man|elvis)\b"
    r"|^if\b.*\b(?:i swear|so help me)$|^if (?:i|we) (?:was|were|had|won|ever|could|lived|knew)\b",
    re.IGNORECASE,
)
_SAYS = re.compile(
    r"^(?P<who>(?:my|our|the|your|a|some|this|that|me)\s+(?:[\w'-]+\s+){1,5}?|(?:someone|somebody|everyone"
    r"|everybody|people|they|he"
    r"|she|mum|mom|dad|gran|granny|nana|grandma|grandad)\s+|[\w-]+\s+)(?:(?:is|was|were|are|'s|has|have|had|keeps?"
    r"|kept|just|always|also"
    r"|only|did|been|used to|would|will)\s+){0,2}(?:says?|said|saying|tells?|told|telling|reckons?|reckoned"
    r"|claims?|claimed|thinks?"
    r"|thought|heard|hears"
    r"|swears|swore|believes?|ask(?:s|ed|ing)?(?!\s+(?:for|after|about|me out|me to marry|her out|him out)\b)"
    r"|wonders|wondered|suggested|suggests|(?:(?:goes |went )?like(?= (?:who|what|why|how|oh|no|nah|yeah|well|i|i'm|im|you|we)\b)"
    r"|(?:goes|went)(?= (?:who|what|why|nah|yeah|i|i'm|im|you)\b)))\b(?!\s+(?:yes|no(?! more)|goodbye|hello|off|of|about|grace|prayers|a"
    r" prayer|every|each|(?:everyone|everybody|people|anyone) (?:about|of))\b)"
    r"\s*(?P<told>(?:(?:him|her|them|everyone|mum|mom|dad|you)\s)?.*)$",
    re.IGNORECASE,
)
# Whose word about oneself is as good as one's own.
_EXPERT = re.compile(
    r"\b(?:doctors?|doc|gp|nurse|consultant|surgeon|specialist|physio\w*|midwife|dentist|hospital|clinic|optician"
    r"|pharmacist|chemist|vet|pa?ediatrician|allergist|dietici?an|dietitian|health visitor|obstetrician|scan|x-?ray|biopsy|tests?|results?"
    r"|therapist|cardiologist|dermatologist|neurologist|school|teacher|head ?teacher|council|bank|landlord|landlady"
    r"|boss"
    r"|manager|work|solicitor|lawyer|insurance|mechanic|garage|plumber|electrician|builder)\b",
    re.IGNORECASE,
)
_GUESSED = re.compile(r"\b(?:reckon|think|thought|believe|hope|guess|claim|wonder|swear)\w*\b", re.IGNORECASE)
_OF_HEALTH = re.compile(
    r"\b(?:doc\w*|gp|nurse|consultant|surgeon|specialist|physio\w*|midwife|dentist|hospital|clinic|vet|pa?ediatrician"
    r"|allergist|dietici?an|dietitian|health visitor|obstetrician|pharmacist|chemist|scan|x-?ray|biopsy|tests?"
    r"|results?)\b",
    re.IGNORECASE,
)
_STRANGER = re.compile(
    r"(?:an?|some|this|that|one)\s|the (?:\w+ )?(?:man|woman|guy|dude|bloke|lady|girl|boy|fella|chap|lad|person"
    r"|presenter|host|actor)"
    r" (?:on|in|from|at|behind|next)\b|.*\bon (?:tik ?tok|you ?tube|insta(?:gram)?|twitter|facebook|(?:the"
    r" )?(?:telly|tv|radio|news"
    r"|internet))\b",
    re.IGNORECASE,
)
# What stands written, or is read out, is nobody's word: "the poem begins, ...", "it has a line: ...".
_WRITTEN = re.compile(
    r"\b(?:has|had|have|with|contains?|contained|bears?|bore|carries|carried) (?:an?|the|these|those|some|two|three)"
    r" (?:words?|line|lines|text|slip|phrase|sentence|motto|inscription)\b(?! (?:for|of)\b)"
    r"|\b(?:it|and|that|which|poem|song|story|script|letter|chorus|slogan|jingle|comic) (?:goes|reads|begins"
    r"|starts|runs)"
    r"(?:\s*(?:[,:]|$)| (?:like this|as follows)|(?= [a-z]+ (?:the|an?|your|everybody|everyone|people)\b))"
    r"|\bread(?:s|ing)? (?:it |this )?(?:out|aloud)(?: from [\w ]+)?,"
    r"|\b(?:message|text|e-?mail|letter|note|card|leaflet|flyer|voicemail)\b.{0,30}?\b(?:it|that|which) goes\b"
    r"(?! (?:to|in|into|on|off|with|back|out|up|there)\b)",
    re.IGNORECASE,
)
# A warning on a thing of the house is about the thing.
_LABEL = re.compile(
    r"^(?:the|an?|my|our|that) (?:sticker|label|sign|notice|tag|warning|plate) (?:on|at|by|in|over|above|under) .{1,60}?"
    r"\b(?:says|reads) (?:do not|don't|no|not|keep (?:off|out|away|dry|upright|closed|shut)|danger|caution|fragile"
    r"|wash|iron|dry clean|store|shake|use by|best before)\b",
    re.IGNORECASE,
)
# "... , says our host"
_SAYS_AT_END = re.compile(
    r",\s*(?:says|said|claims?|claimed)\s+(?P<who>(?:the|an?|my|our|this|that) [\w -]{2,40})$", re.IGNORECASE
)
_INTERJECTION = re.compile(r"^(?:eeh?|ooh?|oh|ah|aye|well|so|and|then|but|anyway|right),? ", re.IGNORECASE)
_THEY_HAVE = re.compile(r"^they've ", re.IGNORECASE)
_TOLD_TO_DO = frozenset(("he", "she", "to", "not"))  # "they've told Ola she can ..."
_NOBODY = Household()
_I_SAID = re.compile(
    r"^(?:so |and |then )*(?:i|we)(?:'ve| have)? (?:said|told|says|goes|asked|was like|shouted)(?: to)? (?:him|her"
    r"|them|this|the \w+)\b",
    re.IGNORECASE,
)
# "She said, I'm off": the words that follow are hers.
_QUOTES = re.compile(
    r"^(?:so |and |then )*(?P<who>he|she|they|(?:my |our |the |this |that |some )?[\w'-]+(?: [\w'-]+)?) (?:just )?(?:said|says|goes|went|was like"
    r"|is like|shouted|asked|replied|told me|whispered|answered)\s*[,:]\s*[\"']?(?:i|i'm|i've|i'll|i'd|my|we|we're|we've|we'll)\b",
    re.IGNORECASE,
)
_OF_ONESELF = re.compile(
    r"^(?:(?:me|us|him|her|them|everyone|mum|mom|dad)\s+)?(?:that\s+)?(?:he|she|(?P<they>they))(?:'s|'re|'ve|'ll"
    r"|'d)?\b",
    re.IGNORECASE,
)
_MANY = re.compile(r"\b(?:\w+s|children|people|they|everyone|everybody|someone|somebody)\s*$", re.IGNORECASE)
_OF_US = re.compile(r"^(?:that )?(?:no|not|to)\b|\b(?:i|i'm|i've|i'll|my|we|we're|we've|our|me|us)\b", re.IGNORECASE)


def is_on_air(utterance: str) -> bool:
    """Whether it can only come from a television or a radio."""
    return bool(_ON_AIR.search(utterance))


def is_broadcast(clause: str) -> bool:
    """Whether a sentence without a "my" in it has the words of the news."""
    return bool(_BROADCAST.search(clause))


def is_at_large(clause: str) -> bool:
    """Whether a sentence without a "my" tells how the world is: what everyone may know, or sees outside."""
    return bool(_LORE.search(clause) or _AT_LARGE.match(clause))


def is_unreal(clause: str) -> bool:
    """Whether it tells what would be, not what is."""
    return bool(_UNREAL.search(clause))


def is_hearsay(clause: str) -> bool:
    """Whether it only tells what somebody else said, and not of themself, nor what an expert said about the user; or
    what stands written somewhere.
    """
    if _LABEL.match(clause):
        return False
    clause = _INTERJECTION.sub("", clause)
    match = _SAYS.match(clause)
    if not match and _WRITTEN.search(clause):
        return True
    if at_end := _SAYS_AT_END.search(clause):
        return not _EXPERT.search(at_end["who"])
    if not match or match["who"].strip().lower() in ("i", "we", "you", "it", "who", "what", "i've", "we've"):
        return False
    told = match["told"]
    if _STRANGER.match(match["who"]):
        return True
    themself = _OF_ONESELF.match(told)
    if themself and (themself["they"] is None or _MANY.search(match["who"])):
        return match["who"].strip().lower() in ("people", "everyone", "someone", "somebody", "they", "everybody")
    return not says_an_expert(clause)


def is_retold(utterance: str) -> bool:
    """Whether the speaker only retells what was said to somebody: none of it is said to the assistant."""
    quotes = _QUOTES.match(utterance)
    return bool(_I_SAID.match(utterance) or (quotes and not _EXPERT.search(quotes["who"])))


def says_an_expert(clause: str, household: Household = _NOBODY) -> bool:
    """Whether it tells what a doctor, a school, a landlord said about the user or one of the house: as good as the
    user's own word.
    """
    match = _SAYS.match(_THEY_HAVE.sub("they ", clause))
    if not match:
        return False
    told = match["told"].split()
    if match["who"].strip().lower() == "they" and told[1:2] and told[1].lower() in _TOLD_TO_DO:
        return household.knows(told[0])
    if not _EXPERT.search(match["who"]):
        return False
    if _GUESSED.search(clause[: match.start("told")]) and not _OF_HEALTH.search(match["who"]):
        return False
    about = told if _OF_HEALTH.search(match["who"]) else told[:2] if told[:1] == ["that"] else told[:1]
    return bool(_OF_US.search(match["told"])) or any(household.knows_or_kin(word.removesuffix("'s")) for word in about)
