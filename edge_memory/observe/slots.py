"""Which slot a statement fills: subject and attribute, and whether the slot holds one value or many."""

from __future__ import annotations

import re
from dataclasses import dataclass

from edge_memory.records import Kind, Layer, Priority


@dataclass(frozen=True, slots=True)
class Slot:
    """What a clause fills. `ends` says that it takes a value away ("I quit NASA") instead of giving one."""

    key: str
    value: str
    many: bool
    kind: Kind
    layer: Layer = Layer.PROFILE
    priority: Priority = Priority.NORMAL
    ends: bool = False


@dataclass(frozen=True, slots=True)
class _Pattern:
    """`key` and `value` are templates over the groups of `regex`."""

    regex: re.Pattern[str]
    key: str
    value: str = "{value}"
    many: bool = False
    kind: Kind = Kind.FACT
    layer: Layer = Layer.PROFILE
    priority: Priority = Priority.NORMAL
    ends: bool = False


_I = r"(?:i|we)"
_AM = r"(?:i'm|im|i am|we're|we are)"
_OFTEN = r"(?:(?:also|really|just|still|now|currently|only|usually|always|mostly|generally|absolutely|actually)\s+)*"
_KIN = (
    r"(?:wife|husband|partner|spouse|girlfriend|boyfriend|fianc[ée]e?|mother|mum|mom|father|dad|sister|brother|daughter|son"
    r"|baby|child|kid|aunt|uncle|cousin|niece|nephew|grandmother|grandma|grandfather|grandpa|granddaughter|grandson"
    r"|friend|best friend|neighbou?r|boss|colleague|doctor|dentist|teacher|roommate|flatmate)"
)
_PET = r"(?:cat|dog|puppy|kitten|rabbit|hamster|parrot|bird|fish|goldfish|turtle|tortoise|horse|pony|guinea pig|snake|lizard)"
# "My car is dirty" says nothing about which car it is, "my car is a Volvo" does.
_NO_TRAIT = (
    r"(?!(?:(?:very|really|so|too|quite|a bit|not) )*(?!(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen"
    r"|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)\b)(?-i:[a-z]+)(?: today| again| now)?$)"
)
_NAME = r"[\w'-]+(?:\s+(?-i:[A-Z])[\w'-]+)*"


def _rule(regex: str, key: str, **more: object) -> _Pattern:
    return _Pattern(re.compile(rf"^{regex}$", re.IGNORECASE), key, **more)  # type: ignore[arg-type]  # one table


_HARD = {"kind": Kind.POLICY, "priority": Priority.CRITICAL}
_LIKES = {"many": True, "kind": Kind.PREFERENCE}

# The first that fits wins.
_PATTERNS = (
    _rule(rf"(?:my (?:\w+ )?name(?:'s| is)|you can call me|call me|{_AM} called) (?P<value>{_NAME})", "user.name"),
    _rule(rf"{_I} {_OFTEN}(?:live|reside|am living)s? (?:in|at|on|near) (?P<value>.+?)(?: with .+)?", "user.home"),
    _rule(rf"{_I}(?:'ve| have)? (?:just |recently )?(?:moved|relocated) (?:house |from .+? )?to (?P<value>.+?)"
          r"(?: (?:last|this|a|two|three|in|on|yesterday|today|recently)\b.*)?", "user.home"),
    _rule(rf"{_I} {_OFTEN}(?:quit|left|resigned from|lost)(?: my job(?: at)?)? (?P<value>.+)", "user.employer", ends=True),
    _rule(rf"{_I} (?:no longer|don't|do not|stopped) work(?:ing)? (?:at|for) (?P<value>.+?)(?: any ?more)?",
          "user.employer", ends=True),
    _rule(rf"{_I} (?:no longer|don't|do not) live (?:in|at|on|near) (?P<value>.+?)(?: any ?more)?", "user.home", ends=True),
    _rule(rf"{_I} (?:{_OFTEN}work|got a job|started(?: working)?|have a job) (?:at|for) (?P<value>.+?)(?: now)?",
          "user.employer"),
    _rule(rf"(?:{_I} {_OFTEN}work as|{_AM} working as) (?:an? )?(?P<value>.+?)(?: now)?", "user.occupation"),
    _rule(rf"{_AM} {_OFTEN}(?:severely |deathly |badly |very )?allergic to (?P<value>.+)", "user.allergy",
          many=True, **_HARD),
    _rule(rf"{_I} {_OFTEN}(?:have|has) an? (?P<value>.+?) allergy", "user.allergy", many=True, **_HARD),
    _rule(rf"{_AM} (?:no longer|not)(?: any ?more)? allergic to (?P<value>.+?)(?: any ?more)?", "user.allergy",
          many=True, ends=True, **_HARD),
    _rule(rf"{_AM} {_OFTEN}(?:an? )?(?P<value>vegetarian|vegan|pescatarian|gluten[- ]free|kosher|halal|diabetic|lactose"
          r"[- ]intolerant|coeliac|celiac|teetotal)", "user.diet", **_HARD),
    _rule(rf"{_I} {_OFTEN}(?:take|am on|am taking) (?P<value>[\w-]+)(?: .*)?"
          r"\b(?:day|daily|morning|evening|night|week|hours|meals?|mg|pills?|tablets?|medicine|medication)\b.*",
          "user.medicine", many=True, **_HARD),
    _rule(rf"{_AM} (?P<value>[\w-]+(?: [\w-]+)?) years old", "user.age"),
    _rule(r"my (?P<value>favou?rite) (?P<what>[\w ]+?) (?:is|are) (?P<rest>.+)", "user.favourite_{what}", value="{rest}",
          kind=Kind.PREFERENCE),
    _rule(rf"my {_KIN} (?P<who>{_NAME}?)'s (?P<what>[\w ]+?) (?:is|are) (?P<rest>.+)", "{who}.{what}", value="{rest}"),
    _rule(rf"my (?P<kin>{_KIN}) (?P<who>{_NAME}?)(?:'s|'s name is| is called| is named) (?P<rest>.+)",
          "user.{kin}.{who}", value="{rest}", many=True, kind=Kind.RELATIONSHIP),
    _rule(rf"my (?P<kin>{_KIN})(?:'s name)?(?: is| is called| is named|, )\s*(?P<value>(?-i:[A-Z])[\w'-]+)",
          "user.{kin}", many=True, kind=Kind.RELATIONSHIP),
    _rule(rf"my (?P<kin>{_KIN}) (?P<who>[\w'-]+) (?P<verb>lives in|moved to|works at|works for|works as|is) {_NO_TRAIT}(?P<rest>.+)",
          "{who}.{verb}", value="{rest}", kind=Kind.RELATIONSHIP),
    _rule(rf"{_I} {_OFTEN}(?:have|got|own)(?: got)? (?:an?|two|three|another) (?:\w+ )?(?P<pet>{_PET})"
          rf"(?: (?:called|named) (?P<who>{_NAME}))?", "user.pet", value="{pet} {who}", many=True,
          kind=Kind.RELATIONSHIP),
    _rule(r"(?P<who>(?-i:[A-Z])[\w-]+)'s (?P<what>[\w ]+?) (?:is|are) (?P<rest>.+)", "{who}.{what}", value="{rest}"),
    _rule(r"my (?P<what>(?:phone |mobile |cell )?number|e-?mail|address|birthday|date of birth|passport number|bank|car"
          r"|blood type|job|middle name|surname|last name|wi-?fi password|password|pin) (?:is|'s) (?P<rest>.+)",
          "user.{what}", value="{rest}"),
    _rule(rf"(?:i|we)(?: would)?(?:'d)? {_OFTEN}(?:prefer|rather have) (?P<value>.+)", "user.prefers", **_LIKES),
    _rule(rf"{_I} {_OFTEN}(?:like|love|enjoy|adore) (?P<value>.+)", "user.likes", **_LIKES),
    _rule(rf"{_I} {_OFTEN}(?:hate|dislike|can't stand|cannot stand|detest|don't like|do not like) (?P<value>.+)",
          "user.dislikes", **_LIKES),
    _rule(rf"{_I} never (?P<value>.+)", "user.never", many=True, kind=Kind.PREFERENCE, priority=Priority.HIGH),
    _rule(r"(?:don't ever|do not ever|never) (?P<value>.+)", "rule.never", many=True, **_HARD),
    _rule(r"(?:always|from now on,?) (?P<value>.+)", "rule.always", many=True, **_HARD),
    _rule(r"(?:don't|do not) (?P<value>.+)", "rule.never", many=True, **_HARD),
    _rule(rf"{_I}(?:'ve| have)? {_OFTEN}decided (?:to|on|that) (?P<value>.+)", "user.decision", many=True,
          kind=Kind.DECISION, layer=Layer.SEMANTIC),
    _rule(rf"{_AM} {_OFTEN}(?:learning|studying) (?:to )?(?P<value>.+)", "user.learning", many=True),
    _rule(rf"my (?P<what>{_KIN}|{_PET}) (?:is|are)(?: called| named)? (?P<rest>.+)", "user.{what}", value="{rest}", many=True,
          kind=Kind.RELATIONSHIP),
    _rule(rf"my (?P<what>[\w ]+?) (?:is|are) {_NO_TRAIT}(?P<rest>.+)", "user.{what}", value="{rest}"),
    _rule(r"the (?P<what>[\w ]*?(?:password|code|pin|number|key)(?: for [\w ]+?)?) is (?P<rest>.+)", "home.{what}",
          value="{rest}", layer=Layer.SEMANTIC),
)  # fmt: skip
_KEY_WORD = re.compile(r"[^a-z0-9.]+")
_HIGH_RISK = frozenset(
    """name age birthday birth address phone number mobile mail email passport blood allergy medicine diet surname bank
    account salary income pin password""".split()
)


def find_slot(clause: str) -> Slot | None:
    """The slot of a clause in the user's own words, None when no pattern knows it."""
    for pattern in _PATTERNS:
        match = pattern.regex.match(clause)
        if match:
            groups = {name: group or "" for name, group in match.groupdict().items()}
            return Slot(
                key=normal_key(pattern.key.format(**groups)),
                value=pattern.value.format(**groups).strip(),
                many=pattern.many,
                kind=pattern.kind,
                layer=pattern.layer,
                priority=pattern.priority,
                ends=pattern.ends,
            )
    return None


def normal_key(key: str) -> str:
    """ "Sarah.Date of birth" becomes "sarah.date_of_birth", American spelling made British."""
    return _KEY_WORD.sub("_", key.lower().replace("favorite", "favourite").replace("color", "colour")).strip("_.")


def is_high_risk(key: str | None) -> bool:
    """Identity, health and money: never overwritten without being asked about."""
    _, _, attribute = (key or "").partition(".")
    return not _HIGH_RISK.isdisjoint(re.split(r"[._]", attribute))
