"""The table of what people say in German about themselves and each other: sentence forms with the slots that they fill.

The forms are of the clause as it was said, its subject first. Keys are those of English, so that risk, profile and
arbitration need to know no language.
"""

from __future__ import annotations

from typing import Any

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import MEDICINES
from edge_memory.observe.english.patterns import Form
from edge_memory.observe.german.lexicon import KIN, MONTHS, NUMBER, PET, WEEKDAYS
from edge_memory.records import Kind, Layer, Priority

_ADJECTIVE = r"(?:ältere|älterer|jüngere|jüngerer|große|großer|kleine|kleiner|älteste|ältester|jüngste|jüngster|beste|bester|neue|neuer|alte|alter|liebe|lieber|andere|anderer|zweite|zweiter)"
NAME = r"(?:(?-i:[A-ZÄÖÜ])[\w-]+(?: (?-i:[A-ZÄÖÜ])[\w-]+)*|[\w-]+)"
_CAPITAL = r"(?:(?-i:[A-ZÄÖÜ])[\w-]+(?: (?-i:[A-ZÄÖÜ])[\w-]+)*)"
_MY = r"(?:mein|unser)(?:e|en|em|er|es)?"
WHO = rf"(?:(?P<user>ich|wir)|{_MY} (?:{_ADJECTIVE} )?(?P<kin>{KIN}|{PET})(?: (?P<kin_name>{_CAPITAL}))?|(?P<name>{_CAPITAL}))"
_M = (
    r"(?:,? (?:jetzt|nun|inzwischen|mittlerweile|aktuell|zurzeit|zur zeit|derzeit|momentan|im moment|noch|immer noch|immer|auch|schon|wieder|gerade|ja|halt|nämlich|leider"
    r"|gar|überhaupt|total|sehr|wirklich|echt|stark|schwer|hochgradig|eigentlich|beruflich|gerne?|am liebsten|bald|ab (?:sofort|morgen|\w+)|seit (?:(?:\d+|\w+) )?(?:\w+ )?\w+|nicht mehr lange"
    r"|zusammen|mit (?:meine[rmn]|unsere[rmn]) \w+(?: (?-i:[A-ZÄÖÜ])\w+)?))*?"
)
_SINCE = r"(?:,? (?:jetzt|seit .+|mit .+|zusammen(?: mit .+)?|und zwar .+|weil .+|denn .+|momentan|zurzeit|geworden|von beruf|übrigens|statt .+|nicht mehr in .+|auf der .+|im \w+haus))*"
_V = r"(?P<value>.+?)"
_DOSE = r"(?:(?:\d+|eine?|zwei|drei|halbe) (?:mg|milligramm|tabletten?|tropfen|kapseln?|einheiten)|täglich|morgens|abends|mittags|nachts|einmal|zweimal|dreimal|jeden (?:tag|morgen|abend)|vor dem (?:essen|schlafen|frühstück)|nach dem essen|gegen \w+)"
_MEDICINE = rf"(?:{MEDICINES}|\w{{2,}}(?:prazol|sartan|olol|dipin|pril|statin|formin|gliptin|gliflozin|setron|triptan|azepam|oxetin|tyllin|profen|coxib|thiazid|semid|xaban|parin|lukast|oxacin|afil|osin|zyklin|cyclin|conazol|codon|morphin|mycin|cillin|predniso\w+|sulin|oxin|mab)|\w+(?:tabletten?|tropfen|salbe|spray|mittel|hemmer|blocker|verdünner|säure)|ibuprofen|paracetamol|marcumar|metformin|insulin|cortison|kortison|l-thyroxin|eisen|antibiotik\w+|(?!(?:den|die|das|bus|bahn|zug|auto|rad|fahrrad|treppe|dusche|bad|milch|zucker|u-bahn|s-bahn|taxi|kaffee|tee)\b)[\w-]+(?= (?:{_DOSE})))"
_ILLNESS = r"(?P<value>(?:diabetes|asthma|epilepsie|zöliakie|bluthochdruck|hohen blutdruck|rheuma|arthrose|arthritis|migräne|demenz|parkinson|krebs|herzprobleme|eine herzschwäche|eine laktoseintoleranz|laktoseintoleranz|depressionen)(?: typ (?:\w+))?)"
_CONDITION = r"(?P<value>diabetiker(?:in)?|asthmatiker(?:in)?|epileptiker(?:in)?|laktoseintolerant|glutenunverträglich|schwanger|farbenblind|taub|blind|schwerhörig|dement)"
_DIET = r"(?P<value>vegetarier(?:in)?|vegetarisch|veganer(?:in)?|vegan|pescetarier(?:in)?)"
_DAY = rf"(?:{'|'.join(WEEKDAYS)}|sonnabend)"
_WHEN = (
    rf"(?P<value>(?:(?:immer|erst|schon|jetzt|nun|auf) )*(?:am|um|im|ab|bis|vom|gegen|nächste[nrms]?|diese[nrms]?|jede[nrms]?|alle|kommende[nrms]?|heute|morgen|übermorgen|in (?={NUMBER}|eine[rm])"
    rf"|{_DAY}s?|{'|'.join(MONTHS)}|halb|\d{{1,2}}[.:])\b.*)"
)
_WHERE = r"(?P<value>(?:(?:immer|jetzt|nun|oben|unten|hinten|vorne|ganz) )*(?:in|im|unter|unterm|auf|am|hinter|hinterm|neben|bei|beim|an|über|vor|zwischen|oben|unten|draußen|links|rechts)\b.*)"
_IS = (
    r" (?:ist|sind|war|heißt|lautet|findet|liegt|liegen|steht|stehen|hängt|hängen|wird|werden|kommt|kommen|beginnt|fängt|fährt|öffnet|schließt)"
    + _M
)
_THING = (
    r"(?P<what>(?!(?:ist|sind|war|hat)\b)[\w-]+(?: [\w-]+)?"
    r"(?: (?:vom|von der|von|für den|für die|für das|für|des|zum|zur|im|aus dem) [\w-]+)?)"
)
_JOB = (
    r"(?:[\w-]*(?:lehrer|pfleger|arzt|ärztin|ingenieur|mechaniker|techniker|verkäufer|fahrer|bäcker|maler|elektriker|informatiker|entwickler|programmierer|buchhalter|berater|leiter|architekt|anwalt|anwältin|koch|köchin"
    r"|friseur|gärtner|tischler|schreiner|maurer|dachdecker|klempner|polizist|journalist|musiker|künstler|schauspieler|autor|übersetzer|erzieher|hebamme|schwester|student|schüler|azubi|rentner|pensionär|richter|notar|makler|kellner"
    r"|metzger|schlosser|optiker|apotheker|physiotherapeut|psychologe|psychologin|chemiker|physiker|biologe|biologin|sekretär|beamte|beamter|beamtin|hausfrau|hausmann|kauffrau|kaufmann|feuerwehrmann|soldat|pilot|steuerberater|bauer|landwirt|winzer"
    r"|redakteur|designer|bibliothekar|zimmermann|optikerin)(?:in)?)"
)
_HARD: dict[str, Any] = {"kind": Kind.POLICY, "priority": Priority.CRITICAL}
_LIKES: dict[str, Any] = {"many": True, "kind": Kind.PREFERENCE}
_RULE: dict[str, Any] = {"many": True, "kind": Kind.POLICY, "priority": Priority.CRITICAL}
_ENDS: dict[str, Any] = {"ends": True}
_NO = r"(?:kein(?:e|en|er)?)"


def _form(expression: str, key: str, subject: str = WHO + " ", **more: Any) -> Form:
    return Form(rf"^{subject}(?:{expression})$", key, **more)


FORMS = (
    # who they are
    _form(rf"(?:heiße|heisse){_M} (?P<value>{NAME}){_SINCE}", "user.name", r"(?P<user>ich) "),
    _form(rf"mein (?:vor)?name (?:ist|lautet){_M} (?P<value>{NAME})", "user.name", ""),
    _form(rf"mein (?:nachname|familienname) (?:ist|lautet){_M} (?P<value>{NAME})", "user.last_name", ""),
    _form(rf"bin (?:der|die) (?P<value>{_CAPITAL})", "user.name", r"(?P<user>ich) "),
    _form(rf"(?:nenn|nenne|du kannst|ihr könnt)(?: bitte)? mich(?: bitte| ab jetzt| einfach| ruhig)* (?P<value>{NAME})(?: nennen)?", "user.nickname", "", many=True),
    # whom they have
    _form(rf"{_MY} (?:{_ADJECTIVE} )?(?P<kin>{KIN}) (?:heißt|heisst|ist){_M} (?P<value>{_CAPITAL})", "user.{kin}", "", kind=Kind.RELATIONSHIP, many=True),
    _form(rf"{_MY} (?:{_ADJECTIVE} )?(?P<kin>{KIN}) (?:heißt|heisst){_M} (?P<value>[\w-]+)", "user.{kin}", "", kind=Kind.RELATIONSHIP, many=True),
    _form(rf"(?:habe|hab|haben){_M} (?:eine[n]?|noch eine[n]?) (?:{_ADJECTIVE}n? )?(?P<kin>{KIN})(?:,? (?:namens|die|der|das|mit namen))* (?:heißt )?(?P<value>{_CAPITAL})(?: heißt)?", "user.{kin}", r"(?P<user>ich|wir) ", kind=Kind.RELATIONSHIP, many=True),
    _form(rf"(?:bin|sind){_M} mit (?P<value>{_CAPITAL}){_M} (?:verheiratet|verlobt|zusammen)", "{who}.married_to"),
    _form(rf"{_MY} (?:{_ADJECTIVE} )?(?P<pet>{PET}) (?:heißt|heisst){_M} (?P<value>{NAME})", "user.pet", "", value="{pet} {value}", kind=Kind.RELATIONSHIP, many=True),
    _form(rf"(?:habe|hab|haben|hat){_M} (?:eine[n]?|noch eine[n]?|zwei|drei) (?:\w+ )?(?P<pet>{PET})\w?(?:,? (?:namens|der|die|das|mit namen))*(?: (?:heißt )?(?P<value>{_CAPITAL})(?: heißt)?)?", "{who}.pet", value="{pet} {value}", kind=Kind.RELATIONSHIP, many=True),
    # home
    _form(rf"(?:wohne|wohnt|wohnen|lebe|lebt|leben){_M} nicht mehr(?: (?:in|im|bei|am) {_V})?", "{who}.home", **_ENDS),
    _form(rf"(?:wohne|wohnt|wohnen|lebe|lebt|leben){_M} (?:in|im|bei|am|an|auf) {_V}{_SINCE}", "{who}.home"),
    _form(r"(?:bin|ist|sind)(?: [\w.]+){0,4}? nach (?P<value>.+?) (?:gezogen|umgezogen)", "{who}.home"),
    _form(rf"(?:ziehe|zieht|ziehen)(?: [\w.]+){{0,4}}? nach {_V}(?: um)?", "{who}.home"),
    # work
    _form(rf"(?:arbeite|arbeitet|arbeiten){_M} nicht mehr(?: (?:bei|beim|für|in|im|als) {_V})?", "{who}.employer", **_ENDS),
    _form(rf"(?:habe|hat){_M}(?: bei {_V})? gekündigt|(?:wurde|bin|ist) (?:gekündigt|entlassen|arbeitslos|in rente)(?: worden)?", "{who}.employer", **_ENDS),
    _form(rf"(?:arbeite|arbeitet|arbeiten){_M} als {_V}(?P<where> (?:bei|beim|für|in|im) .+)?{_SINCE}", "{who}.occupation"),
    _form(rf"(?:arbeite|arbeitet|arbeiten){_M} (?:bei|beim|für|in|im|am|an) (?!(?:ordnung|ruhe|garten)\b){_V}{_SINCE}", "{who}.employer"),
    _form(rf"(?:habe|hat){_M} (?:eine neue stelle|einen neuen job|einen job|eine stelle) bei {_V}{_SINCE}", "{who}.employer"),
    _form(rf"(?:fange|fängt){_M} bei (?P<value>.+?) an{_SINCE}", "{who}.employer"),
    _form(rf"(?:bin|ist){_M}(?: von beruf)?(?: eine?)? (?P<value>(?:\w+ )?{_JOB}){_SINCE}", "{who}.occupation"),
    _form(rf"mein beruf ist{_M} {_V}", "user.occupation", ""),
    _form(rf"(?:gehe|geht){_M} (?:in die|auf die|aufs|auf das|zur) (?P<value>.*(?:schule|gymnasium|universität|uni|kita|klasse|kindergarten)\b.*)", "{who}.school"),
    _form(rf"(?:studiere|studiert){_M} {_V}{_SINCE}", "{who}.learning", many=True),
    # health
    _form(rf"(?:bin|ist){_M} (?:nicht (?:mehr )?(?:allergisch )?(?:gegen|auf) (?P<value>.+?)(?: allergisch)?(?: mehr)?|(?:gegen|auf) (?P<other>.+?) nicht mehr allergisch|nicht mehr allergisch)", "{who}.allergy", value="{value}{other}", many=True, ends=True, **_HARD),
    _form(rf"(?:habe|hat){_M} {_NO} (?:(?P<value>[\w-]+?)-?allergie|allergie gegen (?P<other>.+?))(?: mehr)?", "{who}.allergy", value="{value}{other}", many=True, ends=True, **_HARD),
    _form(rf"(?:vertrage|verträgt){_M} (?P<value>.+?) (?:jetzt )?wieder", "{who}.allergy", many=True, ends=True, **_HARD),
    _form(rf"(?:bin|ist){_M} allergisch (?:gegen|auf) {_V}{_SINCE}", "{who}.allergy", many=True, **_HARD),
    _form(rf"(?:bin|ist){_M} (?:gegen|auf) {_V} allergisch", "{who}.allergy", many=True, **_HARD),
    _form(rf"(?:reagiere|reagiert){_M} (?:allergisch|empfindlich) (?:gegen|auf) {_V}{_SINCE}", "{who}.allergy", many=True, **_HARD),
    _form(rf"(?:habe|hab|hat){_M} eine (?:\w+ )?(?:(?P<value>[\w-]+?)-?allergie(?! gegen)|(?:allergie|unverträglichkeit) gegen (?P<other>.+?)|(?P<third>[\w-]+?)-?(?:unverträglichkeit|intoleranz)){_SINCE}", "{who}.allergy", value="{value}{other}{third}", many=True, **_HARD),
    _form(rf"(?:vertrage|verträgt){_M} (?:{_NO} {_V}|(?P<other>.+?) nicht){_SINCE}", "{who}.allergy", value="{value}{other}", many=True, **_HARD),
    _form(rf"(?:darf|dürfen|kann){_M} (?:wieder|jetzt wieder) (?P<value>.+?) (?:essen|trinken|haben|nehmen)", "{who}.cannot_have", many=True, ends=True, **_HARD),
    _form(rf"(?:darf|dürfen|kann){_M} (?:{_NO} (?P<value>.+?)|(?P<other>.+?) nicht)(?: mehr)? (?:essen|trinken|haben|vertragen|nehmen)", "{who}.cannot_have", value="{value}{other}", many=True, **_HARD),
    _form(rf"(?:bin|ist){_M} (?:nicht mehr|kein(?:e)?) {_DIET}(?: mehr)?", "{who}.diet", ends=True, **_HARD),
    _form(r"(?:esse|isst) wieder (?P<value>fleisch)", "{who}.diet", value="", ends=True, **_HARD),
    _form(rf"(?:bin|ist|lebe|lebt|esse|isst|ernähre mich|ernährt sich){_M} (?:streng )?{_DIET}{_SINCE}", "{who}.diet", **_HARD),
    _form(rf"(?:esse|isst|trinke|trinkt){_M} (?:{_NO} {_V})(?: mehr)?{_SINCE}", "{who}.cannot_have", many=True, **_HARD),
    _form(rf"(?:bin|ist){_M} (?:eine? )?{_CONDITION}{_SINCE}", "{who}.condition", many=True, **_HARD),
    _form(rf"(?:habe|hat|leide an|leidet an|leide unter|leidet unter){_M} {_ILLNESS}{_SINCE}", "{who}.condition", many=True, **_HARD),
    _form(rf"(?:nehme|nimmt|brauche|braucht|spritze|spritzt){_M} (?:das |die |den |mein |meine |meinen )?(?P<med>{_MEDICINE})(?: .+)? nicht mehr(?: ein)?", "{who}.medicine_{med}", value="{med}", ends=True, **_HARD),
    _form(rf"(?:habe|hat){_M} (?:das |die |den |mein |meine |meinen )?(?P<med>{_MEDICINE}) abgesetzt", "{who}.medicine_{med}", value="{med}", ends=True, **_HARD),
    _form(rf"(?:nehme|nimmt|brauche|braucht|spritze|spritzt|bekomme|bekommt){_M}(?P<first>(?: {_DOSE})*) (?:\d+ ?mg )?(?:das |die |den |mein |meine |meinen )?(?P<med>{_MEDICINE})(?P<dose>(?: .*)?)", "{who}.medicine_{med}", value="{med} {first} {dose}", **_HARD),
    # age and birthday
    _form(rf"(?:bin|ist|wird|werde){_M} (?P<value>{NUMBER})(?: jahre(?: alt)?)?(?: geworden)?{_SINCE}", "{who}.age"),
    _form(rf"(?:habe|hat){_M} (?P<value>(?:am|im) .+?) geburtstag", "{who}.birthday"),
    _form(r"(?:bin|ist|wurde) (?P<value>(?:am|im) .+?) geboren(?: worden)?", "{who}.birthday"),
    _form(r"(?:bin|ist|wurde) (?P<value>(?:19|20)\d\d)(?: in .+?)? geboren(?: worden)?", "{who}.birth_year"),
    _form(rf"(?:bin|ist|wurde) in (?P<value>{_CAPITAL}) geboren(?: worden)?(?: und aufgewachsen)?", "{who}.birthplace"),
    _form(rf"mein geburtstag ist{_M} (?:der |am )?{_V}", "user.birthday", ""),
    _form(rf"{_MY} hochzeitstag ist{_M} (?:der |am )?{_V}", "user.anniversary", ""),
    _form(rf"der geburtstag (?:von )?meine[rs] (?P<kin>{KIN})(?: (?P<kin_name>{_CAPITAL}))? ist{_M} (?:der |am )?{_V}", "{who}.birthday", ""),
    # money and numbers
    _form(rf"{_MY} (?P<what>telefonnummer|handynummer|nummer|kontonummer|iban|adresse|anschrift|versichertennummer|steuernummer|e-mail(?:-adresse)?|gehalt|miete|blutgruppe) (?:ist|lautet|beträgt){_M} {_V}", "user.{what}", ""),
    _form(rf"(?:die|das|der|{_MY}) (?P<what>[\w-]*(?:passwort|kennwort|pin|code|schlüssel|wlan-passwort)(?: (?:für|vom|von|am) [\w -]+?)?) (?:ist|lautet|heißt){_M} (?!(?:in|im|unter|auf|am|hinter|bei|neben)\b){_V}", "home.{what}", "", layer=Layer.SEMANTIC),
    _form(rf"(?:verdiene|verdient){_M} {_V}", "{who}.salary"),
    # tastes
    _form(rf"(?:mag|mögen|liebe|liebt|lieben){_M} (?:{_NO} {_V}|(?P<other>.+?) (?:nicht(?: mehr| so| besonders)?|überhaupt nicht|gar nicht))(?: mehr)?", "{who}.dislikes", value="{value}{other}", opposite="{who}.likes", **_LIKES),
    _form(rf"(?:hasse|hasst|hassen|verabscheue|kann){_M} {_V}(?: nicht (?:leiden|ausstehen|ertragen))?", "{who}.dislikes", r"(?=.*(?:hass|verabscheu|nicht (?:leiden|ausstehen|ertragen)))" + WHO + " ", opposite="{who}.likes", **_LIKES),
    _form(rf"{_MY} (?P<what>lieblings[\w-]+) (?:ist|sind|heißt){_M} {_V}", "user.{what}", "", kind=Kind.PREFERENCE),
    _form(rf"(?:trinke|trinkt|esse|isst|höre|hört|lese|liest|spiele|spielt|schaue|schaut|mag|nehme){_M} (?:lieber (?P<value>.+ als .+|.+)|(?P<other>.+) lieber als (?P<than>.+))", "{who}.prefers", value="{value}{other}", **_LIKES),
    _form(r"(?:bevorzuge|bevorzugt|ziehe|zieht) (?P<value>.+?)(?: vor)?", "{who}.prefers", **_LIKES),
    _form(rf"(?:mag|mögen|liebe|liebt|lieben){_M} {_V}{_SINCE}", "{who}.likes", opposite="{who}.dislikes", **_LIKES),
    _form(r"(?:trinke|trinkt|esse|isst|höre|hört|lese|liest|koche|kocht|backe|backt|wandere|wandert|schwimme|schwimmt|gehe|geht|fahre|fährt) (?:sehr |am liebsten |besonders |immer )*(?:gerne? |am liebsten )(?P<value>.+)", "{who}.likes", opposite="{who}.dislikes", **_LIKES),
    _form(r"(?:trinke|trinkt|esse|isst|höre|hört|lese|liest|koche|kocht|backe|backt) (?P<value>.+?) (?:sehr |besonders |am )?(?:gerne?|liebsten)", "{who}.likes", opposite="{who}.dislikes", **_LIKES),
    _form(rf"(?:spiele|spielt|lerne|lernt|gehe|geht|fahre|fährt|trinke|rauche|mache|laufe|besuche|brauche|habe|esse|nutze|benutze|höre|lese){_M} (?:nicht mehr (?P<about>.+)|(?P<other>.+?) nicht mehr(?: \w+)?|kein(?:e|en)? (?P<third>.+?) mehr)", "", value="", about="{about}{other}{third}", **_ENDS),
    _form(rf"(?:lerne|lernt){_M} {_V}{_SINCE}", "{who}.learning", many=True),
    _form(rf"(?:spreche|spricht){_M} (?P<value>(?:auch |fließend |ein bisschen )*(?:deutsch|englisch|französisch|spanisch|italienisch|türkisch|polnisch|russisch|arabisch|portugiesisch|niederländisch)\b.*)", "{who}.speaks", many=True),
    _form(rf"(?:spiele|spielt){_M} {_V}{_SINCE}", "{who}.plays", many=True),
    _form(rf"(?:fahre|fährt){_M} eine?n? (?P<value>(?!(?:bus|zug|umweg)\b).+)", "{who}.car", many=True),
    _form(rf"(?:habe|hat){_M} (?:eine?n? )(?P<value>(?:\w+ )?(?:auto|wagen|motorrad|vw|golf|bmw|audi|opel|skoda|tesla|mercedes|toyota|fiat|fahrrad|e-bike)\b.*)", "{who}.car", many=True),
    # standing orders
    _form(r"(?:bitte )?(?P<value>(?:weck|wecke|ruf|rufe|stör|störe|sprich|antworte|spiel|spiele|erinnere|frag|frage) .*\b(?:nie|niemals|nicht)\b.*)", "rule.never", "", **_RULE),
    _form(r"(?:bitte )?(?P<value>(?:sprich|antworte|rede|sei)\b.*)", "rule.always", "", many=True, kind=Kind.PREFERENCE, priority=Priority.HIGH),
    # ends
    _form(r"(?:ist|sind)(?: \w+){0,2} (?:gestorben|verstorben|tot|weggelaufen|eingeschläfert worden)", "{who}", value="died", **_ENDS),
    _form(rf"(?:habe|hat|haben) (?:mich|sich|uns) von (?:{_MY} )?(?P<about>.+?) getrennt", "", value="", about="{about}", **_ENDS),
    _form(rf"(?:habe|hab|hat|haben) (?P<about>(?:das|den|die|{_MY}) .+?) (?:verkauft|verschenkt|verloren|abgegeben|weggeworfen|gekündigt)", "", value="", about="{about}", thing=True, **_ENDS),
    _form(rf"(?:{_MY}|der|die|das) (?P<about>.+?) (?:ist|wurde|fällt) (?:abgesagt|ausgefallen|gestrichen|aus|verkauft|vorbei)(?: worden)?", "", "", value="", about="{about}", **_ENDS),
    _form(r"rauche nicht mehr|habe (?:mit dem|das) (?P<about>rauchen) aufgehört", "", r"(?P<user>ich) ", value="", about="rauchen", **_ENDS),
    _form(r"\w+(?: leider| ja)? nicht mehr (?P<about>.+)|\w+ (?P<other>.+) nicht mehr", "", value="", about="{about}{other}", **_ENDS),
    # what, when, where
    _form(rf"(?:{_MY}|der|die|das) {_THING} (?:wurde|ist|wird){_M} (?:auf (?P<value>.+?) (?:verschoben|verlegt|geändert))(?: worden)?", "user.{what}.when", ""),
    _form(rf"(?:habe|hab|haben){_M} (?P<value>(?:am|um|heute|morgen|übermorgen|nächste[nrms]?|diese[nrms]?|jede[nrms]?|in) .*?) (?:eine?n? |{_MY} )?(?P<what>[\w-]*(?:termin|prüfung|kurs|training|probe|treffen|besprechung|untersuchung|verabredung|urlaub|unterricht|feier|party|konzert|flug))", "user.{what}.when", r"(?P<user>ich|wir) "),
    _form(rf"{_MY} {_THING}{_IS} {_WHEN}(?: statt)?", "user.{what}.when", ""),
    _form(rf"{_MY} {_THING}{_IS} {_WHERE}", "user.{what}.place", ""),
    _form(rf"(?:der|die|das) {_THING}{_IS} {_WHEN}(?: statt)?", "home.{what}.when", "", layer=Layer.SEMANTIC),
    _form(rf"(?:der|die|das) {_THING}{_IS} {_WHERE}", "home.{what}.place", "", layer=Layer.SEMANTIC),
    _form(rf"(?:die|das|der) {_THING} wird{_M} (?P<value>(?:am|immer|jeden|alle|montags|dienstags|mittwochs|donnerstags|freitags|samstags) .+)", "home.{what}.when", "", layer=Layer.SEMANTIC),
    _form(rf"(?:habe|hab){_M} (?:{_MY}|den|die|das) {_THING} {_WHERE} (?:gelegt|gestellt|versteckt|getan|gehängt|abgestellt|geparkt)", "home.{what}.place", r"(?P<user>ich) ", layer=Layer.SEMANTIC),
    _form(rf"{_MY} (?!{KIN}\b){_THING} (?:heißt){_M} (?P<value>{NAME}.*)", "user.{what}_name", ""),
    _form(rf"{_MY} (?!{KIN}\b){_THING} (?:ist|sind){_M} (?!(?:kaputt|weg|müde|krank|da|hier|fertig|leer|voll|nass)\b)(?P<value>.+)", "user.{what}", ""),
)  # fmt: skip

_RESTRICTS = re.compile(
    r"\b(?:allergi\w+|unverträglich\w*|intoleran\w+|vegetari\w+|vegan\w*|diabet\w+|zöliakie"
    r"|(?:darf|dürfen|soll|kann|verträgt|vertrage|isst|esse|trinkt|trinke|raucht|rauche)\b.* (?:kein\w*|nicht|nie)"
    r"|rauche nicht|raucht nicht|verboten|auf keinen fall)\b",
    re.IGNORECASE,
)
RISKY = re.compile(
    r"\b(?:allergi\w*|medikament\w*|tablette\w*|insulin|dosis|diagnos\w*|rente|gehalt|hypothek|konto\w*|kredit\w*|reisepass"
    r"|ausweis|blutgruppe|operation|krebs|demenz|herz(?:infarkt|schrittmacher)|taub|blind|schlaganfall|miete|versicherung\w*"
    r"|unverträglich\w*|intoleran\w*|zöliakie|diabet\w*|asthma\w*|epilep\w*|rezept|vegetari\w*|vegan\w*|blutdruck|passwort)\b",
    re.IGNORECASE,
)


def restricts(text: str) -> bool:
    """Whether a German sentence says what must not be."""
    return bool(_RESTRICTS.search(text)) and not re.search(
        r"\bnicht mehr allergisch\b|\bkeine? \w*allergie\b", text, re.I
    )
