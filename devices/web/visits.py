"""Reduce a visit to a public domain and a harmless title, and tell which visits are nobody's business."""

import re

from devices.web.hosts import HostInvalid, grant_host, is_own
from thoughts.text.addresses import drop_addresses
from thoughts.text.cleaning import clean_line
from thoughts.text.plain_words import has_disguised_address
from thoughts.text.private.addresses import cut_secrets_in
from thoughts.text.private.secrets import CUT, hide_secrets
from thoughts.text.private.topics import topic_of

TITLE_CHARACTERS = 200
PRIVATE_ENDINGS = frozenset(
    [
        "corp",
        "home",
        "internal",
        "intranet",
        "invalid",
        "lan",
        "local",
        "localdomain",
        "localhost",
        "onion",
        "private",
        "test",
    ]
)
_DOMAIN = re.compile(r"(?:[a-z0-9_-]{1,63}\.)+[a-z0-9-]{2,63}")
# Words that name a person or an account: a mail address, an order number, an address without scheme.
_TELLING = re.compile(r"@|\d{6,}|(?:\d[.-]?){9,}|\S\.\w[^\s/?#]*[/?#]")


def bare_domain(text: str) -> str:
    """Return a public domain unchanged. Raises HostInvalid for more than that, or a local name."""
    is_public = (
        _DOMAIN.fullmatch(text) and text.rpartition(".")[2] not in PRIVATE_ENDINGS and not text.endswith(".home.arpa")
    )
    if not is_public or grant_host(f"http://{text}/") != text or is_own(text):
        raise HostInvalid(
            "bad_host", "A visit names a public domain and nothing more, so none of these visits was stored."
        )
    return text


def bare_title(text: str) -> str:
    """Return a title on one line without addresses, and without names of persons or accounts.

    Empty if nothing is left.
    """
    words = hide_secrets(cut_secrets_in(drop_addresses(clean_line(text)))).replace(CUT, "").split()
    title_text = " ".join(word for word in words if not _TELLING.search(word))[:TITLE_CHARACTERS].strip()
    return "" if has_disguised_address(title_text) else title_text


def is_private_visit(domain: str, title: str) -> bool:
    """Return whether a visit is about health, money or sex. The extension leaves these out; others may send them."""
    return topic_of(domain, "", title) is not None
