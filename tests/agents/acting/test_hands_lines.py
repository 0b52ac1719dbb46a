"""What a line means, what stays of the lines between the command and its run, and who may begin."""

import os
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management.base import CommandError
from django.utils import timezone
from pydantic import TypeAdapter

from agents.acting.hands import conversation, events
from agents.acting.hands.lines import Find, Line, LineRefused, Look, Quit, Read, parse_line
from agents.acting.hands.show import json_line, shown_event
from agents.management.commands.hands import require_own_user
from agents.models import HandsLine, Run
from devices import protocol as p
from devices.web.hosts import HostInvalid
from penny_site.help.handbook import FOLDER
from tests.commands import ROOT

URL = "https://shop.example/keyboards?page=2"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("look", Look()),
        ("  LOOK   3 ", Look(3)),
        ("find add to  basket", Find("add to  basket")),
        ("read", Read()),
        ("quit", Quit()),
        ("go back", p.GoAction(to="back")),
        ("go reload", p.GoAction(to="reload")),
        ("go /", p.GoAction(to="path", path="/")),
        ("go /a?b=https://evil.example/#c", p.GoAction(to="path", path="/a?b=https://evil.example/#c")),
        ("go https://shop.example", p.GoAction(to="path", path="/")),
        ("go HTTPS://SHOP.example:443/x", p.GoAction(to="path", path="/x")),
        ("go shop.example/x?u=http://y", p.GoAction(to="path", path="/x?u=http://y")),
        ("wait quiet", p.WaitAction(until="quiet")),
        ("wait 25000", p.WaitAction(until="ms", ms=25_000)),
    ],
)
def test_a_line_has_one_meaning(text: str, line: Line) -> None:
    assert parse_line(text, URL) == line


@pytest.mark.parametrize(
    ("text", "code"),
    [
        *((text, "unknown_line") for text in ("", "click 2", "look -1", "look all", "find", f"find {'x' * 201}", "go")),
        *((text, "unknown_line") for text in ("wait", "wait -5", "wait ٣", "read all", "quit now")),
        *(
            (f"go {url}", "other_site")
            for url in ("https://evil.example/", "//evil.example/", "cart", "/\\evil.example")
        ),
        *((text, "too_long") for text in ("wait 25001", "wait 100000")),
        *((f"go {url}", "other_site") for url in ("https://www.shop.example/", "http://shop.example/")),
        *((f"go {url}", "other_site") for url in ("https://shop.example.evil.example/", "https://shop.example:8443/")),
        *((f"go {url}", "bad_url") for url in ("https://ada@shop.example/", "file:///etc/passwd", "https://", "///")),
        *((f"go {url}", "bad_url") for url in ("https://shop.example//evil.example", f"/{'x' * 2_100}")),
    ],
)
def test_another_line_is_refused_in_words(text: str, code: str) -> None:
    with pytest.raises(LineRefused) as refusal:
        parse_line(text, URL)
    assert refusal.value.code == code
    assert str(refusal.value).endswith(".")


@pytest.mark.django_db
def test_one_at_a_time_and_its_address_without_secrets(transactional_db: None) -> None:
    run = conversation.start_hands("shop.example/?token=0123456789abcdef0123456789abcdef")
    assert "0123456789abcdef" not in run.task
    with pytest.raises(conversation.HandsRefused, match="open already"):
        conversation.start_hands("https://other.example/")
    assert conversation.take_line(run) == "https://shop.example/?token=0123456789abcdef0123456789abcdef"
    assert conversation.take_line(run) is None
    Run.objects.update(state="done")
    conversation.start_hands("https://other.example/")
    for wrong in ("ftp://shop.example/", "javascript:alert(1)", "https://a:b@shop.example/"):
        with pytest.raises(HostInvalid):
            conversation.start_hands(wrong)


@pytest.mark.django_db
def test_lines_are_bounded_in_number_size_and_age(transactional_db: None) -> None:
    run = conversation.start_hands("https://shop.example/")
    conversation.write_line(run, "x" * conversation.LINE_CHARACTERS)
    with pytest.raises(conversation.HandsRefused):
        conversation.write_line(run, "x" * (conversation.LINE_CHARACTERS + 1))
    for _ in range(conversation.LINES_WAITING - 2):
        conversation.write_line(run, "look")
    with pytest.raises(conversation.HandsRefused):
        conversation.write_line(run, "look")
    for number in range(conversation.EVENTS_KEPT + 5):
        conversation.write_event(run, events.Refusal(code=str(number), text="No."))
    kept_codes = [event.code for _, event in conversation.events_after(run, 0) if isinstance(event, events.Refusal)]
    assert kept_codes == [str(number) for number in range(5, conversation.EVENTS_KEPT + 5)]
    now = timezone.now()
    conversation.forget_lines(now)
    assert HandsLine.objects.exists()
    Run.objects.update(ended_at=now - conversation.KEPT)
    conversation.forget_lines(now + timedelta(seconds=1))
    assert not HandsLine.objects.exists()


@pytest.mark.django_db
def test_it_is_idle_ten_minutes_after_the_last_line(transactional_db: None) -> None:
    run, now = conversation.start_hands("https://shop.example/"), timezone.now()
    HandsLine.objects.update(created_at=now)
    assert not conversation.is_idle(run, now + timedelta(minutes=10))
    assert conversation.is_idle(run, now + timedelta(minutes=10, seconds=1))


def test_only_the_user_of_the_data_folder_may_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    require_own_user()
    monkeypatch.setattr(os, "geteuid", lambda: 12_345)
    with pytest.raises(CommandError, match="another user"):
        require_own_user()


def test_nothing_but_the_command_begins_it() -> None:
    """No frame, page, tool or program reaches it."""
    names = re.compile(r"start_hands|Kind\.HANDS\b.*create")
    packages = ("agents", "devices", "penny_site")
    users = {
        str(path.relative_to(ROOT))
        for package in packages
        for path in (ROOT / package).rglob("*.py")
        if names.search(path.read_text())
    }
    assert users == {"agents/acting/hands/conversation.py", "agents/management/commands/hands.py"}


ODD = "a\x1b]0;t\x07\r\u202eb\u2028\u200d\x85c"


@pytest.mark.parametrize(
    "event",
    [
        events.Snapshot(url="https://a.example/", title=ODD, part=1, parts=1, lines=1, refs=0, text=f"{ODD}\n{ODD}"),
        events.Matches(words="a", matches=[events.Match(line=ODD, part=1, ref=None)]),
        events.Effect(did="go", url="https://a.example/", has_navigated=True, dialog=ODD, changes=ODD),
        events.ReadPage(url="https://a.example/", title=ODD, text=ODD, words=1, is_cut=False, notice="consent"),
        events.Refusal(code="a", text=ODD),
        events.Question(site="a.example", text=ODD),
        events.End(code="", text=ODD),
    ],
)
def test_no_event_has_a_sign_that_a_terminal_obeys(event: events.Event) -> None:
    for text in (shown_event(event), json_line(event)):
        assert re.findall(r"[^\n\x20-\x7e‹›│]", text) == []
    assert "‹U+202E›" in shown_event(event)


def test_the_handbook_has_an_example_of_each_event() -> None:
    """Each example is a valid event, with all of its keys."""
    page = (FOLDER / "hands.md").read_text()
    examples = re.findall(r'^\{"event": .*\}$', page, re.MULTILINE)
    adapter: TypeAdapter[events.Event] = TypeAdapter(events.Event)
    shown_events = [adapter.validate_json(example) for example in examples]
    assert {type(event) for event in shown_events} == {
        events.Snapshot, events.Matches, events.Effect, events.Question, events.Refusal, events.ReadPage, events.End,
    }  # fmt: skip
    assert [json_line(event) for event in shown_events] == examples


def test_the_run_reaches_a_page_through_its_gateway_alone() -> None:
    texts = [path.read_text() for path in Path(ROOT / "agents/acting/hands").glob("*.py")]
    assert not any("browser_calls" in text or "PERMIT_SEAL" in text or "call_permitted" in text for text in texts)
    assert any("call_page(" in text for text in texts)
