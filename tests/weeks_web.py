"""The web of the simulated weeks: sites with daily stories, a search engine and a shop."""

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.utils import timezone

from devices import protocol
from devices.sockets import browser_calls
from devices.sockets.permits import Permit, Sealed
from tests.client import make_page

SITES = [
    f"{name}.example" for name in ("daily", "notes", "herald", "gazette", "review", "journal", "letters", "almanac")
]
STORIES_A_DAY, COPIES = 10, 0.3  # the share of stories that another site repeats
SHOP, DEAR, CHEAP = "https://shop.example/lever", "950.00", "880.00"


@dataclass(frozen=True)
class Aspect:
    """A topic of stories: its preference, the chance that it pleases, and its words."""

    seed: str
    pleases: float
    subjects: str
    does: str


ASPECTS = (
    Aspect(
        "espresso",
        0.95,
        "a lever machine for espresso | the spring behind an espresso lever | an old espresso group of brass "
        "| the boiler of an "
        "espresso machine | a workshop that repairs espresso levers | the gasket of an espresso piston | a "
        "museum of espresso "
        "machines",
        "was rebuilt with parts from 1961 | holds nine bars for longer than before | was measured with a new "
        "gauge | wears less "
        "with hard water | gets a drawing that everybody may use | is made again in small numbers | lasts "
        "for thirty winters",
    ),
    Aspect(
        "espresso",
        0.05,
        "a contest of milk on espresso | a painter of hearts on espresso | foam on an espresso drink | a "
        "chain of espresso "
        "counters | the espresso of a film star | a song about espresso | an espresso with glitter",
        "drew a crowd in a shopping street | was voted the prettiest of the month | is sold with a sticker | "
        "was copied by three "
        "chains | comes in seven colours now | made somebody famous for a day | was filmed from above",
    ),
    Aspect(
        "night trains",
        0.9,
        "a night train with sleeping cars | the night trains to the north | a berth in the night train | the "
        "dining car of a "
        "night train | a night train across the border | the oldest night train | a conductor of night trains",
        "runs three times a week again | was given a new timetable | got a shower in every coach | leaves "
        "half an hour later | "
        "was found to be quieter than thought | carries bicycles from now on | is booked out until spring",
    ),
    Aspect(
        "celebrity cooking",
        0.02,
        "a celebrity cooking show | the cooking of a celebrity | a celebrity with a cooking book | cooking "
        "with a celebrity guest "
        "| a celebrity cooking contest | the kitchen where a celebrity is cooking | a prize for celebrity cooking",
        "returned with another host | burned the soup on air | sold a million copies | was cancelled after "
        "two evenings | opened "
        "a restaurant in a tower | fell out with the jury | praised a brand of salt",
    ),
    Aspect(
        "espresso",
        0.0,
        "football fans with espresso | an espresso bar at the football ground | a football club and its "
        "espresso | espresso "
        "before football | a football player who sells espresso | the football league and espresso | "
        "espresso for football "
        "referees",
        "waited for the second half | celebrated a late goal | lost the cup at home | signed a striker on "
        "Monday | sang until "
        "midnight | missed two penalties | changed the coach again",
    ),
)


PLACES = [
    *(
        "in Lund",
        "in Trieste",
        "near Porto",
        "in a village by the sea",
        "at the old harbour",
        "in the hills",
        "in Utrecht",
        "on the island",
    ),
    *(
        "behind Graz",
        "outside Oulu",
        "off Cork",
        "above Bern",
        "below Toledo",
        "around Gdansk",
        "past Bruges",
        "toward Kaunas",
    ),
]


# Side facts of a story, so that two stories of an aspect differ.
NOUNS = [
    "bridge",
    "garden",
    "ledger",
    "window",
    "bell",
    "orchard",
    "stair",
    "ladder",
    "market",
    "fountain",
    "barrel",
    "lantern",
    "chimney",
    "meadow",
    "shelf",
    "gate",
    "anchor",
    "basket",
    "kettle",
    "carpet",
    "drawer",
    "fence",
    "hammer",
    "mirror",
    "needle",
    "oven",
    "pillow",
    "quilt",
    "river",
    "saddle",
    "table",
    "valley",
    "wagon",
    "yard",
    "candle",
    "bottle",
    "curtain",
    "engine",
    "feather",
    "glove",
]


BESIDE = [
    "had {count} {one}s counted by {name} while {second} waited with a {other}",
    "made {name} give up the {one} for {count} weeks, as {second} says",
    "was drawn on a {other} by {name}, whom {second} taught",
    "reminded {count} people of {name} and of {second}, who lost her {one}",
    "stood between one {one} and another {other} when {name} came by",
    "cost {name} {count} coins, a {other} and the trust of {second}",
    "brought {second} from {name} with {one}, {other} and {count} letters",
    "found its way into a {one} that {name} keeps under {second}",
    "kept {name} awake for {count} nights beside that {other}",
    "changed hands when {second} met {name} over a broken {one}",
    "needed {count} hands, among them those of {name} from {third}",
    "outlived each {one} which {second} or {name} ever mended",
    "came up in {count} songs of {name}, none of them about {other} or {one}",
    "gave {name} reason to call {second} and to sell every {other}",
    "vanished for {count} hours until {name} looked behind the {one}",
    "got its colour from {second}, its {other} from {name}",
]


SYLLABLES = [
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "ha",
    "je",
    "ki",
    "lo",
    "mu",
    "na",
    "pe",
    "ri",
    "so",
    "tu",
    "va",
    "we",
    "xi",
    "yo",
    "zu",
]


@dataclass(frozen=True)
class Story:
    """A page of the web. Pages with the same story have the same `tale`."""

    url: str
    title: str
    text: str
    aspect: Aspect
    tale: int
    at: datetime


@dataclass
class Web:
    """Sites that publish stories every day, a search engine, and a shop."""

    dice: random.Random
    stories: dict[str, Story] = field(default_factory=dict)
    price: str = DEAR
    tales: int = 0
    opened_pages: int = 0

    def grow(self, now: datetime) -> None:
        for _ in range(STORIES_A_DAY):
            self.tales += 1
            aspect = self.dice.choice(ASPECTS)
            sentences = self.sentences(aspect)
            self.publish(aspect, sentences, now)
            if self.dice.random() < COPIES:
                self.publish(aspect, sentences[:1] + sentences[2:], now + timedelta(hours=30))

    def sentences(self, aspect: Aspect) -> list[str]:
        return [self._sentence(aspect) for _ in range(6)]

    def publish(self, aspect: Aspect, sentences: list[str], at: datetime) -> str:
        url = f"https://{self.dice.choice(SITES)}/{len(self.stories)}"
        title = f"{sentences[0].partition(',')[0]} {self._one_of(aspect.does)}"
        self.stories[url] = Story(url, title, "\n\n".join([title, *sentences]), aspect, self.tales, at)
        return url

    def _sentence(self, aspect: Aspect) -> str:
        subject, (one, other) = self._one_of(aspect.subjects), self.dice.choices(NOUNS, k=2)
        beside = self.dice.choice(BESIDE).format(
            one=one,
            other=other,
            count=self.dice.randint(2, 999),
            name=self._name(),
            second=self._name(),
            third=self._name(),
        )
        return f"{subject[0].upper()}{subject[1:]} {self.dice.choice(PLACES)} {beside}."

    def _name(self) -> str:
        return "".join(self.dice.choices(SYLLABLES, k=3)).capitalize()

    def _one_of(self, words: str) -> str:
        return self.dice.choice(words.split(" | "))

    async def call(self, _: Permit, arguments: protocol.ToolArguments) -> Sealed:
        """Answer a tool call as a connected browser does. Raises CallFailed for an unknown page."""
        return Sealed(self._answer(arguments))

    def _answer(self, arguments: protocol.ToolArguments) -> protocol.Page | protocol.SearchResults:
        if isinstance(arguments, protocol.SearchWebArguments):
            results = [
                protocol.SearchResult(title=story.title, url=story.url, snippet=story.text[-200:])
                for story in self.search(arguments.query)
            ]
            return protocol.SearchResults(results=results)
        assert isinstance(arguments, protocol.BrowseUrlArguments)
        if arguments.url == SHOP:
            return self._product()
        if arguments.url not in self.stories:
            raise browser_calls.CallFailed("load_failed")
        story, self.opened_pages = self.stories[arguments.url], self.opened_pages + 1
        return make_page(story.url, story.title, story.text)

    def search(self, query: str) -> list[Story]:
        """Return the eight stories with most words of a query, the newest first."""
        words, now = [word for word in query.lower().split() if len(word) > 3], timezone.now()
        matches = [
            story
            for story in self.stories.values()
            if story.at <= now and any(word in story.text.lower() for word in words)
        ]
        return sorted(
            matches, key=lambda story: (sum(word in story.text.lower() for word in words), story.at), reverse=True
        )[:8]

    def _product(self) -> protocol.Page:
        offer = {
            "@type": "Offer",
            "price": self.price,
            "priceCurrency": "EUR",
            "availability": "https://schema.org/InStock",
        }
        metadata = protocol.Metadata(json_ld=[{"@type": "Product", "name": "Lever", "offers": offer}])
        words = (
            f"Lever\n{self.price} EUR\nA machine of brass and steel that keeps nine bars for as long as you hold "
            "it, made by two brothers."
        )
        return make_page(SHOP, "Lever | Shop", words, metadata=metadata)
