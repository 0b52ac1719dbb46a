"""Compare the feed of a million thoughts with that of a thousand, near and far.

    python -m tests.bench.feed [--database sqlite|postgresql] [--thoughts 1000000] [--case all|much|life]

It requests every view with and without each part of the filter, through all of Django but the server. There are two
cases: many unread and saved thoughts, so that each view reaches place 300,000, and a usual feed with 20 new ones. Then
it measures a semantic search among all of them.
"""

import argparse
import gc
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from tests import postgresql

if TYPE_CHECKING:
    from django.test import Client

FEW, FAR = (
    1000,
    0.3,
)  # the smaller count, and the place of the far page as a share of all thoughts
TARGET, ROUNDS, ROUNDS_OF_FEW = 1.2, 9, 2
UNREAD, SAVED = 0.55, 0.5
WRITING = (
    "shared_buffers=1GB",
    "max_wal_size=8GB",
)  # PostgreSQL needs these to write a million rows at scattered places of its indexes
NEW_IN_LIFE, SAVED_IN_LIFE = 20, 500


@dataclass(frozen=True)
class FeedPage:
    """One page of the feed: the URL of its view, and its filter."""

    view: str
    filter: str

    def __str__(self) -> str:
        view = {"/": "new", "/archive/": "archive", "/saved/": "saved"}[self.view]
        return f"{view} ({self.filter})" if self.filter else view

    @property
    def address(self) -> str:
        return f"{self.view}?{self.filter}"


@dataclass(frozen=True)
class Cost:
    """Cost of a page: seconds and queries, first and far down; 0 without a far page."""

    first_s: float
    far_s: float = 0.0
    queries: int = 0
    far_queries: int = 0


def everything() -> list[FeedPage]:
    from tests.bench.many import OFTEN, SELDOM, SITE

    parts = ["", "order=newest", "preference=1", f"source={SITE}", "since=year", f"q={OFTEN}", f"q={SELDOM}"]
    parts += [f"q={OFTEN}+tea&preference=1&source={SITE}&since=year"]
    return [FeedPage(*view_and_filter) for view_and_filter in product(("/", "/archive/", "/saved/"), parts)]


def measure_page(client: "Client", page: FeedPage, far: int, rounds: int) -> Cost:
    """Request the first page and the far one in turns."""
    cursor = _cursor(page, far)
    addresses = [page.address, *([f"{page.address}&before={cursor}"] if cursor else [])]
    queries = [_queries(client, address) for address in addresses]
    times = [[_seconds(client, address) for address in addresses] for _ in range(rounds)]
    best = [min(times_of_page) for times_of_page in zip(*times, strict=True)]  # other load only adds to a time
    return Cost(best[0], best[-1], queries[0], queries[-1]) if cursor else Cost(best[0], queries=queries[0])


def _cursor(page: FeedPage, far: int) -> str:
    """Return the cursor of the page after `far` thoughts; empty if there are fewer."""
    from django.http import QueryDict

    from thoughts.feed import cards
    from thoughts.feed.forms import FilterForm

    view = {"/": cards.View.NEW, "/archive/": cards.View.ARCHIVE, "/saved/": cards.View.SAVED}[page.view]
    by = FilterForm(QueryDict(page.filter)).filter()
    ranked = cards._is_ranked(view, by)
    rows = cards._older(view, by, None, ranked=ranked)[far : far + 1]
    return "".join(cards.write_cursor(row, ranked=ranked) for row in rows)


def _queries(client: "Client", address: str) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


def _seconds(client: "Client", address: str) -> float:
    gc.collect()
    begin = time.perf_counter()
    client.get(address)
    return time.perf_counter() - begin


def compare(client: "Client", count: int, unread: float, saved: float) -> bool:
    """Measure among FEW and among `count` thoughts; return whether all is within the target.

    `unread` and `saved` are counts, or shares if below one.
    """
    few = {page: measure_page(client, page, int(FAR * FEW), ROUNDS_OF_FEW) for page in _among(FEW, unread, saved)}
    met = [
        report_cost(page, few[page], measure_page(client, page, int(FAR * count), ROUNDS))
        for page in _among(count, unread, saved)
    ]
    return all(met)


def _among(count: int, unread: float, saved: float) -> list[FeedPage]:
    """Write so many thoughts; return the pages to measure."""
    from tests.bench.many import fill

    begin = time.monotonic()
    fill(count, unread=_of(count, unread), saved=_of(count, saved))
    print(f"       {count:,} thoughts were written in {time.monotonic() - begin:.0f} s", flush=True)
    return everything()


def _of(count: int, share: float) -> int:
    return round(share if share >= 1 else share * count)


def report_cost(page: FeedPage, few: Cost, many: Cost) -> bool:
    ratio = many.far_s / many.first_s
    counts = [{few.queries, many.queries}, {few.far_queries, many.far_queries} - {0}]
    met = ratio <= TARGET and all(len(queries) <= 1 for queries in counts)
    far = f"far down {1000 * many.far_s:6.1f} ms ({ratio:.2f} times), " if many.far_s else ""
    grown = f"{many.first_s / few.first_s:.2f} times as among {FEW:,}"
    query_counts = " and ".join(" or ".join(map(str, sorted(queries))) for queries in counts if queries)
    print(
        f"{'met   ' if met else 'MISSED'} {page!s:95} first {1000 * many.first_s:6.1f} ms ({grown}), "
        f"{far}{query_counts} queries",
        flush=True,
    )
    return met


def by_meaning() -> None:
    """Print the time and the added memory of a semantic search over all vectors."""
    from tests.bench.many import MODEL, OFTEN
    from tests.bench.taste import world
    from thoughts.feed import cards as feed_cards
    from thoughts.feed.filter import Filter
    from thoughts.index import meanings

    vector, before = world(1).vectors[0], _peak_mb()
    for _ in range(3):
        begin = time.perf_counter()
        hits = dict(meanings.nearest(MODEL, vector))
        nearest_s = time.perf_counter() - begin
        begin = time.perf_counter()
        for view in feed_cards.View:
            feed_cards.by_meaning(view, Filter(words=OFTEN), hits)
        shown_s = (time.perf_counter() - begin) / len(feed_cards.View)
        more = f"then {1000 * shown_s:.0f} ms for the page; {_peak_mb() - before:.0f} MB more"
        print(f"       by meaning: {nearest_s:.2f} s among all vectors, {more}", flush=True)


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@contextmanager
def django(database: str) -> Iterator["Client"]:
    """Set Django up on an empty database; yield a client of the owner."""
    with ExitStack() as stack:
        os.environ.update(PENNY_DATA=stack.enter_context(tempfile.TemporaryDirectory(prefix="penny-")))
        os.environ.update(DJANGO_SETTINGS_MODULE="penny_site.settings")
        if database == "postgresql":
            os.environ["PENNY_DATABASE_URL"] = postgresql.new_database(
                stack.enter_context(postgresql.run_postgresql(*WRITING))
            )
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        from django.test import Client

        from devices.owner.account import the_owner

        client = Client(headers={"host": "127.0.0.1:8787"})
        client.force_login(the_owner())
        client.get("/")  # reads the settings
        yield client


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--thoughts", type=int, default=1_000_000)
    parser.add_argument("--case", choices=["all", "much", "life"], default="all")
    options = parser.parse_args()
    met = True
    with django(options.database) as client:
        if options.case != "life":
            print(f"much is unread and saved, on {options.database}")
            met &= compare(client, options.thoughts, UNREAD, SAVED)
        if options.case != "much":
            print(f"as in life, with {NEW_IN_LIFE} new ones, on {options.database}")
            met &= compare(client, options.thoughts, NEW_IN_LIFE, SAVED_IN_LIFE)
        by_meaning()
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
