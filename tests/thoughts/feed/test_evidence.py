"""The evidence of a sentence: the stored page as text, without any request to the web."""

import hashlib
import re
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from agents.thinking.draft import Sentence, supported_draft
from agents.zones.writer_answers import Draft, DraftSentence
from tests.thoughts.cards import HTMX
from thoughts.models import Claim, Page, Thought

pytestmark = pytest.mark.django_db

QUOTE = "It keeps <b>nine</b> bars."
TEXT = f"<script>alert(1)</script>\n\nA test. {QUOTE} Then it was cleaned.\n" + "More. " * 400


@pytest.fixture
def cited_thought() -> Thought:
    page = Page.objects.create(
        url="https://coffeelab.example/lever", domain="coffeelab.example", title="A <i>test</i>", text=TEXT,
            extracted_with="defuddle",
        sha256=hashlib.sha256(TEXT.encode()).hexdigest(), device_label="Desk <b>",
    )  # fmt: skip
    sentences = [
        {"html": "It <em>holds</em>.", "paragraph": 0, "claims": [1]},
        {"html": "Always.", "paragraph": 1, "claims": [1, 2]},
    ]
    cited_thought = Thought.objects.create(
        title="A lever", text="It *holds*.\n\nAlways.", html="<p>It holds.</p>", sentences=sentences
    )
    cited_thought.pages.add(page)
    for _ in range(2):
        start = TEXT.index(QUOTE)
        Claim.objects.create(
            thought=cited_thought, page=page, text="Nine bars.", quote=QUOTE, start=start, end=start + len(QUOTE)
        )
    return cited_thought


def test_each_sentence_of_a_card_leads_to_itself_in_the_reader(owner_client: Client, cited_thought: Thought) -> None:
    first, _, second = (
        owner_client.get("/").content.decode().partition('<div class="words" dir="auto">')[2].partition("Always.")
    )
    assert "<p>It <em>holds</em>." in first
    for part, number, words in [(first, 1, "1"), (second, 2, "1, 2")]:
        link = rf'<a class="ref" href="/thoughts/{cited_thought.pk}/#s{number}"[^>]*'
        assert re.search(rf'{link} aria-label="Evidence {words}">{words}</a>', part)


@pytest.mark.parametrize("htmx", [{}, HTMX])
def test_the_passage_stands_beside_its_sentence_which_is_printed_once(
    owner_client: Client, cited_thought: Thought, htmx: dict[str, str]
) -> None:
    html = owner_client.get(f"/thoughts/{cited_thought.pk}/", headers=htmx).content.decode()
    text = html.partition('<div class="text" dir="auto">')[2].partition("</div>")[0]
    assert re.search(
        r'<span class="sentence" id="s1">It <em>holds</em>\.'
        r'<a class="ref" href="#s1" aria-label="Evidence 1">1</a></span> '
        r'<span class="passage" role="note" aria-label="What the page says">\s?<span class="quote" dir="auto">'
        r"&lt;script&gt;alert\(1\)&lt;/script&gt;\s+A test\. <mark>It keeps &lt;b&gt;nine&lt;/b&gt; bars\.</mark>",
        text,
    )
    assert html.count("It <em>holds</em>.") == html.count("Always.") == 1
    assert text.count("<mark>") == 3  # of the first sentence one claim, of the second two
    assert f'href="/thoughts/{cited_thought.pk}/evidence/2/#quote"' in text
    assert re.search(r"from coffeelab\.example.*?read \d+ \w+, \d\d:\d\d</time>", text)


def test_the_facts_of_its_pages_are_under_details_and_headings_are_in_order(
    owner_client: Client, cited_thought: Thought
) -> None:
    html = owner_client.get(f"/thoughts/{cited_thought.pk}/").content.decode()
    details = re.search(r'<details class="details">.*?</details>', html, re.DOTALL)
    assert details
    assert all(part in details[0] for part in (Page.objects.get().sha256, "by Desk &lt;b&gt;", "/pages/"))
    for address in ("", "evidence/1/"):
        html = owner_client.get(f"/thoughts/{cited_thought.pk}/{address}").content.decode()
        levels = [int(level) for level in re.findall(r"<h(\d)", html)]
        assert levels[0] == 1
        assert all(after <= before + 1 for before, after in pairwise(levels)), levels


def test_a_claim_that_no_sentence_names_is_listed_below(owner_client: Client, cited_thought: Thought) -> None:
    Thought.objects.update(sentences=[])
    html = owner_client.get(f"/thoughts/{cited_thought.pk}/").content.decode()
    assert html.partition('<ol class="uncited">')[2].count("<mark>") == 2


@pytest.mark.parametrize("htmx", [{}, HTMX])
def test_the_stored_page_is_shown_whole_as_text_with_the_span_marked(
    owner_client: Client, cited_thought: Thought, htmx: dict[str, str]
) -> None:
    html = owner_client.get(f"/thoughts/{cited_thought.pk}/evidence/2/", headers=htmx).content.decode()
    assert ("<html" in html) == (not htmx)
    assert '<mark id="quote">It keeps &lt;b&gt;nine&lt;/b&gt; bars.</mark> Then it was cleaned.<br>' in html
    assert html.count("More.") == 400
    assert re.search(r"&lt;script&gt;alert\(1\)&lt;/script&gt;</p>\s?<p>A test. <mark", html)
    assert "<script>alert" not in html
    for part in (
        Page.objects.get().sha256,
        "by Desk &lt;b&gt;",
        "A &lt;i&gt;test&lt;/i&gt;",
        "evidence 2 of 2",
        "stored as it was read",
    ):
        assert part in html


@pytest.mark.parametrize("change", [{"text": TEXT + "."}, {"sha256": "0" * 64}])
def test_a_page_that_is_not_as_it_was_read_is_said_not_to_be(
    owner_client: Client, cited_thought: Thought, change: dict[str, str]
) -> None:
    Page.objects.update(**change)
    html = owner_client.get(f"/thoughts/{cited_thought.pk}/evidence/1/").content.decode()
    assert "not as it was read" in html
    assert "stored as it was read" not in html


@pytest.mark.parametrize("number", [0, 3, 10**30])
def test_evidence_that_there_is_not_is_not_found(owner_client: Client, cited_thought: Thought, number: int) -> None:
    assert owner_client.get(f"/thoughts/{cited_thought.pk}/evidence/{number}/").status_code == 404


def test_only_the_owner_sees_evidence(client: Client, cited_thought: Thought) -> None:
    assert client.get(f"/thoughts/{cited_thought.pk}/evidence/1/").status_code == 302


def test_a_thought_is_copied_as_plain_text_with_its_sources(owner_client: Client, cited_thought: Thought) -> None:
    html = owner_client.get(f"/thoughts/{cited_thought.pk}/").content.decode()
    assert 'data-share="A lever\n\nIt holds.\n\n- A &lt;i&gt;test&lt;/i&gt;: https://coffeelab.example/lever"' in html


def source(handle: str, claims: int) -> Any:
    return SimpleNamespace(handle=handle, domain="a.example", reading=SimpleNamespace(claims=range(claims)))


def test_a_draft_keeps_which_claims_support_which_sentence() -> None:
    one, two = source("p1", 2), source("p2", 1)
    supports_by_text = {"B.": ["p2.c1", "p1.c2"], "None.": ["p9.c1"], "A.": ["p1.c2", "p1.c2", "p3.c1"]}
    draft = Draft(
        title="T", sentences=[DraftSentence(text=text, supports=names) for text, names in supports_by_text.items()]
    )
    result = supported_draft(draft, [one, two])
    assert result.sentences == [Sentence("B.", 0, [0, 1]), Sentence("A.", 0, [1])]
    assert result.claims == [(two, 0), (one, 1)]
    assert result.text == "B. A."
