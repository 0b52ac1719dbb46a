"""The built extension waits, reads, finds and moves in the tab of an errand, also where pages ask before they go on."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from devices.protocol import Ack, GrantSet
from tests.e2e.conftest import Desk
from tests.e2e.moving_site import ELSEWHERE, HOST, MovingSite
from tests.e2e.page_calls import Calls, call_browser_tools
from tests.stand_ins.serving import serving

pytestmark = pytest.mark.one_browser("chromium", "shared code acts; the long run takes both")


@pytest.fixture(scope="module")
def site() -> Iterator[MovingSite]:
    with serving(MovingSite()) as site:
        yield site


LOOK = ("snapshot_page", {"tab": "{tab}", "filter": "all", "part": 1, "characters": 12_000})


def act_call(**action: Any) -> tuple[str, dict[str, Any]]:
    return "act_on_page", {"tab": "{tab}", "act_id": str(uuid4()), "action": action}


def go(to: str, **fields: Any) -> tuple[str, dict[str, Any]]:
    return act_call(do="go", to=to, **fields)


def wait(until: str, value: str = "", ms: int = 5_000) -> tuple[str, dict[str, Any]]:
    return act_call(do="wait", until=until, value=value, ms=ms)


def in_tab(desk: Desk, site: MovingSite, path: str, *calls: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    with desk.penny.client("Helper") as helper:
        helper.send(GrantSet(host=HOST, capability="act", state="allowed", scope="always"))
        helper.expect(Ack, ref=HOST)
    errand = str(uuid4())
    start = ("manage_tab", {"errand": errand, "do": "open", "host": HOST, "url": site.url(HOST, path)})
    end = ("manage_tab", {"errand": errand, "do": "release", "host": HOST})
    all_calls: Calls = [start, LOOK, *calls, end]
    return call_browser_tools(desk.penny, f"Desk {desk.browser.name}", all_calls)[1:-1]


def test_what_comes_and_goes_by_itself_is_waited_for(desk: Desk, site: MovingSite) -> None:
    results = in_tab(
        desk,
        site,
        "/start",
        act_call(do="click", ref="2"),
        wait("text", "it is HERE"),
        wait("gone", "Loading"),
        act_call(do="click", ref="3"),
        wait("path", "/moved"),
        wait("text", "Never", ms=300),
        wait("ms", ms=50),
        LOOK,
    )
    _, _, here, absence, _, moved, never, pause, after = results
    for outcome in (here, absence, moved, pause):
        assert outcome.get("state") == "done", (outcome, results)
    assert moved["url"].endswith("/moved")
    assert never["code"] == "timeout", never
    assert "It is here." in after["text"]


def test_the_history_is_gone_through(desk: Desk, site: MovingSite) -> None:
    _, away, back, again, forward, reload, end, dead, after = in_tab(
        desk,
        site,
        "/start",
        act_call(do="click", ref="1"),
        go("back"),
        LOOK,
        go("forward"),
        go("reload"),
        go("forward"),
        go("path", path="/dead"),
        LOOK,
    )
    paths = [one.get("url", str(one)).rpartition("/")[2] for one in (away, back, forward, reload)]
    assert paths == ["next", "start", "next", "next"]
    assert "# Start" in again["text"]
    assert end.get("code") == "navigation_failed" or end.get("url", "").endswith("/next"), end
    assert dead.get("code") == "navigation_failed", dead
    assert "# Next" in after.get("text", ""), after


def test_a_page_is_read_and_searched(desk: Desk, site: MovingSite) -> None:
    first, page, hits, buttons, none = in_tab(
        desk,
        site,
        "/start",
        ("read_tab", {"read": "{tab}"}),
        ("find_on_page", {"tab": "{tab}", "words": "page NEXT", "role": "", "limit": 5}),
        ("find_on_page", {"tab": "{tab}", "words": "", "role": "button", "limit": 5}),
        ("find_on_page", {"tab": "{tab}", "words": "Nowhere", "role": "", "limit": 5}),
    )
    assert "Start" in page["text"], page
    assert [match["ref"] for match in hits["matches"]] == ["1"], (first, hits)
    assert len(buttons["matches"]) == 3, buttons
    assert none["matches"] == []


def test_a_frame_of_the_site_is_acted_in_and_its_dialogs_are_answered(desk: Desk, site: MovingSite) -> None:
    first, pressed, after = in_tab(desk, site, "/start", act_call(do="click", ref="4"), LOOK)
    assert "[4 button Inside" in first["text"]
    assert "Foreign" not in first["text"]
    assert {"host": site.url(ELSEWHERE, "").split("/")[2], "is_allowed": False} in first["frames"], first["frames"]
    assert pressed["effects"]["dialog"] == {"kind": "confirm", "text": "Sure within?", "is_accepted": False}, pressed
    assert "Pressed, false." in after["text"]


def test_what_is_not_saved_is_left_at_the_second_try(desk: Desk, site: MovingSite) -> None:
    _, first, stay, second, after = in_tab(
        desk, site, "/draft", go("path", path="/next"), LOOK, go("path", path="/next"), LOOK
    )
    assert first["code"] == "unsaved", first
    assert "# Draft" in stay["text"]
    assert second.get("url", "").endswith("/next"), second
    assert "# Next" in after.get("text", ""), after


def test_a_page_that_asks_while_it_loads_gets_a_no(desk: Desk, site: MovingSite) -> None:
    """Not before its first script: the browser may run that sooner than ours."""
    _, there, after = in_tab(desk, site, "/start", go("path", path="/asks"), LOOK)
    assert there["effects"]["dialog"]["text"] == "Welcome", there
    assert "Loaded, false." in after.get("text", ""), after
