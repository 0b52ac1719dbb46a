"""Cover secrets in the text of a page, as browser_ext/src/vault/cover_secrets.ts does."""

from collections.abc import Iterator

from thoughts.text.private.secrets import TEXT_CHARACTERS, secrets_in
from thoughts.text.private.seed_phrases import seed_phrases_in

COVER = "▮"
OVERLAP_CHARACTERS = 1_000
ROUNDS_MAX = 4


def cover_secrets(text: str) -> tuple[str, int]:
    """Return a text with ▮ where a secret stood, and how many there were. A covered text stays as it is."""
    total = 0
    for _ in range(ROUNDS_MAX):  # a cover is short, so that a word may now stand near to what it was far from
        text, count = _cover_once(text)
        total += count
        if not count:
            break
    return text, total


def _cover_once(text: str) -> tuple[str, int]:
    pieces, place, count = list[str](), 0, 0
    for start, end in _joined_spans(text):
        pieces += [text[place:start], COVER]
        place, count = end, count + 1
    return "".join([*pieces, text[place:]]), count


def _joined_spans(text: str) -> list[tuple[int, int]]:
    """Return the places of secrets in order, none over another: two rules may find the same."""
    joined = list[tuple[int, int]]()
    for start, end in sorted(_spans(text)):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Look through a text part by part. The parts overlap, so that what lies between two is found."""
    step = TEXT_CHARACTERS - OVERLAP_CHARACTERS
    for at in range(0, max(1, len(text) - OVERLAP_CHARACTERS), step):
        part = text[at : at + TEXT_CHARACTERS]
        spans = [*((secret.start, secret.end) for secret in secrets_in(part)), *seed_phrases_in(part)]
        yield from ((at + start, at + end) for start, end in spans)
