"""Errors end in the button that mends them: in messages, on pages, and in notices."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from agents.answers.reply import Reply
from agents.models import Run, Schedule
from agents.runs.failure_texts import TOOL, WALLS
from agents.runs.mends import known_mends, mend_lines
from agents.thinking.outcome import SEARCH_FAILURES, search_failure
from agents.turns.finish import fail_turn
from devices.conversation import messages
from devices.models import Delivery, Device, Message
from devices.owner.account import the_owner
from thoughts.models import Source

pytestmark = pytest.mark.django_db
# A sentence that names a place of Penny's, or what the owner can do there.
NAMES_A_PLACE = re.compile(r"settings|Settings|Permissions|preferences page|You can (?:raise|change)|browser that you")
CODES = [
    "no_browser", "no_selectors", "tools_off", "not_granted", "asked_already", "no_attention", "rate_limited",
    "rate_limited_overall", "stopped", "muted_site",
    "muted_interest", "unread", "search_wall", "no_vision_model", "disk_full", "budget_pages", "day_tokens",
    "model_unreachable",
]  # fmt: skip


@pytest.mark.parametrize("code", CODES)
def test_a_mend_leads_to_a_page_that_is_there(owner_client: Client, code: str) -> None:
    [mend] = known_mends(code)
    address, _, place = mend.to.partition("#")
    html = owner_client.get(address).content.decode()
    assert f'id="{place}"' in html if place else "<h1>" in html
    if "?q=" in address:
        assert "No setting contains" not in html


def test_each_sentence_that_names_a_place_has_its_button() -> None:
    naming = [code for code, text in TOOL.items() if NAMES_A_PLACE.search(text)]
    assert len(naming) > 12
    assert [code for code in naming if not known_mends(code)] == []
    passing = [code for code, text in SEARCH_FAILURES.items() if "tries again" in text or "disconnected" in text]
    assert len(passing) < 4
    assert [code for code in SEARCH_FAILURES if code not in (*passing, *WALLS) and not known_mends(code)] == []
    assert all(known_mends(f"model_{code}") for code in ("unreachable", "key_refused", "not_found"))


def make_turn() -> Run:
    words = messages.render_content("Read it.", [])
    question = messages.store_message(
        the_owner(),
        words,
        device=None,
        device_label="Web",
        direction=Message.Direction.IN,
        kind="chat",
        origin=["owner"],
    )
    return Run.objects.create(kind="turn", state="running", message=question, turn_id=question.pk)


@pytest.mark.parametrize(
    ("code", "label", "page"),
    [
        ("model_unreachable", "Check the model", "/settings/model/"),
        ("budget_pages", "Raise the limit", "/settings/expert/"),
        ("disk_full", "Check this machine", "/settings/machine/"),
    ],
)
def test_a_failed_answer_ends_in_its_mend(owner_client: Client, code: str, label: str, page: str) -> None:
    run = make_turn()
    assert fail_turn(run, code, "It failed.", Reply("Half of it.", [], ["penny"]))
    answer = Message.objects.get(parent=run.message)
    assert re.search(
        rf'Half of it\.</p>\s*<p>It failed\.</p>\s*<p><a href="[^"]*{page}[^"]*"[^>]*>{label}</a></p>', answer.html
    )
    run.refresh_from_db()
    assert run.outcome == "It failed."


def test_a_failure_that_needs_another_try_alone_has_no_mend() -> None:
    run = make_turn()
    assert fail_turn(run, "internal", "It failed.")
    assert "<a" not in Message.objects.get(parent=run.message).html


def test_a_reply_names_each_mend_once_and_few() -> None:
    codes = ["no_browser", "disconnected", "not_granted", "muted_site", "no_browser"]
    reply = Reply("Nothing was read.", [], []).with_mends(codes).with_mends(codes[:2])
    [setup, sites] = reply.links
    assert reply.text == f"Nothing was read.\n\n[Connect a browser]({setup}) · [See your sites]({sites})"
    assert list(mend_lines(codes))[:2] == [setup, sites]


def links_of(html: str) -> list[tuple[str, str]]:
    return re.findall(r'<a class="button mend" href="([^"]+)">([^<]+)', html)


@pytest.mark.parametrize("address", ["/activity/", "/activity/runs/", "/runs/{run}/"])
def test_a_failed_run_ends_in_its_mend(owner_client: Client, address: str) -> None:
    run = Run.objects.create(
        kind="thinking", state="discarded", outcome="No browser is connected.", error_code="no_browser",
        started_at=timezone.now(), ended_at=timezone.now(),
    )  # fmt: skip
    html = owner_client.get(address.format(run=run.pk)).content.decode()
    assert links_of(html) == [("/setup/#browsers", "Connect a browser")]
    Run.objects.filter(pk=run.pk).update(error_code="", outcome="The same as before.")
    assert links_of(owner_client.get(address.format(run=run.pk)).content.decode()) == []


def test_a_routine_that_was_skipped_ends_in_its_mend(owner_client: Client) -> None:
    schedule = Schedule.objects.create(name="Think", kind="thinking", rrule="FREQ=DAILY")
    Run.objects.create(
        kind="thinking",
        state="discarded",
        schedule=schedule,
        outcome="No browser is connected.",
        error_code="no_browser",
    )
    assert ("/setup/#browsers", "Connect a browser") in links_of(
        owner_client.get("/schedules/", follow=True).content.decode()
    )


def test_a_source_that_cannot_be_read_ends_in_its_mend(owner_client: Client) -> None:
    Source.objects.create(url="https://feed.example/", domain="feed.example", trouble_code="switched_off")
    assert links_of(owner_client.get("/sources/", follow=True).content.decode()) == [
        ("/permissions/browsers/", "See your browsers")
    ]


def test_what_could_not_be_sent_leads_to_where_it_goes(owner_client: Client) -> None:
    phone = Device.objects.create(label="Phone", kind="push")
    Delivery.objects.create(device=phone, state="failed", text="A find", error="The service refused it.")
    assert [words for _, words in links_of(owner_client.get("/activity/sent/").content.decode())] == ["Check Phone"]


def test_a_notice_ends_in_its_mend(owner_client: Client) -> None:
    html = owner_client.post("/looking/now/", follow=True).content.decode()
    assert "No browser is connected." in html
    [link] = links_of(html)
    assert link == ("/setup/#browsers", "Connect a browser")


def test_pages_of_errors_end_in_a_way_on(owner_client: Client) -> None:
    for address, words in (("/offline/", "Try again"), ("/nowhere/", "Go to your feed")):
        assert f">{words}</a>" in owner_client.get(address).content.decode()


def test_a_search_that_failed_for_no_known_reason_is_told_without_its_code() -> None:
    assert str(search_failure("internal")) == "The search did not work this time. Penny tries again at the next time."
