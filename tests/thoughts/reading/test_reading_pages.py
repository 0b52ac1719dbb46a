"""What was read of a page is shown to the owner in its form, and a complaint about it is kept and exported."""

from datetime import timedelta

import pytest
from constance.test import override_config
from django.test import Client
from django.utils import timezone

from agents.worker import retention
from devices import protocol
from tests.client import make_page
from thoughts.models import Claim, Page, Thought, WrongReading

pytestmark = pytest.mark.django_db

TEXT = "# Water <b>\n\n- [Ninety](l1) degrees\n- more"


@pytest.fixture
def page() -> Page:
    return Page.objects.create(
        url="https://coffee.example/water", domain="coffee.example", title="Water <i>", text=TEXT,
        left_out="Home\nAccept <b>all</b>", is_changing=True, extracted_with="heuristics", sha256="0" * 64,
        device_label="Desk",
    )  # fmt: skip


def test_what_was_read_is_shown_in_its_form_with_what_was_left_out(owner_client: Client, page: Page) -> None:
    html = owner_client.get(f"/pages/{page.pk}/").content.decode()
    for part in (
        "<h1>Water &lt;i&gt;</h1>",
        "<h4>Water &lt;b&gt;</h4>",
        "<li>Ninety degrees</li>",
        "What was left out",
        "Accept &lt;b&gt;all&lt;/b&gt;",
        "the page was still changing",
        'href="https://coffee.example/water"',
    ):
        assert part in html
    assert 'id="quote"' not in html


def test_a_find_and_its_evidence_lead_there(owner_client: Client, page: Page) -> None:
    thought = Thought.objects.create(title="Water", text="Ninety.", html="<p>Ninety.</p>")
    start = TEXT.index("[Ninety]")
    quote = "[Ninety](l1) degrees"
    Claim.objects.create(
        thought=thought, page=page, text="Ninety degrees.", quote=quote, start=start, end=start + len(quote)
    )
    for path in (f"/thoughts/{thought.pk}/", f"/thoughts/{thought.pk}/evidence/1/"):
        html = owner_client.get(path).content.decode()
        assert f'href="/pages/{page.pk}/?find={thought.pk}"' in html
        assert "](l1)" not in html
    back = {f"?find={thought.pk}": f"/thoughts/{thought.pk}/", f"?find={page.pk}": "/chat/", "": "/chat/"}
    for query, address in back.items():
        html = owner_client.get(f"/pages/{page.pk}/{query}").content.decode()
        assert f'<p class="back"><a href="{address}">' in " ".join(html.split()).replace("> <", "><")
    assert "<mark>Ninety degrees</mark>" in owner_client.get(f"/thoughts/{thought.pk}/").content.decode()


def test_an_empty_page_says_so(owner_client: Client, page: Page) -> None:
    Page.objects.update(text="", left_out="", is_changing=False, url="javascript:alert(1)")
    html = owner_client.get(f"/pages/{page.pk}/").content.decode()
    assert "There was no text." in html
    assert "What was left out" not in html
    assert "javascript:" not in html


def test_a_complaint_is_kept_listed_exported_and_deleted(owner_client: Client, page: Page) -> None:
    answer = owner_client.post(f"/pages/{page.pk}/wrong/", {"complaint": " The table <b> is missing. " + "x" * 3_000})
    assert answer.headers["Location"] == "/pages/wrong/"
    page.delete()
    [row] = WrongReading.objects.all()
    assert len(row.complaint) == 2_000
    html = owner_client.get("/pages/wrong/").content.decode()
    assert "The table &lt;b&gt; is missing." in html
    export = owner_client.get(f"/pages/wrong/{row.pk}.json")
    assert export.headers["Content-Disposition"] == f'attachment; filename="penny-reading-{row.pk}.json"'
    case = export.json()
    assert (case["url"], case["text"], case["left_out"]) == (row.url, TEXT, "Home\nAccept <b>all</b>")
    owner_client.post(f"/pages/wrong/{row.pk}/delete/")
    assert not WrongReading.objects.exists()
    assert "Nothing yet." in owner_client.get("/pages/wrong/").content.decode()


def test_a_complaint_goes_after_its_days(owner_client: Client, page: Page) -> None:
    owner_client.post(f"/pages/{page.pk}/wrong/", {"complaint": "Wrong."})
    now = timezone.now()
    retention.sweep(now + timedelta(days=89))
    assert WrongReading.objects.exists()
    retention.sweep(now + timedelta(days=91))
    assert not WrongReading.objects.exists()


@pytest.mark.parametrize(("days", "words"), [(30, "for 30 days"), (0, "until you delete them")])
def test_how_long_a_complaint_stays_is_the_setting(owner_client: Client, page: Page, days: int, words: str) -> None:
    with override_config(KEEP_COMPLAINTS_DAYS=days):
        for path in (f"/pages/{page.pk}/", "/pages/wrong/"):
            assert words in owner_client.get(path).content.decode()


@pytest.mark.parametrize("path", ["", "wrong/"])
def test_pages_and_complaints_are_for_the_owner_alone(client: Client, page: Page, path: str) -> None:
    assert client.get(f"/pages/{page.pk}/{path}").status_code in (302, 405)
    assert client.post(f"/pages/{page.pk}/wrong/").status_code == 302
    assert not WrongReading.objects.exists()


@pytest.mark.django_db(transaction=True)
async def test_what_was_left_out_is_stored_without_what_nobody_sees() -> None:
    from agents.pages.store import store_page

    words = "Ho\u200bme" + "x" * (protocol.LEFT_OUT_CHARACTERS - 5)
    row, _ = await store_page(make_page("https://a.example/", "t", "Text", left_out=words, changing=True), "Desk")
    assert row.left_out.startswith("Homex")
    assert row.is_changing
