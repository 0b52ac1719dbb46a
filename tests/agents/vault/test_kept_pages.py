"""The page of kept pages: list, search, filter, one entry, forget and undo."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from agents.vault.keep import keep_page
from devices.models import Device
from tests.agents.vault.test_search import ESPRESSO, ROUTER, index_all
from tests.agents.vault.worker import Worker
from tests.client import make_page
from tests.thoughts.cards import HTMX
from thoughts.index import passages
from thoughts.models import Kept

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
NOW = timezone.now()


@pytest.fixture
def coffee(keeper: Device) -> Kept:
    page = make_page("https://coffee.example/water", "Water for <b>espresso</b>", f"# Brewing\n\n{ESPRESSO}")
    return keep_page(page, keeper, "asked", {"emails": ["ada@coffee.example"]}, masked=2)


@pytest.fixture
def router(keeper: Device) -> Kept:
    return keep_page(make_page("https://net.example/router", "The router", ROUTER), keeper, "auto")


def get_html(client: Client, address: str = "/kept/", **headers: str) -> str:
    answer = client.get(address, headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def listed_titles(html: str) -> list[str]:
    return [" ".join(title.split()) for title in re.findall(r'class="title"[^>]*>([^<]*)</a', html)]


def passage_addresses(html: str) -> list[str]:
    return [unescape(address) for address in re.findall(r'class="passage"\s+href="([^"]+)"', html)]


def see(entry: Kept, hours_ago: float) -> None:
    Kept.objects.filter(pk=entry.pk).update(last_seen_at=NOW - timedelta(hours=hours_ago))


def test_before_anything_is_kept_the_page_says_how(owner_client: Client) -> None:
    html = get_html(owner_client)
    assert "Nothing is kept yet" in html
    assert 'href="/help/kept-pages/"' in html
    assert 'name="q"' not in html


def test_entries_are_listed_the_newest_first_and_older_ones_follow(
    owner_client: Client, keeper: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.vault.entries.ENTRIES_SHOWN", 2)
    for number in range(5):
        see(keep_page(make_page(f"https://a.example/{number}", f"Page {number}", ROUTER), keeper, "asked"), number)
    titles, address = [], "/kept/?site=a.example"
    while address:
        html = get_html(owner_client, address)
        titles.append(listed_titles(html))
        older = re.search(r'rel="next"\s+href="([^"]+)"\s+hx-get="([^"]+)"', html)
        address = f"/kept/{unescape(older[1])}" if older else ""
        if older:
            fragment = get_html(owner_client, unescape(older[2]), **HTMX)
            assert listed_titles(fragment) == listed_titles(get_html(owner_client, address))
            assert "<ul" not in fragment
    assert titles == [["Page 0", "Page 1"], ["Page 2", "Page 3"], ["Page 4"]]


@pytest.mark.parametrize("cursor", ["x", "-", "1", "9" * 30 + "-1", "1-" + "9" * 30])
def test_a_place_that_was_made_up_is_the_start_or_the_end(owner_client: Client, coffee: Kept, cursor: str) -> None:
    assert owner_client.get("/kept/", {"before": cursor}).status_code == 200


def test_titles_and_texts_are_words_of_pages_and_shown_as_text(owner_client: Client, coffee: Kept) -> None:
    assert "Water for &lt;b&gt;espresso&lt;/b&gt;" in get_html(owner_client)
    assert "Water for &lt;b&gt;espresso&lt;/b&gt;" in get_html(owner_client, f"/kept/{coffee.pk}/")


@pytest.mark.usefixtures("coffee", "router")
def test_the_worker_finds_a_page_by_its_meaning(owner_client: Client, worker: Worker) -> None:
    index_all()
    html = get_html(owner_client, "/kept/?q=make+hot+drinks")
    assert listed_titles(html)[:1] == ["Water for &lt;b&gt;espresso&lt;/b&gt;"]
    assert worker.tasks == ["agents.search_kept"]
    assert "words only" not in html
    assert " wait" not in html


@pytest.mark.usefixtures("coffee", "router", "no_worker")
def test_without_the_worker_words_alone_are_compared_and_the_page_says_so(
    owner_client: Client, no_worker: None
) -> None:
    index_all()
    html = get_html(owner_client, "/kept/?q=firmware")
    assert listed_titles(html) == ["The router"]
    assert "words only" in html
    assert "No kept page holds that" in get_html(owner_client, "/kept/?q=make+hot+drinks")


@pytest.mark.usefixtures("coffee", "router")
def test_a_late_worker_is_not_waited_for(owner_client: Client, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    index_all()
    worker.is_late = True
    monkeypatch.setattr("agents.embeddings.ask_worker.WAIT_S", 0.1)
    html = get_html(owner_client, "/kept/?q=firmware")
    assert listed_titles(html) == ["The router"]
    assert "words only" in html


@pytest.mark.usefixtures("coffee", "worker")
def test_a_page_that_has_no_vectors_yet_is_found_and_said_to_wait(owner_client: Client) -> None:
    passages.index_some()
    html = get_html(owner_client, "/kept/?q=grind")
    assert listed_titles(html) == ["Water for &lt;b&gt;espresso&lt;/b&gt;"]
    assert re.search(r"1 page\s+waits for the search by meaning", html)


@pytest.mark.usefixtures("worker", "router")
def test_a_passage_leads_to_its_place_in_the_stored_text(owner_client: Client, coffee: Kept) -> None:
    index_all()
    html = get_html(owner_client, "/kept/?q=grind")
    assert "<mark>grind</mark>" in html
    [address] = passage_addresses(html)
    assert address.startswith(f"/kept/{coffee.pk}/?passage=")
    assert address.endswith("#quote")
    page = get_html(owner_client, address)
    marked = re.search(r'<mark id="quote">(.*?)</mark>', page)
    assert marked
    assert "<h4>" in page, "the text stands in its form"
    assert "finer grind" in re.sub(r"</?mark[^>]*>", "", page.partition('id="quote"')[2])


@pytest.mark.usefixtures("worker")
def test_a_search_shows_the_contacts_that_it_asks_for(owner_client: Client, keeper: Device) -> None:
    contacts = {"emails": ["ada@brunswick.example", "bob@clinic.example"], "phones": ["+17325550142"]}
    keep_page(make_page("https://clinic.example/", "Doctors", "Come by at noon."), keeper, "asked", contacts)
    index_all()
    for words, values in {
        "doctors email": contacts["emails"],
        "doctors e-mail": contacts["emails"],
        "telephone doctors": contacts["phones"],
        "brunswick": ["ada@brunswick.example"],
        "noon": [],
    }.items():
        html = get_html(owner_client, f"/kept/?q={words}")
        assert re.findall(r'<span class="contact">([^<]*)</span>', html) == values, words


@pytest.mark.parametrize("passage", ["", "x", "5", "9-3", "-1-4", "0-999999", "0-0", "1" * 40 + "-" + "2" * 40])
def test_a_passage_that_was_made_up_marks_nothing(owner_client: Client, coffee: Kept, passage: str) -> None:
    assert "<mark" not in get_html(owner_client, f"/kept/{coffee.pk}/?passage={passage}")


def test_an_entry_shows_where_it_came_from_when_it_was_kept_and_its_contacts(
    owner_client: Client, coffee: Kept
) -> None:
    html = get_html(owner_client, f"/kept/{coffee.pk}/")
    assert 'href="https://coffee.example/water" target="_blank" rel="noopener noreferrer nofollow"' in html
    assert "by Desk" in html
    assert coffee.kept_at.strftime("%Y") in html
    assert "ada@coffee.example" in html
    assert "2 secrets covered" in html
    assert "until you forget it" in html


def test_a_filter_narrows_the_list_and_the_search(
    owner_client: Client, worker: Worker, coffee: Kept, router: Kept
) -> None:
    index_all()
    day = timezone.localdate()
    for query, title in {
        "site=NET.example": "The router",
        "site=https://net.example/": "The router",
        "source=auto": "The router",
        f"since={day}&site=net.example": "The router",
        f"until={day}&source=auto": "The router",
        f"until={day - timedelta(days=1)}": None,
        f"since={day + timedelta(days=1)}": None,
        "language=de": None,
    }.items():
        for words in ("", "&q=the"):
            assert listed_titles(get_html(owner_client, f"/kept/?{query}{words}")) == ([title] if title else []), query


def test_a_wrong_filter_is_said_and_left_out(owner_client: Client, coffee: Kept) -> None:
    for query in ("since=soon", "until=9999-99-99", "source=x", "language=xx", "site=a b"):
        html = get_html(owner_client, f"/kept/?{query}", **HTMX)
        assert "notice warn" in html
        assert len(listed_titles(html)) == 1


def test_the_last_day_of_the_calendar_is_no_mistake(owner_client: Client, coffee: Kept) -> None:
    assert len(listed_titles(get_html(owner_client, "/kept/?until=9999-12-31"))) == 1


@pytest.mark.usefixtures("worker", "router")
def test_htmx_gets_the_results_alone(owner_client: Client, coffee: Kept) -> None:
    index_all()
    html = get_html(owner_client, "/kept/?q=grind", **HTMX)
    assert "<html" not in html
    assert '<form method="get"' not in html
    assert listed_titles(html) == ["Water for &lt;b&gt;espresso&lt;/b&gt;"]


@pytest.mark.usefixtures("worker", "router")
def test_forget_in_the_list_says_first_what_goes_and_comes_back_to_the_list(owner_client: Client, coffee: Kept) -> None:
    index_all()
    html = get_html(owner_client, "/kept/?q=grind")
    [ask] = [unescape(address) for address in re.findall(r'href="(/kept/forget/\?entry=[^"]+)"', html)]
    asking = get_html(owner_client, ask)
    assert "Forget 1 kept page?" in asking
    assert 'href="/kept/?q=grind"' in asking
    assert Kept.objects.kept().filter(pk=coffee.pk).exists()
    fields = dict(re.findall(r'<input type="hidden" name="(?!csrf)(\w+)" value="([^"]*)"', asking))
    answer = owner_client.post("/kept/forget/", fields, follow=True)
    html = answer.content.decode()
    assert answer.redirect_chain == [("/kept/?q=grind", 302)]
    assert listed_titles(html) == []
    assert owner_client.get(f"/kept/{coffee.pk}/").status_code == 404
    assert listed_titles(get_html(owner_client)) == ["The router"]
    [undo] = re.findall(r'action="(/kept/[^"]+/restore/)"', html)
    assert "Kept again: 1 page." in owner_client.post(undo, follow=True).content.decode()
    assert len(listed_titles(get_html(owner_client, "/kept/?q=grind"))) == 1


def test_an_entry_leads_to_what_goes_with_it(owner_client: Client, coffee: Kept) -> None:
    html = get_html(owner_client, f"/kept/{coffee.pk}/")
    assert f'href="/kept/forget/?entry={coffee.pk}"' in html
    assert "/forget/" not in "".join(re.findall(r'action="[^"]+"', html)), "nothing forgets at one press"


@pytest.mark.parametrize("there", ["https://evil.example/", "//evil.example/kept/?", "/admin/?", "/kept/../admin/"])
def test_forgetting_leads_to_lists_of_kept_pages_alone(owner_client: Client, coffee: Kept, there: str) -> None:
    assert f'href="{there}"' not in get_html(owner_client, f"/kept/forget/?entry={coffee.pk}&next={there}")
    answer = owner_client.post("/kept/forget/", {"entry": str(coffee.pk), "next": there})
    assert answer["Location"] == "/kept/"
