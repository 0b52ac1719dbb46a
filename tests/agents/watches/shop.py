"""A simulated shop for watches, whose page changes between visits.

The sandbox's own code reads it in this process.
"""

import json
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.db import connections
from django.utils import timezone

from agents.llm.providers import Endpoint
from agents.models import Run
from agents.pages import read as pages_read
from agents.runs.context import ParkedAtAsk
from agents.sandbox.reader import read_request
from agents.watches import visit as watches_visit
from agents.zones.sandbox_messages import ReadingReply, ReadingRequest
from devices import protocol
from devices.db import in_db
from devices.models import Device, Grant
from devices.sockets import browser_calls
from devices.sockets.permits import Permit, Sealed
from tests.client import make_page
from thoughts.models import Observation, Thought, Watch

URL = "https://shop.example/lever"
TEXT = "Lever espresso\n{price}\nA machine of brass and steel that keeps nine bars for as long as you hold it."


@dataclass
class Shop:
    """The watched page, and the calls for it. `endpoint`: the sandbox's model, None for none."""

    page: protocol.Page | browser_calls.CallFailed | None = None
    calls: list[protocol.BrowseUrlArguments] = field(default_factory=list)
    endpoint: Endpoint | None = None

    def shows(
        self, price: str = "", *, text: str = TEXT, links: Iterable[tuple[str, str]] = (), url: str = URL, **values: Any
    ) -> None:
        """Let the page's text hold a price, and its metadata `values` (protocol.Metadata)."""
        metadata = protocol.Metadata.model_validate(values) if values else None
        self.page = make_page(url, "Lever espresso | Shop", text.format(price=price), links, metadata=metadata)

    def sells(self, price: object, currency: str = "EUR", availability: str = "InStock", **fields: Any) -> None:
        """Let the page's data and text hold an offer."""
        offer = {
            "@type": "Offer",
            "price": price,
            "priceCurrency": currency,
            "availability": f"https://schema.org/{availability}",
        }
        self.shows(
            f"{price} {currency}", json_ld=[{"@type": "Product", "name": "Lever espresso", "offers": offer}], **fields
        )

    def fails(self, code: str) -> None:
        self.page = browser_calls.CallFailed(code)

    async def call(self, _: Permit, arguments: protocol.ToolArguments) -> Sealed:
        assert isinstance(arguments, protocol.BrowseUrlArguments)
        self.calls.append(arguments)
        if isinstance(self.page, browser_calls.CallFailed):
            raise self.page
        assert self.page is not None
        return Sealed(self.page)

    async def ask_sandbox(self, task: str, request: dict[str, Any], use_model: bool, *, task_id: str = "") -> str:
        async def record(_: object) -> None:
            pass

        assert task == "sandbox.read"
        reading_request = ReadingRequest.model_validate(json.loads(json.dumps(request)))
        reply: ReadingReply = await read_request(reading_request, self.endpoint if use_model else None, record)
        return reply.model_dump_json()

    async def visit(self, watch: Watch) -> Run:
        """Visit once, as a worker does; return the ended run."""
        run = await Run.objects.acreate(kind=Run.Kind.WATCH, watch=watch)
        [claim] = await in_db(Run.objects.claim)([run.pk], timezone.now())
        try:
            await watches_visit.run_visit(claim)
        except ParkedAtAsk as parked:
            await Run.objects.filter(pk=run.pk).aupdate(state=Run.State.PARKED, outcome=parked.ask.host)
        await watch.arefresh_from_db()
        return await Run.objects.aget(pk=run.pk)

    async def visits(self, watch: Watch, *prices: object) -> list[str]:
        """Visit once for each price; return the titles of all reports, oldest first."""
        for price in prices:
            self.sells(price)
            await self.visit(watch)
        return await report_titles()


@pytest.fixture
async def shop(monkeypatch: pytest.MonkeyPatch, redis: str, transactional_db: None) -> AsyncIterator[Shop]:
    """A granted shop, with a connected browser."""
    fake = Shop()
    monkeypatch.setattr(browser_calls, "call_browser", fake.call)
    monkeypatch.setattr(pages_read, "ask_sandbox", fake.ask_sandbox)
    monkeypatch.setattr("agents.gateway.decisions.rate_refusal", lambda *_: "")
    await Grant.objects.acreate(host="shop.example")
    tools = ["browse_url", protocol.READS_TO_KEEP]
    connected = {"connection": uuid4().hex, "seen_at": timezone.now(), "tools": tools, "tool_use": True}
    await Device.objects.acreate(label="Desk", kind=Device.Kind.BROWSER, **connected)
    yield fake
    await in_db(connections.close_all)()  # connections of this loop's thread, which nothing else can close


async def report_titles() -> list[str]:
    return [title async for title in Thought.objects.order_by("created_at").values_list("title", flat=True)]


async def values_seen(watch: Watch) -> list[tuple[str, str]]:
    """Return what the visits saw, oldest first."""
    rows: list[Observation] = [row async for row in Observation.objects.filter(watch=watch).order_by("at")]
    return [(row.money, row.stock) for row in rows]


async def watch_of(**fields: Any) -> Watch:
    values = {"url": URL, "domain": "shop.example", "label": "lever", "below": Decimal(900), "currency": "EUR"}
    return await Watch.objects.acreate(**(values | fields))
