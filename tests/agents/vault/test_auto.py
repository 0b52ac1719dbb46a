"""What a browser keeps by itself: where the owner switched it on, and nothing that is never kept."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone
from pydantic import ValidationError

from agents.frames.answer import answer_frame
from agents.vault import auto
from agents.vault.keep import key_of
from devices import protocol
from devices.grants.asks import ask_grant
from devices.grants.grants import set_grant
from devices.models import Device, Grant
from devices.owner.account import the_owner
from devices.protocol import frames
from tests.client import make_page
from thoughts.models import Kept, Page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
URL = "https://coffee.example/levers"
TEXT = "A lever machine pushes water through the coffee by a spring and not by a pump. " * 4
CARD = "4111 1111 1111 1111"


def send_frame(device: Device, **frame: Any) -> protocol.ServerFrame:
    client_frame: Any = frames._client.validate_python(frame)
    [reply] = answer_frame(the_owner(), device, client_frame)
    return reply


def switch(device: Device, keeping: str) -> protocol.ServerFrame:
    return send_frame(device, type="device.update", ref=uuid4(), keeping=keeping)


def keep(
    device: Device, url: str = URL, title: str = "Levers", text: str = TEXT, masked: int = 0, why: str = "auto"
) -> str:
    """Return `kept`, or the code of the refusal."""
    page = make_page(url, title, text).model_dump()
    signs = {"masked": masked, "private_window": False, "asks_secret": False}
    reply = send_frame(device, type="page.keep", ref=uuid4(), page=page, why=why, **signs)
    return reply.code if isinstance(reply, protocol.Error) else "kept"


@pytest.fixture
def of_all(keeper: Device) -> Device:
    switch(keeper, "all")
    return keeper


def test_a_browser_keeps_nothing_by_itself_until_the_owner_switches_it_on(keeper: Device) -> None:
    set_grant("coffee.example", "keep", "allowed")
    assert keep(keeper) == "not_keeping"
    switch(keeper, "sites")
    assert keep(keeper) == "kept"
    row = Kept.objects.get()
    assert (row.source, row.keep_until is not None) == ("auto", True)
    switch(keeper, "off")
    assert keep(keeper, "https://coffee.example/pumps") == "not_keeping"


def test_a_browser_of_chosen_sites_keeps_those_alone_and_their_subdomains(keeper: Device) -> None:
    switch(keeper, "sites")
    set_grant("coffee.example", "keep", "allowed")
    addresses = (URL, "https://www.coffee.example/", "https://tea.example/")
    assert [keep(keeper, url) for url in addresses] == ["kept", "kept", "left_out"]


def test_a_browser_of_all_sites_keeps_those_that_are_not_left_out_or_blocked(of_all: Device) -> None:
    set_grant("tea.example", "keep", "blocked")
    set_grant("milk.example", "read", "blocked")
    addresses = (URL, "https://tea.example/", "https://milk.example/")
    assert [keep(of_all, url) for url in addresses] == ["kept", "left_out", "left_out"]


def test_a_switch_on_the_web_page_holds_for_a_browser_that_has_not_heard_of_it(
    of_all: Device, owner_client: Client
) -> None:
    page = owner_client.get("/permissions/browsers/").content.decode()
    assert "of every site but those left out" in page
    html = owner_client.post(f"/permissions/browsers/{of_all.pk}/stop-keeping/", follow=True).content.decode()
    assert "Desk keeps no pages by itself any more." in html
    assert keep(of_all) == "not_keeping"


def test_a_welcome_tells_a_browser_its_own_switch(of_all: Device) -> None:
    assert Device.objects.get(pk=of_all.pk).info().keeping == "all"


NEVER: dict[str, tuple[dict[str, Any], str, tuple[str, Any]]] = {
    "own network": ({"url": "http://10.0.0.1/status"}, "left_out", ("bare_domain", lambda _: None)),
    "own network by name": ({"url": "http://router.lan/"}, "left_out", ("bare_domain", lambda _: None)),
    "mail": ({"url": "https://mail.google.com/mail/u/0/"}, "left_out", ("is_correspondence", lambda _: False)),
    "messenger": ({"url": "https://web.telegram.org/k/"}, "left_out", ("is_correspondence", lambda _: False)),
    "topic in the title": ({"title": "My diabetes diary"}, "left_out", ("topic_of", lambda *_: None)),
    "topic in the path": ({"url": "https://coffee.example/depression/"}, "left_out", ("topic_of", lambda *_: None)),
    "secrets in it": ({"text": f"{TEXT} {CARD}"}, "left_out", ("secrets_in", lambda _: [])),
    "many secrets": ({"masked": 5}, "left_out", ("MASKED_PART", 1.0)),
    "few words": ({"text": "A lever."}, "no_words", ("WORDS_LEAST", 1)),
}


@pytest.mark.parametrize("name", NEVER)
def test_what_is_never_kept_is_refused_by_its_own_rule(
    name: str, of_all: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields, code, (rule, off) = NEVER[name]
    assert keep(of_all, **fields) == code
    assert Kept.objects.count() == 0
    monkeypatch.setattr(auto, rule, off)
    assert keep(of_all, **fields) == "kept"


def test_an_address_with_a_secret_is_refused_by_its_own_rule(of_all: Device) -> None:
    secret = "https://coffee.example/?access_token=abcdef"
    assert keep(of_all, secret) == "left_out"
    assert keep(of_all, "https://coffee.example/?page=2") == "kept"


def test_pages_about_health_are_kept_on_a_site_that_the_owner_chose(of_all: Device) -> None:
    diary = "https://coffee.example/", "My diabetes diary"
    assert keep(of_all, *diary) == "left_out"
    set_grant("coffee.example", "keep", "allowed")
    assert keep(of_all, *diary) == "kept"


def test_mail_is_not_kept_on_a_site_that_the_owner_chose_either(of_all: Device) -> None:
    set_grant("mail.google.com", "keep", "allowed")
    assert keep(of_all, "https://mail.google.com/mail/u/0/") == "left_out"


def test_what_the_owner_asks_for_is_kept_whatever_the_switch_says(keeper: Device) -> None:
    assert keep(keeper, "https://mail.google.com/mail/u/0/", why="asked") == "kept"


@pytest.mark.parametrize(("span", "most"), [("A_MINUTE_MOST", 1), ("A_DAY_MOST", 1)])
def test_a_browser_keeps_so_many_pages_in_a_minute_and_a_day(
    span: str, most: int, of_all: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auto, span, most)
    assert [keep(of_all), keep(of_all, "https://tea.example/")] == ["kept", "too_many_kept"]
    Kept.objects.update(kept_at=timezone.now() - timedelta(days=2))
    assert keep(of_all, "https://tea.example/") == "kept"


@pytest.mark.parametrize("kind", [Device.Kind.API, Device.Kind.SIGNAL])
def test_no_program_and_no_phone_switches_keeping_on(kind: Device.Kind) -> None:
    program = Device.objects.create(label="Script", kind=kind)
    replies = [
        switch(program, "all"),
        send_frame(program, type="grant.set", host="a.example", capability="keep", state="allowed", scope="always"),
    ]
    assert [reply.code for reply in replies if isinstance(reply, protocol.Error)] == ["unknown_capability"] * 2
    assert not Device.objects.exclude(keeping="off").exists()
    assert not Grant.objects.exists()
    assert keep(program) == "not_keeping"


def test_no_run_can_ask_to_keep_pages() -> None:
    with pytest.raises(ValueError, match="nobody may ask for keep"):
        ask_grant(uuid4(), "coffee.example", "keep", "To keep it.", is_background=False)
    ask = {"request_id": uuid4(), "host": "a.example", "reason": "", "expires_at": timezone.now()}
    with pytest.raises(ValidationError):
        protocol.GrantAsk.model_validate(ask | {"capability": "keep"})


def test_a_refused_page_leaves_no_trace(of_all: Device) -> None:
    keep(of_all, "https://mail.google.com/mail/u/0/")
    assert not Page.objects.exists()
    assert not Kept.objects.filter(address_key=key_of("https://mail.google.com/mail/u/0/")).exists()
