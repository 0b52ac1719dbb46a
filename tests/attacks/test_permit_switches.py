"""A browser is called with a permit of the gateway, for what it permits, and what it brings is opened there."""

import asyncio
from dataclasses import replace
from uuid import uuid4

import pytest
from django.utils import timezone

from devices import protocol
from devices.models import BrowserCall, Device
from devices.sockets import browser_calls, permits
from devices.sockets.permits import PERMIT_SEAL, Permit, SealBroken, Sealed
from tests.permits import any_permit

Patch = pytest.MonkeyPatch
HERE, ELSEWHERE = "https://water.example/a", "https://bank.example/"
TEMPLATE = "https://search.example/?q={query}"
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def connected_desk() -> Device:
    connected = {"connection": "c1", "seen_at": timezone.now(), "tools": ["browse_url", "search_web"]}
    return Device.objects.create(label="Desk", kind="browser", **connected)


def visit(url: str, session: str = "clean") -> protocol.BrowseUrlArguments:
    return protocol.BrowseUrlArguments.model_validate({"url": url, "session": session})


def rows_after(permit: Permit, arguments: protocol.ToolArguments) -> int:
    """Make a call that nobody answers; return how many calls are stored then."""

    async def call() -> None:
        await asyncio.wait_for(browser_calls.call_browser(permit, arguments), 10)

    with pytest.raises((browser_calls.CallFailed, SealBroken)):
        asyncio.run(call())
    return BrowserCall.objects.count()


def test_a_permit_is_made_by_the_gateway_and_without_its_seal_by_anybody(
    connected_desk: Device, monkeypatch: Patch
) -> None:
    permit = any_permit(connected_desk, "browse_url", visit(HERE))
    with pytest.raises(SealBroken):
        Permit(uuid4(), "browse_url", connected_desk, 5, url=ELSEWHERE)
    with pytest.raises(SealBroken):
        replace(permit, url=ELSEWHERE)
    with pytest.raises(AttributeError):
        permit.url = ELSEWHERE  # type: ignore[misc]
    monkeypatch.setattr(permits, "PERMIT_SEAL", None)
    assert replace(permit, url=ELSEWHERE).url == ELSEWHERE


@pytest.mark.usefixtures("redis")
@pytest.mark.parametrize(
    "arguments",
    [
        visit(ELSEWHERE),
        visit("https://water.example.bank.example/"),
        visit(HERE, "owner"),
        protocol.SearchWebArguments(query="x", template=TEMPLATE, session="clean"),
    ],
    ids=["another site", "a site below another", "with logins", "a search elsewhere"],
)
def test_a_permit_is_for_its_site_and_session_and_without_that_check_for_any(
    connected_desk: Device, arguments: protocol.ToolArguments, monkeypatch: Patch
) -> None:
    permit = replace(any_permit(connected_desk, "browse_url", visit(HERE), 1), with_logins=False, seal=PERMIT_SEAL)
    assert rows_after(permit, arguments) == 0
    monkeypatch.setattr(Permit, "require", lambda *_: None)
    assert rows_after(permit, arguments) == 1


def test_what_a_browser_brought_is_opened_by_the_gateway_and_without_its_seal_by_anybody(
    monkeypatch: Patch,
) -> None:
    tab = protocol.CurrentTab(url=f"{ELSEWHERE}balance")
    sealed = Sealed(tab)
    with pytest.raises(SealBroken):
        sealed.opened(None)
    assert "balance" not in f"{sealed!r} {sealed!s}"
    assert sealed.opened(PERMIT_SEAL) is tab
    monkeypatch.setattr(permits, "PERMIT_SEAL", None)
    assert sealed.opened(None) is tab
