"""Permissions › Record: what left this machine is counted by host and day, and nothing else is stored."""

import asyncio
import csv
import io
from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync
from constance.test import override_config
from constance.utils import get_values
from django.test import Client
from django.utils import timezone

from agents.learning import history_reports
from agents.models import Run
from agents.runs.context import Context
from agents.runs.handles import Handles
from agents.runs.steps import record_step
from agents.worker import retention
from devices import protocol as p
from devices.db import in_db
from devices.models import BrowserCall, Delivery, Device, HostCount
from devices.models.host_counts import HOSTS_A_DAY, OTHERS
from devices.sockets import browser_calls
from tests.agents.background import SOME_MODELS
from tests.page_client import page_words
from tests.permits import any_permit
from thoughts.models import Visit

pytestmark = pytest.mark.django_db
PAGE = "/permissions/record/"
ADD = HostCount.objects.add


def counts() -> list[tuple[str, str, int]]:
    return list(HostCount.objects.order_by("way", "host").values_list("way", "host", "count"))


def device(**fields: object) -> Device:
    return Device.objects.create(label="D", **fields)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("tool", "arguments", "counted"),
    [
        (
            "browse_url",
            p.BrowseUrlArguments(url="https://shop.example/secret?token=1", session="owner"),
            [("page", "shop.example", 1)],
        ),
        (
            "search_web",
            p.SearchWebArguments(query="my illness", template="https://duck.example/?q={query}"),
            [("search", "duck.example", 1)],
        ),
        ("get_current_tab", p.GetCurrentTabArguments(), []),
    ],
)
def test_a_browser_call_counts_its_host_with_its_row(
    tool: str, arguments: p.ToolArguments, counted: list[tuple[str, str, int]]
) -> None:
    browser = device(kind="browser", tools=[tool], connection="c", seen_at=timezone.now())
    async_to_sync(browser_calls._store_call)(any_permit(browser, tool, arguments), arguments.model_dump())
    assert counts() == counted
    BrowserCall.objects.all().delete()
    assert counts() == counted  # the counts outlive what they count
    assert "illness" not in str(list(HostCount.objects.values()))


@pytest.mark.parametrize(
    ("fields", "host"),
    [
        ({"kind": "signal", "address": "+49151"}, "Signal"),
        ({"kind": "push", "address": "https://push.example/secret"}, "push.example"),
        ({"kind": "apprise", "address": "tgram://secret/1"}, "tgram"),
    ],
)
def test_a_message_counts_once_it_went_out(fields: dict[str, str], host: str) -> None:
    delivery = Delivery.objects.create(device=device(**fields), key="one", reason="find")
    delivery.settle(Delivery.State.FAILED)
    assert counts() == []
    delivery = Delivery.objects.create(device=delivery.device, key="two", reason="find")
    delivery.settle(Delivery.State.ACCEPTED)
    delivery.settle(Delivery.State.ACCEPTED)
    assert counts() == [("message", host, 1)]


def test_this_machine_s_own_models_are_not_counted() -> None:
    for host in ("localhost", "127.0.0.1", "::1", "127.0.5.1"):
        ADD("model", host)
    assert counts() == []


def test_markup_signs_of_direction_and_formulas_do_not_reach_the_page_or_the_file(owner_client: Client) -> None:
    ADD("page", "\u202e<script>alert(1)</script>.example")
    ADD("page", "=HYPERLINK(1).example")
    ADD("page", "-1.example")
    html = owner_client.get(PAGE).content.decode()
    assert "<script>alert" not in html
    assert "\u202e" not in html
    rows = list(csv.reader(io.StringIO(owner_client.get(f"{PAGE}penny-record.csv").content.decode())))
    assert rows[0] == ["day", "what", "host", "count"]
    assert len(rows) == 4
    assert not any(row[2][0] in "=+-@\t" for row in rows[1:])


def test_ten_thousand_hosts_of_a_day_are_bounded_and_none_is_lost() -> None:
    rows = [HostCount(day=timezone.localdate(), way="page", host=f"h{n}.example", count=1) for n in range(HOSTS_A_DAY)]
    HostCount.objects.bulk_create(rows)
    for number in range(100):
        ADD("page", f"more{number}.example")
    ADD("page", "h1.example")
    assert HostCount.objects.count() == HOSTS_A_DAY + 1
    assert HostCount.objects.get(host=OTHERS).count == 100
    assert HostCount.objects.get(host="h1.example").count == 2


def test_the_page_says_in_words_what_left_in_which_time(owner_client: Client) -> None:
    assert "Nothing left this machine in 7 days" in page_words(owner_client, PAGE)
    ADD("page", "shop.example")
    ADD("page", "shop.example")
    ADD("search", "shop.example")
    HostCount.objects.create(day=timezone.localdate() - timedelta(days=20), way="model", host="ai.example", count=1)
    assert "In 7 days: 2 pages opened, 1 search." in page_words(owner_client, PAGE)
    assert "ai.example" not in page_words(owner_client, PAGE)
    html = owner_client.get(f"{PAGE}?days=30").content.decode()
    assert "In 30 days: 1 question to a model, 2 pages opened, 1 search." in html
    assert owner_client.get(f"{PAGE}?days=x&page=-4").status_code == 200


def test_counts_are_kept_for_the_days_of_the_setting(owner_client: Client) -> None:
    now = timezone.now()
    HostCount.objects.create(day=timezone.localdate() - timedelta(days=367), way="page", host="old.example")
    ADD("page", "new.example")
    retention.sweep(now)
    assert [row.host for row in HostCount.objects.all()] == ["new.example"]
    assert "Penny keeps them for 365 days." in page_words(owner_client, PAGE)
    with override_config(KEEP_RECORD_DAYS=0):
        assert "Penny keeps them for ever." in page_words(owner_client, PAGE)
        HostCount.objects.create(day=timezone.localdate() - timedelta(days=900), way="page", host="old.example")
        retention.sweep(now)
    assert HostCount.objects.filter(host="old.example").exists()


def test_the_record_opens_for_the_owner_alone_and_takes_no_post(owner_client: Client, client: Client) -> None:
    for address in (PAGE, f"{PAGE}penny-record.csv"):
        assert owner_client.post(address).status_code == 405
        stranger = Client().get(address, headers={"Authorization": "Bearer penny-abc"})
        assert stranger.headers["Location"].startswith("/sign-in/")
        assert owner_client.get(address, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


@pytest.mark.django_db(transaction=True)
def test_a_model_request_counts_by_its_host_before_it_leaves() -> None:
    Run.objects.create(kind=Run.Kind.THINKING, task="find levers")
    (run,) = Run.objects.claim(list(Run.objects.values_list("pk", flat=True)), timezone.now())
    numbers = get_values()

    async def nothing(_: str) -> None: ...

    async def ask() -> list[tuple[str, str, int]]:
        context = Context(run, "thinking", Handles([]), "Levers", SOME_MODELS, numbers, nothing, lambda: None)
        url = "https://api.ai.example/v1?key=secret"
        step = record_step(
            context, kind="model", zone="writer", name="m", origin=frozenset({"owner"}), request={}, tokens=1, url=url
        )
        async with step:
            return await in_db(counts)()

    assert asyncio.run(ask()) == [("model", "api.ai.example", 1)]
    assert counts() == [("model", "api.ai.example", 1)]


def test_deleting_a_site_s_visits_deletes_its_counts() -> None:
    ADD("page", "shop.example")
    ADD("page", "other.example")
    Visit.objects.create(device_label="D", domain="shop.example", title="A", visited_at=timezone.now())
    history_reports.forget_visits(Visit.objects.all())
    assert counts() == [("page", "other.example", 1)]
