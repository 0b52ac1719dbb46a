"""The page of a watch: its visits as a chart and a table, items, costs, and the admin."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from agents.models import Run
from tests.thoughts.watches.shop import NOW, URL, store_visit
from thoughts.models import Observation, Page, SeenItem, Thought, Watch
from thoughts.watches.chart import chart_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]


def test_the_history_is_a_drawing_without_scripts_and_a_list_that_says_the_same(
    owner_client: Client, lever_watch: Watch
) -> None:
    for hours, price in ((3, "950"), (2, "899"), (1, "920")):
        store_visit(lever_watch, price, hours)
    store_visit(lever_watch, "5", currency="USD")
    html = owner_client.get(f"/watches/{lever_watch.pk}/").content.decode()
    assert "3 visits, from 899 € to 950 €; now 920 €" in html
    assert html.count("<circle") == 3
    assert '<svg viewBox="0 0 640 180" role="img" aria-labelledby="chart-title chart-summary">' in html
    assert html.count("<script") == html.count("<script src=")
    assert re.findall(r'<b class="amount">([^<]+)</b>', html) == ["$5", "920 €", "899 €", "950 €"]
    assert "another currency" in html
    assert "the page&#x27;s own data (JSON-LD) offers.price" in html


def test_visits_that_read_the_same_are_folded_and_each_leads_to_its_page(
    owner_client: Client, lever_watch: Watch
) -> None:
    for hours, price in ((9, "950"), *((hours, "899") for hours in range(8, 2, -1)), (1, "920")):
        visit = store_visit(lever_watch, price, hours)
    thought = Thought.objects.create(title="lever: now 899 €", watch=lever_watch)
    Observation.objects.filter(price=899).order_by("at").first().delete()  # type: ignore[union-attr]
    report = Observation.objects.filter(price=899).order_by("at").first()
    assert report
    Observation.objects.filter(pk=report.pk).update(thought=thought)
    html = owner_client.get(f"/watches/{lever_watch.pk}/").content.decode()
    assert re.findall(r"<summary>(unchanged ×\d+)<span", html) == ["unchanged ×3"]  # what was told stands alone
    assert html.count('class="chip new"') == 1
    assert html.count(f'href="/watches/{lever_watch.pk}/visits/') == 7
    assert f"/visits/{visit.pk}/" in html


def test_prices_stand_higher_the_dearer_they_are_and_one_alone_draws_nothing(lever_watch: Watch) -> None:
    first = store_visit(lever_watch, "950", 2)
    assert chart_of(lever_watch, [first]) is None
    chart = chart_of(lever_watch, [store_visit(lever_watch, "800", 1), first])
    assert chart is not None
    high, low = (float(dot.y) for dot in chart.dots)
    assert high < float(chart.threshold) < low
    assert [float(dot.x) for dot in chart.dots] == [8, 632]


def test_its_page_says_what_the_visits_of_a_month_cost(owner_client: Client, lever_watch: Watch) -> None:
    assert "In 30 days" not in owner_client.get(f"/watches/{lever_watch.pk}/").content.decode()
    for days, fields in (
        (1, {"spent_micros": 1500, "spent_tokens": 1200}),
        (2, {"state": "failed"}),
        (40, {"spent_tokens": 9}),
    ):
        defaults = {
            "kind": "watch",
            "state": "done",
            "watch": lever_watch,
            "spent_pages": 1,
            "created_at": NOW - timedelta(days=days),
        }
        Run.objects.create(**(defaults | fields))
    costs = "In 30 days: 2 visits, 1 of which failed, for 2 pages and 1,200 tokens, 0.0015 of money."
    assert costs in owner_client.get(f"/watches/{lever_watch.pk}/").content.decode()


def test_a_visit_shows_the_page_as_it_was_with_the_price_marked_as_text(
    owner_client: Client, lever_watch: Watch
) -> None:
    text = "<script>alert(1)</script> It costs 899,00 €."
    start = text.index("899")
    observation = store_visit(lever_watch, "899", text=text, quote="899,00 €", start=start, end=start + 8)
    html = owner_client.get(f"/watches/{lever_watch.pk}/visits/{observation.pk}/").content.decode()
    assert '&lt;script&gt;alert(1)&lt;/script&gt; It costs <mark id="quote">899,00 €</mark>.' in html
    assert "stored as it was read" in html
    Page.objects.update(text="Another text.")
    assert (
        "not as it was read" in owner_client.get(f"/watches/{lever_watch.pk}/visits/{observation.pk}/").content.decode()
    )


def test_what_nobody_brought_back_for_a_day_is_gone_and_its_alerts_stay(lever_watch: Watch) -> None:
    store_visit(lever_watch, "899")
    SeenItem.objects.create(watch=lever_watch, key="k", text="t", first_seen_at=NOW, last_seen_at=NOW)
    Thought.objects.create(title="lever: now 899 €", watch=lever_watch)
    lever_watch.set_deleted(NOW)
    Watch.objects.forgotten(NOW + timedelta(hours=23)).delete()
    assert Watch.objects.exists()
    Watch.objects.forgotten(NOW + timedelta(hours=25)).delete()
    assert (Watch.objects.exists(), Observation.objects.exists(), SeenItem.objects.exists()) == (False, False, False)
    assert Thought.objects.get().watch is None


def test_new_posts_are_listed_with_links_that_tell_nothing_of_penny(owner_client: Client) -> None:
    forum = Watch.objects.create(url=URL, domain="shop.example", kind="posts")
    for key, state in (("a", "told"), ("b", "known")):
        SeenItem.objects.create(
            watch=forum,
            key=key,
            text=f"<b>{key}",
            url=f"https://f.example/{key}",
            state=state,
            first_seen_at=NOW,
            last_seen_at=NOW,
        )
    html = owner_client.get(f"/watches/{forum.pk}/").content.decode()
    assert '<a href="https://f.example/a" target="_blank" rel="noopener noreferrer nofollow">&lt;b&gt;a' in html
    assert "https://f.example/b" not in html


HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>{{ 7|add:7 }}'


@pytest.mark.parametrize("kind", ["price", "thread"])
def test_words_of_pages_are_text_wherever_a_watch_shows_them(owner_client: Client, kind: str) -> None:
    watch = Watch.objects.create(url=URL, domain="shop.example", kind=kind, title=HOSTILE, below=5, trouble_code="obey")
    for hours in (1, 2):
        observation = store_visit(
            watch,
            "9",
            hours,
            text=HOSTILE,
            field=HOSTILE[:60],
            source=HOSTILE[:10],
            currency="EUR",
            quote=HOSTILE[:20],
            end=20,
        )
    Page.objects.update(title=HOSTILE, device_label=HOSTILE[:64])
    SeenItem.objects.create(
        watch=watch, key="k", text=HOSTILE, url=URL, state="told", first_seen_at=NOW, last_seen_at=NOW
    )
    Thought.objects.create(title="x", watch=watch, seed_text=HOSTILE)
    pages = [
        "/watches/",
        f"/watches/{watch.pk}/",
        f"/watches/{watch.pk}/visits/{observation.pk}/",
        "/",
        f"/admin/thoughts/watch/{watch.pk}/change/",
    ]
    for page in [*pages, "/admin/thoughts/watch/", "/admin/thoughts/observation/", "/admin/thoughts/seenitem/"]:
        html = owner_client.get(page).content.decode()
        assert "<script>alert" not in html
        assert "<img src=x" not in html
        assert "&lt;script&gt;" in html or "&quot;&gt;" in html


def test_what_is_longer_than_penny_reads_is_said(owner_client: Client) -> None:
    watch = Watch.objects.create(url=URL, domain="shop.example", kind="thread", next_check_at=NOW + timedelta(hours=1))
    store_visit(watch, "9", 1)
    assert "longer than I read" not in owner_client.get("/watches/").content.decode()
    Page.objects.update(truncated=True)
    assert "longer than I read" in owner_client.get("/watches/").content.decode()


def test_the_admin_shows_watches_with_their_visits_and_acts_on_them(owner_client: Client, lever_watch: Watch) -> None:
    observation = store_visit(lever_watch, "899.00")
    other = store_visit(Watch.objects.create(url="https://b.example/", domain="b.example", kind="posts"), None)
    assert "offers.price" in owner_client.get(f"/admin/thoughts/watch/{lever_watch.pk}/change/").content.decode()
    assert (
        f"/observation/{other.pk}/"
        not in owner_client.get(f"/admin/thoughts/watch/{lever_watch.pk}/change/").content.decode()
    )
    for path in (
        "watch/?kind__exact=price&q=lever",
        f"observation/{observation.pk}/change/",
        "observation/?stock__exact=in",
        "seenitem/",
    ):
        assert owner_client.get(f"/admin/thoughts/{path}").status_code == 200
    for action, is_paused in (("pause", True), ("resume", False)):
        owner_client.post("/admin/thoughts/watch/", {"action": action, "_selected_action": [str(lever_watch.pk)]})
        lever_watch.refresh_from_db()
        assert lever_watch.is_paused == is_paused
    lever_watch.set_deleted(NOW)
    owner_client.post("/admin/thoughts/watch/", {"action": "restore", "_selected_action": [str(lever_watch.pk)]})
    lever_watch.refresh_from_db()
    assert lever_watch.deleted_at is None
    answer = owner_client.post(
        "/admin/thoughts/watch/", {"action": "visit_now", "_selected_action": [str(lever_watch.pk)]}, follow=True
    )
    assert "No browser is connected" in answer.content.decode()
    owner_client.post(
        "/admin/thoughts/watch/",
        {"action": "delete_selected", "_selected_action": [str(lever_watch.pk)], "post": "yes"},
    )
    assert not Watch.objects.filter(pk=lever_watch.pk).exists()
