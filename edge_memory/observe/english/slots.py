"""Which slot a statement fills: subject and attribute, and whether the slot holds one value or many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import ACTIVITY, KIN_SET, ONE_HOLDER, PET_SET, SAME_KIN, WEEKDAYS
from edge_memory.observe.english.names import may_be_a_name
from edge_memory.observe.english.patterns import ENDS, PEOPLE, Form
from edge_memory.observe.english.patterns_things import THINGS
from edge_memory.observe.english.people import Household
from edge_memory.observe.english.third_person import third_person
from edge_memory.observe.statement import Slot
from edge_memory.records import Kind

_FORMS = (*PEOPLE, *ENDS, *THINGS)
_NOBODY = Household()
_KEY_WORD = re.compile(r"[^\w.]+|_+")
_NEW = re.compile(r"^(?:new|current|latest|present)\s+", re.IGNORECASE)
_STAFF = re.compile(rf"^the\s+(?={ONE_HOLDER}(?:'s name)? (?:is|has)\b)", re.IGNORECASE)
_ACTIVITY = re.compile(
    rf"^(?!the |my |our |a |an )(?:(?:[\w-]+ )?{ACTIVITY}(?= (?:is|are|starts?|was|has|got|moved|changed|went|goes)\b)"
    rf"|[a-z][\w-]+(?: [\w-]+)?(?= (?:is|are)(?: now)?(?: on| every)? (?:{'|'.join(WEEKDAYS)})s?\b))",
    re.IGNORECASE,
)
_IDLE = re.compile(
    r"(\b(?:is|are|has|was|user|does|can)) (?:actually|basically|honestly|apparently|really|truly)(?= (?:not|no|an?"
    r"|the|in|at"
    r"|allergic|is|has)\b)",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\b(name(?:'s| is)) (?:actually|really|truly|properly|in fact|now)(?= )", re.IGNORECASE)
# What almost happened did not.
_NOT_QUITE = re.compile(
    r"\b(?:almost|nearly) (?:\w+ed|bought|got|had|became|took|went|lost|sold|broke|fell|chose|left|quit|won|made|came"
    r"|gave|found|met|put|told)\b",
    re.IGNORECASE,
)
_ALSO = re.compile(r"\b(?:also|as well|too|another|additionally|(?:an?|my|our) second(?! of))\b", re.IGNORECASE)


def find_slot(clause: str, household: Household = _NOBODY) -> Slot | None:
    """The slot of a clause in the user's own words, None when no pattern knows it."""
    text = _NAMED.sub(r"\1", _IDLE.sub(r"\1", third_person(_plainly(household.with_capitals(clause)))))
    if _NOT_QUITE.search(text):
        return None
    for form in _FORMS:
        match = form.match(text)
        if match and not _is_trait(form, match):
            return _fill(form, match, household, bool(_ALSO.search(clause)))
    return None


def _is_trait(form: Form, match: re.Match[str]) -> bool:
    """ "My boss is German" names nobody, "my boss is called German" does."""
    if form.kind is not Kind.RELATIONSHIP or form.key != "user.{kin}" or match["value"] is None:
        return False
    return not re.search(r"\b(?:called|named|name)\b", match[0]) and not may_be_a_name(match["value"].split()[0])


def _plainly(clause: str) -> str:
    """ "The cleaner is Ann" is said of one's own cleaner, "practice is on Mondays" of one practice."""
    return _ACTIVITY.sub(r"the \g<0>", _STAFF.sub("my ", clause))


def normal_key(key: str) -> str:
    """ "Sarah.Date of birth" becomes "sarah.date_of_birth", American spelling made British."""
    plain = key.lower().replace("favorite", "favourite").replace("color", "colour").replace("wi-fi", "wifi")
    return _KEY_WORD.sub("_", plain.replace("'s", "")).strip("_.")


def single_attribute(slot: Slot | None) -> str:
    """ "home" of "jana.home"; empty where a slot holds many values, or there is none."""
    return slot.key.partition(".")[2] if slot and not slot.many else ""


def is_death(slot: Slot | None) -> bool:
    """Whether it tells that somebody died, about which nobody is asked again."""
    return slot is not None and slot.ends and slot.value == "died"


def _fill(form: Form, match: re.Match[str], household: Household, beside_others: bool) -> Slot:
    groups = {name: group or "" for name, group in match.groupdict().items()}
    groups["what"] = _NEW.sub("", groups.get("what", ""))
    subject, other = _subjects(groups, household)
    groups["who"] = subject
    key = normal_key(form.key.format(**groups)) if form.key else ""
    aliases = (
        {normal_key(form.key.format(**{**groups, "who": name})) for name in other} if "{who}" in form.key else set()
    )
    if form.key.startswith(("{who}.{what}", "home.{what}", "user.{what}")):
        aliases |= {
            f"{owner}.{key.partition('.')[2]}" for owner in ("user", "home") if key.startswith(("user.", "home."))
        }
    slot = filled(form, groups, key, form.many or beside_others, tuple(sorted(aliases - {key})))
    return replace(slot, value=slot.value.removesuffix(" now"))


def filled(form: Form, groups: Mapping[str, str], key: str, many: bool, aliases: tuple[str, ...]) -> Slot:
    """The slot of a form in any language; `groups` are what its templates are filled with."""
    return Slot(
        key=key,
        value=" ".join(form.value.format(**groups).split()),
        many=many,
        kind=form.kind,
        layer=form.layer,
        priority=form.priority,
        ends=form.ends,
        about=form.about.format(**groups),
        thing=form.thing,
        aliases=aliases,
        opposite=normal_key(form.opposite.format(**groups)) if form.opposite else "",
    )


def _subjects(groups: dict[str, str], household: Household) -> tuple[str, set[str]]:
    """How the subject of a sentence is written in keys, and its other names."""
    if groups.get("user") or not (groups.get("kin") or groups.get("name")):
        return "user", set()
    kin = SAME_KIN.get(groups.get("kin", "").lower(), groups.get("kin", "").lower())
    name = (groups.get("kin_name") or groups.get("name") or "").lower()
    name = SAME_KIN.get(name, name)
    if not name:
        name = (household.only(kin) or "").lower()
    elif not kin:
        kin = household.kin_of(name) or ""
    alone = kin in KIN_SET | PET_SET and (household.only(kin) or name).lower() == name
    return name or kin, {kin} if name and kin and alone else set()
