"""What belongs to what one may not have: foods, drinks and diets. Each row's first word names it."""

from __future__ import annotations

_ROWS = (
    "nut nuts peanut peanuts almond almonds cashew cashews walnut walnuts hazelnut hazelnuts pecan pecans pistachio pistachios"
    " macadamia satay marzipan praline pralines nutella pesto baklava nougat granola frangipane",
    "peanut peanuts satay nuts",
    "hazelnut hazelnuts praline pralines nutella nougat nuts",
    "almond almonds marzipan amaretto frangipane nuts",
    "walnut walnuts nuts pesto baklava",
    "cashew cashews nuts pesto",
    "dairy milk milky milkshake milkshakes cheese cheesy cheeses cheddar mozzarella brie feta parmesan halloumi cheesecake butter"
    " buttery yoghurt yogurt yoghurts cream creamy creme latte lattes cappuccino cappuccinos custard ice-cream icecream gelato"
    " whey ghee lasagne lasagna pizza quiche carbonara fondue rarebit toastie",
    "cheese cheddar mozzarella brie feta parmesan halloumi cheesecake pizza toastie quiche",
    "gluten bread breads toast pasta spaghetti lasagne lasagna macaroni wheat flour pizza cake cakes noodles beer croissant"
    " croissants bagel bagels biscuit biscuits cookie cookies cracker crackers pastry pastries pie pies muffin muffins scone"
    " scones pancake pancakes waffle waffles couscous barley rye sandwich sandwiches bun buns baguette loaf crumpet shortbread"
    " pudding dumplings wrap bulgur semolina",
    "wheat bread toast pasta spaghetti flour pizza cake cakes croissant bagel biscuit biscuits cookie cookies pastry pie scone"
    " scones pancake pancakes sandwich loaf couscous shortbread muffin",
    "shellfish prawn prawns shrimp shrimps crab crabs lobster lobsters mussel mussels oyster oysters scampi clam clams scallop"
    " scallops langoustine langoustines crayfish paella squid",
    "fish salmon tuna cod haddock trout sardine sardines anchovy anchovies sushi mackerel herring kipper kippers plaice halibut"
    " seabass caviar",
    "egg eggs omelette omelet meringue mayonnaise mayo quiche frittata carbonara custard pancakes",
    "meat steak steaks beef pork bacon ham chicken turkey lamb veal sausage sausages burger burgers hamburger salami ribs mince"
    " meatball meatballs duck venison kebab kebabs pepperoni chorizo roast barbecue goose gammon pate bolognese nuggets hot-dog",
    "pork bacon ham sausage sausages salami gammon chorizo pepperoni ribs",
    "coffee espresso latte lattes cappuccino cappuccinos mocha americano macchiato",
    "caffeine coffee espresso latte cappuccino mocha americano cola coke tea matcha energy-drink",
    "alcohol alcoholic beer beers wine wines whisky whiskey gin vodka rum cocktail cocktails champagne prosecco cider sherry"
    " port brandy tequila lager ale stout pint liqueur liquor booze bourbon martini mojito margarita drink",
    "sugar sugary cake cakes candy chocolate sweets sweet soda cola donut donuts doughnut doughnuts ice-cream syrup dessert"
    " honey jam jaggery jamun jalebi halwa laddu ladoo barfi kheer mithai biscuit biscuits cookie cookies pastry",
    "soy soya tofu edamame miso tempeh",
    "sesame tahini hummus halva",
    "spicy chilli chili curry vindaloo jalapeno sriracha",
    "citrus orange oranges lemon lemons lime limes grapefruit",
    "tomato tomatoes ketchup passata marinara",
    "berry berries strawberry strawberries raspberry raspberries blueberry blueberries",
    "cigarette cigarettes smoke smoking smoker fag fags cigar cigars tobacco vape vaping roll-up",
    "bee bees beehive beehives beekeeping hive hives wasp wasps sting stings",
    "cat cats kitten kittens",
    "dog dogs puppy puppies",
    "penicillin amoxicillin ampicillin flucloxacillin augmentin",
    "aspirin ibuprofen naproxen nurofen anti-inflammatory",
    "ibuprofen nurofen advil",
    "paracetamol tylenol acetaminophen calpol",
    "gamble gambling bet betting casino lottery poker",
    "latex gloves balloon balloons rubber",
    "pollen flowers lilies bouquet",
)
KINDRED = {row.split()[0]: frozenset(row.split()) for row in _ROWS}
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
    "teetotal": ("alcohol",),
    "teetotaller": ("alcohol",),
    "sober": ("alcohol",),
    "halal": ("alcohol", "pork"),
    "kosher": ("pork", "shellfish"),
    "muslim": ("alcohol", "pork"),
    "smoke": ("cigarette",),
    "smoking": ("cigarette",),
    "smoker": ("cigarette",),
    "drinking": ("alcohol",),
    "drink": ("alcohol",),
    "gambling": ("gamble",),
    "betting": ("gamble",),
    "carbs": ("gluten",),
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
    biscuits party canape canapes brew serve serving""".split()
)
DRUGS = frozenset(
    """medicine medicines medication medications pill pills tablet tablets drug drugs painkiller painkillers dose doses
    aspirin ibuprofen paracetamol antibiotic antibiotics penicillin amoxicillin headache naproxen nurofen supplement
    supplements vitamin vitamins remedy prescription cough syrup antihistamine antihistamines injection vaccine
    herbal""".split()
)
