"""What a visit says about a watch: what is settled, what has to be looked at again, and what the owner is told.

Whatever changes is believed when two visits in a row say it. What cannot be told, or is in another currency, changes
nothing.
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

ITEMS_MAX = 1000
TEXT_MAX = 300
PASSAGE_MIN = 40  # characters; shorter lines of a thread are names, dates and buttons
SEEN_AGAIN = timedelta(hours=6)  # how exact it is noted when something was last on its page
# More new ones at once, and hardly one that was there before: the page is another one now.
ANOTHER_PAGE, ANOTHER_SHARE = 30, 0.8
# Parameters that say how somebody came to a page, not which page it is. Where an address says which page of a thread it
# is: /page/2, /page-2, ?page=2, &start=20. A lone number at its end may be anything.
PAGE_NUMBER = re.compile(r"[/?&-](?:page|pag|pg|p|seite|start|offset|st)[=/-]?(?P<number>\d+)", re.IGNORECASE)
TRACKING = re.compile(r"utm_\w+|mc_\w+|pk_\w+|fbclid|gclid|msclkid|ref|source|share", re.IGNORECASE)


@dataclass(frozen=True)
class Seen:
    """One link or passage of a page, with what tells it from others."""

    key: str
    text: str
    url: str = ""


@dataclass
class Verdict:
    """What came of a visit. `told`: what the owner is told of: below, back, shape, or items; empty for nothing."""

    told: list[str] = field(default_factory=list)
    items: list[SeenItem] = field(default_factory=list)
    look_again: bool = False


def settle_price(watch: Watch, seen: Observation, before: Observation | None) -> Verdict:
    """Compare a visit with the one before, change the watch, and return what to tell. Neither row is saved here."""
    verdict = Verdict()
    if not watch.currency and seen.price is not None:
        watch.currency = seen.currency  # what the owner left open is what the page asks for at first
    if watch.below is not None:
        _settle_below(watch, _below(watch, seen), _below(watch, before), verdict)
    if watch.when_back:
        _settle_stock(watch, _in_stock(seen), _in_stock(before), verdict)
    _count_missing(watch, is_missing(watch, seen), verdict)
    return verdict


def is_missing(watch: Watch, seen: Observation) -> bool:
    """Whether a visit did not say what the watch is about: no price in its currency, or no stock."""
    no_price = seen.price is None or seen.currency != watch.currency
    no_stock = seen.stock == Observation.Stock.UNKNOWN
    return (watch.below is not None and no_price) or (watch.when_back and watch.below is None and no_stock)


def items_of(watch: Watch, page: Page) -> list[Seen]:
    """Return what of a page can be new, each once, in the order of the page: links, or for a thread its passages and
    its further pages.
    """
    found = [*_further_pages(page), *_passages(page.text)] if watch.kind == Watch.Kind.THREAD else _links(page)
    return list({each.key: each for each in list(found)[:ITEMS_MAX]}.values())


def settle_items(watch: Watch, seen: list[Seen], now: datetime, *, is_first: bool) -> Verdict:
    """Note what is on a page now, and return what is new there: what was not there at first, and is there on two visits
    in a row.
    """
    verdict = Verdict()
    known = {item.key: item for item in watch.items.filter(key__in=[each.key for each in seen])}
    new = [each for each in seen if each.key not in known]
    is_another = not is_first and len(new) > ANOTHER_PAGE and len(new) > ANOTHER_SHARE * len(seen)
    state = SeenItem.State.KNOWN if is_first or is_another else SeenItem.State.PENDING
    rows = [
        SeenItem(
            watch=watch, key=each.key, text=each.text, url=each.url, state=state, first_seen_at=now, last_seen_at=now
        )
        for each in new
    ]
    SeenItem.objects.bulk_create(rows, ignore_conflicts=True)
    verdict.items = [
        known[each.key] for each in seen if each.key in known and known[each.key].state == SeenItem.State.PENDING
    ]
    # What was there once and is gone again was an advertisement, or moved: nobody is told, now or later.
    watch.items.filter(state=SeenItem.State.PENDING).exclude(key__in=[each.key for each in seen]).update(
        state=SeenItem.State.KNOWN
    )
    SeenItem.objects.filter(pk__in=[item.pk for item in verdict.items]).update(state=SeenItem.State.TOLD, told_at=now)
    stale = [item.pk for item in known.values() if now - item.last_seen_at > SEEN_AGAIN]
    SeenItem.objects.filter(pk__in=stale).update(last_seen_at=now)
    verdict.told = ["items"] if verdict.items else ["shape"] if is_another else []
    verdict.look_again = bool(new) and state == SeenItem.State.PENDING
    _count_missing(watch, not seen, verdict)
    return verdict


def come_again(watch: Watch, verdict: Verdict, now: datetime) -> None:
    """Set the next visit of a watch whose visit went well: soon after where something has to be seen twice."""
    watch.trouble_code, watch.troubles, watch.checked_at = "", 0, now
    usual = watch.next_visit(now)
    watch.next_check_at = min(usual, now + CONFIRM_AFTER) if verdict.look_again else usual


def same_as_before(page: Page, before: Observation | None) -> bool:
    """Whether a page says letter by letter what it said at the last visit."""
    old = before.page if before else None
    return old is not None and (old.sha256, old.url, old.title, old.metadata, old.links) == (
        page.sha256, page.url, page.title, page.metadata, page.links,
    )  # fmt: skip


def address_key(url: str) -> str:
    """Return what tells one address from another, without how somebody came there."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    query = sorted(
        (name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if not TRACKING.fullmatch(name)
    )
    return urlunsplit(("", parts.netloc.lower().removeprefix("www."), parts.path.rstrip("/"), urlencode(query), ""))


def _settle_below(watch: Watch, now: bool | None, before: bool | None, verdict: Verdict) -> None:
    if now is None or now == watch.is_below:
        return
    if now != before:
        verdict.look_again = True
        return
    watch.is_below = now
    if now:
        verdict.told.append("below")


def _settle_stock(watch: Watch, now: bool | None, before: bool | None, verdict: Verdict) -> None:
    if now is None or now == watch.is_in_stock:
        return
    if now != before:
        verdict.look_again = True
        return
    # What was there from the start does not come back.
    if now and watch.is_in_stock is False:
        verdict.told.append("back")
    watch.is_in_stock = now


def _count_missing(watch: Watch, is_missing: bool, verdict: Verdict) -> None:
    watch.missing = watch.missing + 1 if is_missing else 0
    if not is_missing:
        watch.missing_told_at = None
    elif watch.has_changed_shape and watch.missing_told_at is None:
        verdict.told.append("shape")


def _below(watch: Watch, seen: Observation | None) -> bool | None:
    """Whether a visit saw a price below the threshold; None where it cannot be compared."""
    if seen is None or seen.price is None or seen.currency != watch.currency:
        return None
    assert watch.below is not None
    return Decimal(seen.price) < watch.below


def _in_stock(seen: Observation | None) -> bool | None:
    return None if seen is None or seen.stock == Observation.Stock.UNKNOWN else seen.stock == Observation.Stock.IN


def _links(page: Page) -> Iterable[Seen]:
    here = address_key(page.url)
    for link in page.links:
        text, url = clean_line(str(link.get("text", "")))[:TEXT_MAX], str(link.get("url", ""))
        if (key := address_key(url)) != here and any(letter.isalpha() for letter in text):
            yield Seen(_digest(key), text, url)


def _further_pages(page: Page) -> Iterable[Seen]:
    """Return where a thread goes on: links that differ from its own address in the number of the page alone."""
    here = _whole_thread(address_key(page.url))
    for link in page.links:
        key = address_key(str(link.get("url", "")))
        number = PAGE_NUMBER.search(key)
        if number and _whole_thread(key) == here:
            yield Seen(_digest(key), f"The thread goes on: page {number['number']}", str(link["url"]))


def _whole_thread(key: str) -> str:
    return PAGE_NUMBER.sub("", key.replace("?", "&"))


def _passages(text: str) -> Iterable[Seen]:
    for line in text.splitlines():
        words = " ".join(line.split())
        if len(words) >= PASSAGE_MIN:
            yield Seen(_digest(words), words[:TEXT_MAX])


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()
