"""Read the cards of a page in tests of the feed."""

import re

HTMX = {"HX-Request": "true"}


def titles(html: str) -> list[str]:
    return re.findall(r'data-key="o" data-open>(.+?)</a></h2>', html)
