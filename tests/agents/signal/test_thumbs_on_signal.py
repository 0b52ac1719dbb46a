"""Thumbs given elsewhere appear on Signal, and disappear when they are taken back."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from devices.access.handshake import web_device
from devices.channels import routing
from devices.conversation import messages, reactions
from devices.models import Device, Message
from devices.models.deliveries import Delivery, LineEntry
from devices.owner import muting
from devices.owner.account import the_owner
from tests.agents.signal.on_signal import lambda_of, listening, post_all
from tests.stand_ins.signal_server import BOT, OWNER, Fault, SignalServer
from thoughts.models import Thought, Watch

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


@pytest.fixture
def lever_thought() -> Thought:
    return Thought.objects.create(title="A lever", text="It holds.", html="<p>It holds.</p>", origin=["owner", "penny"])


def queue_find(thought: Thought, phone: Device, *, is_proactive: bool = False) -> Delivery:
    with transaction.atomic():
        message = messages.store_message(
            the_owner(),
            messages.render_content(thought.text, []),
            device=None,
            device_label="Penny",
            direction="out",
            kind="notification",
            thought=thought,
            origin=thought.origin,
        )
        return routing.queue(phone, message, "A find", is_proactive=is_proactive)


def give_thumb(thought: Thought, valence: int, device: Device | None = None) -> None:
    reactions.react(the_owner(), device or web_device(), thought, valence)


def take_thumb_back(thought: Thought) -> None:
    reactions.take_back(the_owner(), web_device(), thought)


def thumbs(signal: SignalServer) -> list[tuple[str, str, int]]:
    """Send what waits; return Penny's reactions on her messages, put and removed."""
    post_all()
    calls = [
        (method, body) for method, path, body in signal.calls if "reactions" in path and body["target_author"] == BOT
    ]
    return [(method, body["reaction"] if method == "POST" else "", body["timestamp"]) for method, body in calls]


def test_it_is_shown_once_and_taken_back(signal: SignalServer, phone: Device, lever_thought: Thought) -> None:
    queue_find(lever_thought, phone)
    post_all()
    at = signal.sent[0].timestamp
    for _ in range(2):
        give_thumb(lever_thought, 1)
        assert thumbs(signal) == [("POST", "👍", at)]
    give_thumb(lever_thought, -1)
    assert thumbs(signal)[1:] == [("POST", "👎", at)]
    take_thumb_back(lever_thought)
    assert thumbs(signal)[2:] == [("POST", "👍", at)]  # the previous reaction counts again
    take_thumb_back(lever_thought)
    assert thumbs(signal)[3:] == [("DELETE", "", at)]
    assert set(Delivery.objects.values_list("state", flat=True)) == {"accepted"}
    assert [(message.text, message.body["recipients"]) for message in signal.sent] == [("It holds.", [OWNER])]


def test_what_was_never_sent_there_gets_none(signal: SignalServer, phone: Device, lever_thought: Thought) -> None:
    give_thumb(lever_thought, 1)
    assert thumbs(signal) == []
    assert not Delivery.objects.exists()


def test_one_that_is_given_before_the_find_goes_out_is_shown_on_it_then(
    signal: SignalServer, phone: Device, lever_thought: Thought
) -> None:
    muting.mute_until(None)
    queue_find(lever_thought, phone, is_proactive=True)
    give_thumb(lever_thought, 1)
    assert thumbs(signal) == []
    muting.unmute()
    assert thumbs(signal) == [("POST", "👍", signal.sent[0].timestamp)]


def test_it_waits_for_a_line_that_is_away_and_says_so(
    signal: SignalServer, phone: Device, lever_thought: Thought
) -> None:
    queue_find(lever_thought, phone)
    post_all()
    signal.fail(Fault(503))
    give_thumb(lever_thought, 1)
    assert thumbs(signal) == []
    waiting = Delivery.objects.get(sign="👍")
    assert (waiting.state, "not ready" in waiting.error) == ("queued", True)
    assert len(thumbs(signal)) == 1


@pytest.mark.parametrize("happens", [True, False])
def test_one_of_which_nobody_knows_whether_it_was_shown_is_shown_again(
    signal: SignalServer, phone: Device, lever_thought: Thought, happens: bool
) -> None:
    queue_find(lever_thought, phone)
    post_all()
    signal.fail(Fault(happens=happens))
    give_thumb(lever_thought, 1)
    assert len(thumbs(signal)) == happens
    assert Delivery.objects.get(sign="👍").state == "queued"
    assert len(thumbs(signal)) == happens + 1
    assert Delivery.objects.get(sign="👍").state == "accepted"


def test_one_that_a_killed_process_had_taken_is_shown_by_the_next(
    signal: SignalServer, phone: Device, lever_thought: Thought
) -> None:
    queue_find(lever_thought, phone)
    post_all()
    give_thumb(lever_thought, 1)
    assert Delivery.objects.get(sign="👍").claim(timezone.now() - timedelta(minutes=5))
    assert len(thumbs(signal)) == 1


def test_where_the_owner_gives_it_there_penny_adds_none_and_takes_away_hers(
    signal: SignalServer, phone: Device, lever_thought: Thought
) -> None:
    queue_find(lever_thought, phone)
    post_all()
    at = signal.sent[0].timestamp

    def has_reaction(valence: int) -> bool:
        return Thought.objects.filter(reaction=valence).exists()

    listening(signal, lambda_of(signal.react, "❤️", at), lambda: has_reaction(1))
    assert thumbs(signal) == []
    give_thumb(lever_thought, -1)
    assert thumbs(signal) == [("POST", "👎", at)]
    listening(signal, lambda_of(signal.react, "👍", at), lambda: has_reaction(1))
    assert thumbs(signal)[1:] == [("DELETE", "", at)]


def test_a_thumb_down_that_is_given_there_pauses_the_watch_and_says_so_there(
    signal: SignalServer, phone: Device, lever_thought: Thought
) -> None:
    watch = Watch.objects.create(url="https://shop.example/", domain="shop.example", label="Lever")
    Thought.objects.update(watch=watch, title="Lever: now 880 EUR")
    queue_find(lever_thought, phone)
    post_all()
    at = signal.sent[0].timestamp

    def is_paused(paused: bool) -> bool:
        return Watch.objects.get().is_paused == paused

    listening(signal, lambda_of(signal.react, "👎", at), lambda: is_paused(True))
    post_all()
    assert signal.sent[-1].text.startswith("I pause the watch “Lever”.")

    def take_it_back() -> None:
        signal.react("👎", at, remove=True)

    listening(signal, take_it_back, lambda: is_paused(False))
    post_all()
    assert signal.sent[-1].text == "I go on with the watch “Lever”."


def test_on_notes_to_self_the_emoji_of_the_owner_has_taken_hers_away(
    signal: SignalServer, lever_thought: Thought
) -> None:
    own = Device.objects.create(label="Signal", kind=Device.Kind.SIGNAL, address=BOT)
    queue_find(lever_thought, own)
    post_all()
    give_thumb(lever_thought, 1)
    assert len(thumbs(signal)) == 1
    give_thumb(lever_thought, -1, own)
    assert len(thumbs(signal)) == 1


def test_one_whose_message_is_named_by_nothing_any_more_fails_and_says_so(
    signal: SignalServer, phone: Device, lever_thought: Thought
) -> None:
    queue_find(lever_thought, phone)
    post_all()
    LineEntry.objects.all().delete()
    give_thumb(lever_thought, 1)
    assert thumbs(signal) == []
    failed = Delivery.objects.get(sign="👍")
    assert (failed.state, failed.error) == ("failed", "Nobody knows any more under which name it went out.")
    assert Message.objects.filter(kind="reaction").count() == 1
