"""What is kept is found by its words and by its meaning, at once, and what is forgotten is not."""

from collections.abc import Iterable

import pytest
from django.utils import timezone

from agents.embeddings import embed
from agents.embeddings.embed import NotEmbedded
from agents.vault import index
from agents.vault.keep import NotKept, keep_page
from agents.vault.search import Found, Scope, fuse, search_kept
from devices.models import Device
from tests.client import make_page
from thoughts.index import passage_vectors, passages
from thoughts.models import Chunk, ChunkWords, Kept, Page

pytestmark = pytest.mark.django_db

ESPRESSO = "Espresso is brewed with water between 90 and 96 degrees. A finer grind slows the flow of the water."
ROUTER = "The router has four aerials. Its firmware is flashed over the serial port, which takes ten minutes."
GARDEN = "Tomatoes want sun from morning on. Water them at their roots, and never over their leaves."


@pytest.fixture
def entries(keeper: Device) -> dict[str, Kept]:
    texts = {"coffee.example/water": ESPRESSO, "net.example/router": ROUTER, "garden.example/tomatoes": GARDEN}
    rows = {
        url.partition(".")[0]: keep_page(make_page(f"https://{url}", f"About {url}", text), keeper, "asked")
        for url, text in texts.items()
    }
    index_all()
    return rows


def index_all() -> None:
    while passages.index_some():
        pass
    while index.embed_some():
        pass


def sites(result: Found) -> list[str]:
    return list(dict.fromkeys(Kept.objects.get(pk=one.entry).page.domain for one in result.passages))


def texts(result: Found) -> list[str]:
    return [Kept.objects.get(pk=one.entry).page.text[one.start : one.end] for one in result.passages]


def signs_in_memory() -> bool:
    return passage_vectors._memory.signs is not None


def test_a_page_is_found_by_a_word_and_the_passage_is_its_own(entries: dict[str, Kept]) -> None:
    result = search_kept("firmware")
    assert sites(result)[0] == "net.example"
    assert "firmware is flashed" in texts(result)[0]


def test_a_page_is_found_by_its_meaning_without_a_common_word(entries: dict[str, Kept]) -> None:
    assert not passages.by_words("make hot drinks", None, 10)
    assert sites(search_kept("make hot drinks"))[0] == "coffee.example"


def test_words_are_compared_as_every_search_does(keeper: Device) -> None:
    keep_page(
        make_page("https://fr.example/a", "Brûlerie", "La crème brûlée se mange tiède, le soir."), keeper, "asked"
    )
    keep_page(
        make_page("https://pl.example/a", "Øresund", "Z Łodzi do Đakova jedzie się długo, do Diyarbakır też."),
        keeper,
        "asked",
    )
    index_all()
    assert sites(search_kept("CREME brulee")) == ["fr.example"]
    for words in ("lodzi", "ĐAKOVA", "dakova", "dlugo", "oresund", "DIYARBAKIR"):
        assert passages.by_words(words, None, 10), words


def test_the_title_and_contacts_find_an_entry(keeper: Device) -> None:
    page = make_page("https://clinic.example/team", "Our team", "Call us in the morning, or come by at noon.")
    keep_page(page, keeper, "asked", {"emails": ["ada@brunswick.example"], "phones": []})
    index_all()
    assert sites(search_kept("brunswick email")) == ["clinic.example"]


def test_a_page_without_vectors_is_found_by_words_and_said_to_wait(keeper: Device) -> None:
    keep_page(make_page("https://coffee.example/", "Coffee", ESPRESSO), keeper, "asked")
    passages.index_some()
    result = search_kept("grind")
    assert sites(result) == ["coffee.example"]
    assert result.waiting == 1


def test_where_nothing_embeds_words_alone_are_compared(
    entries: dict[str, Kept], monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(texts: Iterable[object]) -> None:
        raise NotEmbedded("away")

    monkeypatch.setattr(embed, "embed", away)
    result = search_kept("firmware")
    assert sites(result) == ["net.example"]
    assert result.words_only


def test_a_forgotten_page_is_in_no_search_and_comes_back(entries: dict[str, Kept]) -> None:
    Kept.objects.filter(pk=entries["net"].pk).set_deleted(timezone.now())
    assert "net.example" not in sites(search_kept("router firmware"))
    Kept.objects.filter(pk=entries["net"].pk).set_deleted(None)
    assert sites(search_kept("router firmware"))[0] == "net.example"


@pytest.mark.parametrize(
    ("scope", "is_found"),
    [
        (Scope(site="net.example"), True),
        (Scope(site="example"), True),
        (Scope(site="t.example"), False),
        (Scope(source="asked"), True),
        (Scope(source="file"), False),
        (Scope(language="en"), True),
        (Scope(language="de"), False),
    ],
)
def test_a_search_keeps_to_its_scope(entries: dict[str, Kept], scope: Scope, is_found: bool) -> None:
    assert ("net.example" in sites(search_kept("router firmware", scope))) == is_found


def test_a_search_keeps_to_its_times(entries: dict[str, Kept]) -> None:
    now = timezone.now()
    assert sites(search_kept("router", Scope(until=now)))
    assert not sites(search_kept("router", Scope(since=now)))


def test_the_same_text_is_kept_once_and_another_one_beside_it(keeper: Device) -> None:
    page = make_page("https://coffee.example/#top", "Coffee", ESPRESSO)
    first = keep_page(page, keeper, "auto")
    assert keep_page(make_page("https://coffee.example/", "Coffee", ESPRESSO), keeper, "auto").pk == first.pk
    assert Page.objects.count() == 1
    assert keep_page(make_page("https://coffee.example/", "Coffee", GARDEN), keeper, "auto").pk != first.pk


def test_what_the_owner_keeps_stays_for_ever(keeper: Device) -> None:
    page = make_page("https://coffee.example/", "Coffee", ESPRESSO)
    assert keep_page(page, keeper, "auto").keep_until is not None
    assert keep_page(page, keeper, "asked").keep_until is None


@pytest.mark.parametrize(("url", "text"), [("https://coffee.example/", " \n "), ("ftp://coffee.example/", ESPRESSO)])
def test_what_cannot_be_kept_is_refused_and_nothing_is_stored(keeper: Device, url: str, text: str) -> None:
    with pytest.raises(NotKept):
        keep_page(make_page(url, "Coffee", text), keeper, "asked")
    assert not Kept.objects.exists()
    assert not Page.objects.exists()


def test_an_entry_that_goes_while_it_is_indexed_leaves_nothing(entries: dict[str, Kept]) -> None:
    Kept.objects.all().delete()
    assert not passages.index_words(entries["net"].pk)
    assert not Chunk.objects.exists()
    assert not ChunkWords.objects.exists()
    assert search_kept("router firmware").passages == []


def test_the_signs_leave_the_memory_after_a_while(entries: dict[str, Kept], monkeypatch: pytest.MonkeyPatch) -> None:
    search_kept("router")
    assert signs_in_memory()
    monkeypatch.setattr(passage_vectors, "IDLE_S", -1.0)
    passage_vectors.drop_idle()
    assert not signs_in_memory()
    assert sites(search_kept("router"))


def test_both_kinds_of_search_are_weighed_by_their_spread() -> None:
    assert fuse({1: 8.0, 2: 2.0}, {2: 0.9, 3: 0.5}, 0.5) == {2: 0.625, 1: 0.5, 3: 0.0}
    assert list(fuse({1: 8.0, 2: 2.0}, {2: 0.9, 3: 0.5}, 0.3)) == [1, 2, 3]


def test_a_passage_near_by_meaning_has_the_points_of_its_words(entries: dict[str, Kept]) -> None:
    passages_of = {site: row.chunks.filter(end__gt=0).get().pk for site, row in entries.items()}
    [best, *_] = passages.by_words("router tomatoes", None, 1)
    also = [key for key in passages_of.values() if key != best]
    assert {best} == set(passages.by_words("router tomatoes", None, 1))
    assert {best, passages_of["net"], passages_of["garden"]} == set(passages.by_words("router tomatoes", None, 1, also))


def test_a_word_of_every_passage_has_a_bound(keeper: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passages, "CANDIDATES_MAX", 5)
    keep_page(make_page("https://long.example/", "Long", "\n\n".join([ESPRESSO * 4] * 20)), keeper, "asked")
    passages.index_some()
    assert len(passages.by_words("water", None, 100)) == 5
