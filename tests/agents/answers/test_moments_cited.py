"""What is said in a recording is cited by its moment."""

import hashlib
import re
from uuid import UUID, uuid4

import pytest
from django.conf import settings
from django.test import Client as Browser

from agents.answers.citations import Links, link_handles, passages
from agents.answers.reply import FROM_TRANSCRIPT
from agents.runs.handles import Handles
from agents.vault.keep import keep_page
from devices.models import Device, Message, MessageClaim
from devices.owner.account import the_owner
from tests.agents.answers.test_shared_page import share_page
from tests.agents.vault.test_search import index_all
from tests.client import Client, make_page
from tests.stand_ins.model_server import ModelServer, text
from thoughts.models import Page

URL, TURN = "https://video.example/watch?v=a_(b)", UUID(int=9)
SPOKEN = "Achille Gaggia filed his patent for the lever in 1938."
TEXT = f"""# Levers

A page about machines for espresso and where they come from.

## Transcript

[0:04] A lever presses with nine bars on the coffee.
[12:34] {SPOKEN}"""
THERE = "https://video.example/watch?v=a_%28b%29&t=754s"


def create_page(url: str = URL) -> Page:
    sha256 = hashlib.sha256(TEXT.encode()).hexdigest()
    return Page.objects.create(url=url, domain="video.example", title="Levers", text=TEXT, sha256=sha256)


def handles_of(page: Page) -> Handles:
    handles = Handles([], turn_id=TURN)
    handles.passages[handles.add_page(page, page.url, page.domain)] = passages(page.text)
    return handles


@pytest.mark.django_db
def test_a_citation_names_the_moment_and_leads_there() -> None:
    markdown = link_handles("The patent of Achille Gaggia for the lever is of 1938. [p1]", handles_of(create_page()))
    evidence = f"[1]({settings.PUBLIC_URL}/turns/{TURN}/evidence/1/)"
    assert markdown.text.endswith(f"(https://video.example/watch?v=a_%28b%29) {evidence} [at 12:34]({THERE})")
    assert THERE in markdown.links
    assert [claim.quote for claim in markdown.claims] == [SPOKEN]


@pytest.mark.django_db
def test_what_the_page_itself_says_has_no_moment() -> None:
    handles = handles_of(create_page())
    markdown = link_handles("The page is about machines for espresso. [p1]", handles)
    assert "evidence/1/" in markdown.text
    assert " at " not in markdown.text.partition("video.example")[2]
    assert Links(handles).evidence("p1", handles.passages["p1"][-1]).count("](") == 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("url", "href"), [(URL, "https://video.example/watch?v=a_(b)&amp;t=754s"), ("javascript:alert(1)", None)]
)
def test_the_evidence_says_at_which_moment_and_leads_there(owner_client: Browser, url: str, href: str | None) -> None:
    message = Message.objects.create(
        owner=the_owner(), direction="out", kind="chat", text="x", html="x", seq=1, turn_id=uuid4(), origin=["owner"]
    )
    start = TEXT.index(SPOKEN)
    claim = MessageClaim.of(message, 1, create_page(url).pk, "Gaggia.", SPOKEN, start, start + len(SPOKEN))
    claim.save()
    html = owner_client.get(f"/turns/{message.turn_id}/evidence/1/").content.decode()
    assert "Levers, at 12:34" in " ".join(html.split())
    assert (f'href="{href}"' in html) is (href is not None)
    assert "javascript:" not in html
    assert f'[12:34] <mark id="quote">{SPOKEN}</mark>' in html


@pytest.mark.django_db
@pytest.mark.usefixtures("redis")
def test_a_kept_transcript_is_found_at_its_moment(owner_client: Browser) -> None:
    keeper = Device.objects.create(label="Desk", kind=Device.Kind.BROWSER)
    keep_page(make_page("https://pod.example/1", "Levers", TEXT), keeper, "asked")
    index_all()
    html = owner_client.get("/kept/?q=Gaggia").content.decode()
    passage = re.search(r'class="passage"\s+href="([^"]+)"', html)
    assert passage is not None
    start = TEXT.index(SPOKEN)
    entry = owner_client.get(re.sub(r"=[-\d]+#", f"={start}-{len(TEXT)}#", passage[1])).content.decode()
    assert 'href="https://pod.example/1#t=754"' in entry
    assert "Open the page at 12:34" in " ".join(entry.split())
    assert f'<mark id="quote">{SPOKEN}</mark>' in entry


def script_answer(model: ModelServer, words: str) -> None:
    model.on(lambda request: "Page [p1]" in request.last_user, lambda _: text(words), times=1)


def test_a_summary_made_from_the_transcript_says_so(desk: Client, model: ModelServer) -> None:
    script_answer(model, "The patent of Achille Gaggia for the lever is of 1938. [p1]")
    answer = share_page(desk, make_page("https://pod.example/1", "Levers", TEXT), "Sum up this page")
    assert answer.text.endswith(FROM_TRANSCRIPT)
    assert 'href="https://pod.example/1#t=754"' in answer.html
    assert f"[12:34] {SPOKEN}" in model.requests[-1].everything


def test_an_answer_from_the_rest_of_the_page_does_not(desk: Client, model: ModelServer) -> None:
    script_answer(model, "The page is about machines for espresso. [p1]")
    long = TEXT.replace("come from.", "come from. " + "Each has its own boiler and its own group. " * 9)
    answer = share_page(desk, make_page("https://pod.example/2", "Levers", long), "What is it about?")
    assert FROM_TRANSCRIPT not in answer.text
    assert "/evidence/1/" in answer.text
