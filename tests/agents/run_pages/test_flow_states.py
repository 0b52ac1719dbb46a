"""The page of a run in each state, who may see it, and where it is linked."""

import re
from uuid import uuid4

import pytest
from django.test import Client as Http

from agents.models import Run
from devices import protocol as p
from devices.owner.account import the_owner
from tests.agents.run_pages.recorded import (
    ALL,
    DOMAIN,
    URL,
    answers,
    html_of,
    nodes,
    step,
    turn,
)
from tests.client import Client, allow, browser_tools, make_page
from tests.penny import Penny
from tests.stand_ins.articles import WATER
from thoughts.models import Preference, Thought


@pytest.mark.parametrize(
    ("state", "fields", "words"),
    [
        ("queued", {}, "Nothing happened yet"),
        ("parked", {"outcome": "Waits for your answer: coffee.example"}, "Waits for your answer: coffee.example"),
        ("failed", {"outcome": "The model stopped answering."}, "The model stopped answering."),
        ("cancelled", {"outcome": "Stopped."}, "Stopped."),
        ("done", {}, "No step was taken"),
    ],
)
def test_a_run_without_steps_says_how_it_stands(
    owner_client: Http, state: str, fields: dict[str, str], words: str
) -> None:
    assert words in html_of(owner_client, turn(state, **fields))


def test_a_step_that_failed_and_one_that_runs_say_so(owner_client: Http) -> None:
    run = turn("running")
    step(run, "reader", state="failed", error_code="reader_slow", origin=["owner", DOMAIN])
    step(run, "planner", state="started")
    _, failed, running, end = nodes(html_of(owner_client, run))
    assert "failed: reader slow" in failed
    assert "Answered not yet" in running
    assert "not done yet" in end


def test_a_step_that_waited_for_the_owner_did_not_fail(owner_client: Http) -> None:
    run = turn("parked")
    step(run, "browser", kind="tool", name="search_web", state="failed", error_code="waiting")
    html = html_of(owner_client, run)
    assert "Waited for your answer" in html
    assert "ailed" not in nodes(html)[1]
    assert "Failed" not in html


def test_a_step_that_a_crash_cut_off_does_not_look_as_if_it_ran(owner_client: Http) -> None:
    run = turn("failed", outcome="I was interrupted too often while answering.")
    step(run, "planner", state="started")
    assert "nothing: it was interrupted" in nodes(html_of(owner_client, run))[1]


def test_an_open_run_is_asked_about_until_there_is_more_to_show(owner_client: Http) -> None:
    run = turn("running")
    match = re.search(r'hx-get="([^"]+)" hx-trigger="every 2s"', html_of(owner_client, run))
    assert match is not None
    assert owner_client.get(match[1], headers={"HX-Request": "true"}).status_code == 204
    step(run, "planner", state="started")
    more = owner_client.get(match[1], headers={"HX-Request": "true"})
    assert more.content.decode().lstrip().startswith('<div id="flow"')
    Run.objects.update(state="done")
    assert (
        "hx-trigger"
        not in owner_client.get(match[1], headers={"HX-Request": "true"}).content.decode().partition("</div>")[0]
    )


def test_a_thinking_run_starts_with_its_preference_and_ends_with_its_thought(owner_client: Http) -> None:
    thought = Thought.objects.create(title="Lever machines are back", text="x", html="x", origin=ALL)
    seed = Preference.objects.create(text="espresso")
    run = Run.objects.create(kind="thinking", state="done", preference=seed, thought=thought)
    step(
        run,
        "thinking",
        "tool",
        name="search_web",
        request={"arguments": '{"query": "espresso"}'},
        result={"handle": "s1", "count": 8},
    )
    first, search, end = nodes(html_of(owner_client, run))
    assert "espresso" in first
    assert "search_web" in search
    assert "8 results" in search
    assert "Lever machines are back" in end
    assert f"/runs/{run.pk}/" in owner_client.get(f"/thoughts/{thought.pk}/").content.decode()


def test_a_run_that_was_discarded_says_why(owner_client: Http) -> None:
    run = Run.objects.create(kind="thinking", state="discarded", outcome="You dislike “gossip”.")
    step(run, "thinking", "tool", name="search_web")
    assert "You dislike “gossip”." in html_of(owner_client, run)


def test_only_the_owner_sees_it_under_the_same_policy(client: Http, db: None) -> None:
    run = turn()
    assert client.get(f"/runs/{run.pk}/").headers["Location"].startswith("/sign-in/")
    assert client.get(f"/turns/{run.turn_id}/").headers["Location"].startswith("/sign-in/")
    client.force_login(the_owner())
    answer = client.get(f"/runs/{run.pk}/")
    assert "script-src 'self'; style-src 'self'" in answer.headers["Content-Security-Policy"]
    body = answer.content.decode()
    assert not re.search(r"\sstyle=|<style|\son[a-z]+=|<script(?![^>]*\ssrc=)", body)
    assert client.get(f"/runs/{uuid4()}/").status_code == 404
    assert client.post(f"/runs/{run.pk}/").status_code == 405


def test_the_chat_and_the_admin_lead_there(owner_client: Http) -> None:
    run = turn()
    answers(run)
    chat = owner_client.get("/chat/").content.decode()
    assert chat.count(f'href="/turns/{run.turn_id}/">How this was answered') == 1
    assert owner_client.get(f"/turns/{run.turn_id}/").headers["Location"] == f"/runs/{run.pk}/"
    assert f'href="/runs/{run.pk}/"' in owner_client.get(f"/admin/agents/run/{run.pk}/change/").content.decode()


DESK_TOOLS = browser_tools({URL: make_page(URL, WATER.title, WATER.text)})
DESK_ANSWERS = allow()


def test_a_turn_that_read_a_page_shows_its_flow(penny: Penny, desk: Client) -> None:
    turn_id = desk.say(f"How is espresso brewed? {URL}")
    desk.expect(p.TurnDone, 30, turn_id=turn_id)
    answer = penny.http.get(f"/turns/{turn_id}/")
    assert str(answer.url).startswith(f"{penny.url}/runs/")
    zones = re.findall(r'<div class="node ([a-z]+) lane-\d', answer.text)
    assert zones == ["you", "planner", "planner", "reader", "planner", "writer", "you"]
    assert WATER.paragraphs[0] in answer.text
    planners = [item for item in re.split(r'<li id="step-\d+"', answer.text)[1:] if "<b>Decide what to do" in item]
    assert len(planners) == 2
    assert all(WATER.paragraphs[0][:30] not in item for item in planners)
