"""A question that the owner asked over Signal."""

import pytest

from devices.models import Device, Message
from devices.models.deliveries import LineEntry, LineState
from tests.agents.signal.on_signal import envelope, process_entries, run_on_loop
from tests.stand_ins.signal_server import BOT, OWNER, SignalServer


@pytest.fixture
def question(signal: SignalServer, phone: Device) -> Message:
    at = signal.moment()
    entry = LineEntry.objects.create(
        line="signal",
        author=OWNER,
        timestamp=at,
        device=phone,
        envelope={"account": BOT, "envelope": envelope(at, "Well?")},
    )
    run_on_loop(process_entries())
    message = LineEntry.objects.get(pk=entry.pk).message
    assert message is not None
    signal.calls.clear()
    LineState.objects.update(signs=[])
    return message
