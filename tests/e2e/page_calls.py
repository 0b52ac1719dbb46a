"""Make page tools' calls to a browser one after the other, as an errand does, without a model."""

import asyncio
import json
import re
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.permits import call_past_gateway

if TYPE_CHECKING:
    from tests.penny import Penny  # loads much that a forked command does not need

Calls = list[tuple[str, dict[str, Any]]]


def call_browser_tools(penny: "Penny", label: str, calls: Calls) -> list[dict[str, Any]]:
    """Return the result, or {code, detail}, of every call.

    In arguments `{tab}` stands for the tab that `manage_tab` brought, `{digest}` for that of the last question, and
    `{ref Name}` for the control of that name in the last snapshot.
    """
    request_json = json.dumps([label, calls])
    code = f"from tests.e2e.page_calls import main; main({request_json!r})"
    return list(json.loads(penny.manage("shell", "--no-imports", "-c", code).splitlines()[-1]))


def main(request_json: str) -> None:
    label, calls = json.loads(request_json)
    print(json.dumps(asyncio.run(_all(label, calls))))  # noqa: T201


async def _all(label: str, calls: Calls) -> list[dict[str, Any]]:
    device = await newest_browser(label)
    names: dict[str, str] = {}
    results: list[dict[str, Any]] = []
    snapshot = ""
    for tool, arguments in calls:
        text = json.dumps(arguments)
        for name, value in names.items():
            text = text.replace(f"{{{name}}}", value)
        assert not re.search(r"\{(?:tab|digest)\}", text), f"no call before {tool} brought it: {results}"
        text = re.sub(r"\{ref ([^}]+)\}", partial(ref_of, snapshot), text)
        result = await call_one(device, tool, json.loads(text))
        results.append(result)
        snapshot = result["text"] if tool == "snapshot_page" and "text" in result else snapshot
        if tool == "manage_tab":
            await _note_errand(device, json.loads(text), result)
            names |= {"tab": result["tab"]} if "tab" in result else {}
        if digest := (result.get("shown") or {}).get("digest"):
            names["digest"] = digest
    return results


def ref_of(snapshot: str, name: re.Match[str]) -> str:
    match = re.search(rf"\[([0-9]+) [^\]]*\b{re.escape(name[1])}\b", snapshot)
    return match[1] if match else "9999999"


async def _note_errand(device: Any, arguments: dict[str, Any], result: dict[str, Any]) -> None:
    """Keep the row of an errand while it has a tab, so that its owner can steer it."""
    from agents.models import Errand

    if arguments["do"] == "release" or "tab" not in result:
        await Errand.objects.filter(pk=arguments["errand"]).adelete()
        return
    values = {"device": device, "goal": "A keyboard", "site": arguments["host"], "tab": result["tab"]}
    await Errand.objects.aget_or_create(pk=arguments["errand"], defaults=values)


async def newest_browser(label: str) -> Any:
    from devices.models import Device

    paired = Device.objects.filter(label__endswith=label.rpartition(" ")[2], revoked_at=None)
    return await paired.alatest("created_at")


async def call_one(device: Any, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:

    from devices import protocol
    from devices.sockets import browser_calls

    kinds: dict[str, Any] = {
        "manage_tab": protocol.ManageTabArguments,
        "snapshot_page": protocol.SnapshotPageArguments,
        "find_on_page": protocol.FindOnPageArguments,
        "act_on_page": protocol.ActOnPageArguments,
        "act_outcome": protocol.ActOutcomeArguments,
        "read_tab": protocol.ReadTabArguments,
        "screenshot_page": protocol.ScreenshotPageArguments,
    }
    try:
        result: Any = await call_past_gateway(device, tool, kinds[tool].model_validate(arguments))
    except browser_calls.CallFailed as failed:
        return {"code": failed.code, "detail": failed.detail}
    return dict(result.model_dump(mode="json"))
