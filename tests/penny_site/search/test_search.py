"""The search of the header: its page, and the options that the palette gets."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from celery import current_app
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from agents import tasks
from agents.embeddings.search import Hit, NoSemanticSearch
from agents.vault import ask_search, index
from agents.vault.keep import keep_page
from devices.conversation.messages import render_content, store_message
from devices.models import Device, Grant, Message, Thread
from devices.owner.account import the_owner
from penny_site.search import sections
from penny_site.search.sections import QUERY_CHARACTERS
from tests.client import make_page
from tests.pages import visible_words
from thoughts.index import passages
from thoughts.index.finds import catch_up
from thoughts.models import Kept, Preference, Thought

pytestmark = pytest.mark.django_db
PALETTE = {"HX-Request": "true"}
MARKUP = "<img src=x onerror=alert(1)> & </ul><script>alert(2)</script> lever"


@pytest.fixture
def lever(owner_client: Client) -> Thought:
    """Store a find, a message, an interest and a site that hold the word lever."""
    find = Thought.objects.create(
        title="A lever of nine bars", text="The *lever* holds.", html="<p>The <em>lever</em> holds.</p>"
    )
    catch_up()
    with transaction.atomic():
        words = "Read **about** the [lever](https://lever.example/x)"
        content = render_content(words, ["https://lever.example/x"])
        store_message(the_owner(), content, direction=Message.Direction.OUT, device_label="")
    Preference.objects.create(text="lever espresso")
    Grant.objects.create(host="lever.example", capability="read")
    return find


def labels(html: str) -> list[str]:
    """Return the headings of the sections."""
    pattern = r'<li class="group"[^>]*>([^<]+)<|<h2 id="in-[^"]*">([^<]+)<'
    return [unescape(palette or page) for palette, page in re.findall(pattern, html)]


@pytest.mark.parametrize("headers", [{}, PALETTE])
def test_one_query_finds_in_every_section(owner_client: Client, lever: Thought, headers: dict[str, str]) -> None:
    html = owner_client.get("/search/", {"q": "lever"}, headers=headers).content.decode()
    assert labels(html) == ["Finds", "Messages", "Interests", "Sites", "Handbook", "Ask Penny"]
    for address in (
        f"/thoughts/{lever.pk}/",
        f"/chat/#m{Message.objects.get().seq}",
        f"/interests/#interest-{Preference.objects.get().pk}",
        "/permissions/?q=lever.example",
    ):
        assert f'href="{address}"' in html
    assert "Read about the <mark>lever</mark>" in html
    assert "The <mark>lever</mark> holds." in html
    assert "**" not in html
    assert ("<html" in html) == (not headers)


@pytest.mark.parametrize(
    ("query", "address"),
    [
        ("inter", "/interests/"),
        ("sent", "/activity/sent/"),
        ("notif", "/settings/notifications/"),
        ("SITES", "/permissions/"),
    ],
)
def test_a_page_is_found_by_the_beginning_of_its_words(owner_client: Client, query: str, address: str) -> None:
    html = owner_client.get("/search/", {"q": query}, headers=PALETTE).content.decode()
    assert labels(html)[0] == "Pages"
    assert f'href="{address}' in html.partition("</ul>")[0]


def test_a_slash_lists_the_commands_which_are_written_and_not_sent(owner_client: Client) -> None:
    html = owner_client.get("/search/", {"q": "/sea"}, headers=PALETTE).content.decode()
    assert labels(html) == ["Commands"]
    assert 'href="/chat/" data-words="/search "' in html
    html = owner_client.get("/search/", {"q": "/search lever & more"}, headers=PALETTE).content.decode()
    assert 'data-words="/search lever &amp; more"' in html


def test_without_words_there_are_the_pages_and_on_the_feed_its_new_finds_first(
    owner_client: Client, lever: Thought
) -> None:
    assert labels(owner_client.get("/search/", headers=PALETTE).content.decode()) == ["Pages"]
    on_feed = owner_client.get("/search/", {"first": "finds"}, headers=PALETTE).content.decode()
    assert labels(on_feed) == ["New finds", "Pages"]
    with_words = owner_client.get("/search/", {"first": "finds", "q": "s"}, headers=PALETTE).content.decode()
    assert labels(with_words)[0] == "Pages"  # no find begins so
    assert labels(owner_client.get("/search/", {"first": "finds", "q": "lever"}).content.decode())[0] == "Finds"


@pytest.mark.parametrize("headers", [{}, PALETTE])
def test_markup_in_what_is_found_stays_text(owner_client: Client, headers: dict[str, str]) -> None:
    Thought.objects.create(title=MARKUP, text=MARKUP, html="<p>lever</p>")
    catch_up()
    Preference.objects.create(text=MARKUP)
    with transaction.atomic():
        store_message(the_owner(), render_content(MARKUP), direction=Message.Direction.IN, device_label="")
    html = owner_client.get("/search/", {"q": "lever"}, headers=headers).content.decode()
    by_markup = owner_client.get("/search/", {"q": MARKUP}, headers=headers).content.decode()
    for page in (html, by_markup):
        assert "<img src=x" not in page
        assert "<script>alert" not in page
    assert "<img src=x onerror=alert(1)>" in visible_words(html)


def test_ten_megabytes_are_cut_before_anything_is_searched(owner_client: Client, lever: Thought) -> None:
    response = owner_client.get("/search/", {"q": "lever " * 1_750_000}, headers=PALETTE)
    assert response.status_code == 200
    assert len(response.content) < 100_000
    words = re.search(r'data-words="([^"]*)"', response.content.decode())
    assert words
    assert len(words[1]) <= QUERY_CHARACTERS


def test_a_page_of_hits_is_bounded_and_costs_few_queries(owner_client: Client) -> None:
    for number in range(30):
        Thought.objects.create(title=f"gudgeon {number}", text="", html="")
        Preference.objects.create(text=f"gudgeon {number}")
        Grant.objects.create(host=f"gudgeon{number}.example", capability="read")
    catch_up()
    with CaptureQueriesContext(
        connection,
    ) as queries:
        html = owner_client.get("/search/", {"q": "gudgeon"}, headers=PALETTE).content.decode()
    assert html.count('role="option"') == 3 * 5 + 1
    assert len(queries) < 18
    assert owner_client.get("/search/", {"q": "gudgeon"}).content.decode().count('<div class="what">') == 3 * 20 + 1


def test_only_the_owner_searches_and_only_by_reading(owner_client: Client, lever: Thought) -> None:
    stranger = Client()
    for address in ("/search/?q=lever", "/search/meaning/?q=lever"):
        assert stranger.get(address, headers=PALETTE).status_code in (302, 401, 403)
        assert owner_client.post(address).status_code == 405
        embedded = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}
        assert owner_client.get(address, headers=embedded).status_code == 403
    owner_client.get("/search/", {"q": "lever"})
    assert Thought.objects.get().opened_at is None


def test_finds_of_a_similar_meaning_come_without_those_that_hold_the_words(
    owner_client: Client, lever: Thought, monkeypatch: pytest.MonkeyPatch
) -> None:
    near = Thought.objects.create(title="A crank", text="", html="")
    answers: Callable[[str], Any] = lambda text: [Hit(lever.pk, 0.9), Hit(near.pk, 0.8)]  # noqa: E731
    monkeypatch.setattr(sections, "find_nearest", answers)
    html = owner_client.get("/search/meaning/?palette", {"q": "lever", "palette": ""}, headers=PALETTE).content.decode()
    assert labels(html) == ["Finds of a similar meaning"]
    assert re.findall(r'<span class="label">([^<]+)<', html) == ["A crank"]
    assert "A crank" in owner_client.get("/search/meaning/", {"q": "lever"}).content.decode()


@pytest.fixture
def two_kept() -> list[Kept]:
    """Keep a page that holds the word, and one of the same meaning without it."""
    keeper = Device.objects.create(label="Desk", kind=Device.Kind.BROWSER)
    texts = {"a": "A lever pulls espresso by hand, at nine bars.", "b": "Pulling a handle makes strong coffee."}
    rows = [
        keep_page(make_page(f"https://{name}.example/", f"<b>Page</b> {name}", words), keeper, "asked")
        for name, words in texts.items()
    ]
    while passages.index_some():
        pass
    while index.embed_some():
        pass
    return rows


@pytest.mark.parametrize("headers", [{}, PALETTE])
def test_kept_pages_are_a_section_of_their_own(
    owner_client: Client, lever: Thought, two_kept: list[Kept], headers: dict[str, str]
) -> None:
    html = owner_client.get("/search/", {"q": "lever"}, headers=headers).content.decode()
    assert labels(html)[:2] == ["Finds", "Kept pages"]
    assert f'href="/kept/{two_kept[0].pk}/?passage=' in html
    assert "A <mark>lever</mark> pulls espresso" in html
    assert "&lt;b&gt;Page&lt;/b&gt; a" in html
    assert str(two_kept[1].pk) not in html
    Kept.objects.set_deleted(timezone.now())
    assert "Kept pages" not in labels(owner_client.get("/search/", {"q": "lever"}, headers=headers).content.decode())


@pytest.mark.usefixtures("redis")
def test_kept_pages_of_a_similar_meaning_come_without_those_that_hold_the_words(
    owner_client: Client, two_kept: list[Kept], monkeypatch: pytest.MonkeyPatch
) -> None:
    work = {"agents.nearest": tasks.nearest, ask_search.TASK: tasks.search_kept}
    monkeypatch.setattr(current_app, "send_task", lambda name, arguments, **_: work[name](*arguments))
    html = owner_client.get("/search/meaning/", {"q": "lever espresso"}).content.decode()
    assert labels(html) == ["Kept pages of a similar meaning"]
    assert f'href="/kept/{two_kept[1].pk}/' in html
    assert f'href="/kept/{two_kept[0].pk}/' not in html


def test_where_no_model_of_vectors_answers_the_page_says_why(
    owner_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(text: str) -> list[Hit]:
        raise NoSemanticSearch("The broker is away.")

    monkeypatch.setattr(sections, "find_nearest", fail)
    assert "The broker is away." in owner_client.get("/search/meaning/", {"q": "lever"}).content.decode()
    palette = owner_client.get("/search/meaning/", {"q": "lever", "palette": ""}, headers=PALETTE)
    assert 'role="option"' not in palette.content.decode()


def test_threads_are_found_by_name_their_messages_lead_into_them_and_a_new_one_is_begun(owner_client: Client) -> None:
    thread = Thread.objects.create(owner=the_owner(), name="Grinders <b>")
    with transaction.atomic():
        store_message(
            the_owner(), render_content("A grinder"), direction=Message.Direction.IN, device_label="", thread=thread
        )
    html = owner_client.get("/search/", {"q": "grinder"}).content.decode()
    assert "Grinders &lt;b&gt;" in html
    assert f'href="/chat/?thread={thread.pk}"' in html
    assert f'href="/chat/?thread={thread.pk}#m{Message.objects.get().seq}"' in html
    assert 'href="/chat/?thread=new"' in owner_client.get("/search/", {"q": "new conv"}).content.decode()
    Thread.objects.update(deleted_at=timezone.now())
    assert "Grinders" not in owner_client.get("/search/", {"q": "grinder"}).content.decode()
