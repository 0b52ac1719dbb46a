"""History reports: taken only if shared, with a domain and a title for each visit.

One visit with more than that refuses the whole report.
"""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from agents.frames import answer as frames_answer
from agents.learning import history_reports
from devices import protocol
from devices.models import Device
from devices.owner.account import the_owner
from devices.protocol import frames
from devices.web import visits
from devices.web.visits import bare_title
from thoughts.models import Visit

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
AT = (timezone.now() - timedelta(days=1)).isoformat()


@pytest.fixture
def reporting_desk() -> Device:
    return Device.objects.create(label="Desk", kind=Device.Kind.BROWSER)


def answer_to(device: Device, **frame: Any) -> protocol.ServerFrame:
    client_frame: Any = frames._client.validate_python({"ref": str(uuid4())} | frame)
    [answer] = frames_answer.answer_frame(the_owner(), device, client_frame)
    return answer


def report_visits(device: Device, *titles: tuple[str, str]) -> protocol.ServerFrame:
    rows = [{"domain": domain, "title": title, "visited_at": AT} for domain, title in titles]
    return answer_to(device, type="history.report", visits=rows)


def share_history(device: Device, *, on: bool = True) -> None:
    assert isinstance(answer_to(device, type="device.update", history=on), protocol.Ack)


def stored_visits() -> list[tuple[str, str, str]]:
    return list(Visit.objects.order_by("id").values_list("domain", "title", "device_label"))


def test_a_device_shares_nothing_until_the_owner_switches_it_on_and_nothing_once_it_is_off(
    reporting_desk: Device,
) -> None:
    answer = report_visits(reporting_desk, ("a.example", "Lever espresso"))
    assert isinstance(answer, protocol.Error)
    assert (answer.code, stored_visits()) == ("unsupported", [])
    share_history(reporting_desk)
    assert isinstance(report_visits(reporting_desk, ("a.example", "Lever espresso")), protocol.Ack)
    assert stored_visits() == [("a.example", "Lever espresso", "Desk")]
    share_history(reporting_desk, on=False)
    assert isinstance(report_visits(reporting_desk, ("b.example", "Old maps")), protocol.Error)
    assert len(stored_visits()) == 1


def test_without_that_switch_whatever_a_device_tells_would_be_stored(
    reporting_desk: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_reports, "_check_shared", lambda device: None)
    assert isinstance(report_visits(reporting_desk, ("a.example", "Lever espresso")), protocol.Ack)
    assert stored_visits() == [("a.example", "Lever espresso", "Desk")]


def test_what_was_switched_off_on_the_web_page_holds_for_a_device_that_has_not_heard_of_it(
    reporting_desk: Device,
) -> None:
    share_history(reporting_desk)
    Device.objects.filter(pk=reporting_desk.pk).update(shares_history=False)
    assert isinstance(report_visits(reporting_desk, ("a.example", "Lever espresso")), protocol.Error)
    assert stored_visits() == []


def test_the_web_page_is_no_browser_that_shares_its_history() -> None:
    page = Device.objects.create(label="Web", kind=Device.Kind.WEB)
    share_history(page)
    assert not Device.objects.get(pk=page.pk).shares_history


MORE_THAN_A_DOMAIN = [
    "https://a.example", "http://a.example/", "a.example/", "a.example/private/page", "a.example?q=1",
    "a.example#part", "a.example:8443",
    "a.example:80", "me@a.example", "me:pass@a.example", "A.example", " a.example", "a.example.", "a..example",
    "a_.exa mple",
    "a.example\n", "münchen.example", "a.example%2fprivate", "a.example\\private", "",
]  # fmt: skip
NO_PUBLIC_PLACE = [
    "localhost", "intranet", "router.local", "nas.lan", "wiki.internal", "a.localhost", "printer.home.arpa",
    "10.0.0.1", "192.168.1.2",
    "127.0.0.1", "[::1]", "0x7f.1", "2130706433", "a.127", "hidden.onion", "a.test",
]  # fmt: skip


@pytest.mark.parametrize("domain", [*MORE_THAN_A_DOMAIN, *NO_PUBLIC_PLACE])
def test_a_visit_that_says_more_than_a_public_domain_refuses_all_that_came_with_it(
    reporting_desk: Device, domain: str
) -> None:
    share_history(reporting_desk)
    try:
        answer = report_visits(reporting_desk, ("a.example", "Lever espresso"), (domain, "Old maps"))
    except ValueError:  # no frame of the contract
        return
    assert isinstance(answer, protocol.Error)
    assert (answer.code, stored_visits()) == ("bad_host", [])


def test_pennys_own_pages_are_refused(reporting_desk: Device, settings: Any) -> None:
    share_history(reporting_desk)
    settings.PUBLIC_URL = "https://penny.example"
    answer = report_visits(reporting_desk, ("penny.example", "Thoughts"))
    assert isinstance(answer, protocol.Error)
    assert (answer.code, stored_visits()) == ("bad_host", [])


def test_without_that_rule_an_address_with_its_path_would_be_stored(
    reporting_desk: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    share_history(reporting_desk)
    monkeypatch.setattr(history_reports, "bare_domain", lambda domain: domain)
    report_visits(reporting_desk, ("a.example/private/page?q=1", "Old maps"))
    assert stored_visits() == [("a.example/private/page?q=1", "Old maps", "Desk")]


@pytest.mark.parametrize(
    ("title", "result"),
    [
        ("Lever espresso | Coffee", "Lever espresso | Coffee"),
        ("a.example/private/page?q=1", ""),
        ("Results https://a.example/?q=mine here", "Results here"),
        ("Inbox (3) - ada@mail.example", "Inbox (3) -"),
        ("Order 302-4417723-99 sent", "Order sent"),
        ("www.evil.com is here", ""),
        ("Node.js 22 is out", "Node.js 22 is out"),
        ("Two\nlines\u200b", "Two lines"),
        ("x" * 400, "x" * 200),
        ("Your code: 4829", "Your code:"),
        ("Key ghp_16C7e42F292c6912E7710c838347Ae178B4a made", "Key made"),
    ],
)
def test_a_title_holds_no_address_and_nothing_that_names_a_person_or_an_account(title: str, result: str) -> None:
    assert bare_title(title) == result


def test_without_that_rule_the_address_that_a_page_without_a_title_has_for_one_would_be_stored(
    reporting_desk: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = "a.example/private/page?q=1"
    share_history(reporting_desk)
    report_visits(reporting_desk, ("a.example", address))
    assert stored_visits() == [("a.example", "", "Desk")]
    monkeypatch.setattr(history_reports, "bare_title", lambda title: title)
    report_visits(reporting_desk, ("a.example", address))
    assert stored_visits()[1] == ("a.example", address, "Desk")


def test_without_the_look_for_secrets_the_code_in_a_title_would_be_stored(
    reporting_desk: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    share_history(reporting_desk)
    report_visits(reporting_desk, ("a.example", "Your code: 4829"))
    monkeypatch.setattr(visits, "hide_secrets", lambda title: title)
    report_visits(reporting_desk, ("a.example", "Your code: 4829"))
    assert [title for _, title, _ in stored_visits()] == ["Your code:", "Your code: 4829"]


def test_what_the_extension_leaves_out_is_left_out_here_too_and_without_that_rule_it_is_stored(
    reporting_desk: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    share_history(reporting_desk)
    private = [("a.example", "Scheidung einreichen"), ("forum.example", "Ozempic week one"), ("tinder.com", "Welcome")]
    assert isinstance(report_visits(reporting_desk, *private, ("b.example", "Old maps")), protocol.Ack)
    assert stored_visits() == [("b.example", "Old maps", "Desk")]
    monkeypatch.setattr(history_reports, "is_private_visit", lambda domain, title: False)
    report_visits(reporting_desk, *private)
    assert len(stored_visits()) == 4


def test_a_report_that_comes_again_is_stored_once_and_no_visit_is_of_the_future(reporting_desk: Device) -> None:
    share_history(reporting_desk)
    for _ in range(2):
        assert isinstance(
            report_visits(reporting_desk, ("a.example", "Maps"), ("a.example", "Maps"), ("b.example", "Maps")),
            protocol.Ack,
        )
    assert len(stored_visits()) == 2
    for at in (timezone.now() + timedelta(days=9), timezone.now() - timedelta(days=20_000)):
        answer_to(
            reporting_desk,
            type="history.report",
            visits=[{"domain": "c.example", "title": "Odd", "visited_at": at.isoformat()}],
        )
    assert all(
        timezone.now() - timedelta(days=366) < visit.visited_at <= timezone.now() for visit in Visit.objects.all()
    )
    assert Visit.objects.filter(domain="c.example").count() == 2


def test_more_than_a_person_visits_in_an_hour_is_not_taken(
    reporting_desk: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    share_history(reporting_desk)
    monkeypatch.setattr(history_reports, "HOUR_MAX", 2)
    assert isinstance(report_visits(reporting_desk, ("a.example", "One"), ("a.example", "Two")), protocol.Ack)
    answer = report_visits(reporting_desk, ("a.example", "Three"))
    assert isinstance(answer, protocol.Error)
    assert (answer.code, len(stored_visits())) == ("too_many", 2)
    Visit.objects.update(received_at=timezone.now() - timedelta(hours=2))
    assert isinstance(report_visits(reporting_desk, ("a.example", "Three")), protocol.Ack)
