"""Measure the cost of a tool call between the server and a client: `python -m tests.bench.tools`.

- The echo tool is a client that answers at once with a page of 2 kB. It gives the cost of the round trip: database row,
  channel layer, socket, answer, wake-up.
- The bare echo of the extension is a call that its background page answers itself, as for an unknown tool.
- `get_current_tab` adds a script in a page of a real browser. Its target is 1.5 times the bare echo, measured in turns.
- `browse_url` opens a page, waits until the page is quiet and extracts it. Beside it stands the browser's own time to
  load the page, which no agent can save.
"""

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable

from devices import protocol
from tests.bench.streams import benched_penny, percentile, verdict
from tests.client import Client, make_page
from tests.e2e.browser import Browser
from tests.e2e.chromium import Chromium
from tests.e2e.firefox import Firefox
from tests.e2e.panel import Panel
from tests.penny import Penny
from tests.permits import call_past_gateway
from tests.stand_ins.articles import WATER
from tests.stand_ins.sites import Sites, run_sites

ECHOES = 200
PAGES = 20
TABS, IN_TURN = 200, 20
ECHO_TARGET_MS = 10.0  # our own bound; the floor of this round trip was 1.3 ms on 2 cores
CURRENT = protocol.CurrentTab(url="https://echo.example/")
ECHO = make_page("https://echo.example/", WATER.title, WATER.text * 3)


async def time_calls(count: int, do: Callable[[], Awaitable[object]]) -> list[float]:
    """Return the milliseconds of `count` calls, one after the other, after three warm-up calls."""
    times = []
    for number in range(count + 3):
        begin = time.monotonic()
        await do()
        if number >= 3:
            times.append((time.monotonic() - begin) * 1000)
    return times


async def calls_to(label: str, tool: str, arguments: protocol.ToolArguments, count: int) -> list[float]:
    from devices.models import Device

    device = await Device.objects.aget(label=label, revoked_at=None)
    return await time_calls(count, lambda: call_past_gateway(device, tool, arguments))


def use_data_of(penny: Penny) -> None:
    """Let this process call tools as a worker of that Penny would."""
    os.environ |= {"PENNY_DATA": str(penny.data), "DJANGO_SETTINGS_MODULE": "penny_site.settings"}
    import django

    django.setup()


def echoes(penny: Penny) -> float:
    """Return the p50 of an echo of 2 kB, in ms."""
    with Client(penny.pair("Echo"), tools={"browse_url": lambda _: ECHO, "get_current_tab": lambda _: CURRENT}):
        pages = asyncio.run(
            calls_to("Echo", "browse_url", protocol.BrowseUrlArguments(url=ECHO.url, session="owner"), ECHOES)
        )
        tabs = asyncio.run(calls_to("Echo", "get_current_tab", protocol.GetCurrentTabArguments(), ECHOES))
    print(f"       echo of a page: p50 {percentile(pages, 0.5):.1f} ms, p95 {percentile(pages, 0.95):.1f} ms")
    print(f"       echo of an address: p50 {percentile(tabs, 0.5):.1f} ms, p95 {percentile(tabs, 0.95):.1f} ms")
    return percentile(pages, 0.5)


async def page_and_echo(label: str) -> tuple[list[float], list[float]]:
    """Return the milliseconds of page-script calls and of bare echoes of the extension, taken in turns."""
    from devices.models import Device
    from devices.sockets import browser_calls as sockets_browser_calls

    device = await Device.objects.aget(label=label, revoked_at=None)
    nothing = protocol.GetCurrentTabArguments()

    async def echo() -> None:
        try:
            await call_past_gateway(device, "echo", nothing)
        except sockets_browser_calls.CallFailed as failed:
            if failed.code != "internal":
                raise

    pages, echoes = list[float](), list[float]()
    for _ in range(TABS // IN_TURN):
        pages += await time_calls(IN_TURN, lambda: call_past_gateway(device, "get_current_tab", nothing))
        echoes += await time_calls(IN_TURN, echo)
    return pages, echoes


def real_pages(penny: Penny, web: Sites, start: Callable[[], Browser]) -> float:
    """Return the p50 of a call to a script in an open page, as a multiple of the bare echo's p50."""
    browser = start()
    label = f"Bench {browser.name}"
    try:
        Panel(browser).pair(penny, label)
        with penny.client("Helper") as helper:
            helper.allow_site("coffee.example")
        tab = browser.page(web.url("coffee.example", "/water"))
        tabs, bare = asyncio.run(page_and_echo(label))
        tab.close()
        water = protocol.BrowseUrlArguments(url=web.url("coffee.example", "/water"), session="owner")
        times = asyncio.run(calls_to(label, "browse_url", water, PAGES))
        loads = asyncio.run(time_calls(PAGES, lambda: asyncio.to_thread(_load, browser, web)))
    finally:
        browser.quit()
    print(
        f"       {browser.name}: get_current_tab: p50 {percentile(tabs, 0.5):.1f} ms, p95 "
        f"{percentile(tabs, 0.95):.1f} ms"
    )
    print(
        f"       {browser.name}: browse_url: p50 {percentile(times, 0.5):.0f} ms, p95 {percentile(times, 0.95):.0f} ms"
    )
    print(
        f"       {browser.name}: a tab of its own, loaded and closed, without Penny: p50 "
        f"{percentile(loads, 0.5):.0f} ms"
    )
    print(
        f"       {browser.name}: bare echo of the extension: p50 {percentile(bare, 0.5):.1f} ms, p95 "
        f"{percentile(bare, 0.95):.1f} ms"
    )
    return percentile(tabs, 0.5) / percentile(bare, 0.5)


def _load(browser: Browser, web: Sites) -> None:
    browser.page(web.url("coffee.example", "/water")).close()


def main() -> None:
    with benched_penny() as penny, run_sites() as web:
        use_data_of(penny)
        echo = echoes(penny)
        met = verdict("echo of a page, p50", echo, "ms", ECHO_TARGET_MS)
        for start in (Chromium, Firefox):
            ratio = real_pages(penny, web, start)
            met &= verdict(
                f"{start.name}: to a script in a page and back, over a bare echo of the extension", ratio, "times", 1.5
            )
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
