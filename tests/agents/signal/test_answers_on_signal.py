"""Questions of runs on Signal: asked there, and answered by an emoji on them or by a word; silence and a slip are no
answers.
"""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from constance import config
from django.utils import timezone

from agents.commands import schedule  # noqa: F401  what was read back is done by it
from agents.gateway import questions
from agents.models import Proposal, Run, Schedule
from agents.worker import execute, tick
from devices.channels import routing
from devices.channels.signal.channel import Signal
from devices.db import in_db
from devices.grants import ask_texts, asks
from devices.models import Ask, BrowserCall, Delivery, Device, Grant, LineEntry, LineState, Message
from devices.owner import muting
from tests.agents.background import Clock, connect_browser, moved, use_model
from tests.agents.outbox.telling import answer, tell
from tests.agents.signal.on_signal import lambda_of, listening, post, run, said, until
from tests.stand_ins.model_server import ModelServer, Reply, ToolUse
from tests.stand_ins.signal_server import BOT, OWNER, STRANGER, SignalServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
HOST = "beans.example"


def question(phone: Device, host: str = HOST) -> tuple[Ask, Run]:
    """A turn from the phone waits for a grant, and has asked there."""
    turn = tell(f"What is on {host}?", phone)
    ask = asks.ask_grant(
        turn.pk, host, "read", "To read pages there.", is_background=False, seconds=questions.answer_s(turn)
    )
    questions.tell(turn, ask)
    post()
    return ask, turn


def state(ask: Ask) -> str:
    ask.refresh_from_db()
    return ask.state


def quiet() -> bool:
    """Whether all that came in was taken."""
    return LineEntry.objects.exists() and not LineEntry.objects.exclude(envelope__isnull=True).exists()


def taken(signal: SignalServer, act: Callable[..., int], *words: Any, **how: Any) -> None:
    """The owner does something on the phone, and Penny has taken it."""
    moments: list[int] = []
    own = LineEntry.objects.filter(author=OWNER, envelope__isnull=True)
    listening(
        signal,
        lambda_of(lambda: moments.append(act(*words, **how))),
        lambda: own.filter(timestamp__in=moments).exists(),
    )


def react(signal: SignalServer, emoji: str, at: int | None = None, **how: Any) -> None:
    """Put an emoji on the last message that Penny sent."""
    taken(signal, signal.react, emoji, at or signal.sent[-1].timestamp, **how)


def test_a_turn_asks_where_it_was_asked_and_goes_on_after_a_thumb(
    signal: SignalServer, phone: Device, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_model(monkeypatch, model)
    model.on(lambda request: bool(request.tools), Reply(tools=(ToolUse("browse_url", {"url": f"https://{HOST}/"}),)))
    connect_browser(timezone.now())
    turn = tell(f"What is on https://{HOST}/ ?", phone)

    async def carried_out() -> None:
        work = asyncio.create_task(execute.execute(turn.pk))
        await until(lambda: Delivery.objects.filter(prompt__isnull=False).exists(), "it is asked on the phone")
        await in_db(answered)()
        await until(lambda: BrowserCall.objects.filter(tool="browse_url").exists(), "the page is opened")
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)

    def answered() -> None:
        ask = Ask.objects.get()
        assert ask.prompt_until - ask.created_at > timedelta(minutes=9)  # nobody has to run for the phone
        asks.answer(ask.prompt, "allow", phone)

    run(carried_out())
    post()


def test_the_question_says_what_is_asked_and_what_each_emoji_means(signal: SignalServer, phone: Device) -> None:
    question(phone)
    [sent] = signal.sent
    assert sent.body["recipients"] == [OWNER]
    assert sent.text.startswith(
        f"May I read {HOST} and what is below it? To read pages there.\n\nPut 👍 on this message for yes, once; "
    )
    assert "👎 for not now; 🚫 for never." in sent.text
    assert sent.text.endswith("no answer is no refusal.")


@pytest.mark.parametrize(
    ("emoji", "stands", "grants", "told"),
    [
        ("👍", "allowed", [("allowed", "once")], f"I may read {HOST} once."),
        ("👍🏽", "allowed", [("allowed", "once")], f"I may read {HOST} once."),
        ("👎", "dismissed", [], f"Not now: {HOST} stays as it was."),
        ("🚫", "blocked", [("blocked", "always")], f"I never open {HOST}. You can change that under Grants."),
    ],
)
def test_an_emoji_on_the_question_answers_it(
    signal: SignalServer, phone: Device, emoji: str, stands: str, grants: list[tuple[str, str]], told: str
) -> None:
    ask, _ = question(phone)
    react(signal, emoji)
    assert (state(ask), ask.answered_by) == (stands, phone)
    assert list(Grant.objects.values_list("state", "scope")) == grants
    assert said()[-2:] == [("in", emoji), ("out", told)]
    post()
    assert signal.sent[-1].text == told


@pytest.mark.parametrize(("emoji", "how"), [("❤️", {}), ("👍", {"remove": True})])
def test_another_emoji_and_one_that_is_taken_away_answer_nothing(
    signal: SignalServer, phone: Device, emoji: str, how: dict[str, Any]
) -> None:
    ask, _ = question(phone)
    react(signal, emoji, **how)
    assert (state(ask), Grant.objects.count()) == ("open", 0)
    asked_what = [text for direction, text in said() if direction == "out"]
    assert [text.startswith("I do not know that emoji as an answer.") for text in asked_what] == (
        [True] if emoji == "❤️" else []
    )


def test_what_was_taken_back_before_it_was_looked_at_does_nothing_and_of_two_the_last_counts(
    signal: SignalServer, phone: Device
) -> None:
    ask, _ = question(phone)
    at = signal.sent[-1].timestamp
    left_behind(signal, phone, ("👍", at, False), ("👍", at, True))
    listening(signal, lambda: quiet())
    assert (state(ask), Grant.objects.count(), said()[1:]) == ("open", 0, [])
    left_behind(signal, phone, ("👍", at, False), ("👎", at, False))
    listening(signal, lambda: quiet())
    assert (state(ask), Grant.objects.count()) == ("dismissed", 0)


def left_behind(signal: SignalServer, phone: Device, *reactions: tuple[str, int, bool]) -> None:
    """What came in one after the other while Penny was busy."""
    for emoji, at, is_removed in reactions:
        now = signal.moment()
        target = {"targetAuthor": BOT, "targetAuthorNumber": BOT, "targetSentTimestamp": at}
        data = {"timestamp": now, "reaction": {"emoji": emoji, "isRemove": is_removed, **target}}
        envelope = {"source": OWNER, "sourceNumber": OWNER, "timestamp": now, "dataMessage": data}
        LineEntry.objects.create(
            line="signal", author=OWNER, timestamp=now, device=phone, envelope={"account": BOT, "envelope": envelope}
        )


def test_a_doubled_answer_is_given_once(signal: SignalServer, phone: Device) -> None:
    ask, _ = question(phone)
    at = signal.sent[-1].timestamp
    react(signal, "👍", at)
    react(signal, "👍", at)
    assert state(ask) == "allowed"
    assert [text for direction, text in said() if direction == "out"] == [f"I may read {HOST} once."]
    react(signal, "👎", at)
    assert (state(ask), Grant.objects.count(), said()[-1]) == (
        "allowed",
        1,
        ("out", "That was answered already: allowed."),
    )


@pytest.mark.parametrize(("emoji", "told"), [("👍", 1), ("👎", 0)])
def test_a_late_answer_opens_nothing_and_says_so(signal: SignalServer, phone: Device, emoji: str, told: int) -> None:
    ask, _ = question(phone)
    asks.expire(ask)
    react(signal, emoji)
    assert (state(ask), Grant.objects.count()) == ("expired", 0)
    late = [text for direction, text in said() if direction == "out"]
    assert [text.startswith("The time of that question is over") for text in late] == [True] * told


@pytest.mark.parametrize(
    ("word", "grant", "told"),
    [
        (
            "always",
            ("allowed", "always"),
            f"I may read {HOST} always. What needed it is over: ask me again, and I do it.",
        ),
        (
            "for an hour",
            ("allowed", "hour"),
            f"I may read {HOST} for an hour. What needed it is over: ask me again, and I do it.",
        ),
        ("never", ("blocked", "always"), f"I never open {HOST}. You can change that under Grants."),
    ],
)
def test_a_late_answer_that_is_for_more_than_what_asked_is_stored(
    signal: SignalServer, phone: Device, word: str, grant: tuple[str, str], told: str
) -> None:
    ask, _ = question(phone)
    asks.expire(ask)
    taken(signal, signal.quote, word, signal.sent[-1].timestamp)
    assert (list(Grant.objects.values_list("state", "scope")), Grant.objects.get().run_id) == ([grant], None)
    assert (state(ask), said()[-1]) == ("expired", ("out", told))


@pytest.mark.parametrize("word", ["yes", "once", "for this run"])
def test_a_late_answer_for_what_asked_alone_grants_nothing_and_says_how_to(
    signal: SignalServer, phone: Device, word: str
) -> None:
    ask, _ = question(phone)
    asks.expire(ask)
    taken(signal, signal.quote, word, signal.sent[-1].timestamp)
    assert not Grant.objects.exists()
    assert said()[-1][1].endswith("Or answer it with **always** or **for an hour**, and I may read it then.")


def test_a_late_answer_to_an_approval_does_nothing(signal: SignalServer, phone: Device) -> None:
    turn = tell("Post it", phone)
    ask = asks.ask_approval(turn.pk, "May I post it?", "post it")
    questions.tell(turn, ask)
    post()
    asks.expire(ask)
    taken(signal, signal.quote, "always", signal.sent[-1].timestamp)
    assert (Grant.objects.count(), state(ask)) == (0, "expired")
    assert said()[-1][1].startswith("The time of that question is over")


def test_what_strangers_do_and_what_is_put_on_other_messages_answers_nothing(
    signal: SignalServer, phone: Device
) -> None:
    ask, _ = question(phone)
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
    assert (state(ask), Grant.objects.count()) == ("open", 0)


@pytest.mark.parametrize(("word", "grant"), [("Nie", ("blocked", "always")), ("für eine Stunde", ("allowed", "hour"))])
def test_a_german_word_answers_as_the_english_one_does(
    signal: SignalServer, phone: Device, word: str, grant: tuple[str, str]
) -> None:
    question(phone)
    taken(signal, signal.write, word)
    assert list(Grant.objects.values_list("state", "scope")) == [grant]


def test_words_answer_too_where_the_question_came_last_or_is_quoted(signal: SignalServer, phone: Device) -> None:
    ask, _ = question(phone)
    Ask.objects.update(prompt_until=timezone.now())  # devices show it no more; on the phone it stands where it stood
    taken(signal, signal.write, "for an hour")
    assert (state(ask), Grant.objects.get().scope) == ("allowed", "hour")
    one, _ = question(phone, "water.example")
    at = signal.sent[-1].timestamp
    other, _ = question(phone, "coffee.example")
    taken(signal, signal.write, "yes")
    assert (state(one), state(other)) == ("open", "open")
    assert "Which one?" in said()[-1][1]
    taken(signal, signal.quote, "never", at)
    assert (state(one), state(other)) == ("blocked", "open")
    taken(signal, signal.write, "yes")
    assert state(other) == "allowed"


def test_silence_is_no_refusal_a_background_run_waits_and_goes_on(signal: SignalServer, phone: Device) -> None:
    config.NOTIFY_CHANNEL = "signal"
    waiting = Run.objects.create(kind=Run.Kind.THINKING, state=Run.State.PARKED)
    ask = asks.ask_grant(
        waiting.pk, HOST, "read", "To read there, to find something about “beans”.", is_background=True
    )
    questions.tell(waiting, ask)
    questions.tell(waiting, ask)
    post()
    assert len(signal.sent) == 1
    Ask.objects.update(prompt_until=timezone.now() - timedelta(hours=5))
    assert state(ask) == "open"
    react(signal, "👍")
    assert (state(ask), Grant.objects.get().run_id) == ("allowed", waiting.pk)


def test_what_background_work_asks_while_the_line_is_away_is_asked_when_it_is_back(
    signal: SignalServer, phone: Device
) -> None:
    LineState.objects.create(line="signal", problem="away", problem_since=timezone.now())
    waiting = Run.objects.create(kind=Run.Kind.TASK, state=Run.State.PARKED)
    questions.tell(
        waiting, asks.ask_grant(waiting.pk, HOST, "read", "To read there, for your task “beans”.", is_background=True)
    )
    LineState.objects.update(problem="", problem_since=None)
    post()
    assert [HOST in sent.text for sent in signal.sent] == [True]


def test_what_was_answered_elsewhere_is_not_asked_on_the_phone_any_more(signal: SignalServer, phone: Device) -> None:
    turn = tell("What is there?", phone)
    ask = asks.ask_grant(turn.pk, HOST, "read", "To read pages there.", is_background=False)
    questions.tell(turn, ask)
    asks.answer(ask.prompt, "allow")
    post()
    assert signal.sent == []
    assert Delivery.objects.get().error == "It was answered, or its time was over, before it could be sent."


# Answered on another device
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("decision", "how", "told"),
    [
        ("allow", {"scope": "hour"}, f"I may read {HOST} for an hour."),
        ("dismiss", {}, f"Not now: {HOST} stays as it was."),
        ("block", {}, f"I never open {HOST}. You can change that under Grants."),
    ],
)
def test_a_question_that_was_answered_elsewhere_says_so_in_its_own_place(
    signal: SignalServer, phone: Device, decision: ask_texts.Decision, how: dict[str, str], told: str
) -> None:
    ask, _ = question(phone)
    asked = signal.sent[-1].timestamp
    asks.answer(ask.prompt, decision, laptop(), **how)
    post()
    assert [sent.body.get("edit_timestamp") for sent in signal.sent] == [None, asked]
    assert (
        signal.sent[-1].text
        == f"May I read {HOST} and what is below it? To read pages there.\n\nAnswered on My \\*laptop: {told}"
    )
    post()
    assert len(signal.sent) == 2
    react(signal, "👎", asked)
    react(signal, "👎")  # on the message as it reads now
    assert len([text for _, text in said() if text.startswith("That was answered already: ")]) == (
        0 if decision == "dismiss" else 2
    )
    assert state(ask) == {"allow": "allowed", "dismiss": "dismissed", "block": "blocked"}[decision]


def laptop() -> Device:
    return Device.objects.create(label="My *laptop", kind=Device.Kind.BROWSER)


def test_a_question_that_nobody_waits_for_any_more_says_so_in_its_own_place(
    signal: SignalServer, phone: Device
) -> None:
    ask, turn = question(phone)
    asked = signal.sent[-1].timestamp
    other = tell("And there?", phone)
    shared = asks.ask_grant(other.pk, HOST, "read", "To read pages there.", is_background=False)
    asks.withdraw_run(turn.pk)
    post()
    assert len(signal.sent) == 1, "another run waits for the same answer"
    asks.withdraw_run(other.pk)
    post()
    assert [sent.body.get("edit_timestamp") for sent in signal.sent] == [None, asked]
    over = "I no longer wait for an answer to this. Nothing was stored."
    assert signal.sent[-1].text == f"May I read {HOST} and what is below it? To read pages there.\n\n{over}"
    assert (state(ask), state(shared)) == ("expired", "expired")


def test_one_that_was_answered_on_the_phone_stays_as_it_is(signal: SignalServer, phone: Device) -> None:
    question(phone)
    react(signal, "👍")
    post()
    assert [sent.body.get("edit_timestamp") for sent in signal.sent] == [None, None]


def test_a_question_that_never_went_out_is_not_edited(signal: SignalServer, phone: Device) -> None:
    turn = tell("What is there?", phone)
    ask = asks.ask_grant(turn.pk, HOST, "read", "To read pages there.", is_background=False)
    questions.tell(turn, ask)
    being_sent = Delivery.objects.get()
    assert being_sent.claim(timezone.now())
    asks.answer(ask.prompt, "allow", laptop())
    being_sent.settle("failed")
    post()
    assert signal.sent == []
    assert set(Delivery.objects.values_list("state", flat=True)) == {"failed"}


def test_a_word_means_the_question_that_stands_last_whatever_was_edited_since(
    signal: SignalServer, phone: Device
) -> None:
    one, _ = question(phone)
    other, _ = question(phone, "water.example")
    asks.answer(other.prompt, "dismiss", laptop())
    post()
    taken(signal, signal.write, "for an hour")
    assert (state(one), state(other)) == ("allowed", "dismissed")


def test_what_penny_said_since_is_what_a_word_means_though_the_question_was_edited_later(
    signal: SignalServer, phone: Device
) -> None:
    ask, turn = question(phone)
    assert turn.message is not None
    routing.queue(phone, None, "You asked on this device.", key="since", text="Shall I go on?")
    post()
    asks.answer(ask.prompt, "dismiss", laptop())
    post()
    taken(signal, signal.write, "yes")
    assert said()[-1] == ("in", "yes")  # a turn like any other


# At night
# ---------------------------------------------------------------------------------------------------------------------


def at_night(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Half past midnight in Berlin, where the quiet hours end at seven."""
    config.NOTIFY_CHANNEL, config.TIMEZONE, config.QUIET_FROM, config.QUIET_TO = (
        "signal",
        "Europe/Berlin",
        "22:00",
        "07:00",
    )
    return moved(monkeypatch, datetime(2020, 11, 22, 23, 30, tzinfo=UTC))


def asked_in_the_background(host: str = HOST) -> Ask:
    waiting = Run.objects.create(kind=Run.Kind.THINKING, state=Run.State.PARKED)
    ask = asks.ask_grant(waiting.pk, host, "read", "To read there.", is_background=True)
    questions.tell(waiting, ask)
    return ask


def told() -> list[UUID | None]:
    """Tick, and return which questions are on their way to the phone, or were."""
    tick.tick()
    return list(Delivery.objects.order_by("id").values_list("prompt", flat=True))


def test_what_arose_at_night_is_asked_in_the_morning_and_once(phone: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = at_night(monkeypatch)
    monkeypatch.setattr(Signal, "reaches", lambda *_: True)
    ask = asked_in_the_background()
    assert told() == []
    clock.move(hours=6)
    assert told() == []
    clock.move(minutes=30)
    assert told() == told() == [ask.prompt]
    clock.move(hours=24)
    assert told() == [ask.prompt]


def test_what_is_answered_by_the_morning_is_not_asked_and_nothing_lapses_in_the_night(
    phone: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = at_night(monkeypatch)
    monkeypatch.setattr(Signal, "reaches", lambda *_: True)
    asks.answer(asked_in_the_background().prompt, "allow", laptop())
    other = asked_in_the_background("water.example")
    clock.move(hours=7)
    assert told() == [other.prompt]
    assert Ask.objects.get(pk=other.pk).expires_at == clock.now + asks.SHOWN_FOR


def test_in_the_morning_each_site_is_asked_about_once(phone: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = at_night(monkeypatch)
    monkeypatch.setattr(Signal, "reaches", lambda *_: True)
    first = asked_in_the_background()
    clock.move(hours=1)
    other, again = asked_in_the_background("water.example"), asked_in_the_background()
    assert again.prompt != first.prompt
    clock.move(hours=6)
    assert told() == [first.prompt, other.prompt]


def test_who_is_muted_in_the_morning_is_asked_when_that_is_over(phone: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = at_night(monkeypatch)
    monkeypatch.setattr(Signal, "reaches", lambda *_: True)
    ask = asked_in_the_background()
    muting.mute(clock.now + timedelta(hours=9))
    clock.move(hours=8)
    assert told() == []
    clock.move(hours=2)
    assert told() == [ask.prompt]


def test_a_thumb_does_what_was_read_back_and_another_drops_it(signal: SignalServer, phone: Device) -> None:
    for emoji, stands in (("👍", "kept"), ("👎", "dropped")):
        read_back = answer("/schedule every weekday at 8: what is new about beans", phone)
        post()
        assert "or 👍" in signal.sent[-1].text
        react(signal, emoji)
        assert Proposal.objects.get(message=read_back).state == stands
    assert Schedule.objects.filter(kind="task").count() == 1
