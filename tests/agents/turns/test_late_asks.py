"""A question that nobody answered in time: for a day a yes allows what it named and asks the message again."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from constance import config
from constance.utils import get_values
from django.db import transaction
from django.test import Client
from django.utils import timezone

from agents.answers.reply import Reply
from agents.frames.answer import answer_frame
from agents.gateway import site_plans
from agents.models import Run
from agents.runs.context import Context
from agents.runs.handles import Handles
from agents.signal import deletions
from agents.turns import late_asks
from agents.turns.finish import finish_turn
from agents.worker import forget_temporary
from devices import protocol
from devices.access.handshake import web_device
from devices.channels.signal.channel import LINE
from devices.conversation import deletion
from devices.grants import asks
from devices.grants.grants import set_grant
from devices.models import Ask, Device, Grant, Message
from devices.models.deliveries import LineEntry
from devices.owner.account import the_owner
from devices.owner.stop import resume_everything, stop_everything
from tests.agents.background import NO_MODELS, Clock, connect_browser, movable_clock
from tests.agents.outbox.send_message import reply_to, send_message
from tests.page_client import page_words

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
HOST, WORDS = "pens.example", "What do pens cost?"
SEVERAL = ["a.example", "b.example", "c.example"]


@pytest.fixture
def day(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return movable_clock(monkeypatch, datetime(2026, 10, 24, 10, tzinfo=UTC))


@pytest.fixture
def desk_browser() -> Device:
    return Device.objects.create(label="Desk", kind=Device.Kind.BROWSER)


def miss_question(device: Device | None = None, hosts: tuple[str, ...] | list[str] = (HOST,), **fields: object) -> Ask:
    """Let a turn ask about sites, nobody answer, and the turn end with an answer that says so."""
    run = send_message(WORDS, device, **fields)
    Run.objects.filter(pk=run.pk).update(state="running", attempt=1, started_at=timezone.now())
    run = Run.objects.get(pk=run.pk)
    context = Context(run, "planner", Handles([]), "", NO_MODELS, get_values())
    ask: Ask | None
    if len(hosts) == 1:
        ask = asks.ask_grant(run.pk, hosts[0], "read", "To read pages there.", is_background=False)
    else:
        connect_browser(timezone.now())
        ask = site_plans._new_ask(context, list(hosts))
    assert ask is not None
    asks.expire(ask)
    context.refusals.append("no_answer")
    assert finish_turn(run, Reply("I did not open it.", [], ["owner", "penny"]), context)
    return ask


def answer_of(ask: Ask) -> Message:
    return Message.all_rows.get(turn_id=Run.objects.get(pk=ask.run_id).turn_id, direction="out")


def press_late(ask: Ask, device: Device) -> protocol.ServerFrame:
    [answer] = answer_frame(the_owner(), device, protocol.AskLate(ask_id=ask.pk, turn_id=uuid4()))
    return answer


def was_refused(ask: Ask, device: Device) -> bool:
    """Press the button; return whether that did nothing and said so."""
    before = (Run.objects.count(), Message.all_rows.count(), Grant.objects.count())
    answer = press_late(ask, device)
    after = (Run.objects.count(), Message.all_rows.count(), Grant.objects.count())
    return isinstance(answer, protocol.Error) and before == after


def test_it_waits_on_activity_and_its_yes_allows_the_site_and_asks_the_message_again(owner_client: Client) -> None:
    thread = uuid4()
    ask = miss_question(thread=thread)
    text = page_words(owner_client, "/activity/")
    assert "May Penny read pages on pens.example?" in text
    assert f"not answered For {WORDS}" in text
    assert '<span class="chip warn">not answered</span>' in (
        html := owner_client.get("/activity/runs/").content.decode()
    )
    assert "chip ok" not in html
    assert f"I asked whether I may open {HOST}, and nobody answered." in answer_of(ask).text
    [button] = answer_of(ask).frame().late_asks or []
    assert (button.ask_id, button.hosts, button.engine) == (ask.pk, [HOST], "")
    for _ in range(2):  # pressed twice
        owner_client.post(f"/asks/late/{ask.pk}/", {"decision": "allow"})
    assert Grant.objects.values_list("host", "capability", "state", "scope", "session").get() == (
        HOST,
        "read",
        "allowed",
        "always",
        "owner",
    )
    again = Run.objects.exclude(pk=ask.run_id).select_related("message").get()
    assert again.message is not None
    assert (again.state, again.message.text, again.message.thread_id) == ("queued", WORDS, thread)
    assert "May Penny read" not in page_words(owner_client, "/activity/")
    assert (answer_of(ask).late_asks, Ask.objects.get().state) == (None, "allowed")


def test_the_button_in_the_answer_does_the_same_once_from_any_browser_of_the_owner(desk_browser: Device) -> None:
    ask = miss_question()
    assert isinstance(press_late(ask, desk_browser), protocol.Ack)
    assert was_refused(ask, desk_browser)
    assert was_refused(ask, web_device())
    again = Run.objects.exclude(pk=ask.run_id).select_related("message").get()
    assert again.message is not None
    assert (again.message.text, again.message.device) == (WORDS, desk_browser)
    assert Grant.objects.get().host == HOST


def test_a_client_names_neither_what_is_allowed_nor_what_is_asked() -> None:
    frame = f'"type": "ask.late", "ask_id": "{uuid4()}", "turn_id": "{uuid4()}"'
    protocol.parse_client(f"{{{frame}}}")
    for more in ('"host": "evil.example"', '"text": "Something else"', '"scope": "always"'):
        with pytest.raises(protocol.Malformed):
            protocol.parse_client(f"{{{frame}, {more}}}")


def test_a_program_asks_nothing_again_and_its_own_questions_wait_for_nobody(owner_client: Client) -> None:
    program = Device.objects.create(label="Editor", kind=Device.Kind.API)
    own, of_owner = miss_question(program), miss_question(hosts=["other.example"])
    assert was_refused(of_owner, program)
    assert was_refused(own, web_device())
    assert answer_of(own).late_asks is None
    assert HOST not in page_words(owner_client, "/activity/").partition("Just happened")[0]


def test_nobody_else_answers_it() -> None:
    ask = miss_question()
    assert Client().post(f"/asks/late/{ask.pk}/", {"decision": "allow"}).headers["Location"].startswith("/sign-in/")
    other_site = Client(enforce_csrf_checks=True)
    other_site.force_login(the_owner())
    assert other_site.post(f"/asks/late/{ask.pk}/", {"decision": "allow"}).status_code == 403
    assert (Ask.objects.get().state, Grant.objects.count(), Run.objects.count()) == ("expired", 0, 1)


def test_no_removes_it_with_the_others_about_the_same_site(owner_client: Client) -> None:
    first, last = miss_question(), miss_question()
    assert page_words(owner_client, "/activity/").count("May Penny read") == 1
    assert owner_client.post(f"/asks/late/{last.pk}/", {"decision": "perhaps"}).status_code == 400
    owner_client.post(f"/asks/late/{last.pk}/", {"decision": "dismiss"})
    assert "May Penny read" not in page_words(owner_client, "/activity/")
    assert (answer_of(first).late_asks, answer_of(last).late_asks) == (None, None)
    assert (Run.objects.count(), Grant.objects.count()) == (2, 0)
    assert was_refused(first, web_device())


def test_after_a_day_it_is_gone(owner_client: Client, day: Clock) -> None:
    ask = miss_question()
    day.move(hours=23)
    assert "May Penny read" in page_words(owner_client, "/activity/")
    day.move(hours=2)
    assert "May Penny read" not in page_words(owner_client, "/activity/")
    assert was_refused(ask, web_device())


@pytest.mark.parametrize("state", ["allowed", "blocked"])
def test_what_the_owner_decided_since_leaves_the_list_and_a_block_stays(owner_client: Client, state: str) -> None:
    ask = miss_question()
    set_grant(HOST, "read", state)
    assert "May Penny read" not in page_words(owner_client, "/activity/")
    assert was_refused(ask, web_device()) == (state == "blocked")
    assert Grant.objects.get().state == state


def test_several_sites_are_allowed_for_the_new_run_alone(owner_client: Client, desk_browser: Device) -> None:
    ask = miss_question(hosts=SEVERAL)
    assert "May Penny read pages on a.example, b.example and c.example for this answer?" in page_words(
        owner_client, "/activity/"
    )
    [button] = answer_of(ask).frame().late_asks or []
    assert button.hosts == SEVERAL
    press_late(ask, desk_browser)
    again = Run.objects.exclude(pk=ask.run_id).get()
    assert sorted(Grant.objects.values_list("host", "scope", "run_id")) == [(host, "run", again.pk) for host in SEVERAL]


def test_a_search_engine_goes_by_its_name(owner_client: Client) -> None:
    config.SEARCH_TEMPLATE = "https://html.duckduckgo.com/html/?q={query}"
    ask = miss_question(hosts=["html.duckduckgo.com"])
    assert "May Penny search with DuckDuckGo?" in page_words(owner_client, "/activity/")
    assert [late.engine for late in answer_of(ask).frame().late_asks or []] == ["DuckDuckGo"]


def test_a_deleted_message_is_not_asked_again(owner_client: Client) -> None:
    ask = miss_question()
    message = Run.objects.get(pk=ask.run_id).message
    assert message is not None
    deletion.delete_messages(Message.objects.filter(pk=message.pk), timezone.now())
    assert was_refused(ask, web_device())
    assert "May Penny read" not in page_words(owner_client, "/activity/")


def test_of_a_turn_that_was_stopped_nothing_waits(owner_client: Client) -> None:
    ask = miss_question()
    Run.objects.filter(pk=ask.run_id).update(state="cancelled")
    assert "May Penny read" not in page_words(owner_client, "/activity/")
    assert was_refused(ask, web_device())


def test_a_temporary_message_is_asked_again_by_its_own_browser_within_its_minute(
    owner_client: Client, desk_browser: Device
) -> None:
    ask = miss_question(desk_browser, temporary=True)
    assert "May Penny read" not in page_words(owner_client, "/activity/")
    assert was_refused(ask, web_device())
    other = miss_question(desk_browser, hosts=["other.example"], temporary=True)
    assert isinstance(press_late(ask, desk_browser), protocol.Ack)
    again = Run.objects.exclude(pk__in=[ask.run_id, other.run_id]).select_related("message").get()
    assert again.message is not None
    assert (again.message.is_temporary, again.message.device, again.message.text) == (True, desk_browser, WORDS)
    Run.objects.filter(pk=other.run_id).update(ended_at=timezone.now() - timedelta(hours=1))
    Message.all_rows.update(created_at=timezone.now() - timedelta(hours=1))
    assert forget_temporary.forget_temporary_turns(timezone.now()) == 1
    assert was_refused(other, desk_browser)
    assert "its message is gone" in getattr(press_late(other, desk_browser), "message", "")


def test_a_message_is_asked_again_in_the_mode_that_it_had(desk_browser: Device) -> None:
    ask = miss_question()
    Device.objects.filter(pk=desk_browser.pk).update(in_act_mode=True)
    desk_browser.refresh_from_db()
    press_late(ask, desk_browser)
    again = Run.objects.exclude(pk=ask.run_id).select_related("message").get()
    assert again.message is not None
    assert not again.message.may_act


def test_words_that_would_be_a_command_by_now_are_asked_as_a_message(desk_browser: Device) -> None:
    ask = miss_question()
    Message.objects.filter(direction="in").update(text="yes")
    waiting = asks.ask_grant(send_message("And there?").pk, "other.example", "read", "To read.", is_background=False)
    press_late(ask, desk_browser)
    assert asks.is_open(waiting)
    assert Run.objects.filter(message__text="yes", state="queued").count() == 1


def test_an_answer_to_what_was_not_missed_has_no_button() -> None:
    run = send_message(WORDS)
    Run.objects.filter(pk=run.pk).update(state="running", attempt=1, started_at=timezone.now())
    assert finish_turn(Run.objects.get(pk=run.pk), Reply("Two euros.", [], ["owner", "penny"]))
    assert (reply_to(run).late_asks, Run.objects.get().error_code) == (None, "")
    assert late_asks.late_questions(the_owner(), timezone.now()) == []


def test_while_everything_is_stopped_a_late_yes_does_nothing_and_the_question_stays(desk_browser: Device) -> None:
    ask = miss_question(desk_browser)
    with transaction.atomic():
        stop_everything("Desk", timezone.now())
    assert was_refused(ask, desk_browser)
    resume_everything(timezone.now())
    assert isinstance(press_late(ask, desk_browser), protocol.Ack)


def test_what_the_owner_decided_meanwhile_stays_as_it_is(desk_browser: Device) -> None:
    ask = miss_question(desk_browser)
    narrow = set_grant(HOST, "read", "allowed", "hour", "clean")
    assert isinstance(press_late(ask, desk_browser), protocol.Ack)
    [grant] = Grant.objects.all()
    assert (grant.pk, grant.scope, grant.session) == (narrow.pk, "hour", "clean")


def test_a_late_yes_also_ends_an_older_question_about_the_same_sites(desk_browser: Device) -> None:
    older, newer = (miss_question(desk_browser, SEVERAL) for _ in range(2))
    assert isinstance(press_late(newer, desk_browser), protocol.Ack)
    assert was_refused(older, desk_browser)
    assert not answer_of(older).late_asks


def test_what_is_taken_back_on_a_line_is_not_asked_again(desk_browser: Device) -> None:
    ask = miss_question(desk_browser)
    question = Message.objects.get(direction="in")
    LineEntry.objects.create(line=LINE, device=desk_browser, timestamp=1, message=question)
    deletions.delete(desk_browser, 1)
    assert was_refused(ask, desk_browser)
