"""Make tool calls to a browser as a worker of Penny does, without a model.

`read_pages` runs a command on the data of a running Penny; the command calls `main`.
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from tests.permits import call_past_gateway

if TYPE_CHECKING:
    from tests.penny import Penny  # loads much that a forked command does not need

AT_ONCE = 6


@dataclass(frozen=True)
class Call:
    """A page to read by its URL. Without a URL, the call asks for the owner's current page."""

    url: str = ""
    session: str = "owner"
    deadline_s: float = 60.0


def read_pages(penny: "Penny", label: str, calls: Sequence[Call], at_once: int = AT_ONCE) -> list[dict[str, Any]]:
    """Return the page, or {code}, of every call to the browser with the name in `label`."""
    request_json = json.dumps([label, [asdict(call) for call in calls], at_once])
    code = f"from tests.e2e.calling import main; main({request_json!r})"
    return list(json.loads(penny.manage("shell", "--no-imports", "-c", code).splitlines()[-1]))


def main(request_json: str) -> None:
    label, calls, at_once = json.loads(request_json)
    print(json.dumps(asyncio.run(_all(label, [Call(**call) for call in calls], at_once))))  # noqa: T201


async def _all(label: str, calls: list[Call], at_once: int) -> list[dict[str, Any]]:
    from devices.models import Device

    paired = Device.objects.filter(label__endswith=label.rpartition(" ")[2], revoked_at=None)
    device = await paired.alatest("created_at")  # other tests pair the browser again under another label
    gate = asyncio.Semaphore(at_once)

    async def one(call: Call) -> dict[str, Any]:
        async with gate:
            return await _one(device, call)

    return await asyncio.gather(*map(one, calls))


async def _one(device: Any, call: Call) -> dict[str, Any]:
    from devices import protocol
    from devices.sockets import browser_calls

    try:
        if not call.url:
            page = await call_past_gateway(
                device, "get_current_tab", protocol.GetCurrentTabArguments(), call.deadline_s
            )
        else:
            arguments = protocol.BrowseUrlArguments.model_validate({"url": call.url, "session": call.session})
            page = await call_past_gateway(device, "browse_url", arguments, call.deadline_s)
    except browser_calls.CallFailed as failed:
        return {"code": failed.code, "detail": failed.detail}
    return dict(page.model_dump(mode="json"))
