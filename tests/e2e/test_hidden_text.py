"""The built extension extracts the visible text of pages and no hidden text."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tests.attacks import farm as farms
from tests.attacks.canaries import holds
from tests.attacks.farm import HOST, Farm, canary
from tests.attacks.ordinary import ORDINARY
from tests.attacks.vectors import HIDDEN, PROSE, VISIBLE, VISIBLE_VECTORS, Vector
from tests.e2e.browser import Browser, Page
from tests.e2e.snapshots import BLIND, SEEING

# Runs in a page of the extension: opens every URL in a background tab, as a tool does, and extracts its page.
EXTRACT = """(async (urls, before) => {
  const api = globalThis.browser ?? globalThis.chrome
  const isThere = async (id, url) => { const tab = await api.tabs.get(id); return tab.status === 'complete' && tab.url \
=== url }
  const read = async url => {
    const { id } = await api.tabs.create({ url, active: false })
    while (!await isThere(id, url)) await new Promise(resolve => setTimeout(resolve, 20))
    await api.scripting.executeScript({ target: { tabId: id }, func: before })
    const files = ['/page_basics.js', '/extractors.js', '/extract_page.js']
    const [frame] = await api.scripting.executeScript({ target: { tabId: id }, files })
    await api.tabs.remove(id)
    return frame.result?.page ?? { error: String(frame.error) }
  }
  const found = []
  while (urls.length) found.push(...await Promise.all(urls.splice(0, 6).map(read)))
  return found
})(%s, %s)"""
LEAKS_MAX = 1  # of at least 43 vectors; the farm has more than three times as many
KEPT_MIN = 0.98
BATCH = 36


@pytest.fixture(scope="session")
def farm() -> Iterator[Farm]:
    with farms.running_farm() as farm:
        yield farm


@pytest.fixture
def extension_page(browser: Browser) -> Iterator[Page]:
    page = browser.page(browser.panel_url)
    yield page
    page.close()


def extract(page: Page, urls: list[str], before: str = SEEING) -> list[dict[str, Any]]:
    batches = [urls[start : start + BATCH] for start in range(0, len(urls), BATCH)]
    return [page_result for batch in batches for page_result in page.evaluate(EXTRACT % (json.dumps(batch), before))]


def all_words(page: dict[str, Any]) -> str:
    """Return all words of an extraction that the reader or the chooser of links gets."""
    return "\n".join([page["title"], page["text"], *(link["text"] for link in page["links"])])


def extract_vectors(page: Page, farm: Farm, vectors: list[Vector]) -> list[tuple[Vector, dict[str, Any]]]:
    return list(zip(vectors, extract(page, [farm.url(HOST, f"/v/{vector.name}") for vector in vectors]), strict=True))


def extract_many(
    page: Page, farm: Farm, numbers: Sequence[int], before: str = SEEING
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the extractions of pages with many vectors, and the names of the extracted vectors."""
    pages = extract(page, [farm.url(HOST, f"/many/{number}") for number in numbers], before)
    words = "\n".join(all_words(page) for page in pages)
    vectors = [vector for number in numbers for vector in farms.many(number)]
    _report(leaks := [vector.name for vector in vectors if holds(words, canary(vector))], len(vectors))
    return pages, leaks


def kept_share(words: tuple[str, ...] | list[str], text: str) -> float:
    """Return the share of the words that the text holds, counted with repetitions."""
    pool = re.findall(r"\w+", text)
    expected_words = re.findall(r"\w+", " ".join(words))
    return sum(_remove_word(pool, word) for word in expected_words) / len(expected_words)


def _remove_word(pool: list[str], word: str) -> bool:
    if word not in pool:
        return False
    pool.remove(word)
    return True


@pytest.mark.long
def test_hidden_words_are_not_extracted_each_from_a_page_of_its_own(extension_page: Page, farm: Farm) -> None:
    pages = extract_vectors(extension_page, farm, HIDDEN)
    _report(leaks := [vector.name for vector, page in pages if holds(all_words(page), canary(vector))], len(pages))
    assert len(leaks) <= LEAKS_MAX, leaks
    shares = {vector.name: kept_share(list(PROSE), page["text"]) for vector, page in pages}
    assert {name: share for name, share in shares.items() if share < KEPT_MIN} == {}


def test_hidden_words_are_not_extracted_from_pages_that_hold_many(extension_page: Page, farm: Farm) -> None:
    pages, leaks = extract_many(extension_page, farm, range(farms.MANY))
    assert len(leaks) <= LEAKS_MAX, leaks
    assert [
        round(kept_share(list(PROSE), page["text"]), 3)
        for page in pages
        if kept_share(list(PROSE), page["text"]) < KEPT_MIN
    ] == []


@pytest.mark.one_browser("chromium", "shared code reads the page")
def test_only_the_look_at_the_page_as_it_is_shown_keeps_them_out(extension_page: Page, farm: Farm) -> None:
    """Without it, most hidden text is extracted: extractors know inline styles at best."""
    _, leaks = extract_many(extension_page, farm, [0], BLIND)
    assert len(leaks) > len(farms.many(0)) / 2


@pytest.mark.one_browser("chromium", "shared code reads the page")
def test_visible_words_are_extracted_however_they_are_shown(extension_page: Page, farm: Farm) -> None:
    pages = extract_vectors(extension_page, farm, VISIBLE_VECTORS)
    assert [vector.name for vector, page in pages if not holds(page["text"], canary(vector))] == []
    assert [vector.name for vector, page in pages if not all(word in page["text"] for word in VISIBLE)] == []


def _report(leaks: list[str], count: int) -> None:
    print(f"{len(leaks)} of {count} hidden vectors were extracted {leaks or ''}")


@pytest.mark.one_browser("firefox", "shared code reads the page")
def test_ordinary_pages_keep_their_words(extension_page: Page, farm: Farm) -> None:
    pages = zip(
        ORDINARY.items(), extract(extension_page, [farm.url(HOST, f"/o/{name}") for name in ORDINARY]), strict=True
    )
    shares = {name: kept_share(ordinary.words, page["text"]) for (name, ordinary), page in pages}
    assert {name: round(share, 3) for name, share in shares.items() if share < KEPT_MIN} == {}
