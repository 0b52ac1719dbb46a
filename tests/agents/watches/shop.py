"""A simulated web for watches: pages that change between visits, read by the sandbox's own code in this process."""

import json
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest
from django.db import connections
from django.utils import timezone

from agents.llm.providers import Endpoint
from agents.models import Run
from agents.pages import read as pages_read
from agents.runs.context import Parked
from agents.sandbox.reader import read
from agents.watches import visit as watches_visit
from agents.zones.sandbox_messages import ReadingReply, ReadingRequest
from devices import protocol
from devices.db import in_db
from devices.models import Device, Grant
from devices.sockets import browser_calls
from tests.client import page
from thoughts.models import Observation, Thought, Watch

URL = "https://shop.example/lever"
TEXT = "Lever espresso\n{price}\nA machine of brass and steel that keeps nine bars for as long as you hold it."


@dataclass
class Shop:
    """What the browser finds at the watched address, and who asked. `endpoint`: the model that the sandbox reads with,
    None for none.
    """

    page: protocol.Page | browser_calls.CallFailed | None = None
    opened: list[protocol.BrowseUrlArguments] = field(default_factory=list)
    endpoint: Endpoint | None = None

    def shows(
        self, price: str = "", *, text: str = TEXT, links: Iterable[tuple[str, str]] = (), url: str = URL, **said: Any
    ) -> None:
        """Let the page say a price in its text, and of itself what `said` holds (protocol.Metadata)."""
        metadata = protocol.Metadata.model_validate(said) if said else None
        self.page = page(url, "Lever espresso | Shop", text.format(price=price), links, metadata=metadata)

    def sells(self, price: object, currency: str = "EUR", availability: str = "InStock", **fields: Any) -> None:
        """Let the page's data say an offer, and its text the same."""
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

    async def call(self, device: Device, run_id: object, tool: str, arguments: Any, deadline_s: float) -> protocol.Page:
        assert isinstance(arguments, protocol.BrowseUrlArguments)
        self.opened.append(arguments)
        if isinstance(self.page, browser_calls.CallFailed):
            raise self.page
        assert self.page is not None
        return self.page

    async def ask_sandbox(self, task: str, request: dict[str, Any], use_model: bool, *, task_id: str = "") -> str:
        async def record(_: object) -> None:
            pass

        assert task == "sandbox.read"
        wanted = ReadingRequest.model_validate(json.loads(json.dumps(request)))
        reply: ReadingReply = await read(wanted, self.endpoint if use_model else None, record)
        return reply.model_dump_json()

    async def visit(self, watch: Watch) -> Run:
        """Visit once, as a worker does, and return the run as it ended."""
        run = await Run.objects.acreate(kind=Run.Kind.WATCH, watch=watch)
        [claimed] = await in_db(Run.objects.claim)([run.pk], timezone.now())
        try:
            await watches_visit.visit(claimed)
        except Parked as parked:
            await Run.objects.filter(pk=run.pk).aupdate(state=Run.State.PARKED, outcome=parked.ask.host)
        await watch.arefresh_from_db()
        return await Run.objects.aget(pk=run.pk)

    async def visits(self, watch: Watch, *prices: object) -> list[str]:
        """Visit once for each price, and return the titles of what the owner was told by then, oldest first."""
        for price in prices:
            self.sells(price)
            await self.visit(watch)
        return await told()


@pytest.fixture
async def shop(monkeypatch: pytest.MonkeyPatch, redis: str, transactional_db: None) -> AsyncIterator[Shop]:
    """A shop that the owner allowed, with a browser that is connected."""
    found = Shop()
    monkeypatch.setattr(browser_calls, "call", found.call)
    monkeypatch.setattr(pages_read, "ask_sandbox", found.ask_sandbox)
    monkeypatch.setattr("agents.gateway.decisions.rate_refusal", lambda *_: "")
    await Grant.objects.acreate(host="shop.example")
    connected = {"connection": uuid4().hex, "seen_at": timezone.now(), "tools": ["browse_url"], "tool_use": True}
    await Device.objects.acreate(label="Desk", kind=Device.Kind.BROWSER, **connected)
    yield found
    await in_db(connections.close_all)()  # those of the thread that worked for this loop: nobody else can


async def told() -> list[str]:
    return [title async for title in Thought.objects.order_by("created_at").values_list("title", flat=True)]


async def seen(watch: Watch) -> list[tuple[str, str]]:
    """Return what the visits saw, oldest first."""
    rows: list[Observation] = [row async for row in Observation.objects.filter(watch=watch).order_by("at")]
    return [(row.money, row.stock) for row in rows]
