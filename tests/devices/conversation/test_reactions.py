"""Reactions have the same effect from every channel, and can be undone."""

from datetime import UTC, datetime
from typing import Literal

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from agents.answers.conversation import history
from agents.frames.answer import answer_frame
from devices.access.handshake import web_device
from devices.conversation import messages
from devices.conversation.reactions import ThoughtGone, react, take_back
from devices.models import Device, Message
from devices.protocol import Ack, ServerFrame, ThoughtReact, ThoughtUnreact
from thoughts.models import Preference, Reaction, Thought
from thoughts.models.watches import Watch

pytestmark = pytest.mark.django_db

READ = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.fixture
def lever_thought() -> Thought:
    seed = Preference.objects.create(text="lever espresso")
    origin = ["coffeelab.example", "owner"]
    return Thought.objects.create(
        title="A lever", text="It **holds**.", preference=seed, seed_text=seed.text, origin=origin
    )


def message_rows() -> list[tuple[str, str, str, str, list[str]]]:
    rows = Message.objects.order_by("seq")
    return [(row.direction, row.kind, row.device_label, row.text, row.origin) for row in rows]


def reaction_state(thought: Thought) -> tuple[int | None, bool, float]:
    """Return the current reaction, whether the thought is new, and its preference's strength."""
    thought.refresh_from_db()
    return thought.reaction, thought.notified_at is None, Preference.objects.get().strength


def test_a_reaction_is_said_as_an_answer_to_the_thought(owner: User, lever_thought: Thought) -> None:
    react(owner, web_device(), lever_thought, 1)
    assert message_rows() == [
        ("out", "notification", "Penny", "A lever\n\nIt **holds**.", ["coffeelab.example", "owner"]),
        ("in", "reaction", "Web page", "👍", ["owner"]),
    ]
    notification, thumb = Message.objects.order_by("seq")
    assert (thumb.parent, notification.thought, thumb.thought) == (notification, lever_thought, lever_thought)
    assert "<strong>holds</strong>" in notification.html


def test_a_like_makes_the_thought_read_and_its_preference_stronger(owner: User, lever_thought: Thought) -> None:
    react(owner, web_device(), lever_thought, 1)
    assert reaction_state(lever_thought) == (1, False, 1.25)


@pytest.fixture
def lever_watch(lever_thought: Thought) -> Watch:
    row = Watch.objects.create(url="https://shop.example/lever", domain="shop.example", label="Lever *new*")
    Thought.objects.update(watch=row, preference=None)
    return row


def is_paused(watch: Watch) -> bool:
    watch.refresh_from_db()
    return watch.is_paused


def test_a_thumb_down_pauses_the_watch_that_told_it_until_it_is_taken_back(
    owner: User, lever_thought: Thought, lever_watch: Watch
) -> None:
    phone = Device.objects.create(label="Phone", kind=Device.Kind.API)
    for _ in range(2):
        react(owner, phone, lever_thought, -1)
    assert is_paused(lever_watch)
    take_back(owner, phone, lever_thought)
    assert not is_paused(lever_watch)
    link = f"{settings.PUBLIC_URL}/watches/{lever_watch.pk}/"
    assert [
        (text, origin) for direction, kind, _, text, origin in message_rows() if (direction, kind) == ("out", "command")
    ] == [
        (
            rf"I pause the watch “Lever \*new\*”. Take the 👎 back, or open [its page]({link}), to go on with it.",
            ["owner", "penny"],
        ),
        (r"I go on with the watch “Lever \*new\*”.", ["owner", "penny"]),
    ]


def test_a_thumb_up_in_its_place_has_the_watch_go_on_and_one_taken_back_has_it_stop_again(
    owner: User, lever_thought: Thought, lever_watch: Watch
) -> None:
    react(owner, web_device(), lever_thought, 1)
    assert not is_paused(lever_watch)
    react(owner, web_device(), lever_thought, -1)
    react(owner, web_device(), lever_thought, 1)
    assert not is_paused(lever_watch)
    take_back(owner, web_device(), lever_thought)
    assert is_paused(lever_watch)


def test_what_the_owner_paused_or_deleted_themselves_a_thumb_leaves_alone(
    owner: User, lever_thought: Thought, lever_watch: Watch
) -> None:
    lever_watch.set_paused(True)
    react(owner, web_device(), lever_thought, 1)
    take_back(owner, web_device(), lever_thought)
    assert is_paused(lever_watch)
    lever_watch.set_paused(False)
    lever_watch.set_deleted(READ)
    react(owner, web_device(), lever_thought, -1)
    assert not is_paused(lever_watch)


def test_the_feed_says_what_became_of_the_watch(
    owner: User, lever_thought: Thought, lever_watch: Watch, client: Client
) -> None:
    client.force_login(owner)
    for act, words in (
        ("react", "The watch “Lever *new*” is paused."),
        ("unreact", "The watch “Lever *new*” is on again."),
    ):
        assert (
            words
            in client.post(f"/thoughts/{lever_thought.pk}/{act}/", {"valence": "-1"}, follow=True).content.decode()
        )


def test_the_same_reaction_twice_from_two_devices_is_one(owner: User, lever_thought: Thought) -> None:
    phone = Device.objects.create(label="Phone", kind=Device.Kind.API)
    react(owner, web_device(), lever_thought, -1)
    react(owner, phone, lever_thought, -1)
    assert reaction_state(lever_thought) == (-1, False, 0.75)
    assert (len(message_rows()), Reaction.objects.count()) == (2, 1)


def test_every_channel_teaches_the_same(owner: User, lever_thought: Thought) -> None:
    react(owner, web_device(), lever_thought, -1)
    from_web = reaction_state(lever_thought)
    take_back(owner, web_device(), lever_thought)
    react(owner, Device.objects.create(label="Phone", kind=Device.Kind.API), lever_thought, -1)
    assert reaction_state(lever_thought) == from_web


def test_another_reaction_takes_the_place_of_the_first(owner: User, lever_thought: Thought) -> None:
    react(owner, web_device(), lever_thought, 1)
    react(owner, web_device(), lever_thought, -1)
    assert reaction_state(lever_thought) == (-1, False, 0.75)
    notification, first, second = Message.objects.order_by("seq")
    assert [(first.text, first.parent), (second.text, second.parent)] == [("👍", notification), ("👎", notification)]


def test_undoing_restores_what_was_before_step_by_step(owner: User, lever_thought: Thought) -> None:
    react(owner, web_device(), lever_thought, 1)
    react(owner, web_device(), lever_thought, -1)
    assert take_back(owner, web_device(), lever_thought)
    assert reaction_state(lever_thought) == (1, False, 1.25)
    assert take_back(owner, web_device(), lever_thought)
    assert reaction_state(lever_thought) == (None, True, 1.0)
    assert not take_back(owner, web_device(), lever_thought)
    assert [row[3] for row in message_rows()[1:]] == ["👍", "👎", "👎 taken back", "👍 taken back"]


def test_undoing_leaves_a_thought_read_that_was_read_before(owner: User, lever_thought: Thought) -> None:
    lever_thought.mark_read(READ)
    lever_thought.refresh_from_db()
    react(owner, web_device(), lever_thought, 1)
    take_back(owner, web_device(), lever_thought)
    lever_thought.refresh_from_db()
    assert lever_thought.notified_at == READ


def answer_to(owner: User, frame: ThoughtReact | ThoughtUnreact) -> list[ServerFrame]:
    phone, _ = Device.objects.get_or_create(label="Phone", kind=Device.Kind.API)
    return answer_frame(owner, phone, frame)


def test_a_thumb_is_taken_back_by_a_frame_that_may_be_sent_again(owner: User, lever_thought: Thought) -> None:
    react(owner, web_device(), lever_thought, 1)
    react(owner, web_device(), lever_thought, -1)
    undo = ThoughtUnreact(thought_id=lever_thought.pk, valence=-1)
    assert [answer_to(owner, undo) for _ in range(2)] == [[Ack(ref=str(lever_thought.pk))]] * 2
    assert reaction_state(lever_thought) == (1, False, 1.25)
    assert [text for *_, text, _ in message_rows()][1:] == ["👍", "👎", "👎 taken back"]


@pytest.mark.parametrize("valence", [1, -1])
def test_a_reaction_and_its_undo_teach_the_same_from_the_feed_and_by_frames(
    owner: User, client: Client, lever_thought: Thought, valence: Literal[1, -1]
) -> None:
    client.force_login(owner)
    client.post(f"/thoughts/{lever_thought.pk}/react/", {"valence": valence})
    by_hand = reaction_state(lever_thought)
    client.post(f"/thoughts/{lever_thought.pk}/unreact/")
    undone = reaction_state(lever_thought)
    answer_to(owner, ThoughtReact(thought_id=lever_thought.pk, valence=valence))
    assert reaction_state(lever_thought) == by_hand
    answer_to(owner, ThoughtUnreact(thought_id=lever_thought.pk, valence=valence))
    assert reaction_state(lever_thought) == undone


def test_each_reaction_says_what_stands_of_its_thought_after_it(owner: User, lever_thought: Thought) -> None:
    for valence in (1, -1):
        react(owner, web_device(), lever_thought, valence)
    for _ in range(2):
        take_back(owner, web_device(), lever_thought)
    frames = [row.frame().model_dump() for row in Message.objects.order_by("seq")]
    assert [frame.get("reaction") for frame in frames] == [None, 1, -1, 1, 0]


def test_undoing_takes_nothing_of_another_thoughts_reaction(owner: User, lever_thought: Thought) -> None:
    other = Thought.objects.create(title="Another", preference=lever_thought.preference)
    react(owner, web_device(), lever_thought, 1)
    react(owner, web_device(), other, 1)
    take_back(owner, web_device(), lever_thought)
    assert reaction_state(other) == (1, False, 1.25)


def test_a_reaction_answers_the_message_that_brought_the_thought(owner: User, lever_thought: Thought) -> None:
    words = messages.render_content("A lever")
    with transaction.atomic():
        notification = messages.store_message(
            owner,
            words,
            device=None,
            device_label="Penny",
            direction="out",
            kind=Message.Kind.NOTIFICATION,
            thought=lever_thought,
        )
    react(owner, web_device(), lever_thought, 1)
    assert [row.parent for row in Message.objects.filter(kind="reaction")] == [notification]
    assert Message.objects.count() == 2


def test_a_thought_whose_preference_was_deleted_takes_a_reaction_and_its_undo(
    owner: User, lever_thought: Thought
) -> None:
    react(owner, web_device(), lever_thought, 1)
    Preference.objects.all().delete()
    lever_thought.refresh_from_db()
    react(owner, web_device(), lever_thought, -1)
    assert take_back(owner, web_device(), lever_thought)
    lever_thought.refresh_from_db()
    assert lever_thought.reaction == 1


def test_a_like_of_what_came_of_something_that_is_disliked_now_weakens_the_dislike(
    owner: User, lever_thought: Thought
) -> None:
    Preference.objects.update(valence=-1)
    react(owner, web_device(), Thought.objects.get(), 1)
    assert reaction_state(lever_thought) == (1, False, 0.75)


def test_a_thought_that_was_deleted_meanwhile_is_said_to_be_gone(owner: User, lever_thought: Thought) -> None:
    Thought.objects.all().delete()
    for act in (
        lambda: react(owner, web_device(), lever_thought, 1),
        lambda: take_back(owner, web_device(), lever_thought),
    ):
        with pytest.raises(ThoughtGone):
            act()
    assert message_rows() == []


def test_a_preference_whose_strength_is_used_up_rests(owner: User, lever_thought: Thought) -> None:
    for number in range(3):
        react(owner, web_device(), Thought.objects.create(title=str(number), preference=lever_thought.preference), -1)
    assert Preference.objects.seeds().exists()
    react(owner, web_device(), lever_thought, -1)
    assert not Preference.objects.seeds().exists()
    take_back(owner, web_device(), lever_thought)
    assert Preference.objects.seeds().exists()


def test_what_came_up_once_in_passing_seeds_nothing_yet() -> None:
    Preference.objects.create(text="maps", source=Preference.Source.SAID)
    assert not Preference.objects.seeds().exists()
    Preference.objects.update(mentions=2)
    assert Preference.objects.seeds().exists()


def test_reactions_push_nothing_out_of_what_a_turn_sees_of_the_conversation(
    owner: User, lever_thought: Thought
) -> None:
    with transaction.atomic():
        messages.store_message(
            owner, messages.render_content("My dog is called Bo"), device=None, device_label="Desk", direction="in"
        )
    for _ in range(15):
        react(owner, web_device(), lever_thought, 1)
        take_back(owner, web_device(), lever_thought)
    with transaction.atomic():
        question = messages.store_message(
            owner, messages.render_content("And?"), device=None, device_label="Desk", direction="in"
        )
    assert [entry.text for entry in history.recent_entries([question])[0]] == ["My dog is called Bo"]
