"""Simulated weeks of a person with tastes: a small web that grows by the day, Penny on a moved clock, and a feed that
is read.

Which stories please is known here, so that what Penny brings can be counted. Nothing sleeps, and nothing leaves the
process but what is asked of the scripted model, where there is one.
"""

import hashlib
import json
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest
from constance import config
from django.apps import apps
from django.conf import settings
from django.test import Client
from django.utils import timezone

from agents.embeddings import store
from agents.llm.audit import SentRequest
from agents.models import Run
from agents.pages import read as pages_read
from agents.sandbox.reader import read_request
from agents.worker import retention
from agents.zones.sandbox_messages import ReadingReply, ReadingRequest, SentRecord
from devices import protocol
from devices.models import Device, Grant
from devices.sockets import browser_calls
from tests.agents.background import Clock, carry_out_all, connect_browser
from tests.client import page
from tests.stand_ins import model_script
from tests.stand_ins.model_server import ModelServer, Reply
from tests.stand_ins.model_server import Request as Asked
from thoughts.feed import word_index
from thoughts.models import Preference, Thought, Watch

SITES = [
    f"{name}.example" for name in ("daily", "notes", "herald", "gazette", "review", "journal", "letters", "almanac")
]
STORIES_A_DAY, COPIES = 10, 0.3  # the share of stories that another site tells again
LOOKS_AT = (8, 19)  # o'clock
CARDS = 6  # at most, that the person looks at in one visit
SHOP, DEAR, CHEAP = "https://shop.example/lever", "950.00", "880.00"


@dataclass(frozen=True)
class Aspect:
    """What a story may be about: the preference by which it is found, the chance that it pleases, and its own words."""

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
# What stands beside in a story, so that two stories of one aspect say different things.
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
DISLIKED, ABOUT_FOOTBALL = "football", ASPECTS[-1]


@dataclass(frozen=True)
class Story:
    """One page of the web. `tale` is the same for all that tell the same."""

    url: str
    title: str
    text: str
    aspect: Aspect
    tale: int
    at: datetime


@dataclass
class Web:
    """Sites that publish some stories each day, a search engine, and a shop."""

    dice: random.Random
    stories: dict[str, Story] = field(default_factory=dict)
    price: str = DEAR
    tales: int = 0
    opened: int = 0

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
        """Put a story on one of the sites; return its address."""
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

    async def call(
        self, device: Device, run_id: object, tool: str, arguments: Any, deadline_s: float
    ) -> protocol.Page | protocol.SearchResults:
        """Do what a connected browser does. Raises calls.CallFailed for a page that there is none of."""
        if isinstance(arguments, protocol.SearchWebArguments):
            found = [
                protocol.SearchResult(title=each.title, url=each.url, snippet=each.text[-200:])
                for each in self.found(arguments.query)
            ]
            return protocol.SearchResults(results=found)
        assert isinstance(arguments, protocol.BrowseUrlArguments)
        if arguments.url == SHOP:
            return self._product()
        if arguments.url not in self.stories:
            raise browser_calls.CallFailed("load_failed")
        story, self.opened = self.stories[arguments.url], self.opened + 1
        return page(story.url, story.title, story.text)

    def found(self, query: str) -> list[Story]:
        """Return what holds most words of a query, the newest first."""
        words, now = [word for word in query.lower().split() if len(word) > 3], timezone.now()
        known = [
            each
            for each in self.stories.values()
            if each.at <= now and any(word in each.text.lower() for word in words)
        ]
        return sorted(
            known, key=lambda each: (sum(word in each.text.lower() for word in words), each.at), reverse=True
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
        return page(SHOP, "Lever | Shop", words, metadata=metadata)


@dataclass(frozen=True)
class Shown:
    """A card that the person looked at: on which day, and the chance that it pleased."""

    day: int
    chance: float


class Weeks:
    """Penny, the web and the person. `day` lets one go by; what it counts stands in the fields."""

    def __init__(self, patch: pytest.MonkeyPatch, clock: Clock, client: Client, seed: int) -> None:
        self.clock, self.client, self.dice = clock, client, random.Random(seed)
        self.web, self.days, self.shown, self.runs = Web(random.Random(seed + 1)), 0, list[Shown](), list[Run]()
        _let_rows_be_of_the_moved_time(patch)
        patch.setattr(browser_calls, "call_browser", self.web.call)
        self._sent = defaultdict[str, list[dict[str, Any]]](list)
        patch.setattr(pages_read, "ask_sandbox", self._ask_sandbox)
        patch.setattr(pages_read, "sent_by", self._sent_by)
        patch.setattr("agents.gateway.decisions.rate_refusal", lambda *_: "")
        connect_browser(clock.now)
        config.SEARCH_TEMPLATE = "https://search.example/?q={query}"
        Grant.objects.bulk_create(Grant(host=host) for host in [*SITES, "shop.example", "search.example"])
        for text in dict.fromkeys(aspect.seed for aspect in ASPECTS):
            Preference.objects.create(text=text)
        Preference.objects.create(text=DISLIKED, valence=-1)
        Watch.objects.create(
            url=SHOP,
            domain="shop.example",
            label="lever",
            below=900,
            currency="EUR",
            every_minutes=360,
            next_check_at=clock.now,
        )

    async def _ask_sandbox(self, task: str, request: dict[str, Any], use_model: bool, *, task_id: str = "") -> str:
        """Read as the sandbox does, in this process."""

        async def record(sent: SentRequest) -> None:
            self._sent[task_id].append(asdict(sent) | {"labels": list(sent.labels)})

        assert task == "sandbox.read"
        wanted = ReadingRequest.model_validate(json.loads(json.dumps(request)))
        reply: ReadingReply = await read_request(
            wanted, settings.READER_MODEL or settings.MODEL if use_model else None, record
        )
        return reply.model_dump_json()

    async def _sent_by(self, task_id: str) -> list[dict[str, Any]]:
        return [SentRecord.model_validate(each).model_dump(mode="json") for each in self._sent.pop(task_id, [])]

    def day(self) -> None:
        self.web.grow(self.clock.now)
        self.go_by(24)
        self.days += 1

    def go_by(self, hours: int) -> None:
        for _ in range(hours):
            self.clock.move(hours=1)
            self.runs += carry_out_all()
            self._keep_house()
            if self.clock.now.hour in LOOKS_AT:
                self._look()

    def _keep_house(self) -> None:
        """Do what the tick does besides runs."""
        word_index.catch_up()
        store.catch_up(60)
        store.rank()
        retention.sweep(self.clock.now)

    def _look(self) -> None:
        """Look at the first cards as a person does: open and like what pleases, dislike most of what does not, and
        leave nothing unread.
        """
        keys = re.findall(
            r'<article class="card"[^>]* id="card-([0-9a-f-]{36})"', self.client.get("/").content.decode()
        )[:CARDS]
        for key in keys:
            thought = Thought.objects.prefetch_related("pages").get(pk=key)
            if thought.watch_id is None:
                self._judge(thought)
            assert self.client.post(f"/thoughts/{key}/read/").status_code in (200, 302)

    def _judge(self, thought: Thought) -> None:
        chance = pleasing(thought, self.web)
        pleased = self.dice.random() < chance
        self.shown.append(Shown(self.days, chance))
        if pleased:
            self.client.get(f"/thoughts/{thought.pk}/")
        if pleased or self.dice.random() < 0.7:
            self.client.post(f"/thoughts/{thought.pk}/react/", {"valence": "1" if pleased else "-1"})

    def pleased_share(self, first: int, last: int) -> float:
        """Return the share of what pleases among what was looked at on these days."""
        found = [each.chance for each in self.shown if first <= each.day < last]
        return sum(found) / max(1, len(found))

    def tell(self, thoughts: int) -> None:
        """Write down what came of it, for who reads the output of a long test."""
        weeks = [(first, first + 7) for first in range(0, self.days - 6, 7)]
        shares = [
            f"{self.pleased_share(*week):.2f} of {sum(week[0] <= each.day < week[1] for each in self.shown)}"
            for week in weeks
        ]
        ends = Counter(re.sub("“.*?”", "…", run.outcome) for run in self.runs if run.kind == Run.Kind.THINKING)
        sys.stdout.write(
            f"\n{thoughts} thoughts in {self.days} days of {len(self.runs)} runs; pleased by week: {shares}\n"
        )
        sys.stdout.write("".join(f"{count:4} {end}\n" for end, count in ends.most_common(9)))


def _let_rows_be_of_the_moved_time(patch: pytest.MonkeyPatch) -> None:
    """A field's default is the clock itself, which knows nothing of the moved one."""
    for model in apps.get_models():
        for each in model._meta.local_fields:
            if getattr(each.default, "__module__", "") == timezone.__name__:
                patch.setattr(each, "_get_default", lambda: timezone.now())


def pleasing(thought: Thought, web: Web) -> float:
    """Return the chance that a thought pleases: that of the stories that it is made of."""
    chances = [web.stories[row.url].aspect.pleases for row in thought.pages.all()]
    return sum(chances) / len(chances)


def tales(thought: Thought, web: Web) -> set[int]:
    return {web.stories[url].tale for url in thought.claims.values_list("page__url", flat=True)}


def unsupported(rows: Iterable[Thought]) -> list[str]:
    """Return each sentence of these thoughts of which a number leads to no span of the page as it was read."""
    found = []
    for thought in rows:
        claims = list(thought.claims.select_related("page"))
        for sentence in thought.sentences:
            spans = [claims[number - 1] for number in sentence["claims"] if 1 <= number <= len(claims)]
            stands = [
                claim.page.text[claim.start : claim.end] == claim.quote != ""
                and hashlib.sha256(claim.page.text.encode()).hexdigest() == claim.page.sha256
                for claim in spans
            ]
            if not stands or not all(stands) or len(stands) < len(sentence["claims"]):
                found.append(f"{thought.title}: {sentence['html']}")
    return found


def free_with_words(model: ModelServer) -> None:
    """Let the model claim and draft in words that are not the page's, as in another language, and make up a quote and
    sentences.
    """

    def told(asked: Asked) -> Reply:
        answer = json.loads(model_script.read(asked).text)
        claims = [
            {"text": f"Es heißt: {each['text']}"[:300], "quote": "\n ".join(each["quote"].split())}
            for each in answer["claims"]
        ]
        made_up = {"text": "The moon is made of cheese.", "quote": "Nobody ever wrote this sentence there."}
        return _said(answer | {"claims": [*claims, made_up] if claims else []})

    def drafted(asked: Asked) -> Reply:
        answer = json.loads(model_script.draft(asked).text)
        sentences = [each | {"text": f"Anders gesagt: {each['text']}"[:600]} for each in answer["sentences"]]
        made_up = [{"text": "The moon is made of cheese.", "supports": supports} for supports in ([], ["p9.c9"])]
        return _said(
            answer | {"title": sentences[0]["text"][:120], "sentences": sentences[:1] + made_up + sentences[1:]}
        )

    model.on(lambda asked: model_script.zone(asked) == "reader", told)
    model.on(lambda asked: model_script.zone(asked) == "drafter", drafted)


def _said(answer: dict[str, Any]) -> Reply:
    return Reply(tokens=(json.dumps(answer),))
