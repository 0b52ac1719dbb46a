"""Compare a visit with the state of its watch, and decide what to report.

A change counts after two visits in a row with it. An unknown value, or one in another currency, changes nothing.
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from thoughts.models import Page
from thoughts.models.watches import CONFIRM_AFTER, Observation, SeenItem, Watch
from thoughts.text.cleaning import clean_line
from thoughts.text.page_form import plain_view
from thoughts.text.unsure import price_code, stock_code
from thoughts.text.words import reading_length
from thoughts.watches.likeness import is_label, lasting_words, pair_alike

ITEMS_MAX = 1000
TEXT_MAX = 300
PASSAGE_MIN = 40  # Latin letters; shorter lines of a thread are names, dates and buttons
LASTING_MIN = 25  # Latin letters of a passage without its times and counters
COMPARED_MAX = 2000  # items that left the page, with which new ones are compared
SEEN_AGAIN = timedelta(hours=6)  # precision of `last_seen_at`
# More new items than this, and such a share of all: the page was replaced.
ANOTHER_PAGE, ANOTHER_SHARE = 30, 0.8
# The page of a thread within its address: /page/2, /page-2, ?page=2, &start=20. A lone number at the end may be
# anything.
PAGE_NUMBER = re.compile(r"[/?&-](?:page|pag|pg|p|seite|start|offset|st)[=/-]?(?P<number>\d+)", re.IGNORECASE)
# Parameters that tell how a visitor came to a page, not which page it is.
TRACKING = re.compile(
    r"utm_\w+|mc_\w+|pk_\w+|fbclid|gclid|msclkid|ref|source|share|sid|phpsessid|jsessionid|session(?:_?id)?|_t|timestamp",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class PageItem:
    """A link or passage of a page, with a key that identifies it."""

    key: str
    text: str
    url: str = ""


@dataclass
class Verdict:
    """The result of a visit.

    `reports` lists the reports for the owner: below, back, shape or items.
    """

    reports: list[str] = field(default_factory=list)
    items: list[SeenItem] = field(default_factory=list)
    look_again: bool = False


def settle_price(watch: Watch, visit: Observation, before: Observation | None) -> Verdict:
    """Compare a visit with the one before, update the watch, and return the reports.

    Saves no row.
    """
    verdict = Verdict()
    if not watch.currency and visit.price is not None:
        watch.currency = visit.currency  # without a currency of the owner's, the first one of the page counts
    if watch.below is not None:
        _settle_below(watch, _below(watch, visit), _below(watch, before), verdict)
    if watch.when_back:
        _settle_stock(watch, _in_stock(visit), _in_stock(before), verdict)
    _count_missing(watch, is_missing(watch, visit), verdict)
    return verdict


def is_missing(watch: Watch, visit: Observation) -> bool:
    """Whether a visit lacks the watched value: no price in its currency, or no stock.

    A page that shows a value which cannot be told for sure has not lost it.
    """
    no_price = visit.price is None or visit.currency != watch.currency
    no_price = no_price and not (visit.price is None and price_code(visit.unsure))
    no_stock = visit.stock == Observation.Stock.UNKNOWN and not stock_code(visit.unsure)
    return (watch.below is not None and no_price) or (watch.when_back and watch.below is None and no_stock)


def items_of(watch: Watch, page: Page) -> list[PageItem]:
    """Return the unique items of a page in order.

    Items are links, or the passages and further pages of a thread.
    """
    items = [*_further_pages(page), *_passages(page.text)] if watch.kind == Watch.Kind.THREAD else _links(page)
    return list({item.key: item for item in list(items)[:ITEMS_MAX]}.values())


def settle_items(watch: Watch, items: list[PageItem], now: datetime, *, is_first: bool) -> Verdict:
    """Store the items of a page, and report those that are new on two visits in a row.

    An item that is alike to one that left the page is that one.
    """
    verdict = Verdict()
    rows_by_key = {row.key: row for row in watch.items.filter(key__in=[item.key for item in items])}
    rows_by_key |= _changed_rows(watch, [item for item in items if item.key not in rows_by_key], list(rows_by_key))
    new = [item for item in items if item.key not in rows_by_key]
    is_another = not is_first and len(new) > ANOTHER_PAGE and len(new) > ANOTHER_SHARE * len(items)
    state = SeenItem.State.KNOWN if is_first or is_another else SeenItem.State.PENDING
    rows = [
        SeenItem(
            watch=watch, key=item.key, text=item.text, url=item.url, state=state, first_seen_at=now, last_seen_at=now
        )
        for item in new
    ]
    SeenItem.objects.bulk_create(rows, ignore_conflicts=True)
    verdict.items = [
        rows_by_key[item.key]
        for item in items
        if item.key in rows_by_key and rows_by_key[item.key].state == SeenItem.State.PENDING
    ]
    # An item of one visit only was an advertisement, or moved: it is never reported.
    watch.items.filter(state=SeenItem.State.PENDING).exclude(key__in=[item.key for item in items]).update(
        state=SeenItem.State.KNOWN
    )
    SeenItem.objects.filter(pk__in=[item.pk for item in verdict.items]).update(state=SeenItem.State.TOLD, told_at=now)
    stale = [item.pk for item in rows_by_key.values() if now - item.last_seen_at > SEEN_AGAIN]
    SeenItem.objects.filter(pk__in=stale).update(last_seen_at=now)
    verdict.reports = ["items"] if verdict.items else ["shape"] if is_another else []
    verdict.look_again = bool(new) and state == SeenItem.State.PENDING
    _count_missing(watch, not items, verdict)
    return verdict


def _changed_rows(watch: Watch, new: list[PageItem], present: list[str]) -> dict[str, SeenItem]:
    """Give the rows of posts that only changed their new keys and words, and return them by key."""
    absent = list(watch.items.exclude(key__in=present).order_by("-last_seen_at", "-pk")[:COMPARED_MAX]) if new else []
    pairs = pair_alike([(item.text, item.url) for item in new], [(row.text, row.url) for row in absent])
    changed = {}
    for place, other in pairs.items():
        item, row = new[place], absent[other]
        row.key, row.text, row.url = item.key, item.text, item.url
        changed[row.key] = row
    SeenItem.objects.bulk_update(changed.values(), ["key", "text", "url"])
    return changed


def come_again(watch: Watch, verdict: Verdict, now: datetime) -> None:
    """Plan the next visit after a successful one: soon if a change needs confirmation."""
    watch.trouble_code, watch.troubles, watch.checked_at = "", 0, now
    usual = watch.next_visit(now)
    watch.next_check_at = min(usual, now + CONFIRM_AFTER) if verdict.look_again else usual


def same_as_before(page: Page, before: Observation | None) -> bool:
    old = before.page if before else None
    return old is not None and (old.sha256, old.url, old.title, old.metadata, old.links) == (
        page.sha256, page.url, page.title, page.metadata, page.links,
    )  # fmt: skip


def address_key(url: str) -> str:
    """Return a key of an address without tracking parameters."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    query = sorted(
        (name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if not TRACKING.fullmatch(name)
    )
    return urlunsplit(
        (
            "",
            parts.netloc.lower().removeprefix("www."),
            parts.path.partition(";jsessionid=")[0].rstrip("/"),
            urlencode(query),
            "",
        )
    )


def _settle_below(watch: Watch, now: bool | None, before: bool | None, verdict: Verdict) -> None:
    if now is None or now == watch.is_below:
        return
    if now != before:
        verdict.look_again = True
        return
    watch.is_below = now
    if now:
        verdict.reports.append("below")


def _settle_stock(watch: Watch, now: bool | None, before: bool | None, verdict: Verdict) -> None:
    if now is None or now == watch.is_in_stock:
        return
    if now != before:
        verdict.look_again = True
        return
    # A product that was in stock from the start does not come back.
    if now and watch.is_in_stock is False:
        verdict.reports.append("back")
    watch.is_in_stock = now


def _count_missing(watch: Watch, is_missing: bool, verdict: Verdict) -> None:
    watch.missing = watch.missing + 1 if is_missing else 0
    if not is_missing:
        watch.missing_told_at = None
    elif watch.has_changed_shape and watch.missing_told_at is None:
        verdict.reports.append("shape")


def _below(watch: Watch, visit: Observation | None) -> bool | None:
    """Whether the price is below the threshold; None if it cannot be compared."""
    if visit is None or visit.price is None or visit.currency != watch.currency:
        return None
    assert watch.below is not None
    return Decimal(visit.price) < watch.below


def _in_stock(visit: Observation | None) -> bool | None:
    return None if visit is None or visit.stock == Observation.Stock.UNKNOWN else visit.stock == Observation.Stock.IN


def _links(page: Page) -> Iterable[PageItem]:
    here = address_key(page.url)
    for link in page.links:
        text, url = clean_line(str(link.get("text", "")))[:TEXT_MAX], str(link.get("url", ""))
        if (key := address_key(url)) != here and not is_label(text):
            yield PageItem(_digest(key), text, url)


def _further_pages(page: Page) -> Iterable[PageItem]:
    """Yield the other pages of a thread.

    These are links that differ from its address only in the page number.
    """
    here = _whole_thread(address_key(page.url))
    for link in page.links:
        key = address_key(str(link.get("url", "")))
        number = PAGE_NUMBER.search(key)
        if number and _whole_thread(key) == here:
            yield PageItem(_digest(key), f"The thread goes on: page {number['number']}", str(link["url"]))


def _whole_thread(key: str) -> str:
    return PAGE_NUMBER.sub("", key.replace("?", "&"))


def _passages(text: str) -> Iterable[PageItem]:
    for line in plain_view(text).text.splitlines():
        words = " ".join(line.split())
        if reading_length(words) >= PASSAGE_MIN and reading_length(lasting := lasting_words(words)) >= LASTING_MIN:
            yield PageItem(_digest(lasting), words[:TEXT_MAX])


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()
