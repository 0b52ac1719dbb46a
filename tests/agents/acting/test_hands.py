"""`manage.py hands`: a person at the terminal looks at a page through the operator's tools, and does nothing there."""

import pytest

from agents.acting.limits import HANDS_STEPS
from devices import protocol as p
from tests.agents.acting.conftest import steer
from tests.agents.acting.shop import HOST, PAGE, Shop
from tests.agents.acting.terminal import Terminal, terminal
from tests.chaos.faults import kill
from tests.client import Client
from tests.pages import visible_words
from tests.penny import Penny
from tests.waiting import until

pytestmark = pytest.mark.processes("a command runs in a terminal beside Penny")

URL = f"https://{HOST}/keyboards"
COUNT = "from devices.models import Message; print(Message.all_rows.count())"
LINES = "from agents.models import HandsLine; print(HandsLine.objects.count())"
ELEVEN_MINUTES_AGO = (
    "from agents.models import HandsLine; from django.utils import timezone; from datetime import timedelta; "
    "HandsLine.objects.update(created_at=timezone.now() - timedelta(minutes=11))"
)
TWO_MINUTES_AGO = (
    "from agents.models import Run; from django.utils import timezone; from datetime import timedelta; "
    "Run.objects.filter(kind='hands').update(ended_at=timezone.now() - timedelta(minutes=2))"
)
NO_SWITCH = "from devices.models import Device; Device.objects.update(act_use=False)"


def shell(penny: Penny, code: str) -> str:
    return penny.manage("shell", "-v", "0", "-c", code).strip()


def is_given_back(mart: Shop) -> None:
    until(lambda: mart.managed == ["open", "release"], "the tab is given back", 20)


def test_each_line_brings_its_event(penny: Penny, actor: Client, mart: Shop) -> None:
    messages = shell(penny, COUNT)
    with terminal(penny, URL, "--json") as hands:
        first = hands.expect("snapshot")
        assert hands.events[0]["event"] == "asked"
        assert hands.events[0]["site"] == HOST
        assert "manage.py hands" in actor.expect(p.GrantAsk).reason
        assert (first["url"], first["text"], first["parts"], first["refs"]) == (URL, PAGE, 1, 3)
        assert hands.say("look 1")["text"] == PAGE
        assert hands.say("find basket")["matches"] == [
            {"line": PAGE.splitlines()[1], "part": 1, "ref": None},
        ]
        assert hands.say("go /cart?full=1")["event"] == "effect"
        assert hands.say(f"go {HOST}/sale")["did"] == "go"
        assert hands.say("go back")["event"] == "effect"
        assert hands.say("wait quiet")["did"] == "wait"
        assert hands.say("wait 5")["did"] == "wait"
        refusals = [hands.say(line) for line in ("go https://evil.example/", "go http://shop.example/", "click 2")]
        assert [refusal["code"] for refusal in refusals] == ["other_site", "other_site", "unknown_line"]
        assert "evil.example is another site" in refusals[0]["text"]
        page = hands.say("read")
        assert (page["title"], page["notice"]) == ("Your basket", None)
        assert "One keyboard lies in the basket now." in page["text"]
        with terminal(penny, URL, "--json") as second:
            assert "open already" in second.expect("end")["text"]
            assert second.end() == 1
        assert "looking around for you" in penny.http.get("/activity/").text.lower()
        errand = actor.frames_of(p.ErrandChanged)[-1].errand
        assert (errand.line, errand.steps_max) == (f"Reading the page on {HOST}", HANDS_STEPS)
        assert errand.steps > 5
        run_id = shell(penny, "from agents.models import Run; print(Run.objects.get(kind='hands', state='running').pk)")
        words = visible_words(penny.http.get(f"/runs/{run_id}/").text)
        assert f"What Penny did: “{URL}”" in words
        assert "No model saw these pages" in words
        assert hands.say("quit") == {"event": "end", "code": "", "text": "You ended it."}
        assert hands.end() == 0
    assert mart.acts == [
        p.GoAction(to="path", path="/cart?full=1"),
        p.GoAction(to="path", path="/sale"),
        p.GoAction(to="back"),
        p.WaitAction(until="quiet"),
        p.WaitAction(until="ms", ms=5),
    ]
    is_given_back(mart)
    assert shell(penny, COUNT) == messages
    assert int(shell(penny, LINES)) > 0
    shell(penny, TWO_MINUTES_AGO)
    until(lambda: shell(penny, LINES) == "0", "the lines are deleted", 20)


def test_a_page_writes_no_line_of_the_terminal(penny: Penny, actor: Client, mart: Shop) -> None:
    mart.text = "[1 link A]\x1b]0;evil\x07\x1b[2J\r\u202emoc.live\u2069\u200b\nhands> quit\nNot done: \x9b1m\u2028👩‍💻"
    with terminal(penny, URL) as hands:
        until(lambda: len(hands.lines) > 5, "the page is shown", 40)
        hands.write("find live")
        until(lambda: len(hands.lines) > 7, "what was looked for is shown", 40)
        hands.interrupt()
        assert hands.end() == 0
    assert hands.lines[4:7] == [
        "│ [1 link A]‹U+001B›]0;evil‹U+0007›‹U+001B›[2J‹U+000D›‹U+202E›moc.live‹U+2069›‹U+200B›",
        "│ hands> quit",
        "│ Not done: ‹U+009B›1m‹U+2028›👩‍💻",
    ]
    assert hands.lines[-1] == "Stopped."
    is_given_back(mart)


@pytest.mark.parametrize("why", ["cancelled", "owner_took_over", "idle", "disconnected", "web", "lost", "", "blocked"])
def test_it_ends_for_every_reason_and_gives_the_tab_back(penny: Penny, actor: Client, mart: Shop, why: str) -> None:
    if why == "blocked":
        actor.answers = lambda ask: p.GrantAnswer(request_id=ask.request_id, decision="block")
    with terminal(penny, URL, "--json") as hands:
        if why != "blocked":
            hands.expect("snapshot")
            end_because(why, penny, actor, hands)
        code = "disconnected" if why == "web" else why
        assert hands.expect("end")["code"] == code
        assert (hands.end() == 0) == (why in ("", "cancelled", "idle", "owner_took_over"))
    if why == "blocked":
        assert mart.managed == []
        return
    if why == "disconnected":
        actor.connect()
        until(lambda: actor.frames_of(p.ErrandChanged)[-1].errand.state == "failed", "the errand is over", 20)
        return
    if why == "owner_took_over":
        assert mart.managed == ["open"]
        assert actor.frames_of(p.ErrandChanged)[-1].errand.code == why
    else:
        is_given_back(mart)


def end_because(why: str, penny: Penny, actor: Client, hands: Terminal) -> None:
    errand = actor.frames_of(p.ErrandChanged)[-1].errand
    match why:
        case "cancelled":
            assert steer(actor, errand.id, "stop") == "ack"
        case "owner_took_over":
            assert steer(actor, errand.id, "take_over") == "ack"
        case "idle":
            shell(penny, ELEVEN_MINUTES_AGO)
        case "disconnected":
            actor.close()
        case "web":
            kill(penny, "web")
            actor.close()
            until(penny.is_ready, "Penny is ready again", 60)
            actor.connect()
        case "lost":
            kill(penny, "worker")
        case "":
            hands.close()


def test_without_a_browser_that_may_act_it_says_so(penny: Penny, actor: Client, mart: Shop) -> None:
    shell(penny, NO_SWITCH)
    with terminal(penny, URL, "--json") as hands:
        assert "No connected browser may act" in hands.expect("end")["text"]
    assert mart.managed == []
