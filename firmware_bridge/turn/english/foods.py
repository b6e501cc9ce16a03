"""What belongs to what one may not have: foods, drinks and diets. Each row's first word names it."""

from __future__ import annotations

from collections.abc import Iterable

from edge_memory import lazy_re as re

_ROWS = (
    "nut nuts peanut peanuts almond almonds cashew cashews walnut walnuts hazelnut hazelnuts pecan pecans pistachio"
    " pistachios"
    " macadamia satay marzipan praline pralines nutella pesto baklava nougat granola frangipane"
    " pad-thai korma florentine florentines amaretti macaroon macaroons macaron macarons muesli gianduja dukkah"
    " romesco halva turron bakewell stollen nutty trail-mix ferrero snickers massaman nut-roast peanut-butter"
    " reese reeses m-ms toblerone",
    "peanut peanuts reese satay nuts peanut-butter pad-thai snickers reeses massaman gado-gado",
    "hazelnut hazelnuts praline pralines nutella nougat nuts ferrero gianduja",
    "almond almonds marzipan amaretto frangipane nuts"
    " amaretti macaron macarons macaroon macaroons bakewell korma stollen florentine florentines",
    "walnut walnuts nuts pesto baklava",
    "cashew cashews nuts pesto korma",
    "dairy milk milky milkshake milkshakes cheese cheesy cheeses cheddar mozzarella brie feta parmesan halloumi"
    " cheesecake butter"
    " buttery yoghurt yogurt yoghurts cream creamy creme latte lattes cappuccino cappuccinos custard ice-cream"
    " icecream"
    " gelato"
    " whey ghee lasagne lasagna pizza quiche carbonara fondue rarebit toastie"
    " gouda camembert gruyere ricotta mascarpone gorgonzola stilton roquefort edam paneer lassi kefir alfredo"
    " bechamel tiramisu panna-cotta trifle fudge toffee butterscotch milk-chocolate white-chocolate"
    " hot-chocolate flat-white mocha macchiato creme-brulee fromage-frais raita stroganoff dauphinoise tzatziki"
    " smoothie-bowl chowder korma buttermilk rice-pudding",
    "cheese cheddar mozzarella brie feta parmesan halloumi cheesecake pizza toastie quiche"
    " gouda camembert gruyere ricotta mascarpone gorgonzola stilton roquefort edam paneer fondue rarebit"
    " lasagne lasagna carbonara macaroni-cheese",
    "gluten bread breads toast pasta spaghetti lasagne lasagna macaroni wheat flour pizza cake cakes noodles beer"
    " croissant"
    " croissants bagel bagels biscuit biscuits cookie cookies cracker crackers pastry pastries pie pies muffin"
    " muffins"
    " scone"
    " scones pancake pancakes waffle waffles couscous barley rye sandwich sandwiches bun buns baguette loaf crumpet"
    " shortbread"
    " pudding dumplings wrap bulgur semolina"
    " naan naans chapati chapatis roti rotis paratha pitta pita ciabatta focaccia brioche tortilla tortillas"
    " burrito burritos fajita fajitas quesadilla samosa samosas ramen udon gnocchi ravioli penne linguine"
    " tagliatelle fusilli spelt seitan panko breadcrumbs batter battered breaded croutons tempura gravy"
    " lager ale stout cereal weetabix muesli malt crumble tart tarts flan strudel donut donuts"
    " doughnut doughnuts burger burgers dumpling gyoza spring-roll spring-rolls profiterole"
    " profiteroles eclair eclairs quiche sourdough rusk filo brownie brownies soy-sauce fish-fingers crepe"
    " crepes pizzas",
    "wheat bread toast pasta spaghetti flour pizza cake cakes croissant bagel biscuit biscuits cookie cookies pastry"
    " pie scone"
    " scones pancake pancakes sandwich loaf couscous shortbread muffin"
    " naan roti chapati pitta ciabatta focaccia brioche tortilla burrito ramen udon gnocchi ravioli penne"
    " linguine tagliatelle seitan noodles biscuits doughnut doughnuts crumble tart pies wrap",
    "shellfish prawn prawns shrimp shrimps crab crabs lobster lobsters mussel mussels oyster oysters scampi clam"
    " clams"
    " scallop"
    " scallops langoustine langoustines crayfish paella squid"
    " seafood seafood-platter bouillabaisse chowder calamari octopus cockle cockles whelks winkles surimi gumbo"
    " jambalaya bisque cioppino crawfish krill thermidor marinara-seafood laksa moules"
    " prawn-toast oyster-sauce tom-yum",
    "fish salmon tuna cod haddock trout sardine sardines anchovy anchovies sushi mackerel herring kipper kippers"
    " plaice"
    " halibut"
    " seabass caviar"
    " seafood bouillabaisse chowder fishcake fishcakes fish-fingers ceviche sashimi trout pollock monkfish"
    " turbot swordfish snapper tilapia whitebait kedgeree gravlax eel worcestershire cioppino"
    " taramasalata scampi sprats pilchards fishy",
    "egg eggs omelette omelet meringue mayonnaise mayo quiche frittata carbonara custard pancakes"
    " cake cakes cupcake cupcakes muffin muffins cookie cookies brownie brownies waffle waffles sponge macaron"
    " macarons"
    " macaroon"
    " macaroons eclair eclairs profiterole profiteroles"
    " eggy souffle aioli hollandaise french-toast tortilla-espanola scotch-egg pavlova mousse brioche crepe"
    " crepes pancake tiramisu eggnog",
    "meat steak steaks beef pork bacon ham chicken turkey lamb veal sausage sausages burger burgers hamburger salami"
    " ribs mince"
    " meatball meatballs duck venison kebab kebabs pepperoni chorizo roast barbecue goose gammon pate bolognese"
    " nuggets"
    " hot-dog"
    " hotdog hotdogs hot-dogs frankfurter frankfurters bratwurst brisket sirloin ribeye fillet-steak venison"
    " rabbit-stew pheasant haggis black-pudding prosciutto pancetta pastrami salt-beef"
    " corned-beef biltong jerky lasagne shepherds-pie cottage-pie gyros shawarma doner"
    " schnitzel wiener stroganoff moussaka gelatine gelatin lard suet foie-gras schnitzels meaty"
    " pulled-pork meatloaf bolognaise carbonara cassoulet",
    "pork bacon ham sausage sausages salami gammon chorizo pepperoni ribs"
    " hot-dog hot-dogs hotdog hotdogs frankfurter frankfurters bratwurst prosciutto pancetta parma carbonara"
    " crackling lard gelatine gelatin black-pudding bangers mortadella porchetta pulled-pork"
    " schnitzel scratchings haslet chipolata chipolatas blt trotters char-siu",
    "coffee espresso latte lattes cappuccino cappuccinos mocha americano macchiato"
    " flat-white cortado ristretto frappe frappuccino affogato tiramisu",
    "caffeine coffee espresso latte cappuccino mocha americano cola coke tea matcha energy-drink"
    " flat-white cortado frappe frappuccino affogato red-bull pepsi guarana chai earl-grey redbull"
    " espressos coffees",
    "beer beers lager lagers ale ales stout pilsner ipa guinness heineken shandy shandies pint pints",
    "cola coke pepsi",
    "coke cola pepsi",
    "alcohol alcoholic beer beers wine wines whisky whiskey gin vodka rum cocktail cocktails champagne prosecco cider"
    " sherry"
    " port brandy tequila lager ale stout pint liqueur liquor booze bourbon martini mojito margarita drink"
    " shandy shandies rioja spritz spritzer merlot malbec chardonnay pinot shiraz cabernet sauvignon riesling"
    " chianti rose-wine rosé bubbly cava mead sangria pimms aperol campari vermouth"
    " absinthe ouzo sambuca baileys kahlua amaretto limoncello sake soju schnapps pilsner ipa"
    " lagers ales ciders nightcap negroni daiquiri pina-colada bellini mimosa"
    " eggnog mulled glühwein gluhwein guinness heineken tipple boozy pints martinis margaritas mojitos"
    " cognac armagnac grappa toddy rums",
    "sugar sugary praline pralines nougat halva meringue flapjack shortbread eclair cupcake cupcakes cake cakes"
    " candy chocolate sweets sweet soda cola donut donuts doughnut doughnuts ice-cream syrup"
    " dessert"
    " honey jam jaggery jamun jalebi halwa laddu ladoo barfi kheer mithai biscuit biscuits cookie cookies pastry"
    " pudding puddings muffin muffins pie pies tart brownie brownies pancake pancakes waffle waffles fudge"
    " toffee caramel milkshake milkshakes lemonade pepsi fanta sprite smoothie smoothies marshmallow"
    " marshmallows macaron trifle cheesecake custard gelato sorbet treacle marmalade nutella croissant"
    " croissants juice desserts sweetened frosting icing tiramisu baklava",
    "soy soya tofu edamame miso tempeh soy-sauce teriyaki soybean soybeans natto tamari",
    "sesame tahini hummus halva houmous falafel bagel dukkah za'atar gomasio sesame-seeds",
    "spicy chilli chili curry vindaloo jalapeno sriracha",
    "citrus orange oranges lemon lemons lime limes grapefruit",
    "tomato tomatoes ketchup passata marinara",
    "kiwi kiwis kiwifruit",
    "kiwifruit kiwi kiwis",
    "berry berries strawberry strawberries raspberry raspberries blueberry blueberries",
    "cigarette cigarettes smoke smoking smoker fag fags cigar cigars tobacco vape vaping roll-up smokes ciggie"
    " ciggies"
    " cig cigs"
    " durry durries rollie rollies cheroot shisha hookah snus nicotine",
    "bee bees beehive beehives beekeeping hive hives wasp wasps sting stings",
    "cat cats kitten kittens",
    "dog dogs puppy puppies",
    "horse horses pony ponies ride riding stables paddock",
    "horses horse pony ponies ride riding stables paddock",
    "penicillin amoxicillin ampicillin flucloxacillin augmentin"
    " co-amoxiclav coamoxiclav penicillins pivmecillinam piperacillin tazocin phenoxymethylpenicillin oxacillin"
    " dicloxacillin methicillin benzylpenicillin co-fluampicil amoxil",
    "sulfa sulpha sulfonamide sulfonamides bactrim septra septrin co-trimoxazole cotrimoxazole sulfamethoxazole"
    " sulfasalazine"
    " sulfadiazine trimethoprim",
    "codeine co-codamol cocodamol solpadeine morphine tramadol oxycodone hydrocodone opioid opioids opiate opiates"
    " vicodin percocet",
    "erythromycin clarithromycin azithromycin macrolide macrolides zithromax",
    "tetracycline doxycycline minocycline",
    "mushroom mushrooms portobello porcini chanterelle chanterelles shiitake truffle truffles stroganoff",
    "aspirin ibuprofen naproxen nurofen anti-inflammatory"
    " diclofenac celecoxib advil aleve alka-seltzer disprin voltarol voltaren nsaid nsaids anadin",
    "ibuprofen nurofen advil",
    "paracetamol tylenol acetaminophen calpol panadol lemsip cocodamol co-codamol anadin excedrin",
    "gamble gambling bet betting casino lottery poker",
    "pate brie camembert sushi unpasteurised liver swordfish marlin oysters gorgonzola roquefort sashimi",
    "dust dusty sweep sweeping hoover sanding",
    "smoke smoky fumes bonfire bonfires burn burning incense cigarette cigarettes smoking fag fags cigar cigars vape"
    " shisha barbecue bbq campfire firepit",
    "perfume perfumes aftershave cologne scent scented fragrance air-freshener hairspray deodorant",
    "noise noises loud fireworks firework concert concerts thunder drum drums drumming disco rave siren sirens"
    " bangers"
    " gig gigs airhorn parade",
    "strobe strobes lasers laser disco rave flashing nightclub club fireworks arcade",
    "flashing strobe strobes lasers laser disco rave nightclub fireworks arcade",
    "avocado avocados avo guacamole",
    "salt salty sodium crisps chips pickle pickles pickled bacon ham gammon olives anchovies soy-sauce soy jerky"
    " biltong"
    " pretzels salami stock bouillon feta halloumi pepperoni ramen kimchi sauerkraut capers sausage sausages"
    " crackling"
    " peanuts popcorn takeaway pizza",
    "sodium salt salty crisps chips pickle pickles pickled bacon ham gammon olives anchovies soy-sauce soy jerky"
    " pretzels"
    " salami stock bouillon feta halloumi pepperoni ramen kimchi sauerkraut capers sausage sausages pizza",
    "fried fry fry-up chips crisps fries doughnut doughnuts donut donuts pakora pakoras bhaji bhajis samosa"
    " samosas fritters fritter"
    " battered batter tempura schnitzel nuggets spring-rolls onion-rings calamari chippy puri",
    "scraps leftovers titbits tidbits table-scraps",
    "rugby match matches scrum tackle tackling game games",
    "sport sports football rugby netball hockey cricket match matches game games pe gymnastics trampoline trampolining",
    "lift lifting carry carrying heave hoist haul shift drag",
    "lifting lift carry carrying heave hoist haul shift drag",
    "phone phones mobile facetime whatsapp snapchat tiktok instagram texting",
    "wifi online internet web youtube netflix tiktok instagram roblox fortnite gaming xbox playstation ipad streaming"
    " facetime",
    "trampoline tramp trampolining",
    "swim swimming pool dip paddle lido snorkel",
    "drive driving drives wheel",
    "screen screens telly tv television tablet ipad phone xbox playstation gaming youtube netflix cartoons",
    "beef steak steaks mince brisket sirloin ribeye burger burgers hamburger meatball meatballs bolognese jerky"
    " biltong"
    " pastrami salt-beef corned-beef oxtail veal cottage-pie roast-beef stroganoff silverside",
    "grain grains oat oats barley corn maize wheat rye bran millet sweet-feed porridge bread sorghum mash",
    "shoes shoe boots boot trainers sneakers wellies wellingtons gumboots heels sandals flip-flops thongs"
    " jandals clogs cleats loafers",
    "shoe shoes boots boot trainers sneakers wellies wellingtons gumboots heels sandals flip-flops jandals clogs"
    " cleats loafers",
    "chainsaw chainsaws saw sawing",
    "latex gloves balloon balloons rubber",
    "pollen flowers lilies bouquet",
)
KINDRED = {row.split()[0]: frozenset(row.split()) for row in _ROWS}
_NOT_EATEN = frozenset(
    """cigarette bee cat dog penicillin sulfa codeine erythromycin tetracycline aspirin ibuprofen paracetamol gamble latex
    pollen screen horse horses dust smoke perfume noise strobe flashing rugby sport lift lifting phone wifi trampoline
    swim drive shoes shoe chainsaw""".split()
)
# Foods and drinks by name, but for what is other things as well.
EDIBLE = frozenset(word for name, row in KINDRED.items() if name not in _NOT_EATEN for word in row) - frozenset(
    "port stout drink drinks batter roll wrap mince ham duck turkey lemon lime orange mug coke ale cava".split()
)
DIETS = {
    "vegetarian": ("meat", "fish", "shellfish"),
    "veggie": ("meat", "fish", "shellfish"),
    "vegan": ("meat", "fish", "shellfish", "dairy", "egg"),
    "pescatarian": ("meat",),
    "pescetarian": ("meat",),
    "coeliac": ("gluten",),
    "celiac": ("gluten",),
    "lactose": ("dairy",),
    "milk": ("dairy",),
    "seafood": ("fish", "shellfish"),
    "diabetic": ("sugar",),
    "diabetes": ("sugar",),
    "pregnant": ("alcohol", "pate"),
    "teetotal": ("alcohol",),
    "teetotaller": ("alcohol",),
    "sober": ("alcohol",),
    "halal": ("alcohol", "pork"),
    "kosher": ("pork", "shellfish"),
    "muslim": ("alcohol", "pork"),
    "smoke": ("cigarette",),
    "smoking": ("cigarette",),
    "smokes": ("cigarette",),
    "smoker": ("cigarette",),
    "drinking": ("alcohol",),
    "drink": ("alcohol",),
    "gambling": ("gamble",),
    "betting": ("gamble",),
    "carbs": ("gluten",),
    "asthma": ("smoke",),
    "asthmatic": ("smoke",),
    "epilepsy": ("strobe",),
    "epileptic": ("strobe",),
    "drinks": ("alcohol",),
    "booze": ("alcohol",),
    "tobacco": ("cigarette",),
}
# Words by which an utterance is about eating and drinking, whatever it is.
FOOD = frozenset(
    """toast pizza pasta burger burgers rice noodles pancakes plate filling flavour flavor eat eats eating eaten ate
    food foods cook cooks cooking dinner dinners lunch lunches breakfast brunch supper tea snack snacks nibble
    nibbles recipe recipes meal meals dessert desserts pudding puddings starter starters hungry peckish starving
    thirsty menu restaurant restaurants cafe takeaway takeout takeouts bake bakes baking dish dishes order feast
    picnic buffet barbecue bbq cake cakes soup soups salad salads sandwich sandwiches sauce curry stew pie bread
    treat treats sweet sweets drink drinks cocktail smoothie fridge groceries grocery shopping ingredient
    ingredients topping toppings spread fry roast grill taste tasting tasty delicious appetizer appetiser biscuit
    biscuits party canape canapes brew serve serving cheeseboard platter platters hamper grub nosh scran tucker munch bite
    lunchbox lunches dinners diner bakery crisps deli butcher bistro canteen chippy teatime tiffin afters pud braai barbie potluck dip dips sandwiches""".split()
)
DRUGS = frozenset(
    """medicine medicines medication medications pill pills tablet tablets drug drugs painkiller painkillers dose doses
    aspirin ibuprofen paracetamol antibiotic antibiotics penicillin amoxicillin headache naproxen nurofen supplement
    supplements vitamin vitamins remedy prescription cough syrup antihistamine antihistamines injection vaccine
    nyquil benadryl sudafed piriton gaviscon rennie imodium strepsils beechams voltarol melatonin viagra antidepressant
    antidepressants hrt laxatives antacids ointment wort grapefruit cranberry
    herbal warfarin insulin metformin statin statins lisinopril ramipril amlodipine simvastatin atorvastatin omeprazole
    levothyroxine sertraline citalopram fluoxetine diazepam codeine tramadol morphine diclofenac prednisolone steroid
    steroids inhaler lemsip dosage overdose antacid laxative""".split()
)
_DRUG_ROWS = "penicillin sulfa codeine erythromycin tetracycline aspirin ibuprofen paracetamol".split()
MEDICINAL = DRUGS.union(*(KINDRED[name] for name in _DRUG_ROWS))
# Foods and drinks that do not go with a medicine: NHS, "Food and medicine" and the leaflets of each.
_MIXES_BADLY = {
    "warfarin": "kale spinach broccoli sprouts greens chard cabbage liver cranberry cranberries grapefruit alcohol"
    " vitamin",
    "statin": "grapefruit",
    "simvastatin": "grapefruit",
    "atorvastatin": "grapefruit",
    "amlodipine": "grapefruit",
    "eliquis": "grapefruit alcohol",
    "apixaban": "grapefruit alcohol",
    "metronidazole": "alcohol beer wine",
    "levothyroxine": "soya soy coffee calcium iron",
    "thyroxine": "soya soy coffee calcium iron",
    "lithium": "salt alcohol",
    "methotrexate": "alcohol beer wine",
}


def mixes_badly(medicine: Iterable[str]) -> frozenset[str]:
    """What does not go with a medicine, of which these are the words."""
    mixed = {word for name in medicine for word in _MIXES_BADLY.get(name.removesuffix("s"), "").split()}
    return frozenset(mixed.union(*(KINDRED.get(word, ()) for word in mixed)))


# How the names of medicines end.
DRUG_NAME = re.compile(
    r"\b[a-z-]{2,}(?:cillin|pril|olol|statin|sartan|azole|mycin|cycline|profen|codone|codeine|codamol|zepam|zolam"
    r"|oxetine|prazole"
    r"|dipine|gliptin|triptan|parin|xaban|thyroxine|steride|dronate|pentin|gabalin|cetamol|gesic|mide|histamine)s?\b",
    re.IGNORECASE,
)
# What holds nothing but itself.
PLAIN = frozenset(
    """water apple apples banana bananas pear pears grape grapes melon plum plums mango carrot carrots cucumber lettuce
    potato potatoes rice broccoli cabbage pea peas sweetcorn ice salt pepper""".split()
)
