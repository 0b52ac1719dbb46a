"""Messages: their sequence, their limits, their history and its search."""

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from agents.frames.welcome import first_seq
from devices import protocol
from devices.conversation import messages
from devices.models import Message
from devices.owner.account import the_owner

pytestmark = pytest.mark.django_db


def store_own_message(owner: User, text: str) -> Message:
    with transaction.atomic():
        return messages.store_message(
            owner, messages.render_content(text), device=None, device_label="Desk", direction="in"
        )


def test_the_sequence_starts_at_one_and_has_no_gaps(owner: User) -> None:
    assert [store_own_message(owner, "x").seq for _ in range(3)] == [1, 2, 3]
    assert messages.last_seq(owner) == 3


@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_is_rolled_back_leaves_no_gap(redis: str) -> None:
    owner = the_owner()
    store_own_message(owner, "first")
    with transaction.atomic():
        messages.store_message(owner, messages.render_content("lost"), device=None, device_label="Desk", direction="in")
        transaction.set_rollback(True)
    assert store_own_message(owner, "second").seq == 2


def test_history_is_paged_backwards_and_says_whether_there_is_more(owner: User) -> None:
    for number in range(5):
        store_own_message(owner, str(number))
    rows, more = messages.messages_before(owner, 5, 2)
    assert ([row.seq for row in rows], more) == ([3, 4], True)
    rows, more = messages.messages_before(owner, 3, 2)
    assert ([row.seq for row in rows], more) == ([1, 2], False)


def test_what_came_after_is_returned_in_order_and_bounded(owner: User) -> None:
    for number in range(5):
        store_own_message(owner, str(number))
    assert [row.seq for row in messages.messages_after(owner, 1, 3)] == [2, 3, 4]


def frame_bytes(message: Message) -> int:
    return len(protocol.encode(protocol.MessageNew(message=message.frame())).encode())


def test_a_text_that_no_frame_could_hold_is_cut_and_says_so(owner: User) -> None:
    message = store_own_message(owner, "😀" * 100_000)
    assert 300_000 < frame_bytes(message) <= protocol.FRAME_BYTES
    assert message.text.endswith(messages.CUT)
    assert messages.CUT in message.html


@pytest.mark.parametrize("character", ["x", "😀", "<", '"', "\x01", "&", "http://a.example "])
def test_all_that_an_owner_may_write_is_kept(owner: User, character: str) -> None:
    text = (character * 32_000)[:32_000]
    message = store_own_message(owner, text)
    assert message.text == text
    assert frame_bytes(message) <= protocol.FRAME_BYTES


def test_a_message_is_sanitised_when_it_is_stored(owner: User) -> None:
    message = store_own_message(owner, "**a** <script>x</script>")
    assert "<strong>a</strong>" in message.html
    assert "<script" not in message.html


@pytest.mark.parametrize(("cursor", "first"), [(None, 0), (0, 0), (3, 3), (5, 5), (6, 0), (2**40, 0)])
def test_a_cursor_that_no_message_has_counts_as_none(owner: User, cursor: int | None, first: int) -> None:
    for number in range(5):
        store_own_message(owner, str(number))
    assert first_seq(owner, cursor) == first


def test_the_whole_history_is_searched_for_all_the_words_in_any_case(owner: User) -> None:
    texts = [
        "A lever machine",
        "Éspresso with a Lever",
        "a spring",
        "ESPRESSO, no l-e-v-e-r",
        "the lever, 50% off_sale",
    ]
    for text in texts:
        store_own_message(owner, text)

    def search(*words: str, before: int | None = None, limit: int = 20) -> list[int]:
        return [message.seq for message in messages.messages_holding(owner, " ".join(words), before, limit)[0]]

    assert search("lever") == [1, 2, 5]
    assert search("LEVER", "éspresso") == [2]
    assert search("ÉSPRESSO") == [2, 4]
    assert search("v") == [4]
    assert search("lev") == [1, 2, 5]
    assert search("%") == [5]
    assert search("lever", before=5) == [1, 2]
    assert search("50%", "off_sale") == [5]
    assert messages.messages_holding(owner, "lever", None, 2) == (list(Message.objects.filter(seq__in=(2, 5))), True)
    assert messages.messages_holding(owner, "lever", None, 3)[1] is False
