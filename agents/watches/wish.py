"""Parse and store a watch that the owner asks for in the conversation.

The planner understands the request. Without a model its plain words are parsed here.
"""

import re
from decimal import Decimal

from django.utils import timezone

from agents.gateway.arguments import WatchPage
from devices.web.hosts import grant_host, is_own, url_to_store
from devices.web.named_addresses import named_addresses
from thoughts.models import Preference
from thoughts.models.watches import Watch
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
    """A watch that cannot be. `code`: nothing_to_tell or own_page."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def store_watch(url: str, wish: WatchPage, seed: Preference | None = None) -> tuple[Watch, bool]:
    """Store a watch, or change the one for the same page and kind. Raises WishRefused.

    Return the watch and whether it is new. `seed`: the preference that it came from.
    """
    host = grant_host(url)
    if is_own(host):
        raise WishRefused("own_page")
    if wish.kind == "price" and wish.below is None and not wish.when_back:
        raise WishRefused("nothing_to_tell")
    address = url_to_store(url)
    watch = Watch.objects.kept().filter(url=address, kind=wish.kind).first() or Watch(
        url=address, domain=host, kind=wish.kind
    )
    is_new = watch.pk is None
    watch.label, watch.preference = wish.name.strip() or watch.label, watch.preference or seed
    watch.is_paused, watch.next_check_at = False, timezone.now()
    if wish.kind == "price":
        watch.below = Decimal(str(wish.below)).quantize(Decimal("0.0001")) if wish.below is not None else None
        watch.currency, watch.when_back, watch.is_below = wish.currency or watch.currency, wish.when_back, False
    watch.save()
    return watch, is_new


def parse_watch_request(text: str, here: str = "") -> WatchPage | None:
    """Return the watch that a message asks for in plain words, None if it asks for none.

    The message holds one address; `here` stands for the page that the owner included.
    """
    addresses = named_addresses(text)
    words = text
    for spelling in addresses:
        words = words.replace(spelling, " ")
    pages = list(dict.fromkeys(addresses.values()))
    pages += [here] if here else []
    if len(pages) != 1 or not _ASKS.search(words):
        return None
    if _POSTS.search(words) or _THREAD.search(words):
        return WatchPage(page=pages[0], kind="thread" if _THREAD.search(words) else "posts")
    below, currency = _threshold(words)
    when_back = bool(_BACK.search(words))
    return WatchPage(page=pages[0], below=below, currency=currency, when_back=when_back) if below or when_back else None


def confirmation_text(domain: str, wish: WatchPage) -> str:
    conditions = [f"the price is below {wish.below:g} {wish.currency or ''}".strip()] if wish.below else []
    conditions += ["it is back in stock"] if wish.when_back else []
    conditions += ["there are new posts"] if wish.kind != "price" else []
    return f"I watch that page on {domain} from now on, and tell you when {' or '.join(conditions)}."


def _threshold(words: str) -> tuple[float | None, str | None]:
    match = _BELOW.search(words)
    if match is None:
        return None, None
    if (money := next(money_in(match["rest"]), None)) is not None:
        return float(money.amount), money.currency or None
    number = _NUMBER.match(match["rest"])
    amount = read_money(number.group()) if number else None
    return (float(amount.amount), None) if amount else (None, None)
