"""A Penny whose owner lets one browser act, with the fake shop in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID, uuid4

import pytest

from devices import protocol as p
from tests.agents.acting.shop import Shop
from tests.client import Client, allow
from tests.penny import Penny
from tests.waiting import until

MAY_ACT = (
    "from devices.models import Device; from agents.models import Errand; "
    "Device.objects.update(act_use=True); Errand.objects.all().delete(); "
    "from constance import config; config.ACT_RATE_MINUTE = 10_000"
)


@pytest.fixture
def mart() -> Shop:
    return Shop()


@pytest.fixture
def actor(penny: Penny, mart: Shop) -> Iterator[Client]:
    with acting(penny, mart) as client:
        yield client


@contextmanager
def acting(penny: Penny, mart: Shop) -> Iterator[Client]:
    """Run the owner's browser, which may act. Every grant that is asked for is given."""
    penny.admin_action("devices/grant", "delete_selected")
    pairing = penny.pair("Desk")
    penny.manage("shell", "-v", "0", "-c", MAY_ACT)
    with Client(pairing, tools=mart.tools, answers=allow("run")) as client:
        yield client
        _stop_what_is_open(client)
    penny.admin_action("devices/grant", "delete_selected")


def _stop_what_is_open(client: Client) -> None:
    """Leave no errand to the next test: its turn would go on there."""

    def open_errands() -> list[p.ErrandInfo]:
        last = {frame.errand.id: frame.errand for frame in client.frames_of(p.ErrandChanged)}
        return [errand for errand in last.values() if errand.state in ("running", "waiting", "paused")]

    for errand in open_errands():
        steer(client, errand.id, "stop")
    until(lambda: not open_errands(), "no errand is open", 20)


def approve(client: Client, decision: str, count: int = 1) -> p.ApprovalAsk:
    """Answer the next question about an act."""
    ask = client.expect(p.ApprovalAsk, count=count)
    client.send(p.ApprovalAnswer.model_validate({"request_id": ask.request_id, "decision": decision}))
    return ask


def steer(client: Client, errand_id: UUID, do: str) -> str:
    """Send what the owner wants of an errand; return "ack" or the code of the error."""
    ref = uuid4()
    client.send(p.ErrandCommand.model_validate({"ref": ref, "errand_id": errand_id, "do": do}))
    until(lambda: any(client.frames_of(kind, ref=str(ref)) for kind in (p.Ack, p.Error)), "an answer", 10)
    errors = client.frames_of(p.Error, ref=str(ref))
    return errors[0].code if errors else "ack"
