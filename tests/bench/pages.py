"""Weigh the pages of Penny: `python -m tests.bench.pages`.

Each tab of each place on the Penny of the demonstration, with two interests thought about, opened in Chromium at 1280
and 400 px: the requests, the bytes over the wire as without a cache, those of scripts, and how far the layout shifts by
itself (CLS).
"""

import os
import sys
import tempfile
from pathlib import Path

import django

from tests.bench.streams import verdict
from tests.demo.__main__ import furnished, think_about
from tests.demo.articles import LIKES
from tests.e2e.browser import Browser

SHIFT_MOST, CHAT_REQUESTS, CHAT_SCRIPT_BYTES = 0.05, 15, 100_000
WIDTHS = (1280, 400)
WEIGH = """new Promise((resolve) => {
  let shift = 0;
  const own = (entry) => !entry.hadRecentInput;
  const add = (list) => list.getEntries().filter(own).forEach((entry) => (shift += entry.value));
  new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => {
    const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    const bytes = (entries) => entries.reduce((sum, entry) => sum + entry.encodedBodySize, 0);
    resolve([all.length, bytes(all), bytes(all.filter((entry) => /\\.js(\\?|$)/.test(entry.name))), shift]);
  }, 1000);
})"""


def all_tabs() -> list[str]:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "penny_site.settings")
    django.setup()
    from penny_site.frame.places import PLACES, SETTINGS

    return [tab.address for place in (*PLACES, SETTINGS) for tab in place.tabs]


def weigh_page(browser: Browser, address: str) -> tuple[int, int, int, float]:
    """Return the requests, the bytes, the bytes of scripts and the larger shift of the two widths."""
    rows = []
    for width in WIDTHS:
        page = browser.page("about:blank")
        with page.at_size(width, 800):
            page.goto(address)
            rows.append(page.evaluate(WEIGH))
        page.close()
    requests, size, scripts, _ = rows[0]
    return requests, size, scripts, max(row[3] for row in rows)


def main() -> None:
    shifts, chat = [], (0, 0)
    with tempfile.TemporaryDirectory(prefix="penny-") as data, furnished(Path(data)) as (penny, browser, _):
        think_about(penny, LIKES[:2])
        browser.page(penny.manage("sign_in_link").strip()).close()
        for address in all_tabs():
            requests, size, scripts, shift = weigh_page(browser, f"{penny.url}{address}")
            shifts.append(shift)
            if address == "/chat/":
                chat = (requests, scripts)
            sizes = f"{size / 1000:6.1f} kB, scripts {scripts / 1000:6.1f} kB"
            print(f"{address:28} {requests:3} requests {sizes}, shift {shift:.3f}")
    met = [
        verdict("the largest shift of a layout", max(shifts), "", SHIFT_MOST),
        verdict("requests of the chat page", chat[0], "requests", CHAT_REQUESTS),
        verdict("scripts of the chat page", chat[1], "bytes", CHAT_SCRIPT_BYTES),
    ]
    sys.exit(not all(met))


if __name__ == "__main__":
    main()
