"""In a running Penny too, the model's server receives exactly the recorded requests."""

import json
import sqlite3
from collections import Counter
from typing import Any
from uuid import uuid4

import pytest

from devices import protocol as p
from tests.client import Client, allow, browser_tools, make_page
from tests.penny import Penny
from tests.stand_ins.articles import GRIND, WATER
from tests.stand_ins.model_script import zone
from tests.stand_ins.model_server import ModelServer, Reply, Request, text

SITE, ENGINE = "coffee.example", "html.duckduckgo.com"
URL = f"https://{SITE}/water"
PAGES = {URL: make_page(URL, WATER.title, WATER.text, [("The grind", f"https://{SITE}/grind")])}
RESULTS = [p.SearchResult(title=WATER.title, url=URL, snippet=GRIND.paragraphs[0])]
# The zone of each role that the scripted model plays.
ROLES = {
    "planner": "planner",
    "reader": "reader",
    "chooser": "reader",
    "writer": "writer",
    "sharer": "writer",
    "drafter": "writer",
    "queries": "planner",
}
Step = dict[str, Any]


DESK_TOOLS = browser_tools(PAGES, RESULTS)
DESK_ANSWERS = allow()


@pytest.fixture
def before(penny: Penny) -> int:
    """Return the last step of other tests."""
    return max((step["id"] for step in model_steps(penny, 0)), default=0)


def model_steps(penny: Penny, after: int) -> list[Step]:
    """Return the model steps in the database after step `after`."""
    names = ("id", "zone", "origin", "request", "result")
    with sqlite3.connect(f"file:{penny.database}?mode=ro", uri=True) as rows:
        query = f"select {', '.join(names)} from agents_step where kind = 'model' and id > ? order by id"
        steps = [dict(zip(names, row, strict=True)) for row in rows.execute(query, [after])]
    return [step | {name: json.loads(step[name]) for name in ("origin", "request", "result")} for step in steps]


def is_reader(request: Request) -> bool:
    return zone(request) == "reader"


@pytest.mark.processes("a promise of SECURITY.md holds in the running Penny")
def test_every_request_that_a_model_receives_is_recorded_with_its_zone_and_labels(
    penny: Penny, desk: Client, model: ModelServer, before: int
) -> None:
    desk.ask("Hello")
    desk.ask("Search for espresso", 40)
    ask_about_recipe(desk)
    model.on(is_reader, text("no reading"), times=1)
    desk.ask(f"How is espresso brewed? {URL}", 40)
    model.on(is_reader, text("no reading"), times=2)
    desk.ask(f"And again? {URL}", 40)
    model.on(is_reader, Reply(status=500), times=2)
    desk.ask(f"And once more? {URL}", 40)
    penny.admin_action("thoughts/thought", "delete_selected")  # what another test was told is not told again
    assert penny.manage("think", "--preference", "espresso")
    steps = model_steps(penny, before)
    assert_recorded(steps, model.requests)
    assert {zone(request) for request in model.requests} == set(ROLES)
    outcomes = [step["result"].get("outcomes") for step in steps if step["zone"] == "reader"]
    assert [
        codes
        for codes in (["reading_invalid", "read"], ["reading_invalid"] * 2, ["model_failed"])
        if codes not in outcomes
    ] == []


def ask_about_recipe(client: Client) -> None:
    frame = p.ChatSend(turn_id=uuid4(), text="At how many degrees is espresso brewed?", page=PAGES[URL])
    client.send(frame)
    client.expect(p.TurnDone, 40, turn_id=frame.turn_id)


def assert_recorded(steps: list[Step], requests: list[Request]) -> None:
    """Assert that each request is recorded once, under its zone, with labels allowed there."""
    pairs = [(step, record) for step in steps for record in step["request"]["sent"]]
    assert Counter((record["sha256"], record["zone"]) for _, record in pairs) == Counter(
        (r.sha256, ROLES[zone(r)]) for r in requests
    )
    for step, record in pairs:
        assert (record["zone"], sorted(record["labels"])) == (step["zone"], sorted(step["origin"]))
        sites = set(record["labels"]) - {"owner", "penny"}
        assert sites <= {SITE, ENGINE}
        assert bool(sites) is (step["zone"] != "planner")
