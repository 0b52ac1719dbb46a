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
from tests.demo.bar_pictures import take_bar
from tests.demo.errand_pictures import take_errand
from tests.demo.first_hour_pictures import take_first_hour
from tests.demo.keeping import ask_with_proof, keep_pages, take_proof
from tests.demo.pictures import take_pictures
from tests.demo.script import GOAL, scripted
from tests.demo.sites import HOSTS, SHOP, DemoSites
from tests.e2e.chromium import Chromium
from tests.e2e.panel import Panel
from tests.penny import Penny, run_penny
from tests.stand_ins.model_server import ModelServer
from tests.stand_ins.serving import serving
from tests.waiting import until

MODEL = ("PENNY_MODEL", "PENNY_MODEL_URL", "PENNY_MODEL_KEY")
# The receipt of a week needs a week that is over: what left today is counted on its days as well.
A_WEEK_AGO = """
from datetime import timedelta
from django.utils import timezone
from devices.models import HostCount
from devices.owner import clock
from devices.record.week import week_over
week = week_over(clock.today(timezone.now()))
rows = list(HostCount.objects.filter(day__gt=week + timedelta(days=6)))
HostCount.objects.bulk_create([HostCount(day=week + timedelta(days=day), way=row.way, host=row.host, \
count=max(1, row.count // (day + 1))) for day in range(7) for row in rows], ignore_conflicts=True)
"""
MAY_ACT = "from devices.models import Device; Device.objects.filter(kind='browser').update(act_use=True)"
ERRAND = f"{GOAL} on {{url}}"
QUESTION = "How quiet is the keyboard on {url}?"


@contextmanager
def furnished(data: Path) -> Iterator[tuple[Penny, Chromium, DemoSites]]:
    """Start the web, Penny and a browser paired with her.

    Every site is granted, so Penny asks nothing.
    """
    with ExitStack() as stack:
        sites = DemoSites()
        sites.start()
        stack.callback(sites.stop)
        penny = stack.enter_context(run_penny(data, **{name: os.environ[name] for name in MODEL if name in os.environ}))
        penny.set(SEARCH_TEMPLATE=sites.search_template, RATE_PER_HOST_MINUTE=1000, RATE_MINUTE=1000)
        penny.set(DAY_INTERRUPTIONS_MAX=3)  # as in a new installation
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


def let_act(stack: ExitStack, penny: Penny, sites: DemoSites) -> None:
    """Let the browser act on pages, and give Penny a scripted model if none is set."""
    penny.manage("shell", "-v", "0", "-c", MAY_ACT)
    if not any(name in os.environ for name in MODEL):
        model = stack.enter_context(serving(ModelServer(script=scripted(sites.url(SHOP, "/keyboard")))))
        fields = {"form": "server", "server-url": model.url, "server-name": "scripted"}
        penny.post("/settings/model/", **fields)
    print_line(
        "\nTo see her act, switch to Act in the chat, and ask:\n  ", ERRAND.format(url=sites.url(SHOP, "/keyboard"))
    )


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
        print_line("Starting a web of eleven sites, Penny, and a browser in the background")
        penny, browser, sites = stack.enter_context(furnished(data))
        think_about(penny, LIKES)
        with penny.client("Phone") as phone:
            phone.ask(QUESTION.format(url=sites.url(SHOP, "/keyboard")), 60)
        print_line("Keeping five pages, and asking what they say")
        keep_pages(penny, browser, sites)
        proofs = ask_with_proof(penny)  # a model of the owner's may cite none
        print_line("  ", *(f"{penny.url}{proof}" for proof in proofs[:1]))
        penny.manage("shell", "-v", "0", "-c", A_WEEK_AGO)
        if options.pictures:
            take_first_hour(sites)
            take_proof(penny, browser, proofs[0])
            take_pictures(penny, browser, sites)
            let_act(stack, penny, sites)
            take_errand(browser, sites)
            take_bar(browser, sites)
            return
        let_act(stack, penny, sites)
        link = penny.manage("sign_in_link").strip()
        print_line("\nPenny's feed:", link, "\nCtrl-C ends the demonstration.")
        webbrowser.open(link)
        ended.wait()


if __name__ == "__main__":
    main()
