"""Defences of the operator's requests, switched off in the test's own process: without each, an attack succeeds."""

import asyncio
from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from constance.utils import get_values

from agents.gateway import page_calls
from agents.gateway.page_calls import Place, call_page
from agents.llm import messages
from agents.llm.messages import PageTurn, Request, TextTurn, ToolRequest, ToolSpec, ZoneViolation
from agents.models import Run
from agents.runs.context import Context, ToolRefused
from agents.runs.handles import Handles
from agents.zones.inputs import OWNER, Private, Untrusted
from agents.zones.operator import operator_request
from agents.zones.planner import planner_request
from devices import protocol
from devices.grants.grants import revoke_grant, set_grant
from devices.models import Device
from devices.sockets import browser_calls
from devices.sockets.permits import Sealed
from tests.agents.background import SOME_MODELS

Patch = pytest.MonkeyPatch
SITE, OTHER = "shop.example", "mail.example"
GOAL, PAGE = Private("Buy the keyboard"), Untrusted("# Keyboards", frozenset({SITE}))
CLICK = ToolSpec("click", "Click a control.", {}, zone="operator")
LETTER = "Your code is 481 516."


def nothing(*_: object, **__: object) -> None:
    pass


def test_its_pages_are_of_one_site_and_without_that_rule_another_s_words_stand_beside_its_tools(
    monkeypatch: Patch,
) -> None:
    letter = PageTurn(ToolRequest("1", "look", "{}"), LETTER, frozenset({OTHER}))

    def build() -> Request:
        return operator_request(SITE, GOAL, [], PAGE, [letter], [CLICK], 5)

    with pytest.raises(ZoneViolation):
        build()
    monkeypatch.setattr(messages, "covers", lambda *_: True)
    request = build()
    assert request.tools
    assert LETTER in str(request.record())


def test_a_planner_has_no_tool_of_an_operator_and_without_that_rule_it_acts(monkeypatch: Patch) -> None:
    def build() -> Request:
        return planner_request(Private("Ada"), date(2026, 3, 2), [], GOAL, [], [CLICK])

    with pytest.raises(ZoneViolation):
        build()
    monkeypatch.setattr(messages, "_require_own_tools", nothing)
    assert build().tools == (CLICK,)


def test_an_operator_hears_no_conversation_and_without_that_rule_it_stands_beside_a_page(monkeypatch: Patch) -> None:
    turns: Any = (TextTurn("user", PAGE.text), TextTurn("user", "My PIN is 1234."))

    def build() -> Request:
        return Request("operator", "x", turns, OWNER | {SITE}, tools=(CLICK,), site=SITE, seal=messages.SEAL)

    with pytest.raises(ZoneViolation):
        build()
    monkeypatch.setattr(messages, "_require_own_turns", nothing)
    assert "My PIN is 1234." in str(build().record())


def test_a_page_of_an_errand_is_the_operator_s_and_without_that_rule_a_planner_with_tools_reads_it(
    monkeypatch: Patch,
) -> None:
    turns = (TextTurn("user", "Buy it"), PageTurn(ToolRequest("1", "look", "{}"), LETTER, frozenset({OTHER})))
    read = ToolSpec("browse_url", "Open a page.", {})

    def build() -> Request:
        return Request("planner", "x", turns, OWNER, tools=(read,), seal=messages.SEAL)

    with pytest.raises(ZoneViolation):
        build()
    monkeypatch.setattr(messages, "_require_no_site", nothing)
    assert LETTER in str(build().record())


# The tab of an errand
# ------------------------------------------------------------------------------------------------------


def look(monkeypatch: Patch, url: str) -> str:
    """Return the words that a look at the errand's tab brings, while the tab shows this address."""

    async def answer(*_: object) -> Sealed:
        values = {"title": "", "version": 1, "lines": 1, "part": 1, "parts": 1, "refs": 0}
        return Sealed(protocol.Snapshot.model_validate({"url": url, "text": LETTER} | values))

    monkeypatch.setattr(browser_calls, "call_browser", answer)
    device = Device.objects.create(label="Desk", kind="browser")
    place = Place(uuid4(), device, SITE, tab="tab-1", url=f"https://{SITE}/")
    run, numbers = Run.objects.create(kind="turn", turn_id=uuid4(), attempt=1), get_values()
    arguments = protocol.SnapshotPageArguments(tab="tab-1", filter="all", part=1, characters=4000)

    async def call() -> str:
        context = Context(run, "planner", Handles([]), "", SOME_MODELS, numbers)
        return (await call_page(context, place, protocol.SNAPSHOT_PAGE, arguments)).text

    return asyncio.run(call())


@pytest.mark.django_db(transaction=True)
def test_what_a_tab_brings_is_of_its_site_and_without_that_look_a_redirect_shows_another(monkeypatch: Patch) -> None:
    for host in (SITE, OTHER):  # each site may be acted on, but not within one errand
        set_grant(host, "act", "allowed", "always")
    assert look(monkeypatch, f"https://pay.{SITE}/") == LETTER
    with pytest.raises(ToolRefused, match="left_site"):
        look(monkeypatch, f"https://{OTHER}/inbox")

    async def pass_all(*_: object) -> None:
        pass

    monkeypatch.setattr(page_calls, "_require_here", pass_all)
    assert look(monkeypatch, f"https://{OTHER}/inbox") == LETTER


@pytest.mark.django_db(transaction=True)
def test_a_site_is_acted_on_while_its_grant_stands_and_without_that_look_after_it_was_revoked(
    monkeypatch: Patch,
) -> None:
    set_grant(SITE, "act", "allowed", "always")
    assert look(monkeypatch, f"https://{SITE}/") == LETTER
    revoke_grant(SITE, "act")
    set_grant(SITE, "read", "allowed", "always")
    with pytest.raises(ToolRefused, match="not_granted"):
        look(monkeypatch, f"https://{SITE}/")

    async def pass_all(*_: object) -> None:
        pass

    monkeypatch.setattr(page_calls, "_require_granted", pass_all)
    monkeypatch.setattr(page_calls, "_require_here", pass_all)
    assert look(monkeypatch, f"https://{SITE}/") == LETTER
