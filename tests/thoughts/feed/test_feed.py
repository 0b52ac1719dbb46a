import re
from collections.abc import Callable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from constance import config
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from agents.models import Schedule
from devices.models import Device
from tests.thoughts.cards import HTMX, titles
from thoughts.models import Claim, Page, Picture, Preference, Thought

pytestmark = pytest.mark.django_db

TEXT = "The test took a year. The lever keeps nine bars for 32 seconds. Then it was cleaned."
QUOTE = "The lever keeps nine bars for 32 seconds."

MakeThought = Callable[..., Thought]


@pytest.fixture
def make_thought() -> MakeThought:
    def make(
        title: str = "A lever",
        *,
        at: datetime | None = None,
        url: str = "https://coffeelab.example/lever",
        text: str = TEXT,
    ) -> Thought:
        domain = url.partition("//")[2].partition("/")[0] or "odd"
        picture, _ = Picture.objects.get_or_create(
            sha256="a" * 64, defaults={"data": b"RIFF", "width": 320, "height": 180}
        )
        page = Page.objects.create(
            picture=picture,
            url=url,
            domain=domain,
            title=f"About {title}",
            text=text,
            extracted_with="defuddle",
            sha256="0" * 64,
        )
        thought = Thought.objects.create(
            title=title,
            text="It holds.",
            html="<p>It holds.</p>",
            seed_text="lever espresso",
            created_at=at or timezone.now(),
        )
        thought.pages.add(page)
        start = text.index(QUOTE)
        Claim.objects.create(
            thought=thought, page=page, text="It holds nine bars.", quote=QUOTE, start=start, end=start + len(QUOTE)
        )
        return thought

    return make


def test_the_newest_thought_comes_first_with_its_seed_and_its_sources(
    owner_client: Client, make_thought: MakeThought
) -> None:
    make_thought("Old", at=timezone.now() - timedelta(days=2))
    make_thought("New")
    html = owner_client.get("/").content.decode()
    assert titles(html) == ["New", "Old"]
    assert "lever espresso" in html
    assert 'href="https://coffeelab.example/lever" target="_blank" rel="noopener noreferrer nofollow"' in html
    assert "1 of 1 sentence supported" in html


def test_a_card_says_how_many_of_its_sentences_have_evidence(owner_client: Client, make_thought: MakeThought) -> None:
    sentences = [
        {"html": f"Sentence {number}.", "paragraph": 0, "claims": claims}
        for number, claims in enumerate([[1], [1, 2], []])
    ]
    Thought.objects.filter(pk=make_thought("New").pk).update(sentences=sentences)
    assert "2 of 3 sentences supported" in owner_client.get("/").content.decode()


def test_twelve_cards_cost_as_many_queries_as_one(owner_client: Client, make_thought: MakeThought) -> None:
    make_thought()
    owner_client.get("/")
    with CaptureQueriesContext(connection) as one:
        owner_client.get("/")
    for number in range(11):
        make_thought(f"Number {number}")
    with CaptureQueriesContext(connection) as twelve:
        owner_client.get("/")
    assert len(twelve) == len(one)


def test_the_feed_reads_neither_the_texts_of_pages_nor_the_bytes_of_pictures(
    owner_client: Client, make_thought: MakeThought
) -> None:
    make_thought()
    with CaptureQueriesContext(connection) as queries:
        owner_client.get("/")
    assert not [
        query["sql"] for query in queries if '"thoughts_page"."text"' in query["sql"] or '"data"' in query["sql"]
    ]


def test_a_card_shows_the_picture_from_our_own_address(owner_client: Client, make_thought: MakeThought) -> None:
    make_thought()
    source = re.search(r'<img class="pic" src="([^"]+)"', owner_client.get("/").content.decode())
    assert source
    picture = owner_client.get(source[1])
    assert (picture.content, picture.headers["Content-Type"]) == (b"RIFF", "image/webp")
    assert Client().get(source[1]).status_code == 302


def test_older_pages_follow_without_gap_or_repeat_when_times_are_equal(
    owner_client: Client, make_thought: MakeThought
) -> None:
    moment = timezone.now()
    for number in range(27):
        make_thought(f"Number {number}", at=moment - timedelta(seconds=number // 9))
    all_titles: list[str] = []
    address = "/"
    while address:
        html = owner_client.get(address).content.decode()
        all_titles += titles(html)
        older = re.search(r'rel="next" href="(/\?before=[^"]+)"', html)
        address = older[1] if older else ""
    assert len(all_titles) == 27
    assert sorted(all_titles) == sorted(f"Number {number}" for number in range(27))


@pytest.mark.parametrize("cursor", ["x", "1-2", "9" * 40 + "-" + "0" * 32, "-5", "1-zz"])
def test_a_cursor_that_was_cut_starts_at_the_newest(
    owner_client: Client, make_thought: MakeThought, cursor: str
) -> None:
    make_thought("New")
    assert titles(owner_client.get("/", {"before": cursor}).content.decode()) == ["New"]


def test_htmx_gets_the_cards_and_no_page_around_them(owner_client: Client, make_thought: MakeThought) -> None:
    make_thought("New")
    html = owner_client.get("/", headers=HTMX).content.decode()
    assert titles(html) == ["New"]
    assert "<html" not in html


@pytest.mark.parametrize("url", ["javascript:alert(1)", "https://[x]/"])
def test_an_address_that_is_not_of_the_web_is_not_linked(
    owner_client: Client, make_thought: MakeThought, url: str
) -> None:
    thought = make_thought(url=url)
    for address in ("/", f"/thoughts/{thought.pk}/"):
        assert f'href="{url}' not in owner_client.get(address).content.decode()


def test_a_thought_shows_the_quote_marked_among_the_words_around_it(
    owner_client: Client, make_thought: MakeThought
) -> None:
    thought = make_thought()
    html = owner_client.get(f"/thoughts/{thought.pk}/").content.decode()
    quote = f"The test took a year. <mark>{QUOTE}</mark> Then it was cleaned."
    assert f'<b>It holds nine bars.</b> <span class="quote" dir="auto">{quote}</span>' in html
    assert "About A lever" in html


def test_what_a_page_says_is_text_and_never_markup(owner_client: Client, make_thought: MakeThought) -> None:
    thought = make_thought("<b>Title</b>", text=f"<script>alert(1)</script> {QUOTE} <img src=x>")
    html = owner_client.get(f"/thoughts/{thought.pk}/").content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "<img src=x>" not in html
    assert "<b>Title</b>" not in html


def test_moving_to_the_archive_leaves_a_line_that_undoes_it(owner_client: Client, make_thought: MakeThought) -> None:
    thought = make_thought()
    moved = owner_client.post(f"/thoughts/{thought.pk}/read/", headers=HTMX).content.decode()
    assert "Moved to the archive." in moved
    assert [row.pk for row in Thought.objects.archived()] == [thought.pk]
    back = owner_client.post(f"/thoughts/{thought.pk}/unread/", {"undo": "1"}, headers=HTMX).content.decode()
    assert titles(back.replace(" autofocus", "")) == ["A lever"]
    assert [row.pk for row in Thought.objects.unread()] == [thought.pk]


def test_without_javascript_moving_comes_back_with_an_undo(owner_client: Client, make_thought: MakeThought) -> None:
    thought = make_thought()
    page = owner_client.post(f"/thoughts/{thought.pk}/read/", {"next": "/"}, follow=True)
    assert page.redirect_chain == [("/", 302)]
    assert f'<form method="post" action="/thoughts/{thought.pk}/unread/">' in page.content.decode()


def test_after_moving_nobody_is_sent_to_another_site(owner_client: Client, make_thought: MakeThought) -> None:
    thought = make_thought()
    assert (
        owner_client.post(f"/thoughts/{thought.pk}/read/", {"next": "https://evil.example/"}).headers["Location"] == "/"
    )


def test_a_get_moves_nothing(owner_client: Client, make_thought: MakeThought) -> None:
    thought = make_thought()
    assert owner_client.get(f"/thoughts/{thought.pk}/read/").status_code == 405
    assert Thought.objects.unread().count() == 1


def test_the_count_tells_what_came_since_the_page_was_opened(owner_client: Client, make_thought: MakeThought) -> None:
    make_thought("Old", at=timezone.now() - timedelta(hours=1))
    after = re.search(r"count/\?after=([^\"]+)", owner_client.get("/").content.decode())
    assert after
    assert "new thought" not in owner_client.get("/thoughts/count/", {"after": after[1]}, headers=HTMX).content.decode()
    make_thought("New")
    html = owner_client.get("/thoughts/count/", {"after": after[1]}, headers=HTMX).content.decode()
    assert '<span data-unread="2">2</span>' in html
    assert "1 new thought: show it" in html


def test_an_empty_feed_asks_for_a_first_preference(owner_client: Client) -> None:
    assert "What should Penny look for?" in owner_client.get("/").content.decode()


def test_who_only_dislikes_is_asked_for_a_first_preference_too(owner_client: Client) -> None:
    Preference.objects.create(text="celebrity gossip", valence=-1)
    assert "What should Penny look for?" in owner_client.get("/").content.decode()


def test_an_empty_feed_without_a_browser_says_how_to_connect_one(owner_client: Client) -> None:
    Preference.objects.create(text="lever espresso")
    html = owner_client.get("/").content.decode()
    assert "No browser is connected" in html
    assert 'href="/setup/#browsers"' in html


def test_an_empty_feed_with_all_it_needs_says_when_the_next_thinking_is(owner_client: Client) -> None:
    Preference.objects.create(text="lever espresso")
    Device.objects.create(label="Desk", kind=Device.Kind.BROWSER, connection="c", seen_at=timezone.now())
    Schedule.objects.update(next_run_at=timezone.now() + timedelta(minutes=12, seconds=30))
    html = owner_client.get("/").content.decode()
    assert "Nothing new yet" in html
    assert "Penny looks again <b>in 12 min</b>" in html
    assert 'action="/looking/now/"' in html
    assert "Look at the archive" not in html
    Thought.objects.create(title="A lever", notified_at=timezone.now())
    assert "Look at the archive" in owner_client.get("/").content.decode()
    local = timezone.now().astimezone(ZoneInfo(config.TIMEZONE))
    config.QUIET_FROM, config.QUIET_TO = (f"{local + timedelta(hours=hours):%H:%M}" for hours in (-2, 2))
    Schedule.objects.update(next_run_at=timezone.now() - timedelta(minutes=5))
    assert "Penny looks again <b>in 1 h</b>" in owner_client.get("/").content.decode()


def test_an_empty_archive_says_how_it_fills(owner_client: Client) -> None:
    assert "The archive is empty" in owner_client.get("/archive/").content.decode()


def test_a_thought_that_is_gone_is_not_found(owner_client: Client) -> None:
    assert owner_client.get("/thoughts/00000000-0000-4000-8000-000000000000/").status_code == 404
