"""Run `make demo`: Penny, on a scratch folder, thinks about a small web, and her feed opens.

Options: `--data DIR` keeps the data. `--pictures` saves pictures of her pages, of the panel and for the stores, and
ends.
"""

import argparse
import os
import signal
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from devices.protocol import GrantSet, GrantsSync
from tests.demo.articles import DISLIKE, LIKES
from tests.demo.pictures import take_pictures
from tests.demo.sites import HOSTS, SHOP, DemoSites
from tests.e2e.browser import Browser
from tests.e2e.chromium import Chromium
from tests.e2e.panel import Panel
from tests.penny import Penny, run_penny
from tests.waiting import until

MODEL = ("PENNY_MODEL", "PENNY_MODEL_URL", "PENNY_MODEL_KEY")
QUESTION = "How quiet is the keyboard on {url}?"


@contextmanager
def furnished(data: Path) -> Iterator[tuple[Penny, Browser, DemoSites]]:
    """Start the web, Penny and a browser paired with her.

    Every site is granted, so Penny asks nothing.
    """
    with ExitStack() as stack:
        sites = DemoSites()
        sites.start()
        stack.callback(sites.stop)
        penny = stack.enter_context(run_penny(data, **{name: os.environ[name] for name in MODEL if name in os.environ}))
        penny.set_form(SEARCH_TEMPLATE=sites.search_template, RATE_PER_HOST_MINUTE=1000, RATE_MINUTE=1000)
        browser = Chromium()
        stack.callback(browser.quit)
        Panel(browser).pair(penny, "Browser of the demonstration")
        with penny.client("Demonstration") as helper:
            for host in HOSTS:
                helper.send(GrantSet(host=host, capability="read", state="allowed", scope="always"))
            until(
                lambda: {grant.host for sync in helper.frames_of(GrantsSync) for grant in sync.grants} >= set(HOSTS),
                "all is granted",
            )
        yield penny, browser, sites


def think_about(penny: Penny, likes: tuple[str, ...]) -> None:
    penny.post("/interests/", text=DISLIKE, valence="-1", next="/")
    for like in likes:
        print_line("Thinking about", like, "…")
        print_line("  ", penny.manage("think", "--preference", like).strip().partition("\n")[0])


def print_line(*words: str) -> None:
    sys.stdout.write(" ".join(words).strip("\n") + "\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(prog="make demo", description="Penny on a small web of its own.")
    parser.add_argument("--data", type=Path, help="keep what she finds in this folder")
    parser.add_argument(
        "--pictures", action="store_true", help="save pictures, renew those of the handbook and of the stores, and end"
    )
    options = parser.parse_args()
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    with ExitStack() as stack:
        data = options.data or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="penny-demo-")))
        print_line("Starting a web of ten sites, Penny, and a browser in the background")
        penny, browser, sites = stack.enter_context(furnished(data))
        think_about(penny, LIKES)
        with penny.client("Phone") as phone:
            phone.ask(QUESTION.format(url=sites.url(SHOP, "/keyboard")), 60)
        if options.pictures:
            take_pictures(penny, browser, sites)
            return
        link = penny.manage("sign_in_link").strip()
        print_line("\nPenny's feed:", link, "\nCtrl-C ends the demonstration.")
        webbrowser.open(link)
        ended.wait()


if __name__ == "__main__":
    main()
