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
from dataclasses import asdict, dataclass
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
from devices.models import Grant
from devices.sockets import browser_calls
from tests.agents.background import Clock, carry_out_all, connect_browser
from tests.stand_ins import model_script
from tests.stand_ins.model_server import ModelServer, Reply
from tests.stand_ins.model_server import Request as Asked
from tests.weeks_web import ASPECTS, SHOP, SITES, Web
from thoughts.feed import word_index
from thoughts.models import Preference, Thought, Watch

LOOKS_AT = (8, 19)  # o'clock
CARDS = 6  # at most, that the person looks at in one visit


DISLIKED, ABOUT_FOOTBALL = "football", ASPECTS[-1]


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
        answer = json.loads(model_script.answer_reader(asked).text)
        claims = [
            {"text": f"Es heißt: {each['text']}"[:300], "quote": "\n ".join(each["quote"].split())}
            for each in answer["claims"]
        ]
        made_up = {"text": "The moon is made of cheese.", "quote": "Nobody ever wrote this sentence there."}
        return _said(answer | {"claims": [*claims, made_up] if claims else []})

    def drafted(asked: Asked) -> Reply:
        answer = json.loads(model_script.answer_drafter(asked).text)
        sentences = [each | {"text": f"Anders gesagt: {each['text']}"[:600]} for each in answer["sentences"]]
        made_up = [{"text": "The moon is made of cheese.", "supports": supports} for supports in ([], ["p9.c9"])]
        return _said(
            answer | {"title": sentences[0]["text"][:120], "sentences": sentences[:1] + made_up + sentences[1:]}
        )

    model.on(lambda asked: model_script.zone(asked) == "reader", told)
    model.on(lambda asked: model_script.zone(asked) == "drafter", drafted)


def _said(answer: dict[str, Any]) -> Reply:
    return Reply(tokens=(json.dumps(answer),))
