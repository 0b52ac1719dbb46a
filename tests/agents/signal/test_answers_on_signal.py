"""Questions of runs on Signal, answered by an emoji or a word. Silence is no answer."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from constance import config
from django.utils import timezone

from agents.commands import schedule  # noqa: F401  carries out what was read back
from agents.gateway import questions
from agents.models import Proposal, Run, Schedule
from agents.worker import execute
from devices.db import in_db
from devices.grants import asks
from devices.grants.ask_texts import ACT_MEANS
from devices.models import Ask, BrowserCall, Delivery, Device, Grant, LineEntry, LineState, Message
from tests.agents.background import connect_browser, use_model
from tests.agents.outbox.send_message import immediate_answer, send_message
from tests.agents.signal.on_signal import conversation, listening, post_all, run_on_loop, until
from tests.agents.signal.questions import HOST, ask_on_signal, ask_state, do_on_phone, react_to_last
from tests.stand_ins.model_server import ModelServer, Reply, ToolUse
from tests.stand_ins.signal_server import BOT, OWNER, STRANGER, SignalServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


def quiet() -> bool:
    """Return whether every entry was processed."""
    return LineEntry.objects.exists() and not LineEntry.objects.exclude(envelope__isnull=True).exists()


def test_a_turn_asks_where_it_was_asked_and_goes_on_after_a_thumb(
    signal: SignalServer, phone: Device, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_model(monkeypatch, model)
    model.on(lambda request: bool(request.tools), Reply(tools=(ToolUse("browse_url", {"url": f"https://{HOST}/"}),)))
    connect_browser(timezone.now())
    turn = send_message(f"What is on https://{HOST}/ ?", phone)

    async def carried_out() -> None:
        work = asyncio.create_task(execute.execute(turn.pk))
        await until(lambda: Delivery.objects.filter(prompt__isnull=False).exists(), "it is asked on the phone")
        await in_db(answered)()
        await until(lambda: BrowserCall.objects.filter(tool="browse_url").exists(), "the page is opened")
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)

    def answered() -> None:
        ask = Ask.objects.get()
        assert ask.prompt_until - ask.created_at > timedelta(minutes=9)  # a phone leaves time to answer
        asks.answer_ask(ask.prompt, "allow", phone)

    run_on_loop(carried_out())
    post_all()


def test_the_question_says_what_is_asked_and_what_each_emoji_means(signal: SignalServer, phone: Device) -> None:
    ask_on_signal(phone)
    [message] = signal.sent
    assert message.body["recipients"] == [OWNER]
    assert message.text.startswith(
        f"May I read pages on {HOST} and what is below it? To read pages there.\n\n"
        "Put 👍 on this message for yes, once; "
    )
    assert "👎 for not now; 🚫 for never." in message.text
    assert message.text.endswith("no answer is no refusal.")


def test_acting_on_a_site_is_asked_and_answered_whole(signal: SignalServer, phone: Device) -> None:
    ask, _ = ask_on_signal(phone, capability="act")
    assert signal.sent[-1].text.startswith(
        f"May I act on {HOST} and what is below it? To read pages there. {ACT_MEANS}"
    )
    react_to_last(signal, "👍")
    assert ask_state(ask) == "allowed"
    assert list(Grant.objects.values_list("capability", "state", "scope")) == [("act", "allowed", "once")]
    assert conversation()[-1] == ("out", f"I may act on {HOST} once.")


@pytest.mark.parametrize(
    ("emoji", "state", "grants", "reply"),
    [
        ("👍", "allowed", [("allowed", "once")], f"I may read pages on {HOST} once."),
        ("👍🏽", "allowed", [("allowed", "once")], f"I may read pages on {HOST} once."),
        ("👎", "dismissed", [], f"Not now: {HOST} stays as it was."),
        ("🚫", "blocked", [("blocked", "always")], f"I never open {HOST}. You can change that under Permissions."),
    ],
)
def test_an_emoji_on_the_question_answers_it(
    signal: SignalServer, phone: Device, emoji: str, state: str, grants: list[tuple[str, str]], reply: str
) -> None:
    ask, _ = ask_on_signal(phone)
    react_to_last(signal, emoji)
    assert (ask_state(ask), ask.answered_by) == (state, phone)
    assert list(Grant.objects.values_list("state", "scope")) == grants
    assert conversation()[-2:] == [("in", emoji), ("out", reply)]
    post_all()
    assert signal.sent[-1].text == reply


@pytest.mark.parametrize(("emoji", "how"), [("❤️", {}), ("👍", {"remove": True})])
def test_another_emoji_and_one_that_is_taken_away_answer_nothing(
    signal: SignalServer, phone: Device, emoji: str, how: dict[str, Any]
) -> None:
    ask, _ = ask_on_signal(phone)
    react_to_last(signal, emoji, **how)
    assert (ask_state(ask), Grant.objects.count()) == ("open", 0)
    asked_what = [text for direction, text in conversation() if direction == "out"]
    assert [text.startswith("I do not know that emoji as an answer.") for text in asked_what] == (
        [True] if emoji == "❤️" else []
    )


def test_what_was_taken_back_before_it_was_looked_at_does_nothing_and_of_two_the_last_counts(
    signal: SignalServer, phone: Device
) -> None:
    ask, _ = ask_on_signal(phone)
    at = signal.sent[-1].timestamp
    left_behind(signal, phone, ("👍", at, False), ("👍", at, True))
    listening(signal, lambda: quiet())
    assert (ask_state(ask), Grant.objects.count(), conversation()[1:]) == ("open", 0, [])
    left_behind(signal, phone, ("👍", at, False), ("👎", at, False))
    listening(signal, lambda: quiet())
    assert (ask_state(ask), Grant.objects.count()) == ("dismissed", 0)


def left_behind(signal: SignalServer, phone: Device, *reactions: tuple[str, int, bool]) -> None:
    """Store entries that arrived while Penny was busy."""
    for emoji, at, is_removed in reactions:
        now = signal.moment()
        target = {"targetAuthor": BOT, "targetAuthorNumber": BOT, "targetSentTimestamp": at}
        data = {"timestamp": now, "reaction": {"emoji": emoji, "isRemove": is_removed, **target}}
        envelope = {"source": OWNER, "sourceNumber": OWNER, "timestamp": now, "dataMessage": data}
        LineEntry.objects.create(
            line="signal", author=OWNER, timestamp=now, device=phone, envelope={"account": BOT, "envelope": envelope}
        )


def test_a_doubled_answer_is_given_once(signal: SignalServer, phone: Device) -> None:
    ask, _ = ask_on_signal(phone)
    at = signal.sent[-1].timestamp
    react_to_last(signal, "👍", at)
    react_to_last(signal, "👍", at)
    assert ask_state(ask) == "allowed"
    assert [text for direction, text in conversation() if direction == "out"] == [f"I may read pages on {HOST} once."]
    react_to_last(signal, "👎", at)
    assert (ask_state(ask), Grant.objects.count(), conversation()[-1]) == (
        "allowed",
        1,
        ("out", "That was answered already: allowed."),
    )


@pytest.mark.parametrize(("emoji", "count"), [("👍", 1), ("👎", 0)])
def test_a_late_answer_opens_nothing_and_says_so(signal: SignalServer, phone: Device, emoji: str, count: int) -> None:
    ask, _ = ask_on_signal(phone)
    asks.expire(ask)
    react_to_last(signal, emoji)
    assert (ask_state(ask), Grant.objects.count()) == ("expired", 0)
    late = [text for direction, text in conversation() if direction == "out"]
    assert [text.startswith("The time of that question is over") for text in late] == [True] * count


@pytest.mark.parametrize(
    ("word", "grant", "reply"),
    [
        (
            "always",
            ("allowed", "always"),
            f"I may read pages on {HOST} always. What needed it is over: ask me again, and I do it.",
        ),
        (
            "for an hour",
            ("allowed", "hour"),
            f"I may read pages on {HOST} for an hour. What needed it is over: ask me again, and I do it.",
        ),
        ("never", ("blocked", "always"), f"I never open {HOST}. You can change that under Permissions."),
    ],
)
def test_a_late_answer_that_is_for_more_than_what_asked_is_stored(
    signal: SignalServer, phone: Device, word: str, grant: tuple[str, str], reply: str
) -> None:
    ask, _ = ask_on_signal(phone)
    asks.expire(ask)
    do_on_phone(signal, signal.quote, word, signal.sent[-1].timestamp)
    assert (list(Grant.objects.values_list("state", "scope")), Grant.objects.get().run_id) == ([grant], None)
    assert (ask_state(ask), conversation()[-1]) == ("expired", ("out", reply))


@pytest.mark.parametrize("word", ["yes", "once", "for this run"])
def test_a_late_answer_for_what_asked_alone_grants_nothing_and_says_how_to(
    signal: SignalServer, phone: Device, word: str
) -> None:
    ask, _ = ask_on_signal(phone)
    asks.expire(ask)
    do_on_phone(signal, signal.quote, word, signal.sent[-1].timestamp)
    assert not Grant.objects.exists()
    assert conversation()[-1][1].endswith("Or answer it with **always** or **for an hour**, and I may read it then.")


@pytest.mark.parametrize(("word", "scope"), [("👍", "once"), ("yes", "once"), ("always", "always")])
def test_a_late_yes_to_an_answered_turn_asks_its_message_again_and_is_for_as_long_as_it_says(
    signal: SignalServer, phone: Device, word: str, scope: str
) -> None:
    ask, turn = ask_on_signal(phone)
    at = signal.sent[-1].timestamp
    asks.expire(ask)
    Run.objects.filter(pk=turn.pk).update(state="done", ended_at=timezone.now())
    for _ in range(2):
        if word == "👍":
            react_to_last(signal, word, at)
        else:
            do_on_phone(signal, signal.quote, word, at)
    again = Run.objects.filter(state="queued").select_related("message").get()
    assert again.message is not None
    assert (again.message.text, again.message.device) == (f"What is on {HOST}?", phone)
    run_id = again.pk if scope == "once" else None
    assert Grant.objects.values_list("host", "scope", "run_id").get() == (HOST, scope, run_id)
    first, *more = [text for direction, text in conversation() if direction == "out"]
    assert first == f"I may read pages on {HOST} {scope}. I answer your message again."
    assert more == ([] if word == "👍" else ["That was answered already: allowed."])  # a doubled emoji is no answer


def test_a_late_answer_to_an_approval_does_nothing(signal: SignalServer, phone: Device) -> None:
    turn = send_message("Post it", phone)
    ask = asks.ask_approval(turn.pk, "May I post it?", "post it")
    questions.queue_question(turn, ask)
    post_all()
    asks.expire(ask)
    do_on_phone(signal, signal.quote, "always", signal.sent[-1].timestamp)
    assert (Grant.objects.count(), ask_state(ask)) == (0, "expired")
    assert conversation()[-1][1].startswith("The time of that question is over")


def test_what_strangers_do_and_what_is_put_on_other_messages_answers_nothing(
    signal: SignalServer, phone: Device
) -> None:
    ask, _ = ask_on_signal(phone)
    at = signal.sent[-1].timestamp
    on_it = {"targetAuthor": BOT, "targetAuthorNumber": BOT, "targetSentTimestamp": at}
    on_another = on_it | {"targetAuthor": OWNER, "targetAuthorNumber": OWNER}

    def foreign() -> None:
        signal.write(None, author=STRANGER, reaction={"emoji": "👍", "isRemove": False, **on_it})
        signal.write(None, reaction={"emoji": "👍", "isRemove": False, **on_another})
        signal.write(None, reaction={"emoji": "👍", "isRemove": False, **on_it, "targetSentTimestamp": at - 1})
        signal.write(None, reaction={"emoji": "👍", "isRemove": False, **on_it}, groupInfo={"groupId": "g"})
        signal.write("Done")

    listening(signal, foreign, lambda: Message.objects.filter(text="Done").exists(), lambda: quiet())
    assert (ask_state(ask), Grant.objects.count()) == ("open", 0)


@pytest.mark.parametrize(("word", "grant"), [("Nie", ("blocked", "always")), ("für eine Stunde", ("allowed", "hour"))])
def test_a_german_word_answers_as_the_english_one_does(
    signal: SignalServer, phone: Device, word: str, grant: tuple[str, str]
) -> None:
    ask_on_signal(phone)
    do_on_phone(signal, signal.write, word)
    assert list(Grant.objects.values_list("state", "scope")) == [grant]


def test_words_answer_too_where_the_question_came_last_or_is_quoted(signal: SignalServer, phone: Device) -> None:
    ask, _ = ask_on_signal(phone)
    Ask.objects.update(prompt_until=timezone.now())  # devices no longer show it; the phone still does
    do_on_phone(signal, signal.write, "for an hour")
    assert (ask_state(ask), Grant.objects.get().scope) == ("allowed", "hour")
    one, _ = ask_on_signal(phone, "water.example")
    at = signal.sent[-1].timestamp
    other, _ = ask_on_signal(phone, "coffee.example")
    do_on_phone(signal, signal.write, "yes")
    assert (ask_state(one), ask_state(other)) == ("open", "open")
    assert "Which one?" in conversation()[-1][1]
    do_on_phone(signal, signal.quote, "never", at)
    assert (ask_state(one), ask_state(other)) == ("blocked", "open")
    do_on_phone(signal, signal.write, "yes")
    assert ask_state(other) == "allowed"


def test_silence_is_no_refusal_a_background_run_waits_and_goes_on(signal: SignalServer, phone: Device) -> None:
    config.NOTIFY_CHANNEL = "signal"
    waiting = Run.objects.create(kind=Run.Kind.THINKING, state=Run.State.PARKED)
    ask = asks.ask_grant(
        waiting.pk, HOST, "read", "To read there, to find something about “beans”.", is_background=True
    )
    questions.queue_question(waiting, ask)
    questions.queue_question(waiting, ask)
    post_all()
    assert len(signal.sent) == 1
    Ask.objects.update(prompt_until=timezone.now() - timedelta(hours=5))
    assert ask_state(ask) == "open"
    react_to_last(signal, "👍")
    assert (ask_state(ask), Grant.objects.get().run_id) == ("allowed", waiting.pk)


def test_what_background_work_asks_while_the_line_is_away_is_asked_when_it_is_back(
    signal: SignalServer, phone: Device
) -> None:
    LineState.objects.create(line="signal", problem="away", problem_since=timezone.now())
    waiting = Run.objects.create(kind=Run.Kind.TASK, state=Run.State.PARKED)
    questions.queue_question(
        waiting, asks.ask_grant(waiting.pk, HOST, "read", "To read there, for your task “beans”.", is_background=True)
    )
    LineState.objects.update(problem="", problem_since=None)
    post_all()
    assert [HOST in message.text for message in signal.sent] == [True]


def test_what_was_answered_elsewhere_is_not_asked_on_the_phone_any_more(signal: SignalServer, phone: Device) -> None:
    turn = send_message("What is there?", phone)
    ask = asks.ask_grant(turn.pk, HOST, "read", "To read pages there.", is_background=False)
    questions.queue_question(turn, ask)
    asks.answer_ask(ask.prompt, "allow")
    post_all()
    assert signal.sent == []
    assert Delivery.objects.get().error == "It was answered, or its time was over, before it could be sent."


def test_a_thumb_does_what_was_read_back_and_another_drops_it(signal: SignalServer, phone: Device) -> None:
    for emoji, state in (("👍", "kept"), ("👎", "dropped")):
        read_back = immediate_answer("/schedule every weekday at 8: what is new about beans", phone)
        post_all()
        assert "or 👍" in signal.sent[-1].text
        react_to_last(signal, emoji)
        assert Proposal.objects.get(message=read_back).state == state
    assert Schedule.objects.filter(kind="task").count() == 1
