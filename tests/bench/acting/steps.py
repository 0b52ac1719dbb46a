"""Measure the steps of an errand in real browsers: `python -m tests.bench.acting.steps`.

The page is settled, and a click on it opens a part. Beside it stands a bare echo of the extension: a call that its
background answers itself. The difference is what an act takes in the extension: looking, acting, waiting until the
page is quiet for 100 ms, and the snapshot of what changed.
"""

import asyncio
import sys
from collections.abc import Callable
from uuid import UUID, uuid4

from devices import protocol
from tests.bench.streams import benched_penny, percentile, verdict
from tests.bench.tools import time_calls, use_data_of
from tests.e2e.acting_shop import HOST, ActingShop
from tests.e2e.browser import Browser
from tests.e2e.chromium import Chromium
from tests.e2e.firefox import Firefox
from tests.e2e.panel import Panel
from tests.penny import Penny
from tests.permits import call_past_gateway
from tests.stand_ins.serving import serving
from tests.waiting import until

STEPS = 100
CLICK_MS, LOOK_MS = 150.0, 40.0
CHARACTERS = 12_000


async def time_steps(label: str, url: str) -> tuple[list[float], list[float], list[float]]:
    """Return the milliseconds of clicks, of looks, and of bare echoes."""
    from agents.models import Errand
    from devices.models import Device

    device = await Device.objects.aget(label=label, revoked_at=None)
    errand = await Errand.objects.acreate(device=device, goal="Look at the keyboards", site=HOST)
    opening = protocol.ManageTabArguments(errand=errand.pk, do="open", host=HOST, url=url)
    tab = protocol.TabState.model_validate(await call_past_gateway(device, "manage_tab", opening)).tab
    looking = protocol.SnapshotPageArguments(tab=tab, part=1, characters=CHARACTERS)

    async def look() -> protocol.Snapshot:
        return protocol.Snapshot.model_validate(await call_past_gateway(device, "snapshot_page", looking))

    line = next(line for line in (await look()).text.splitlines() if "button Details" in line)
    action = protocol.ClickAction(ref=line.partition("[")[2].partition(" ")[0])

    async def click() -> None:
        arguments = protocol.ActOnPageArguments(tab=tab, act_id=uuid4(), action=action)
        acted = protocol.Acted.model_validate(await call_past_gateway(device, "act_on_page", arguments))
        assert acted.state == "done"

    async def echo() -> None:
        await call_past_gateway(device, "act_outcome", protocol.ActOutcomeArguments(act_id=UUID(int=1)))

    echoes = await time_calls(STEPS, echo)
    return await time_calls(STEPS, click), await time_calls(STEPS, look), echoes


def steps_in(penny: Penny, shop: ActingShop, start: Callable[[], Browser]) -> bool:
    browser = start()
    label = f"Bench {browser.name}"
    try:
        Panel(browser).pair(penny, label)
        with penny.client("Helper") as helper:
            helper.send(protocol.GrantSet(host=HOST, capability="act", state="allowed", scope="always"))
            until(lambda: helper.frames_of(protocol.GrantsSync), "the grant reached the browser")
        clicks, looks, echoes = asyncio.run(time_steps(label, shop.url(HOST, "/keyboards")))
    finally:
        browser.quit()
    p50, bare = percentile(clicks, 0.5), percentile(echoes, 0.5)
    print(
        f"       {browser.name}: bare echo of the extension: p50 {bare:.1f} ms, p95 {percentile(echoes, 0.95):.1f} ms"
    )
    print(f"       {browser.name}: a click: p50 {p50:.0f} ms, p95 {percentile(clicks, 0.95):.0f} ms")
    met = verdict(f"{browser.name}: a click on a settled page, in the extension, p50", p50 - bare, "ms", CLICK_MS)
    return met & verdict(f"{browser.name}: a look at the page, p50", percentile(looks, 0.5) - bare, "ms", LOOK_MS)


def main() -> None:
    with benched_penny() as penny, serving(ActingShop()) as shop:
        use_data_of(penny)
        met = [steps_in(penny, shop, start) for start in (Chromium, Firefox)]
    sys.exit(0 if all(met) else 1)


if __name__ == "__main__":
    main()
