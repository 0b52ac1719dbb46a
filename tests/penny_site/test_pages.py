"""What holds for every page: nothing inline that the policy would refuse, and nothing from elsewhere."""

from html.parser import HTMLParser

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from agents.models import Schedule
from devices.models import Device, Grant, Message
from devices.owner.account import the_owner
from thoughts.models import Preference, Thought

pytestmark = pytest.mark.django_db

PAGES = [
    "/", "/archive/", "/saved/", "/preferences/", "/history/", "/schedules/", "/schedules/new/", "/digest/", "/chat/",
    "/setup/",
    "/password/", "/help/", "/help/feed/", "/help/?q=signal", "/nowhere/",
    "/admin/", "/admin/agents/schedule/", "/admin/devices/grant/add/", "/admin/constance/config/",
    "/admin/thoughts/thought/",
]  # fmt: skip
FRAGMENTS = [
    "/",
    "/?q=lever&since=week",
    "/setup/",
    "/setup/models/",
    "/preferences/",
    "/thoughts/count/",
    "/help/",
    "/help/?q=signal",
]


class Inline(HTMLParser):
    """Collects what `script-src 'self'; style-src 'self'` refuses, and every address that is loaded."""

    def __init__(self) -> None:
        super().__init__()
        self.refused: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.refused += [
            f"{tag} {name}"
            for name in given
            if name == "style" or name.startswith(("on", "hx-on", "hx-vals", "hx-vars"))
        ]
        if tag == "style" or (tag == "script" and "src" not in given):
            self.refused.append(tag)
        self.loaded += [given.get(name) or "" for name in ("src", "srcset") if name in given]
        self.loaded += [given.get("href") or ""] if tag == "link" else []


@pytest.fixture
def some_of_everything(owner_client: Client) -> Client:
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


def inspect(html: str) -> Inline:
    found = Inline()
    found.feed(html)
    return found


@pytest.mark.parametrize("page", PAGES)
def test_a_page_holds_nothing_inline_and_loads_only_from_here(some_of_everything: Client, page: str) -> None:
    answer = some_of_everything.get(page)
    found = inspect(answer.content.decode())
    assert found.refused == []
    assert found.loaded
    assert [address for address in found.loaded if not address.startswith("/") or address.startswith("//")] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_static_file_that_a_page_names_is_there(some_of_everything: Client, page: str) -> None:
    named = [
        address
        for address in inspect(some_of_everything.get(page).content.decode()).loaded
        if address.startswith("/static/")
    ]
    assert named
    assert [address for address in named if not finders.find(address.removeprefix("/static/"))] == []


@pytest.mark.parametrize("page", FRAGMENTS)
def test_a_fragment_holds_nothing_inline(some_of_everything: Client, page: str) -> None:
    assert inspect(some_of_everything.get(page, headers={"HX-Request": "true"}).content.decode()).refused == []


@pytest.mark.parametrize("page", [*PAGES, "/sign-in/", "/healthz", "/thoughts/count/"])
def test_the_policy_is_on_every_answer(some_of_everything: Client, page: str) -> None:
    policy = some_of_everything.get(page).headers["Content-Security-Policy"]
    assert "default-src 'none'; script-src 'self'; style-src 'self';" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("page", ["/", "/chat/", "/preferences/", "/schedules/", "/setup/"])
def test_the_page_that_is_open_is_marked_in_the_navigation(owner_client: Client, page: str) -> None:
    assert f'<a href="{page}" aria-current="page">' in owner_client.get(page).content.decode()


def test_a_page_that_does_not_exist_leads_back(owner_client: Client) -> None:
    answer = owner_client.get("/nowhere/")
    assert answer.status_code == 404
    assert "There is nothing at this address." in answer.content.decode()


def test_a_form_tells_where_it_comes_from(owner_client: Client) -> None:
    """Under no-referrer browsers send `Origin: null` with a form, which would be refused as a forgery."""
    assert owner_client.get("/preferences/").headers["Referrer-Policy"] == "same-origin"


def test_thinking_and_a_digest_are_scheduled_from_the_start() -> None:
    assert list(Schedule.objects.values_list("name", "kind", "rrule", "enabled")) == [
        ("Digest", "digest", "FREQ=DAILY;BYHOUR=18;BYMINUTE=0;BYSECOND=0", True),
        ("Thinking", "thinking", "FREQ=MINUTELY;INTERVAL=20", True),
    ]
