"""Rules of every page: no inline code or style, nothing loaded from another site."""

import re
from html.parser import HTMLParser

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.test import Client

from agents.models import Schedule
from devices.models import Device, Grant, Message
from devices.owner.account import the_owner
from thoughts.models import Preference, Thought

pytestmark = pytest.mark.django_db

PAGES = [
    "/", "/archive/", "/saved/", "/interests/", "/memory/history/", "/activity/routine/", "/activity/routine/new/",
    "/digests/", "/chat/", "/permissions/", "/permissions/browsers/", "/setup/",
    "/memory/", "/kept/", "/kept/move/", "/kept/forget/",
    "/settings/you/", "/settings/model/", "/settings/model/found/", "/settings/notifications/", "/settings/limits/",
    "/settings/looks/", "/settings/data/",
    "/settings/machine/", "/settings/expert/",
    "/password/", "/help/", "/help/feed/", "/help/?q=signal", "/nowhere/",
    "/admin/", "/admin/agents/schedule/", "/admin/devices/grant/add/", "/admin/constance/config/",
    "/admin/thoughts/thought/",
]  # fmt: skip
FRAGMENTS = [
    "/",
    "/?q=lever&since=week",
    "/setup/",
    "/settings/machine/",
    "/settings/data/",
    "/settings/notifications/",
    "/settings/model/found/",
    "/settings/model/state/",
    "/interests/",
    "/thoughts/count/",
    "/help/",
    "/help/?q=signal",
]


class PageInspector(HTMLParser):
    """Collect the violations of the Content-Security-Policy and every loaded address."""

    def __init__(self) -> None:
        super().__init__()
        self.violations: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.violations += [
            f"{tag} {name}"
            for name in attributes
            if name == "style" or name.startswith(("on", "hx-on", "hx-vals", "hx-vars"))
        ]
        if tag == "style" or (tag == "script" and "src" not in attributes):
            self.violations.append(tag)
        self.addresses += [attributes.get(name) or "" for name in ("src", "srcset") if name in attributes]
        self.addresses += [attributes.get("href") or ""] if tag == "link" else []


@pytest.fixture
def client_with_rows(owner_client: Client) -> Client:
    thought = Thought.objects.create(title="A lever", text="It holds.", html="<p>It holds.</p>")
    Preference.objects.create(text="lever espresso")
    device = Device.objects.create(label="Desk", kind=Device.Kind.BROWSER)
    Grant.objects.create(host="example.com")
    Message.objects.create(
        owner=the_owner(),
        seq=1,
        device=device,
        device_label="Desk",
        direction="in",
        text="Hello",
        html="<p>Hello</p>",
        thought=thought,
    )
    return owner_client


def inspect_html(html: str) -> PageInspector:
    inspector = PageInspector()
    inspector.feed(html)
    return inspector


@pytest.mark.parametrize("page", PAGES)
def test_a_page_holds_nothing_inline_and_loads_only_from_here(client_with_rows: Client, page: str) -> None:
    answer = client_with_rows.get(page)
    inspector = inspect_html(answer.content.decode())
    assert inspector.violations == []
    assert inspector.addresses
    assert [address for address in inspector.addresses if not address.startswith("/") or address.startswith("//")] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_static_file_that_a_page_names_exists(client_with_rows: Client, page: str) -> None:
    addresses = [
        address
        for address in inspect_html(client_with_rows.get(page).content.decode()).addresses
        if address.startswith("/static/")
    ]
    assert addresses
    assert [address for address in addresses if not finders.find(address.removeprefix("/static/"))] == []


@pytest.mark.parametrize("page", FRAGMENTS)
def test_a_fragment_holds_nothing_inline(client_with_rows: Client, page: str) -> None:
    assert inspect_html(client_with_rows.get(page, headers={"HX-Request": "true"}).content.decode()).violations == []


@pytest.mark.parametrize("page", [*PAGES, "/sign-in/", "/healthz", "/thoughts/count/"])
def test_the_policy_is_on_every_answer(client_with_rows: Client, page: str) -> None:
    policy = client_with_rows.get(page).headers["Content-Security-Policy"]
    assert "default-src 'none'; script-src 'self'; style-src 'self';" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("page", ["/", "/chat/", "/interests/", "/activity/routine/", "/settings/you/"])
def test_the_open_page_is_marked_in_the_navigation(owner_client: Client, page: str) -> None:
    assert f'<a href="{page}" aria-current="page">' in owner_client.get(page).content.decode()


def test_a_page_that_does_not_exist_leads_back(owner_client: Client) -> None:
    answer = owner_client.get("/nowhere/")
    assert answer.status_code == 404
    assert "There is nothing at this address." in answer.content.decode()


@pytest.mark.parametrize(
    "page", ["400", "403", "403_csrf", "404", "500", "507", "cross_site", "cross_site_form", "offline"]
)
def test_a_page_without_a_view_looks_like_the_sign_in_page_and_leads_on(client: Client, page: str) -> None:
    html, plain = render_to_string(f"{page}.html", {"address": "/"}), client.get("/sign-in/").content.decode()
    style_sheet, header = r'<link rel="stylesheet" href="([^"]+)">', r"<header.*?</header>"
    assert re.findall(style_sheet, html) == re.findall(style_sheet, plain)
    assert _without_blanks(re.search(header, html, re.DOTALL)) == _without_blanks(re.search(header, plain, re.DOTALL))
    assert re.search(r'<main.*<a class="button primary" href="[^"]*">', html, re.DOTALL)


def _without_blanks(match: re.Match[str] | None) -> str:
    assert match
    return re.sub(r'\s+|href="/help/[^"]*"', "", match.group())


def test_a_form_sends_its_origin(owner_client: Client) -> None:
    """Under `no-referrer`, browsers send `Origin: null`, and the CSRF check refuses the form."""
    assert owner_client.get("/interests/").headers["Referrer-Policy"] == "same-origin"


def test_thinking_and_a_digest_are_scheduled_from_the_start() -> None:
    assert list(Schedule.objects.values_list("name", "kind", "rrule", "enabled")) == [
        ("Digest", "digest", "FREQ=DAILY;BYHOUR=18;BYMINUTE=0;BYSECOND=0", True),
        ("Thinking", "thinking", "FREQ=MINUTELY;INTERVAL=20", True),
    ]
