"""Simulated weeks of a person with tastes, who reads Penny's feed of weeks_web.py.

The simulation knows which stories please, so it can count good and bad finds. It moves the clock instead of sleeping.
Only requests to the scripted model, if there is one, leave the process.
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
from tests.stand_ins.model_server import ModelServer, Reply, Request
from tests.weeks_web import ASPECTS, SHOP, SITES, Web
from thoughts.index import finds
from thoughts.models import Preference, Thought, Watch

LOOKS_AT = (8, 19)  # o'clock
CARDS = 6  # the most that the person views in a visit


DISLIKED, ABOUT_FOOTBALL = "football", ASPECTS[-1]


@dataclass(frozen=True)
class ViewedCard:
    """A card that the person viewed: the day, and the chance that it pleased."""

    day: int
    chance: float


class Weeks:
    """Penny, the web and the person. `day` simulates a day; the fields hold the counts."""

    def __init__(self, patch: pytest.MonkeyPatch, clock: Clock, client: Client, seed: int) -> None:
        self.clock, self.client, self.dice = clock, client, random.Random(seed)
        self.web, self.days, self.viewed, self.runs = Web(random.Random(seed + 1)), 0, list[ViewedCard](), list[Run]()
        _use_moved_clock_for_defaults(patch)
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
        """Do the sandbox's reading in this process."""

        async def record(request: SentRequest) -> None:
            self._sent[task_id].append(asdict(request) | {"labels": list(request.labels)})

        assert task == "sandbox.read"
        parsed_request = ReadingRequest.model_validate(json.loads(json.dumps(request)))
        reply: ReadingReply = await read_request(
            parsed_request, settings.READER_MODEL or settings.MODEL if use_model else None, record
        )
        return reply.model_dump_json()

    async def _sent_by(self, task_id: str) -> list[dict[str, Any]]:
        return [SentRecord.model_validate(record).model_dump(mode="json") for record in self._sent.pop(task_id, [])]

    def day(self) -> None:
        self.web.grow(self.clock.now)
        self.go_by(24)
        self.days += 1

    def go_by(self, hours: int) -> None:
        for _ in range(hours):
            self.clock.move(hours=1)
            self.runs += carry_out_all()
            self._run_chores()
            if self.clock.now.hour in LOOKS_AT:
                self._view_cards()

    def _run_chores(self) -> None:
        finds.catch_up()
        store.catch_up(60)
        store.rank()
        retention.sweep(self.clock.now)

    def _view_cards(self) -> None:
        """View the first cards: like pleasing ones, dislike most others, mark all as read."""
        keys = re.findall(
            r'<article class="card"[^>]* id="card-([0-9a-f-]{36})"', self.client.get("/").content.decode()
        )[:CARDS]
        for key in keys:
            thought = Thought.objects.prefetch_related("pages").get(pk=key)
            if thought.watch_id is None:
                self._judge(thought)
            assert self.client.post(f"/thoughts/{key}/read/").status_code in (200, 302)

    def _judge(self, thought: Thought) -> None:
        chance = pleasing_chance(thought, self.web)
        pleased = self.dice.random() < chance
        self.viewed.append(ViewedCard(self.days, chance))
        if pleased:
            self.client.get(f"/thoughts/{thought.pk}/")
        if pleased or self.dice.random() < 0.7:
            self.client.post(f"/thoughts/{thought.pk}/react/", {"valence": "1" if pleased else "-1"})

    def pleased_share(self, first: int, last: int) -> float:
        """Return the mean chance to please of the cards that were viewed on these days."""
        chances = [card.chance for card in self.viewed if first <= card.day < last]
        return sum(chances) / max(1, len(chances))

    def print_report(self, thoughts: int) -> None:
        weeks = [(first, first + 7) for first in range(0, self.days - 6, 7)]
        shares = [
            f"{self.pleased_share(*week):.2f} of {sum(week[0] <= card.day < week[1] for card in self.viewed)}"
            for week in weeks
        ]
        ends = Counter(re.sub("“.*?”", "…", run.outcome) for run in self.runs if run.kind == Run.Kind.THINKING)
        sys.stdout.write(
            f"\n{thoughts} thoughts in {self.days} days of {len(self.runs)} runs; pleased by week: {shares}\n"
        )
        sys.stdout.write("".join(f"{count:4} {end}\n" for end, count in ends.most_common(9)))


def _use_moved_clock_for_defaults(patch: pytest.MonkeyPatch) -> None:
    """Let the defaults of model fields, which hold the real clock, use the moved one."""
    for model in apps.get_models():
        for field in model._meta.local_fields:
            if getattr(field.default, "__module__", "") == timezone.__name__:
                patch.setattr(field, "_get_default", lambda: timezone.now())


def pleasing_chance(thought: Thought, web: Web) -> float:
    """Return the chance that a thought pleases: the mean of its stories."""
    chances = [web.stories[row.url].aspect.pleases for row in thought.pages.all()]
    return sum(chances) / len(chances)


def tales(thought: Thought, web: Web) -> set[int]:
    return {web.stories[url].tale for url in thought.claims.values_list("page__url", flat=True)}


def unsupported(rows: Iterable[Thought]) -> list[str]:
    """Return the sentences with a number that cites no span of the stored page."""
    unsupported_sentences = []
    for thought in rows:
        claims = list(thought.claims.select_related("page"))
        for sentence in thought.sentences:
            spans = [claims[number - 1] for number in sentence["claims"] if 1 <= number <= len(claims)]
            are_quoted = [
                claim.page.text[claim.start : claim.end] == claim.quote != ""
                and hashlib.sha256(claim.page.text.encode()).hexdigest() == claim.page.sha256
                for claim in spans
            ]
            if not are_quoted or not all(are_quoted) or len(are_quoted) < len(sentence["claims"]):
                unsupported_sentences.append(f"{thought.title}: {sentence['html']}")
    return unsupported_sentences


def free_with_words(model: ModelServer) -> None:
    """Let the model use words unlike the page's, and invent a quote and sentences."""

    def claim_freely(request: Request) -> Reply:
        answer = json.loads(model_script.answer_reader(request).text)
        claims = [
            {"text": f"Es heißt: {claim['text']}"[:300], "quote": "\n ".join(claim["quote"].split())}
            for claim in answer["claims"]
        ]
        made_up = {"text": "The moon is made of cheese.", "quote": "Nobody ever wrote this sentence there."}
        return _json_reply(answer | {"claims": [*claims, made_up] if claims else []})

    def draft_freely(request: Request) -> Reply:
        answer = json.loads(model_script.answer_drafter(request).text)
        sentences = [
            sentence | {"text": f"Anders gesagt: {sentence['text']}"[:600]} for sentence in answer["sentences"]
        ]
        made_up = [{"text": "The moon is made of cheese.", "supports": supports} for supports in ([], ["p9.c9"])]
        return _json_reply(
            answer | {"title": sentences[0]["text"][:120], "sentences": sentences[:1] + made_up + sentences[1:]}
        )

    model.on(lambda request: model_script.zone(request) == "reader", claim_freely)
    model.on(lambda request: model_script.zone(request) == "drafter", draft_freely)


def _json_reply(answer: dict[str, Any]) -> Reply:
    return Reply(tokens=(json.dumps(answer),))
