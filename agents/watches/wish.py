"""A watch that the owner wishes for in the conversation: as the planner understood it, or, without a model, as its
words say.
"""

import re
from decimal import Decimal

from django.utils import timezone

from agents.gateway.arguments import WatchPage
from devices.web.hosts import grant_host, is_own, url_to_store
from thoughts.models import Preference
from thoughts.models.watches import Watch
from thoughts.text.addresses import addresses
from thoughts.text.money import money_in, read_money

_ASKS = re.compile(
    r"^\W*(?:please\s+|(?:can|could) you\s+)?watch\b|\b(?:tell me|let me know|notify me|alert "
    r"me)\s+(?:when|if|once|as soon as|of|about)\b"
    r"|^\W*(?:bitte\s+)?beobachten?\b"
    r"|\b(?:sage?|gib|melde?) (?:mir |dich )?(?:bitte )?(?:bescheid|es mir|mir)?,? ?(?:wenn|sobald|falls)\b",
    re.IGNORECASE,
)
_BELOW = re.compile(
    r"\b(?:below|under|less than|cheaper than|unter|weniger als|billiger als|günstiger als)\s+(?P<rest>.{1,40})",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d[\d.,'’]*\d|\d")
_BACK = re.compile(
    r"\b(?:back|in stock|available again|wieder (?:da|lieferbar|verfügbar|erhältlich|vorrätig)|auf lager|lieferbar)\b",
    re.IGNORECASE,
)
_POSTS = re.compile(
    r"\bnew (?:\w+ )?(?:posts?|topics?|threads?|articles?|entries|links?|answers|replies|comments)\b"
    r"|\bneue[nr]? (?:\w+ )?(?:beiträgen?|themen|artikeln?|einträgen?|links|antworten|kommentaren?)\b",
    re.IGNORECASE,
)
_THREAD = re.compile(
    r"\b(?:in|on) (?:this|the|that) (?:thread|topic|discussion)\b|\bnew (?:answers|replies|comments)\b"
    r"|\bin (?:diesem|dem) (?:thread|thema)\b|\bneue[nr]? (?:antworten|kommentaren?)\b",
    re.IGNORECASE,
)


class WishRefused(Exception):
    """A watch that cannot be. `code` is one of nothing_to_tell, own_page."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def store(url: str, wish: WatchPage, came_of: Preference | None = None) -> tuple[Watch, bool]:
    """Store a watch, or change the one there is for the same page and kind; return it and whether it is new. Raises
    WishRefused.
    """
    host = grant_host(url)
    if is_own(host):
        raise WishRefused("own_page")
    if wish.kind == "price" and wish.below is None and not wish.when_back:
        raise WishRefused("nothing_to_tell")
    kept = url_to_store(url)
    watch = Watch.objects.kept().filter(url=kept, kind=wish.kind).first() or Watch(
        url=kept, domain=host, kind=wish.kind
    )
    is_new = watch.pk is None
    watch.label, watch.preference = wish.name.strip() or watch.label, watch.preference or came_of
    watch.is_paused, watch.next_check_at = False, timezone.now()
    if wish.kind == "price":
        watch.below = Decimal(str(wish.below)).quantize(Decimal("0.0001")) if wish.below is not None else None
        watch.currency, watch.when_back, watch.is_below = wish.currency or watch.currency, wish.when_back, False
    watch.save()
    return watch, is_new


def wish_in(text: str, here: str = "") -> WatchPage | None:
    """Return the watch that a message asks for in plain words with one address, None where it does not.

    `here`: what stands for the page that the owner included, which needs no address.
    """
    found = addresses(text)
    words = text
    for address in found:
        words = words.replace(address, " ")
    found += [here] if here else []
    if len(found) != 1 or not _ASKS.search(words):
        return None
    if _POSTS.search(words) or _THREAD.search(words):
        return WatchPage(page=found[0], kind="thread" if _THREAD.search(words) else "posts")
    below, currency = _threshold(words)
    when_back = bool(_BACK.search(words))
    return WatchPage(page=found[0], below=below, currency=currency, when_back=when_back) if below or when_back else None


def told(domain: str, wish: WatchPage) -> str:
    """Return what is answered without a model."""
    said = [f"the price is below {wish.below:g} {wish.currency or ''}".strip()] if wish.below else []
    said += ["it is back in stock"] if wish.when_back else []
    said += ["there are new posts"] if wish.kind != "price" else []
    return f"I watch that page on {domain} from now on, and tell you when {' or '.join(said)}."


def _threshold(words: str) -> tuple[float | None, str | None]:
    match = _BELOW.search(words)
    if match is None:
        return None, None
    if (money := next(money_in(match["rest"]), None)) is not None:
        return float(money.amount), money.currency or None
    number = _NUMBER.match(match["rest"])
    found = read_money(number.group()) if number else None
    return (float(found.amount), None) if found else (None, None)
