"""Cover the secrets of a page before it is stored, whoever sent it. A browser covers most of them itself."""

import hashlib
from collections.abc import Mapping, Sequence

from thoughts.models import Page
from thoughts.text.private.cover import cover_secrets
from thoughts.text.private.secrets import SURE, secrets_in

METADATA_NAMES = ("title", "site_name", "author")
APART = "\n\n"  # no phrase reaches over two line ends


def cover_page(page: Page) -> int:
    """Cover the secrets in all words of a row that is not saved yet, as it would store them; return how many."""
    names = [name for name in METADATA_NAMES if page.metadata.get(name)]
    lines = [page.title, *(page.metadata[name] for name in names), *(link["text"] for link in page.links)]
    page.text, of_text = cover_secrets(page.text)
    page.left_out, of_rest = cover_secrets(page.left_out)
    lines, of_lines = _cover_lines(lines)
    page.title, lines = lines[0], lines[1:]
    page.metadata |= dict(zip(names, lines, strict=False))
    page.links = [link | {"text": text} for link, text in zip(page.links, lines[len(names) :], strict=True)]
    page.sha256 = hashlib.sha256(page.text.encode()).hexdigest()
    return of_text + of_rest + of_lines


def _cover_lines(lines: Sequence[str]) -> tuple[list[str], int]:
    """Cover the secrets of each line. One look at all of them tells whether there are any: most pages have none."""
    if not cover_secrets(APART.join(lines))[1]:
        return [*lines], 0
    covered = [cover_secrets(line) for line in lines]
    return [text for text, _ in covered], sum(count for _, count in covered)


def without_secrets(contacts: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Leave out contacts that are a secret in the form of one, such as a card's number as a telephone."""
    return {
        name: own
        for name, values in contacts.items()
        if (own := [value for value in values if not any(secret.kind in SURE for secret in secrets_in(value))])
    }
