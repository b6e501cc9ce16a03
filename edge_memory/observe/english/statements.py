"""Does a clause state something that is worth keeping? Decided by rule, before any model is asked."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.chatter import is_chatter
from edge_memory.observe.english.hearsay import (
    is_at_large,
    is_broadcast,
    is_hearsay,
    is_on_air,
    is_unreal,
    says_an_expert,
)
from edge_memory.observe.english.inflection import is_irregular_past
from edge_memory.observe.english.lexicon import NOT_A_NAME, NUMBERS, PET_SET
from edge_memory.observe.english.names import may_be_a_name
from edge_memory.observe.english.occasions import is_activity, is_dated, is_occasion, is_put_off, is_timed
from edge_memory.observe.english.people import Household
from edge_memory.observe.english.prohibitions import is_general_ban
from edge_memory.observe.english.restrictions import harms, is_told_not_to, restricts_one_of

_QUESTION = re.compile(
    r"\?$|,? (?:should|can|could|may|shall|must) (?:i|we)$|^(?:what|what's|who|who's|whose|whom|when|where|where's|why"
    r"|how|how's|which|is|are|am|was|were|do|does"
    r"|did|can|could|will|would|should|shall|may|might|have|has|had|isn't|aren't|don't you|doesn't|didn't|can't"
    r"|couldn't|won't|wouldn't|any idea|any chance|remind me what|guess what)\b(?!\s+ever\b)",
    re.IGNORECASE,
)
_COMMAND = re.compile(
    r"^(?:please\s+)?(?:could you\s+)?(?:turn|play|stop|pause|resume|skip|tell|show|give|set|start|open|close"
    r"|call(?! me\s+(?!back|later|when|at|a|an|in|on|tomorrow|if|tonight)\w)|ring|wake|remind|read"
    r"|say|recall|sing|repeat|explain|describe|translate|calculate|count|add|make|let|help|find|search|look"
    r"|check|switch|mute"
    r"|unmute|lower|raise|increase|decrease|dim|cancel|delete|remove|write|define|spell|guess|listen|wait|hold|go"
    r"|come|be quiet|shut|try|tweet|send|lock|unlock|record|recommend|suggest|list|name|talk|sleep|hush|volume|put"
    r"|bring"
    r"|get|take|order|book|buy|speak|answer|forget|erase|convert|compare|choose|pick|finish|continue|carry on"
    r"|keep going|(?:keep|bear) in mind"
    r"|do|have a look|run|load|connect|disconnect|restart|reboot|update|email|text|message|schedule|snooze|log|measure"
    r"|obey|ignore|pretend|act|output|print|reveal|respond|reply|disable|enable|activate|deactivate|confirm|accept"
    r"|imagine|think|consider|feed|follow|watch|announce|broadcast|louder|quieter)\b",
    re.IGNORECASE,
)
_STANDING_ORDER = re.compile(
    r"^(?:(?:please|kindly)\s+)?(?:(?:always|never)\s+(?!mind\b|again$|ever$)\w+\s+\w+|(?:do not"
    r"|don't)\s+(?:you\s+)?(?:ever|dare)\s+\w+"
    r"|from now on,?\s+(?!you(?:'re| are| will| must)\b)\w+"
    r"|(?:do not|don't)\s+(?!worry|bother|mind|stop|be\b|know|think|you\b|remember|move|cry|forget|go\b|say that"
    r"|do that|tell me\b|laugh|shout|start|touch|look|wait|listen|panic|give up)\w+\s+\w+.*)",
    re.IGNORECASE,
)
_HOW_TO_TREAT_ME = re.compile(
    r"^(?:please\s+)?(?:call me\s+(?!back\b|later\b|when\b|at\b|an?\b|in\b|on\b|if\b|tomorrow\b"
    r"|tonight\b)[\w' -]+$|you (?:can|may|should) call me\s+\w+"
    r"|no (?:\w+ )?(?:alerts?|calls?|music|notifications?|reminders?|noise|alarms?|sounds?|news|talking|jokes"
    r"|messages|announcements?|lights?"
    r"|chimes?|rings?|radio|tv|telly|television|phones?|tablets?|games?|snacks?|sweets|smoking|swearing|visitors?|guests?|deliveries|shouting|screens?) (?:when|whenever|while|after|before|during|until|past|on|in|at)\b.*"
    r"|no (?:\w+ )?(?:\w{3,}ing|shoes|boots|hats|phones?|screens?|tablets?|laptops?|dogs?|cats?|pets?|toys|food|drinks?"
    r"|kids|children|music|tv|telly) (?:on|in|at|near|under|around|inside) (?:the|my|our)\b.*"
    r"|(?:keep|make|give|give me|use|speak|talk|answer|reply|respond|address|avoid|stick|limit|stay|be)\b"
    r".*\b(?:answers?|replies|responses?|explanations?|units|metric|imperial|celsius|fahrenheit|jargon|emojis?"
    r"|language)\b.*"
    r"|(?:speak|talk|answer|reply|be|set|use|play|turn|dim|whisper|knock|ask|check|wake|remind|warn"
    r"|tell|ring|call|phone|text|switch|put|lock|mute|lower)\b.*\b(?:whenever|every time"
    r"|each time|when(?:ever)? (?:i|we|the|my|it)|(?:after|before|at) (?:bedtime|dark|night)|in future|from now on"
    r"|on (?:weekdays|weekends|school nights))\b.*"
    r"|(?:speak|talk|answer|reply|explain)\b(?: \w+){0,4} (?:to|with|for) (?:me|us)\b.*"
    r"|you(?:'ll)? (?:have to|need to|must|should|got to) (?:speak|talk|shout|repeat|say|knock|ring|whisper|wait"
    r"|write|spell)\b"
    r".*\b(?:when|whenever|because|cause|cos|since|as (?:i|he|she|my)|before|after|until|every|on|in|into|at)\b.+"
    r"|(?:you )?(?:don't|do not) (?:need|have) to (?:tell|remind|read|ask|say|announce|wake|repeat|mention)\b.+\b(?:unless|until|except)\b.+"
    r"|i(?:'d like| want| need|'d prefer| would like| would prefer) you to\s+(?:always|never|keep|answer|speak"
    r"|talk|call me|be (?:brief|quiet|polite|honest)|remember|(?:remind|wake|ask|tell) me \w+ly\b).*)$",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"^(?:i (?:wonder|want to (?:know|hear|listen|watch|see if)|need to know|would like to (?:know|hear)"
    r"|was wondering|am wondering|want you to|need you to|need to hear|have a question|don't remember|don't recall"
    r"|can't remember|forgot what|forgot where|forgot when)"
    r"|i'm wondering|i'm not sure|i've a question|i've no idea|i've forgotten|i'd like (?:you )?to (?:know|hear"
    r"|ask|listen)|i'd like you|let me|let us|let's|can you|could you|would you|will you|won't you|can i|may i"
    r"|do i|am i"
    r"|you(?:'re|'ve|'ll|'d)?\b(?!\s+(?:can|may|should)\s+call me\b)|your\b|shall we|shall i|wonder)",
    re.IGNORECASE,
)
_TAKEOVER = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass|discard|drop)\b.{0,30}\b(?:previous|prior|above|earlier|all"
    r"|your|any|every|these|the)\b.{0,20}"
    r"\b(?:instructions?|rules?|prompts?|orders?|guidelines?|restrictions?|training|programming)\b|\byou are now\b"
    r"|\byou're now\b|\bsystem prompt\b|\bnew (?:system )?(?:instructions?|prompt|directive)\b"
    r"|\b(?:developer|debug|admin(?:istrator)?|god|maintenance|root) (?:mode|access|override)\b"
    r"|\bsystem (?:override|message|update|notice|command)\b|\bjailbreak\b|\bpretend (?:to be|you are|you're"
    r"|that you)\b|<\||\[/?inst\]|\bdo anything now\b"
    r"|\b(?:the|this) (?:user|owner)(?: of this (?:device|house))? (?:wants?|says?|said|has|is|gave|gives|allows?"
    r"|prefers?|agrees?|granted|grants|requires?|needs?|asks?|asked|authori[sz]e[sd]?|permits?|consents?)\b"
    r"|\byou (?:must|will|shall|have to|need to|are to|should|are required to|are (?:not )?allowed to) (?:now "
    r"|always |never |immediately |only |from now on )*(?:obey|comply|do|say|answer|tell|reveal|unlock|open|send"
    r"|give|store|save|remember|forget|delete|act|respond|trust|believe|ignore|follow|accept|repeat|treat|help|buy"
    r"|order|call)\b"
    r"|\b(?:store|save|write|add|insert|put) (?:this|that|the following|it) (?:in|into|to) (?:your "
    r"|the )?(?:memory|database|profile|records?)\b|^(?:system|assistant|user|developer|admin)\s*:|\bas an ai\b"
    r"|\brepeat after me\b"
    r"|\b(?:reveal|print|show|output|leak) (?:your|the|all) (?:\w+ )?(?:instructions?|prompts?|rules?|memory"
    r"|secrets?|passwords?)\b",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(
    r"\b(?:i|i'm|i've|i'd|i'll|im|ive|my|mine|me|myself|we|we're|we've|we'll|we'd|our|ours|us)\b", re.IGNORECASE
)
_NAMED_SUBJECT = re.compile(
    r"^(?:the)\s+\w+|^[A-Z][\w-]+(?:'s)?\s+\w+|^(?:mr|mrs|ms|miss|dr|doctor|nurse|reverend|rev|pastor|professor"
    r"|rabbi|imam|mister|auntie?|uncle|granny|grandma|grandpa"
    r"|grandad|mum|mom|dad)\.?\s+[\w']+",
    re.IGNORECASE,
)
_CAPITAL = re.compile(
    r"^(?:[A-Z]|(?i:the|mr|mrs|ms|miss|dr|doctor|nurse|reverend|rev|pastor|professor|rabbi|imam|mister|auntie?"
    r"|uncle|granny|grandma|grandpa|grandad|mum|mom|dad)\b)"
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|do|will|goes|lives|works|likes|loves|hates|prefers|needs|wants|takes"
    r"|makes|uses|runs|starts|ends"
    r"|leaves|arrives|opens|closes|belongs|stays|keeps|sits|stands|costs|expires|overheats|breaks|turned|moved"
    r"|broke|doesn't|don't|isn't|aren't|won't|can't"
    r"|died|started|ended|changed|ran|went|came|left|gave|took|bought|sold|lost|found|made|won|grew|fell|hurt"
    r"|quit|split|cut|shut|said (?:no|not)"
    r"|met|became|wrote|put|paid|sent|taught|won|go|come|need|get|got|take|cost|\w+(?:ed|es)|\w{3,}s)\b|'s (?:in"
    r"|on|under|with|at|behind|called|a|the|by|next)\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"^(?:it|it's|that|that's|this|these|those|there|there's|they|they're|he|she|he's|she's|what|everyone"
    r"|everybody|people|life|nothing|something)\b",
    re.IGNORECASE,
)
_COUNT = rf"(?:\d+|{'|'.join(sorted(NUMBERS))})"
_FAMILY = "kids|children|sons|daughters|boys|girls|lads|lasses|brothers|sisters|siblings|grandchildren|grandkids|cousins|nieces|nephews"
_THERE_IS = re.compile(
    rf"^(?:there's|there are)\s+(?:only |just )?{_COUNT}\s+(?:\w+\s+)?(?:of us|{_FAMILY})\b"
    r"|^(?:there's|there is|there are)\s+(?:an?|two|three|some|another|no|spare|\w+)\s+.*\b(?:in|under|on|behind|at"
    r"|by|next to|inside|above|below|beside|near)\s+(?:the|our|my)\b",
    re.IGNORECASE,
)
_THERE_IS_ONE = re.compile(
    r"^(?:there's|there is) (?:an?|this) [\w -]*?(?:called|named) [\w-]+ (?:\w+ing|who|at|in|on|from)\b", re.IGNORECASE
)
_IT_IS_NEWS = re.compile(r"^(?:it's|it is) (?:twins|triplets|an? (?:boy|girl))(?: called [\w-]+)?$", re.IGNORECASE)
_ALL_OF_US = re.compile(
    r"^(?:nobody|no one|everybody|everyone|all of us|none of us) (?:in|at) (?:this|our) (?:house|family|home|household) \w+ \S"
    r"|^(?:none|all|both) of us \w+ \S",
    re.IGNORECASE,
)
_SOMEBODY_CALLED = re.compile(r"^(?:an?|one|another|this) [\w -]*?(?:called|named) [\w-]+ [\w']+ \S+", re.IGNORECASE)
_OF_US_ALL = re.compile(r"\b(?:us|our)\b", re.IGNORECASE)
# What is done to somebody by whoever treats, teaches or employs them.
_THEY_DID = re.compile(
    r"^(?:they|the \w+)(?:'ve|'re| have| has| are| is)?(?: just| now| also)? (?:tak|took|put|start|stopp|stop|mov"
    r"|switch|chang"
    r"|giv|gave|kept|keep|mak|made|let|sent|send|cut|rais|doubl|reduc|increas|diagnos|operat|discharg|admit|promot|fir"
    r"|laid|want|found|find|offer|turn|plac|transferr|lower|upp|bump|halv)\w*\b",
    re.IGNORECASE,
)
_THEY_MOVED = re.compile(
    r"^they(?:'ve| have)?(?: just)? (?:moved|changed|switched|shifted|rescheduled|cancelled|canceled|pushed"
    r"|postponed|put|brought|delayed)\b"
    r"|^they(?:'ve|'re| have| are)?(?: just)? (?:rais|increas|reduc|lower|doubl|halv|cut|upp|put|putt|bump|clos"
    r"|shut|stopp|extend|cancel)\w*"
    r" (?:up |down )?(?:the|his|her|their|[\w-]+'s) (?:[\w'-]+ ){0,2}?(?:rents?|fees?|fares?|price|premium"
    r"|deposit|subscription|dose|tablets"
    r"|medicine|wages|hours|pay|shifts?|bus|clinic|surgery|ward|shop|salon|gym|club|class|lease|visa|visits?)\b"
    r"|^(?:that|this) [\w' -]+? (?:got|was|is|has been|is now|'s been) (?:cancelled|canceled|called off|moved"
    r"|changed|postponed"
    r"|rescheduled|over|off)\b",
    re.IGNORECASE,
)
_IT_NEEDS_ME = re.compile(r"\b(?:my|our|me|us)\b", re.IGNORECASE)
_OWN_MATTER = re.compile(
    r"^[a-z][\w-]+(?:'s\s+(?:birthday|name|number|phone|school|teacher|appointment|party|room|favou?rite|lesson"
    r"|class|job|boss|wedding|address|house|mum|mom|dad|wife|husband|train|flight|recital|party|exam|shoe|bed\w*"
    r"|diet|allerg\w+|getting|going to|coming|allergic|moving|starting|learning)\b"
    r"|\s+(?:lives|works|likes|loves|hates|prefers|has (?:a|an|got|his|her|swimming|football|piano|school|dance)"
    r"|is (?:in (?:class|year|grade|form|standard|primary|nursery|reception)\b|at (?:uni\b|college|school"
    r"|nursery)|allergic|vegan|vegetarian|called|coming (?:to|over|round|for)|scared|afraid|my|our|learning|getting"
    r"|going to|starting|\w+ years old)|plays|drives|teaches|studies|can't eat|doesn't (?:like|eat|drink)|takes"
    r"|wants|needs|goes to|moved|turned|turns|starts|got|broke|sleeps|wakes|reacts|died|passed away)\b)",
    re.IGNORECASE,
)  # fmt: skip
# "Chris is", "James has", unlike "boys are".
_OF_ONE = re.compile(r"^[\w-]+s (?:is|isn't|has|hasn't|was|wasn't|doesn't|[a-z]{2,}[^\Wsu]s)\b", re.IGNORECASE)
_POINTS = re.compile(
    r"^(?:[\w']+ me|(?:the|that|this) [\w-]+ ones?"
    r"|(?:and |or |but )*(?:the|that|this|these|those|my|our|an?|some) [\w-]+)$",
    re.IGNORECASE,
)
# Verbs of orders that may also begin what is told of one's doings ("walk the dog every day").
_ORDERED = re.compile(
    r"^(?:please\s+)?(?:go (?:and )?)?(?:bake|wash|invite|clean|cook|fetch|pour|fix|mend|iron|water|vacuum|hoover"
    r"|sweep|mop|dust|tidy|polish|paint|hang|fold|pack|unpack|throw|pass|hand|boil|fry|roast|grill|chop|peel|slice"
    r"|mix|stir|heat|warm|cool|freeze|wrap|trim|mow|rake|dig|plant|prune|build|repair|charge|empty|fill|collect"
    r"|deliver|rent|hire|download|install|upload|print|scan|copy|paste|share|post|visit|greet|congratulate|brush"
    r"|comb|dress|light|plug|unplug|push|pull|lift|park|reserve|renew|pay|prepare|arrange|organi[sz]e|walk|drive"
    r"|carry|chase|catch|clear|unload|rinse|dry|scrub|sort|stack|toast|serve|wipe)\s+(?:up\s+|out\s+|down\s+)?"
    r"(?:my|our|the|his|her|their|your|this|that|these|those|an?|some|me|us|him|them|it|everyone)\b"
    r"(?!.*\b(?:every|daily|weekly|always|usually|is|are|was|were)\b)",
    re.IGNORECASE,
)
_IS_CODE = re.compile(
    rf"^(?:the|our) (?:[\w-]+ ){{0,4}}(?:code|pin|passcode|password|combination)(?: (?:for|to|of) [\w -]+?)?(?: is|'s) "
    rf"(?:now )?(?:{_COUNT}|\w+$)",
    re.IGNORECASE,
)
# "Jana can't have figs", whoever Jana is.
_MAY_NOT = re.compile(
    r"^[\w-]+ (?:can't|cannot|can not|mustn't|must not|isn't allowed(?: to)?|is not allowed(?: to)?) (?:have|eat|drink"
    r"|touch|take|go near|be near|be given) ",
    re.IGNORECASE,
)
_NEWS_OF = re.compile(
    r"^(?P<the>(?:the|that|this|our) )?(?P<what>[\w'-]+) (?P<rest>(?:(?:has|have|is|are|was|were|got|will|won't|can't|doesn't)"
    r" [\w'-]+ \S|[\w']+ \S+ \S).*)$",
    re.IGNORECASE,
)
# How it is with a thing this minute: "dinner is nearly on the table".
_JUST_NOW = re.compile(
    r"(?:is|are|was|were|looks?|sounds?|smells?|tastes?|feels?) (?:(?:so|very|really|too|quite|a bit|nearly|almost|all|just"
    r"|not|getting) )*(?:ready|done|on|off|out|cold|hot|warm|late|here|over|up|down|good|nice|great|lovely|bad|awful"
    r"|loud|quiet|playing|starting|coming|boiling|burning|ringing|barking)\b",
    re.IGNORECASE,
)
_HARMED = re.compile(r"\b(?:makes?|gives?|brings?|sets?|upsets?) (?P<whom>[\w-]+)\b", re.IGNORECASE)
_FEWEST_WORDS, _MOST_WORDS = 2, 60
_NOBODY = Household()


def takes_over(text: str) -> bool:
    """Whether a text tries to give orders to the assistant's memory or rules rather than to tell it something."""
    return bool(_TAKEOVER.search(text))


def tells_nothing(fragment: str) -> bool:
    """Whether it is a question, a command, small talk or a passing mood."""
    return (
        any(pattern.search(fragment) for pattern in (_QUESTION, _ORDERED, _ASKING))
        or (_COMMAND.search(fragment) is not None and not is_activity(fragment))  # "book club is on Mondays"
        or is_chatter(fragment)
        or is_unreal(fragment)
    )


def is_standing_order(clause: str) -> bool:
    """Whether a clause tells how the user wants things done from now on, rather than to do something now."""
    return bool(_STANDING_ORDER.match(clause) or _HOW_TO_TREAT_ME.match(clause)) or is_general_ban(clause)


def is_statement(clause: str, household: Household = _NOBODY) -> bool:
    """Whether a clause, without its lead-in, states something about the user's life.

    Questions, commands, greetings, confirmations, passing moods and what a television says do not.
    """
    words = clause.split()
    if not _FEWEST_WORDS <= len(words) <= _MOST_WORDS or is_on_air(clause):
        return False
    if is_standing_order(clause) or _IT_IS_NEWS.match(clause) or _ALL_OF_US.match(clause):
        return True
    if _POINTS.match(clause) or tells_nothing(clause):
        return False
    if is_told_not_to(clause) or says_an_expert(clause, household) or (is_put_off(clause) and not is_hearsay(clause)):
        return True
    if is_hearsay(clause):
        return False
    if _VAGUE.match(clause):
        of_somebody = _THEY_DID.match(clause) and any(map(household.knows_or_kin, words))
        return bool(
            of_somebody
            or _THERE_IS.match(clause)
            or _THERE_IS_ONE.match(clause)
            or _THEY_MOVED.match(clause)
            or (_IT_NEEDS_ME.search(clause) and len(words) > _FEWEST_WORDS + 1)
        )
    if _FIRST_PERSON.search(clause):
        only_of_us = not _FIRST_PERSON.search(_OF_US_ALL.sub("", clause))
        if only_of_us and household.knows(words[0].lower().removesuffix("'s")):
            return _is_about_the_house(clause, words[0], household)
        return not (only_of_us and is_broadcast(clause) and not clause.lower().startswith("our "))
    return _is_about_the_house(clause, words[0], household)


def _is_of_what_was_told(clause: str, household: Household) -> bool:
    """News of somebody or something that memory holds already, though not by whom it is: "Ola has packed it in"."""
    news = _NEWS_OF.match(clause)
    if news is None or is_at_large(clause) or is_broadcast(news["rest"]) or _JUST_NOW.match(news["rest"]):
        return False
    what = news["what"].lower().removesuffix("'s")
    named = what in household.spoken_of and (news["the"] is not None or may_be_a_name(what))
    return named and not what.endswith("ing")


def _harms_somebody(clause: str, household: Household) -> bool:
    """Whether whom a thing does harm is known, or named ("figs make Ola cough")."""
    if any(household.knows(word.lower().removesuffix("'s")) for word in clause.split()):
        return True
    harmed = _HARMED.search(clause)
    return harmed is not None and may_be_a_name(harmed["whom"]) and not harmed["whom"].endswith("s")


def _is_about_the_house(clause: str, first: str, household: Household) -> bool:
    """A sentence without "I" or "my": somebody known, a thing of the house, but no broadcast."""
    name = first.lower().removesuffix("'s").removesuffix("'")
    verbs = _VERB.search(clause) or " can " in clause.lower() or any(map(is_irregular_past, clause.split()[1:-1][:1]))
    if household.knows(name) and verbs:
        return True
    if (harms(clause) and _harms_somebody(clause, household)) or restricts_one_of(clause, household.knows_or_kin):
        return True
    if _IS_CODE.match(clause) or (_MAY_NOT.match(clause) and may_be_a_name(name) and not name.endswith("s")):
        return True
    if verbs and _is_of_what_was_told(clause, household):
        return True
    if is_broadcast(clause) or is_at_large(clause):
        return False
    if (is_activity(clause) or name == "the") and is_timed(clause):
        return True
    if _SOMEBODY_CALLED.match(clause) or is_occasion(clause):
        return True
    if _CAPITAL.match(clause) and _NAMED_SUBJECT.match(clause) and _VERB.search(clause, len(first)):
        return name == "the" or name not in NOT_A_NAME
    one = _OF_ONE.match(clause) is not None
    if name in NOT_A_NAME or (name.endswith("s") and not one and not is_dated(clause)):
        return False
    return bool(_OWN_MATTER.match(clause)) or name in PET_SET
