"""The built extension acts in a tab of an errand: at most once, on one site, and with the owner's yes."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from devices.protocol import Ack, GrantSet
from tests.e2e.acting_shop import ELSEWHERE, HOST, ActingShop
from tests.e2e.conftest import Desk
from tests.e2e.page_calls import Calls, call_browser_tools
from tests.stand_ins.serving import serving

pytestmark = pytest.mark.one_browser("firefox", "shared code acts; the long run takes both")

NUMBER = {"label": "Number", "name": "number", "value": "1", "more": 0, "is_hidden": False}


@pytest.fixture(scope="module")
def mart() -> Iterator[ActingShop]:
    with serving(ActingShop()) as mart:
        yield mart


def allow_acting(desk: Desk) -> None:
    with desk.penny.client("Helper") as helper:
        helper.send(GrantSet(host=HOST, capability="act", state="allowed", scope="always"))
        helper.expect(Ack, ref=HOST)


def look(**fields: Any) -> tuple[str, dict[str, Any]]:
    return "snapshot_page", {"tab": "{tab}", "filter": "all", "part": 1, "characters": 12_000} | fields


def act(action: dict[str, Any], act_id: str = "", **fields: Any) -> tuple[str, dict[str, Any]]:
    return "act_on_page", {"tab": "{tab}", "act_id": act_id or str(uuid4()), "action": action} | fields


def in_tab(desk: Desk, mart: ActingShop, calls: Calls, path: str = "/keyboards") -> list[dict[str, Any]]:
    """Make the calls in a tab that is opened for them and closed afterwards."""
    errand = str(uuid4())
    start = ("manage_tab", {"errand": errand, "do": "open", "host": HOST, "url": mart.url(HOST, path)})
    end = ("manage_tab", {"errand": errand, "do": "release", "host": HOST})
    results = call_browser_tools(desk.penny, f"Desk {desk.browser.name}", [start, *calls, end])
    return results[1:-1]


def test_controls_are_set_pressed_and_read_back(desk: Desk, mart: ActingShop) -> None:
    allow_acting(desk)
    fields = [{"ref": "1", "value": "white"}, {"ref": "2", "value": "Blue ribbon"}, {"ref": "3", "value": True}]
    first, setting, password, details, nothing, after = in_tab(
        desk,
        mart,
        [
            look(),
            act({"do": "set", "fields": fields}),
            act({"do": "set", "fields": [{"ref": "4", "value": "hunter2"}]}),
            act({"do": "click", "ref": "5"}),
            act({"do": "hover", "ref": "6"}),
            look(),
        ],
    )
    assert "[5 button Details +]" in first["text"]
    assert setting["state"] == "done", setting
    assert setting["effects"]["value"] == "true"
    assert not setting["effects"]["is_nothing"]
    assert password["code"] == "secret_refused"
    assert details["state"] == "done", details
    assert "It weighs 900 g." in details["changes"]
    assert nothing["effects"]["is_nothing"], nothing
    assert "= White" in after["text"]
    assert "= Blue ribbon" in after["text"]
    assert "[3 checkbox Gift ✓" in after["text"]


def test_a_form_is_sent_once_and_only_with_the_owner_s_yes(desk: Desk, mart: ActingShop) -> None:
    allow_acting(desk)
    mart.visits.clear()
    act_id = str(uuid4())
    press = {"do": "click", "ref": "8"}
    _, question, made_up, second_question, done, again, outcome = in_tab(
        desk,
        mart,
        [
            look(),
            act(press),
            act(press, approved="0" * 64),
            act(press),
            act(press, act_id, approved="{digest}"),
            act(press, act_id, approved="{digest}"),
            ("act_outcome", {"act_id": act_id}),
        ],
    )
    assert question["state"] == "needs_approval", question
    assert "submit" in question["shown"]["kinds"]
    assert question["shown"]["fields"] == [NUMBER]
    assert made_up["code"] == "changed_since_asked"
    assert second_question["shown"]["digest"] == question["shown"]["digest"]
    assert done["state"] == "done", done
    assert done["effects"]["has_navigated"]
    assert done["effects"]["writes"] == 1
    assert done["url"].endswith("/basket")
    assert again == done
    assert outcome["acted"] == done
    assert mart.visited(HOST, "/basket") == 1


def test_without_a_grant_nothing_is_opened_or_done(desk: Desk, mart: ActingShop) -> None:
    mart.visits.clear()
    errand = str(uuid4())
    calls: Calls = [
        ("manage_tab", {"errand": errand, "do": "open", "host": HOST, "url": mart.url(HOST, "/keyboards")}),
        ("snapshot_page", {"tab": "t", "filter": "all", "part": 1, "characters": 12_000}),
    ]
    refusal, snapshot = call_browser_tools(desk.penny, f"Desk {desk.browser.name}", calls)
    assert refusal["code"] == "not_granted"
    assert snapshot["code"] == "no_tab"
    assert mart.visits == []


def test_a_page_that_leads_elsewhere_does_not_get_there(desk: Desk, mart: ActingShop) -> None:
    allow_acting(desk)
    mart.visits.clear()
    leave, stay, path, after = in_tab(
        desk,
        mart,
        [
            look(),
            act({"do": "click", "ref": "11"}),
            look(),
            act({"do": "go", "to": "path", "path": "/away"}),
            look(),
        ],
    )[1:]
    assert [leave["code"], leave["detail"]] == ["left_site", ELSEWHERE], leave
    assert "Quiet keyboard" in stay.get("text", ""), (stay, path, after)
    assert [path["code"], path["detail"]] == ["left_site", ELSEWHERE], path
    assert "Quiet keyboard" in after["text"], after
    assert mart.visited(ELSEWHERE, "/maker") == 0


def test_a_form_that_the_page_sends_is_stopped_and_asked_about(desk: Desk, mart: ActingShop) -> None:
    allow_acting(desk)
    mart.visits.clear()
    unfold = {"do": "click", "ref": "10"}
    results = in_tab(desk, mart, [look(), act(unfold), act({"do": "hover", "ref": "6"})])
    assert results[1]["shown"]["fields"] == [NUMBER], results[1]
    assert results[2]["state"] == "done", results[2]
    assert mart.visited(HOST, "/basket") == 0
    results = in_tab(desk, mart, [look(), act(unfold), act(unfold, approved="{digest}")])
    assert results[2]["state"] == "done", results[2]
    assert mart.visited(HOST, "/basket") == 1


def test_a_form_that_the_page_sends_past_its_event_is_stopped(desk: Desk, mart: ActingShop) -> None:
    allow_acting(desk)
    mart.visits.clear()
    _, hidden, stay = in_tab(desk, mart, [look(), act({"do": "click", "ref": "12"}), look()])
    assert hidden["code"] == "unsupported", hidden
    assert "Quiet keyboard" in stay.get("text", ""), stay
    assert mart.visited(HOST, "/basket") == 0
