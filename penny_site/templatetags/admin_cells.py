"""Template filters of the admin: headings in people's words, a label in each cell, words instead of pictures."""

import re
from collections.abc import Iterable, Iterator

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from penny_site.admin_pages.labels import LABELS

register = template.Library()
WORDS = {"yes": "yes", "no": "no", "unknown": "-"}
# Django makes this tag; in texts of pages the angle bracket is escaped.
_PICTURE = re.compile(r'<img src="[^"]*/icon-(yes|no|unknown)[^"]*"[^>]*>')


@register.filter
def in_words(html: str) -> str:
    """Return the HTML of a value with words instead of the pictures of true, false and unknown."""
    words = _PICTURE.sub(lambda match: WORDS[match[1]], html)
    return mark_safe(words) if isinstance(html, SafeString) else words  # noqa: S308  it was safe before


@register.filter
def as_label(name: str) -> str:
    """Return the name of a column or a field as a heading; the box that ticks all rows stays as it is."""
    if isinstance(name, SafeString):
        return name
    label = LABELS.get(name.lower(), name)
    return label[:1].upper() + label[1:]


@register.filter
def with_labels(cells: Iterable[str], headers: list[dict[str, str]]) -> Iterator[str]:
    """Yield the cells of a row, each with its column's heading, which narrow screens show in front of it."""
    for cell, header in zip(cells, headers, strict=False):
        if "<input" in header["text"]:
            yield cell
            continue
        label = format_html(' data-label="{}"', as_label(header["text"]))
        yield mark_safe(re.sub(r"<t[dh]", lambda match: match[0] + label, in_words(cell), count=1))  # noqa: S308,B023
