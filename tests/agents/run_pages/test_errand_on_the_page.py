"""The page of a run with an errand: the operator's lane, what it saw, where it could act, and what it did there."""

import json
from typing import Any

import pytest
from django.test import Client as Http

from agents.models import Run
from devices.grants.grants import set_grant
from devices.models import Device
from tests.agents.acting.shop import HOST, PAGE
from tests.agents.run_pages.recorded import answers, html_of, nodes, recorded_turn, step, turn
from tests.pages import visible_words

PAGE_LABELS = ["owner", HOST]


@pytest.fixture
def errand() -> Run:
    """A recorded turn: the planner delegates, the operator looks, clicks and ends."""
    run = turn(question="Put the quiet keyboard into the basket")
    desk = Device.objects.create(label="Desk Firefox", kind="browser")
    call = {"tool": "act", "arguments": '{"where": "tab", "goal": "Put it into the basket"}'}
    step(run, "planner", request={"turns": [recorded_turn("user", "Put it there")], "tools": ["act"]},
         result={"text": "", "calls": [call]})  # fmt: skip
    page_call(run, desk, "manage_tab", {"do": "open"}, {"url": f"https://{HOST}/"})
    page_call(run, desk, "snapshot_page", {"part": 1}, {"text": PAGE, "lines": 3, "refs": 3})
    operator(run)
    page_call(run, desk, "act_on_page", {"action": {"do": "click", "ref": "2"}},
              {"state": "done", "effects": {"is_nothing": False}})  # fmt: skip
    operator(run)
    step(run, "planner", "tool", name="act", request={"arguments": call["arguments"]},
         result={"handle": "p2", "domain": HOST, "outcome": "done", "why": None, "steps": 2, "claims": 1})  # fmt: skip
    return run


def page_call(run: Run, desk: Device, name: str, arguments: dict[str, Any], result: dict[str, Any]) -> None:
    step(
        run,
        "operator",
        "tool",
        name=name,
        device=desk,
        origin=PAGE_LABELS,
        request={"arguments": arguments},
        result=result,
    )


def operator(run: Run, origin: list[str] = PAGE_LABELS, **request: Any) -> None:
    body = {"turns": [recorded_turn("user", PAGE)], "tools": ["click", "done"], "site": HOST} | request
    click = {"tool": "click", "arguments": '{"ref": 2}'}
    step(run, "operator", origin=origin, request=body, result={"text": "", "calls": [click]})


def test_the_operator_has_a_lane_with_its_site_and_says_what_it_saw_and_could_act_on(
    owner_client: Http, errand: Run
) -> None:
    html = html_of(owner_client, errand)
    assert f"Operator on {HOST} one site's page, and tools that reach it alone" in visible_words(html)
    _, plan, opens, looks, decides, clicks, _, learns, _ = nodes(html)
    assert "Could call act" in plan
    assert f"Operator on {HOST}" in decides
    assert f"Saw the goal · the page of {HOST}, {len(PAGE)} characters" in decides
    assert f"Could call click · done (saw {HOST}, could act on {HOST} only)" in decides
    assert "Was asked Open a tab" in opens
    assert "Answered 3 lines, 3 controls" in looks
    assert "Was asked Click [2 button Add to basket] Answered done" in clicks
    assert "done · 2 steps" in learns
    summaries = [visible_words(row) for row in html.split("<summary>")[1:]]
    assert any(
        f"Decide the next act Operator on {HOST} · saw {HOST}, could act on {HOST} only" in it for it in summaries
    )
    assert any("Click [2 button Add to basket]" in it for it in summaries)


def test_the_verdict_counts_the_operator_s_requests(owner_client: Http, errand: Run) -> None:
    words = visible_words(html_of(owner_client, errand))
    assert f"✓ 2 requests could act, only on the site whose page they saw: {HOST} ." in words
    step(errand, "reader", origin=["owner", "coffee.example"], request={"characters": 9}, result={"reading": {}})
    words = visible_words(html_of(owner_client, errand))
    assert "Words from coffee.example were read only where Penny could call nothing. 2 requests could act" in words


@pytest.mark.parametrize(
    ("origin", "site"), [(["owner", HOST, "evil.example"], HOST), (PAGE_LABELS, ""), (PAGE_LABELS, "evil.example")]
)
def test_a_label_that_the_site_does_not_cover_is_a_fault(
    owner_client: Http, errand: Run, origin: list[str], site: str
) -> None:
    operator(errand, origin, site=site)
    assert "1 request held tools and words of the web together" in html_of(owner_client, errand)


def test_a_site_below_the_errand_s_is_none(owner_client: Http, errand: Run) -> None:
    operator(errand, [*PAGE_LABELS, f"login.{HOST}"])
    assert "words of the web together" not in html_of(owner_client, errand)


def test_the_grant_to_act_stands_among_what_the_site_allows_now(owner_client: Http, errand: Run) -> None:
    set_grant(HOST, "act", "allowed")
    assert f"{HOST} act, always" in visible_words(html_of(owner_client, errand))


def test_the_export_says_the_site_too(owner_client: Http, errand: Run) -> None:
    trace = json.loads(owner_client.get(f"/runs/{errand.pk}/trace.json").content)
    sites = [
        one["request"].get("site") for one in trace["steps"] if one["zone"] == "operator" and one["kind"] == "model"
    ]
    assert sites == [HOST, HOST]


def test_words_of_the_page_are_shown_and_nothing_else(owner_client: Http, errand: Run) -> None:
    evil = '<script>alert("x")</script>\u202e'
    desk = Device.objects.get()
    page_call(errand, desk, "snapshot_page", {}, {"text": f"[7 button {evil}]", "lines": 1, "refs": 1})
    page_call(errand, desk, "act_on_page", {"action": {"do": "click", "ref": "7"}}, {"state": "done"})
    answers(errand)
    html = html_of(owner_client, errand)
    assert "<script>alert" not in html
    assert "\u202e" not in html
