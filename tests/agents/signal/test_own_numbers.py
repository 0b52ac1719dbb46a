"""The owner's Signal numbers: entered by a signed-in owner, proven by a code sent from them."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from agents.signal import messages
from devices.channels import routing
from devices.channels.signal import own_numbers
from devices.models import Delivery, Device, Message
from devices.models.deliveries import LineState
from tests.agents.signal.on_signal import conversation, lambda_of, listening, post_all
from tests.stand_ins.signal_server import BOT, OWNER, STRANGER, SignalServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


@pytest.fixture
def entered(signal: SignalServer) -> Device:
    return own_numbers.enter_number(OWNER)


def current_code(device: Device) -> str:
    return own_numbers.code_of(device, timezone.now())


def refused_count() -> int:
    return LineState.of("signal").refused


def is_shown() -> bool:
    return own_numbers.is_proven(Device.objects.get(kind="signal"))


def test_a_number_is_the_owner_s_once_its_code_was_written_from_it(signal: SignalServer, entered: Device) -> None:
    code = current_code(entered)
    listening(signal, lambda_of(signal.write, "How hot?"), lambda: refused_count() == 1)
    assert (conversation(), list(routing.reachable()), signal.sent) == ([], [], [])
    listening(
        signal,
        lambda_of(signal.write, f" {code[:4]} {code[4:]}"),
        lambda: is_shown(),
        lambda_of(signal.write, "How hot?"),
        lambda: Message.objects.filter(direction="in").exists(),
    )
    assert (conversation(), refused_count()) == ([("out", messages.HELLO), ("in", "How hot?")], 1)
    post_all()
    assert [message.body["recipients"] for message in signal.sent] == [[OWNER]]


@pytest.mark.parametrize("text", ["12345678", "", "code"])
def test_no_other_words_show_it(signal: SignalServer, entered: Device, text: str) -> None:
    Device.objects.update(secrets=entered.secrets | {"code": "87654321"})
    listening(signal, lambda_of(signal.write, text), lambda: refused_count() == 1)
    assert (conversation(), is_shown()) == ([], False)


def test_whoever_reads_the_code_from_another_number_shows_nothing(signal: SignalServer, entered: Device) -> None:
    listening(signal, lambda_of(signal.write, current_code(entered), STRANGER), lambda: refused_count() == 1)
    assert (conversation(), is_shown()) == ([], False)


def test_without_the_code_a_wrong_digit_lets_somebody_in(
    signal: SignalServer, entered: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    listening(signal, lambda_of(signal.write, "Whose are you?"), lambda: refused_count() == 1)
    assert conversation() == []
    monkeypatch.setattr(own_numbers, "is_proven", lambda *_: True)
    listening(signal, lambda_of(signal.write, "Whose are you?"), lambda: Message.objects.exists())
    assert conversation() == [("in", "Whose are you?")]


def test_a_code_is_good_for_an_hour_and_the_number_entered_again_has_a_new_one(
    signal: SignalServer, entered: Device
) -> None:
    code = current_code(entered)
    assert own_numbers.enter_number(OWNER).secrets == entered.secrets
    over = (timezone.now() - timedelta(seconds=1)).isoformat()
    Device.objects.update(secrets={"code": code, "until": over})
    listening(signal, lambda_of(signal.write, code), lambda: refused_count() == 1)
    assert not is_shown()
    again = own_numbers.enter_number(OWNER)
    assert (again.pk, current_code(again) not in ("", code)) == (entered.pk, True)


def _refuses(count: int) -> Callable[[], bool]:
    return lambda: refused_count() == count


def _write_wrong_codes(signal: SignalServer, code: str, count: int, number: str = OWNER) -> None:
    for wrong in range(1, count + 1):
        digits = f"{(int(code) + wrong) % 10**8:08}"
        listening(signal, lambda_of(signal.write, digits, number), _refuses(refused_count() + 1))


def test_a_code_is_void_after_five_wrong_ones(signal: SignalServer, entered: Device, owner_client: Client) -> None:
    code = current_code(entered)
    _write_wrong_codes(signal, code, own_numbers.TRIES)
    listening(signal, lambda_of(signal.write, code), lambda: refused_count() == own_numbers.TRIES + 1)
    assert not is_shown()
    assert "Enter it again for a new code" in owner_client.get("/settings/notifications/").content.decode()
    again = own_numbers.enter_number(OWNER)
    assert own_numbers.prove_number(again, current_code(again), "id", timezone.now())


def test_without_that_bound_it_opens_after_any_number_of_wrong_ones(
    signal: SignalServer, entered: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_numbers, "TRIES", 10**9)
    code = current_code(entered)
    _write_wrong_codes(signal, code, 6)
    listening(signal, lambda_of(signal.write, code), lambda: is_shown())
    assert is_shown()


def test_a_stranger_who_hides_their_number_has_five_tries_too(signal: SignalServer, entered: Device) -> None:
    signal.hides_numbers = True
    code = current_code(entered)
    _write_wrong_codes(signal, code, own_numbers.TRIES, STRANGER)
    assert current_code(Device.objects.get(pk=entered.pk)) == ""


def test_a_right_code_after_four_wrong_ones_and_other_words_shows_it(signal: SignalServer, entered: Device) -> None:
    code, now = current_code(entered), timezone.now()
    for text in ["How hot?", "", "x" * 8, *(["0"] * 4)]:
        assert not own_numbers.prove_number(entered, text, "id", now)
    assert own_numbers.prove_number(entered, f"{code[:4]}-{code[4:]}", "id", now)


def test_a_phone_that_hides_its_number_is_known_by_its_id_from_then_on(signal: SignalServer, entered: Device) -> None:
    signal.hides_numbers = True
    listening(
        signal,
        lambda_of(signal.write, current_code(entered)),
        lambda: is_shown(),
        lambda_of(signal.write, "How hot?"),
        lambda: Message.objects.filter(direction="in").exists(),
        lambda_of(signal.write, "Let me in", STRANGER),
        lambda: refused_count() == 1,
    )
    assert conversation() == [("out", messages.HELLO), ("in", "How hot?")]


def test_the_number_that_penny_writes_with_is_the_owner_s_who_linked_it(signal: SignalServer) -> None:
    assert own_numbers.is_proven(own_numbers.enter_number(BOT))


def test_a_number_that_is_known_stays_known(signal: SignalServer, phone: Device) -> None:
    assert own_numbers.is_proven(own_numbers.enter_number(OWNER))


def test_the_page_shows_the_code_until_it_was_written(
    signal: SignalServer, entered: Device, owner_client: Client
) -> None:
    code = current_code(entered)
    assert f"{code[:4]} {code[4:]}" in owner_client.get("/settings/notifications/").content.decode()
    own_numbers.prove_number(entered, code, "id", timezone.now())
    html = owner_client.get("/settings/notifications/").content.decode()
    assert (OWNER in html, code[:4] + " " in html) == (True, False)
    Device.objects.update(secrets={"code": code, "until": timezone.now().isoformat()})
    assert "Enter it again for a new code" in owner_client.get("/settings/notifications/").content.decode()


def test_nothing_goes_to_a_number_that_may_be_anybody_s(
    signal: SignalServer, entered: Device, owner_client: Client
) -> None:
    owner_client.post("/setup/test/", {"name": "signal"})
    assert not Delivery.objects.exists()
