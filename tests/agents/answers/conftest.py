from typing import Any

import pytest
from constance import config

from agents.gateway import call as gateway_call
from agents.gateway.catalog import Tool
from agents.gateway.open_page import resolve
from agents.gateway.permits import permit
from agents.models import Schedule, Step
from agents.runs.context import Content, Context
from agents.zones.reader_answers import Claim, Reading
from devices.models import Device
from tests.agents.answers.tasks import NOON
from tests.agents.background import Clock, connect_browser, movable_clock, use_model
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_server import ModelServer
from thoughts.models import Page


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> Clock:
    config.TIMEZONE = "Europe/Berlin"
    use_model(monkeypatch, model)
    Schedule.objects.all().delete()
    return movable_clock(monkeypatch, NOON)


@pytest.fixture
def canned_browser(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Device:
    """A connected browser with canned pages and readings. Gateway and grants are real."""

    async def browse(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
        url, is_known = resolve(context, arguments.url)
        await permit(context, tool, url, is_known=is_known)
        page = await Page.objects.acreate(
            url=url, domain="coffee.example", title=WATER.title, text=WATER.text, extracted_with="text"
        )
        handle, words = context.handles.add_page(page, url, page.domain), WATER.paragraphs[0]
        start = WATER.text.index(words)
        claim = Claim(text=words[:300], quote=words, start=start, end=start + len(words))
        context.handles.add_reading(
            handle,
            page.domain,
            Reading(found=True, headline="", summary="", claims=[claim], link_indices=[], made_with="model"),
        )
        return {"handle": handle, "domain": page.domain, "found": True}

    monkeypatch.setitem(gateway_call.RUNNERS, "browse_url", browse)
    return connect_browser(clock.now)
