"""What people say and tell nothing by: greetings, thanks, passing moods, answers without their question."""

from __future__ import annotations

from edge_memory import lazy_re as re

_CHATTER = (
    r"hi|hello|hey|hiya|howdy|bye|goodbye|bye bye|good ?(?:morning|evening|night|afternoon|day)|morning|evening"
    r"|afternoon|night"
    r"|nighty|see you|see ya|thanks|thank you|cheers|ta|ok|okay|alright|all right|right|sure|fine|great|cool|nice"
    r"|wow|yes|yeah|yep|yup"
    r"|no|nope|nah|maybe|perhaps|exactly|correct|indeed|absolutely|definitely|of course|got it|i see|i understand"
    r"|i think so|i guess so|i hope so|i(?:'ll| will) be (?:darned|damned|blowed)|i swear(?: to god)?|i promise"
    r"|i tell you|i bet"
    r"|i suppose(?: so)?|(?:well )?i never(?: did)?|i don't know|i know|i do|i am|i did|i will|i have|i can|i"
    r" agree|i love it|i like it"
    r"|i like that|i hate it|i hate that|i doubt it|never ?mind|sorry"
    r"|excuse me|(?:i (?:do )?beg your )?pardon(?: me)?|oops|please|sounds good|no problem|no worries"
    r"|you're welcome|not really|not now"
    r"|not yet|go on|fair enough|good idea|good point|good one|good job"
    r"|well done|perfect|lovely|brilliant|amazing|awesome|excellent|wonderful|mm+|hm+|mhm|mm hmm|uh huh|um+|uh+"
    r"|ah+|oh+|aha|haha|ha|er+|lobug|lo-bug|lo bug|really|too bad|my god|my goodness|oh my"
    r"|bless you|(?:good |oh |dear )?lord(?: have mercy)?|god (?:willing|bless|forbid)|let's go|let's see|here"
    r" we go|there we go|you know|whatever|anyway|you too|me too|me neither"
    r"|kindly|that(?:'s| is|'ll be| will be) (?:all|it|everything)(?: for (?:now|today))?|same here|my bad"
    r"|my pleasure|how funny|goodness|gosh"
)
_SMALL_TALK = re.compile(
    rf"^(?:\w+,? (?:i suppose|i guess|i dunno)|thank(?:s| you)(?: \w+)? my (?:friend|dear|love|darling)|{_CHATTER}"
    rf"|(?:that|it|this)(?:'s| is| was"
    rf"| sounds| looks)(?: (?:so|very|really|quite|a bit|just|all"
    rf"|not))* [\w']+(?: (?:one|idea|stuff|thing))?)"
    rf"(?:[\s,]+(?:{_CHATTER}|there|you|all|then|very much|so much|a lot|everyone|again|now|it|that|for (?:that"
    rf"|now|your help|the help|helping|asking)|much|bit|a bunch|a million|a ton|to you|just|too|mate|buddy|man"
    rf"|dear|love|(?:and )?(?:my )?(?:love|darling|dear|lovely|friend|pet|sweetheart|angel|treasure|darlin)))*$",
    re.IGNORECASE,
)
_REFRESHMENT = (
    r"(?:a |some |another |more )?(?:coffee|tea|drink|pizza|taxi|music|song|joke|break|nap|minute|second|moment|help"
    r"|hand|hug|water|snack|sandwich|beer)"
)
_PASSING = re.compile(
    r"^(?:i'm|i am|we're|we are)(?: (?:so|very|really|just|only|a bit|a little|quite|pretty|still|feeling|not|kind of"
    r"|all|too|rather|getting|getting a bit))*"
    r" (?:tired|hungry|thirsty|bored|fine|good|well|ok|okay|alright|great|cold|hot|warm|busy|home|back|here|ready"
    r"|done|sorry|sure|kidding|joking|listening|coming|leaving"
    r"|late|glad|happy|sad|lost|confused|out|awake|exhausted|knackered|starving|sleepy|better|off|curious|impressed"
    r"|surprised|excited|afraid|in a hurry|on my way|talking to (?:you|him|her|them|\w+)"
    r"|waiting|looking|thinking|in here|over here|in (?:the )?(?:kitchen|bathroom|garden|other room|car|bath"
    r"|shower|bed|loo|toilet|lounge|living room|bedroom|hall|attic|cellar|garage|middle of .+)"
    r"|going (?:to bed|out|home|now)|off to bed|off to work|not sure|about to \w+)"
    r"(?:[\s,]+(?:now|today|again|then|too|thanks|thank you|tonight|this morning|at the moment|about that|there"
    r"|yet|already|you|enough|really|here|home))*$"
    r"|^(?:i|we) (?:can't|cannot|couldn't|can|could) (?:hear|see|understand|believe|tell|remember|think"
    r"|find)(?: .{0,24})?$"
    r"|^(?:i|we) (?:(?:just|really|only|always) )?(?:said|mean|meant|asked|heard|didn't say|didn't mean"
    r"|didn't hear|didn't catch|don't think|don't mind|don't care|don't understand|don't get|don't believe"
    r"|don't want (?:to|that|it)"
    r"|hope|guess|wish|think|bet|love (?:it|that|this|you)|hate (?:it|that|this|you)|like (?:it|that|this|you)"
    r"|have no idea|haven't a clue|told you|was talking to(?: .+)?|wasn't talking|forgot|have to go|need to go"
    r"|need help"
    r"|have to think|give up)(?: (?:so|that|it|this|you|what|him|her|them|now|anything|not|to you|you that|it was"
    r"|about it|again|something|anyway))*$"
    r"|^(?:i|we) (?:don't |do not |didn't )?(?:really |just |still )?(?:think|reckon|bet|hope|doubt|suppose"
    r"|guess|expect|imagine|believe|wonder if)"
    r" (?:that )?(?:it|it'll|it's|it'd|that|that's|that'll|there|there's|there'll|this|they|they'll|they're"
    r"|everyone|people)\b(?!.*\b(?:my|our|me)\b).*$"
    r"|^(?:i|we) (?:said|meant|mean) [\w']+(?: [\w']+){0,2}(?:,? not [\w']+(?: [\w']+)?)?$"
    r"|^(?:i'll|we'll|i will|we will) (?:be (?:right )?back|be there|be fine|see|do it|do that|try|think about it"
    r"|take (?:it|that)|have (?:it|that)|let you know|check|wait|be right)\b.{0,20}$"
    rf"|^(?:i|we) (?:(?:would |could )?(?:fancy|need|want|do with|murder)|(?:would|could) (?:like|love))(?: to (?:hear"
    rf"|listen|watch|see|play))? {_REFRESHMENT}(?: (?:please|now|right now))?$"
    rf"|^(?:i|we)'d (?:like|love|fancy|need|want|do with|murder)(?: to (?:hear|listen|watch|see|play))? {_REFRESHMENT}"
    rf"(?: (?:please|now|right now))?$"
    rf"|^(?:i|we) (?:like|love) (?:{_REFRESHMENT} (?:please|right now)|(?:another|more) .{{0,24}})$",
    re.IGNORECASE,
)
_AUXILIARY = (
    r"(?:am|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|might|must|shall|need|ca|wo|sha)"
)
# "No, she didn't": an answer, whose question holds what is meant.
_BARE_ANSWER = re.compile(
    r"^(?:(?:no|nope|nah|yes|yeah|yep|well|oh|but|and|so|because|actually|of course|maybe)[\s,]+)*"
    rf"(?:(?:i|you|he|she|it|we|they|that|there|this|(?:my|our|the) \w+)\s+{_AUXILIARY}(?:n't|\s+not|not)?"
    r"(?:\s+(?:not|be|have))?|(?:i'm|(?:he|she|it|that|there)'s|(?:you|we|they)'re|(?:i|you|we|they)'ve|\w+'ll"
    r"|\w+'d)(?:\s+not)?)(?:[\s,]+(?:either|too|so|now|again|really|actually|though|at all|yet|sorry|anyway"
    r"|you know|then|please))*$",
    re.IGNORECASE,
)


_REGARDS = re.compile(
    r"^[\w' ]+ sends? (?:you )?(?:his|her|their|its|my|our) (?:regards|love|best|wishes)\b"
    r"|^that's (?:me|us) (?:off|away|done|finished|out|for)\b"
    r"|^(?:[\w-]+ ){1,2}is on$|^[\w-]+'s on$",
    re.IGNORECASE,
)


def is_chatter(fragment: str) -> bool:
    """Whether it is small talk, a passing mood or a bare answer."""
    return any(pattern.search(fragment) for pattern in (_SMALL_TALK, _BARE_ANSWER, _PASSING, _REGARDS))
