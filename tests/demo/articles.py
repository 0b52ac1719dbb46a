"""The articles of the demonstration's sites, with invented places and figures."""

from dataclasses import dataclass

from tests.stand_ins.articles import Article


@dataclass(frozen=True)
class Posted:
    """An article on a site, with the colours of its picture (red, green, blue)."""

    host: str
    path: str
    article: Article
    colours: tuple[tuple[int, int, int], tuple[int, int, int]]

    @property
    def words(self) -> str:
        return self.article.text


def _posted(
    host: str, path: str, colours: tuple[tuple[int, int, int], tuple[int, int, int]], title: str, *paragraphs: str
) -> Posted:
    return Posted(f"{host}.example", path, Article(title, paragraphs), colours)


NIGHT, COPPER, MOSS, SKY, PAPER = (
    ((24, 30, 66), (96, 112, 190)),
    ((92, 44, 20), (214, 148, 92)),
    ((22, 60, 40), (120, 176, 108)),
    ((32, 84, 120), (178, 214, 232)),
    ((74, 58, 48), (226, 208, 178)),
)

ARTICLES = (
    _posted(
        "sleepers",
        "/north",
        NIGHT,
        "A new night train leaves for the north in May",
        "A night train will run between Lund and Narvik three times a week from 4 May, the first on that "
        "line in nineteen years.",
        "The night train takes 21 hours and leaves Lund at 17:40, so that the fjords are passed in the morning light.",
        "Each of its eight coaches was built in 1987 and rebuilt last winter, with a shower at the end of "
        "every sleeping car.",
        "A berth in a compartment for four costs 49 euros, a single cabin 139 euros, and bicycles travel in "
        "the luggage van for 10 euros.",
        "Tickets for the night train go on sale on 12 March at noon, and half of the berths are kept back "
        "until a week before departure.",
    ),
    _posted(
        "rails",
        "/beds",
        NIGHT,
        "What makes people sleep on a night train",
        "Researchers in Utrecht asked 2,300 passengers of night trains how they had slept, and measured the "
        "noise beside every berth.",
        "Those who slept in the middle of a coach woke half as often as those above the wheels, whatever "
        "they had paid.",
        "Ear plugs made a larger difference than the price of the berth, and a fixed time for breakfast a "
        "larger one than both.",
        "On night trains that stopped for shunting between two and four in the morning only 31 percent "
        "called the night a good one.",
        "The study recommends lower lights in the corridor from ten in the evening, and announcements by "
        "display instead of by voice.",
    ),
    _posted(
        "station",
        "/depot",
        COPPER,
        "The workshop that keeps old sleeping cars running",
        "In a depot near Görlitz forty people rebuild sleeping cars that other railways have given up.",
        "A car is stripped to its frame, sandblasted, wired anew and back on the rails as part of a night "
        "train after fourteen weeks.",
        "The bogies are the hardest part to replace, since only two foundries in Europe still cast them.",
        "Last year the depot finished 31 cars, eleven of which now run in the night train between Vienna and Brussels.",
        "Its apprentices learn upholstery as well as welding, because a berth is made of both.",
    ),
    _posted(
        "keys",
        "/quiet",
        MOSS,
        "A mechanical keyboard that is quiet enough for an office",
        "A mechanical keyboard with silicone dampers was measured at 41 decibels, four less than the "
        "membrane keyboard beside it.",
        "Its switches are lubricated by hand, need 45 grams of force and travel 3.4 millimetres.",
        "A gasket of poron between plate and case takes away the hollow sound for which mechanical keyboards "
        "are known.",
        "The keyboard costs 119 euros as a kit and 169 euros assembled, and the firmware is open source.",
        "After six months of typing eight hours a day the testers found no key that had become louder.",
    ),
    _posted(
        "bench",
        "/switches",
        COPPER,
        "Eleven switches for mechanical keyboards, measured",
        "A laboratory in Porto pressed eleven switches of mechanical keyboards ten million times each and "
        "weighed what was left.",
        "The contact leaf, and not the spring, was what failed first in nine of the eleven.",
        "Optical switches kept their actuation point within 0.05 millimetres, those with metal contacts within 0.21.",
        "Factory lubricant was gone after two million presses, which can be heard before it can be felt.",
        "The cheapest mechanical keyboard switch in the test, at 18 cents, was the third best.",
    ),
    _posted(
        "workshop",
        "/wood",
        MOSS,
        "Keyboard cases milled from the wood of old pianos",
        "A joiner in Ghent mills the cases of mechanical keyboards from the soundboards of pianos that "
        "nobody tunes any more.",
        "Spruce that has dried for a century hardly moves with the weather, so that the tolerances can be as "
        "small as in aluminium.",
        "One soundboard is enough for six mechanical keyboards, and each case bears the serial number of its piano.",
        "The wood is oiled and not lacquered, because lacquer would deaden the sound that makes it worth the work.",
        "She makes forty cases a year, and the waiting list for this year was closed on 3 January.",
    ),
    _posted(
        "birds",
        "/swifts",
        SKY,
        "Swifts came back eleven days early to the old town",
        "The first swifts of the year were seen above the old town of Bern on 17 April, eleven days before "
        "the mean of thirty years.",
        "Volunteers count the birds from the cathedral tower each evening between seven and nine.",
        "Of 240 nest boxes that were put up since 2016, 173 were used by swifts last summer.",
        "A warm wind from the south had carried the birds over the Alps in a single night, as the radar of "
        "the weather service shows.",
        "Whoever renovates a roof there must now leave the gaps below the tiles open that swifts have used before.",
    ),
    _posted(
        "harbour",
        "/terns",
        SKY,
        "How a harbour made room for birds that nest on gravel",
        "The port of Zeebrugge spread 4,000 tonnes of gravel on two flat roofs, for birds that used to nest "
        "on the beach.",
        "In the second summer 612 pairs of common terns bred there, out of reach of foxes and of people with dogs.",
        "A low fence along the edge keeps the chicks from falling, and a sprinkler comes on when the gravel "
        "gets hotter than 45 degrees.",
        "The roof needs no more care than before, since the birds keep the weeds down by themselves.",
        "Three other harbours have asked for the plans, and birds will move in there next April.",
    ),
    _posted(
        "lever",
        "/water",
        COPPER,
        "How hot the water for a lever espresso should be",
        "Water for espresso should be between 90 and 94 degrees hot when it meets the coffee, says a test of 31 "
        "small espresso machines.",
        "Lever espresso machines cool the water by four degrees on its way through the group, so their boilers "
        "stand at 97.",
        "Two degrees more made the espresso of a dark roast bitter, and two degrees less that of a light one sour.",
        "The test found nothing that a thermometer of 12 euros in the cup did not show as well.",
        "Nine of the machines are easy to repair: their seals can be changed with one spanner.",
    ),
    _posted(
        "ink",
        "/nibs",
        PAPER,
        "Why fountain pens skip, and what helps",
        "A fountain pen skips when its nib was polished until the slit no longer touches the paper at its tip.",
        "A loupe of ten times shows it: the two tines look like a baby's bottom instead of a pair of straight lines.",
        "Four strokes over a film of one micron, drawn as figures of eight, cured 22 of 25 fountain pens in a test.",
        "Paper with much sizing makes it worse, because ink is drawn out of the slit by the fibres alone.",
        "Fountain pens that dry out overnight have another trouble: their cap leaks air, which a drop of "
        "water in the cap will show.",
    ),
    _posted(
        "desk",
        "/paper",
        PAPER,
        "The paper mill that still sizes with gelatine",
        "At a mill on the Wutach paper for fountain pens is sized with gelatine, as it was in the eighteenth century.",
        "Gelatine lets the ink stand on the surface for a moment, so that a line dries with the sharp edge "
        "that writers like.",
        "The mill makes 300 kilograms a day, a quarter of an hour's work for a modern machine.",
        "Writers with fountain pens buy two thirds of it, and restorers of books the rest.",
        "A pad of fifty sheets costs 14 euros, and the mill can be visited on the first Saturday of each month.",
    ),
)
LIKES = ("night trains", "mechanical keyboards", "birds in cities", "fountain pens")
DISLIKE = "football transfers"
