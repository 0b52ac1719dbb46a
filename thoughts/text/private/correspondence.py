"""Decide whether a site is one of mail or messages. No page of it is kept by itself.

browser_ext/src/vault/private_sites.ts reads the same list.
"""

from functools import lru_cache

from thoughts.text.private.words import data


def is_correspondence(domain: str) -> bool:
    labels = domain.split(".")
    return any(".".join(labels[at:]) in _sites() for at in range(len(labels)))


@lru_cache
def _sites() -> frozenset[str]:
    return frozenset(site for lines in data("correspondence").values() for site in " ".join(lines).split())
