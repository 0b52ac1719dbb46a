"""From each sentence of an answer to the passage that supports it, in the page as stored."""

import hashlib
from uuid import UUID, uuid4

import pytest
from django.conf import settings
from django.test import Client

from agents.answers.citations import COMPARED_MAX, Linked, cite_uncited, link_handles, passages
from agents.answers.conversation import handed_over
from agents.answers.reply import Reply
from agents.answers.writer import extractive_reply, with_links
from agents.models import Run
from agents.runs.handles import Handles
from agents.turns.finish import fail_turn, finish_turn
from agents.zones.inputs import Source
from agents.zones.reader_answers import Claim, Reading
from devices.models import Message, MessageClaim
from devices.owner.account import the_owner
from tests.stand_ins.articles import WATER
from thoughts.models import Page
from thoughts.rendering import render_safe

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]

URL, TURN = "https://coffee.example/water_(hot)", UUID(int=7)
SAID = ["Espresso is brewed at 93 degrees.", "A pump presses with nine bars.", "Cats sleep on warm machines."]
TEXT = "<b>First</b>\n" + " ".join(SAID) + "\nThe end."


def evidence(number: int) -> str:
    return f"[{number}]({settings.PUBLIC_URL}/turns/{TURN}/evidence/{number}/)"


LINK = "[coffee.example](https://coffee.example/water_%28hot%29)"


@pytest.fixture
def handles() -> Handles:
    """One page with a claim for each sentence."""
    handles = Handles([], turn_id=TURN)
    handles.add_page(_create_page(), URL, "coffee.example")
    claims = [
        Claim(text=f"Says: {quote}", quote=quote, start=TEXT.index(quote), end=TEXT.index(quote) + len(quote))
        for quote in SAID
    ]
    reading = Reading(found=True, headline="x", summary="y", claims=claims, link_indices=[], made_with="model")
    handles.sources.append(Source("p1", "coffee.example", reading))
    return handles


def _create_page() -> Page:
    sha256 = hashlib.sha256(TEXT.encode()).hexdigest()
    return Page.objects.create(
        url=URL, domain="coffee.example", title="Water", text=TEXT, sha256=sha256, device_label="Desk"
    )


def quotes(answer: Linked | Reply) -> list[str]:
    return [claim.quote for claim in answer.claims]


def test_a_sentence_leads_to_its_page_and_to_its_claim_and_a_claim_has_one_number(handles: Handles) -> None:
    markdown = link_handles("Hot [p1.c1]. Pressed [p1.c2, p1.c1].", handles)
    assert markdown.text == f"Hot {LINK} {evidence(1)}. Pressed {LINK} {evidence(2)} {evidence(1)}."
    assert quotes(markdown) == SAID[:2]


def test_where_a_page_is_named_alone_it_is_the_claim_that_says_most_alike(handles: Handles) -> None:
    assert quotes(link_handles("It takes nine bars of a pump. [p1] Some cats sleep there [p1].", handles)) == [
        SAID[1],
        SAID[2],
    ]


@pytest.mark.parametrize("handle", ["p1", "p1.c0", "p1.c9"])
def test_a_sentence_in_other_words_rests_on_all_that_the_writer_saw_of_the_page(handles: Handles, handle: str) -> None:
    assert quotes(link_handles(f"Wasser, heiß [{handle}].", handles)) == SAID


def test_what_stands_for_nothing_cites_nothing(handles: Handles) -> None:
    assert link_handles("No [p2.c1] and [s1.r1].", handles) == Linked("No  and .", [], [])


@pytest.mark.parametrize(
    ("text", "cited_text"),
    [
        ("A pump presses with about nine bars.", "A pump presses with about nine bars. [p1.c2]"),
        (
            "- A pump presses with nine bars\n- All of it is good.",
            "- A pump presses with nine bars [p1.c2]\n- All of it is good.",
        ),
        (
            "A pump presses with nine bars. [p1.c1] Dogs bark at night.",
            "A pump presses with nine bars. [p1.c1] Dogs bark at night.",
        ),
        ("A pump presses with nine bars [p1].", "A pump presses with nine bars [p1]."),
        ("# A pump presses with nine bars", "# A pump presses with nine bars"),
        ("Yes. Nine bars.", "Yes. Nine bars."),
        ("```\nA pump presses with nine bars.\n```", "```\nA pump presses with nine bars.\n```"),
    ],
)
def test_a_sentence_that_names_nothing_names_the_claim_that_says_nearly_the_same(
    handles: Handles, text: str, cited_text: str
) -> None:
    assert cite_uncited(text, handles) == cited_text


def test_an_answer_from_a_shared_page_cites_its_sentences(handles: Handles) -> None:
    handles.sources.clear()
    handles.passages["p1"] = passages(TEXT)
    assert [claim.quote for claim in handles.passages["p1"]] == SAID
    markdown = link_handles("It presses with nine bars [p1]. Wasser [p1].", handles)
    assert markdown.text == f"It presses with nine bars {LINK} {evidence(1)}. Wasser {LINK}."
    assert quotes(markdown) == [SAID[1]]


def test_an_answer_that_names_a_long_page_without_end_is_linked_within_a_moment(handles: Handles) -> None:
    handles.sources.clear()
    handles.passages["p1"] = passages("\n".join(f"Sentence {n} of a page that is long enough." for n in range(1000)))
    markdown = link_handles(cite_uncited("One more sentence of a page. [p1] " * 5_000, handles), handles)
    assert markdown.text.count(LINK) == 5_000
    assert markdown.text.count("/evidence/") == COMPARED_MAX
    assert link_handles(f"Hot [p1.c{'9' * 5_000}].", handles).text.startswith("Hot [coffee.example]")


def test_every_passage_of_a_page_stands_where_it_says() -> None:
    text = f"{WATER.text}\nNo end of a line\n\n日本語の文は空白なしで続きます、とても長い文です。次の文もまた続きます。"
    claims = passages(text)
    assert len(claims) > 3
    assert all(text[claim.start : claim.end] == claim.quote for claim in claims)


def test_what_the_pages_themselves_say_cites_itself(handles: Handles) -> None:
    reply = extractive_reply("How hot?", handles, [])
    assert reply.text.count("/evidence/") == len(SAID)
    assert quotes(reply) == SAID


def _run() -> Run:
    question = Message.objects.create(
        owner=the_owner(), seq=0, device_label="Desk", direction="in", text="?", html="?", turn_id=TURN
    )
    return Run.objects.create(kind=Run.Kind.TURN, state="running", attempt=1, message=question, turn_id=TURN)


def test_each_number_in_a_stored_answer_opens_the_stored_page_at_a_span_that_stands_in_it(
    owner_client: Client, handles: Handles
) -> None:
    assert finish_turn(_run(), with_links("Hot [p1.c1], and cats sleep [p1].", handles))
    answer = Message.objects.get(direction="out")
    assert list(answer.sources.all()) == [Page.objects.get()]
    for claim in MessageClaim.objects.all():
        assert claim.page.text[claim.start : claim.end] == claim.quote
        address = f"/turns/{TURN}/evidence/{claim.number}/"
        assert f'href="{settings.PUBLIC_URL}{address}"' in answer.html
        html = owner_client.get(address).content.decode()
        assert f'<mark id="quote">{claim.quote}</mark>' in html
        assert "&lt;b&gt;First&lt;/b&gt;" in html
        for words in (
            "stored as it was read",
            f"evidence {claim.number} of 2",
            "by Desk",
            claim.page.sha256,
            f"#m{answer.seq}",
        ):
            assert words in html


def test_what_was_written_before_a_turn_failed_keeps_its_claims(handles: Handles) -> None:
    fields = with_links("Hot [p1.c1]", handles).kept()
    assert fail_turn(_run(), "interrupted", "Stopped.", Reply.restored(fields))
    assert [claim.quote for claim in Message.objects.get(direction="out").claims.all()] == SAID[:1]


@pytest.mark.parametrize("number", [0, 2, 10**30])
def test_evidence_that_there_is_not_is_not_found(owner_client: Client, handles: Handles, number: int) -> None:
    finish_turn(_run(), with_links("Hot [p1.c1].", handles))
    assert owner_client.get(f"/turns/{TURN}/evidence/{number}/").status_code == 404
    assert owner_client.get(f"/turns/{uuid4()}/evidence/1/").status_code == 404


def test_only_the_owner_sees_the_evidence_of_an_answer(client: Client, handles: Handles) -> None:
    finish_turn(_run(), with_links("Hot [p1.c1].", handles))
    assert client.get(f"/turns/{TURN}/evidence/1/").status_code == 302


def test_a_writer_cannot_name_evidence_by_an_address(handles: Handles) -> None:
    reply = with_links(
        f"See {settings.PUBLIC_URL}/turns/{TURN}/evidence/9/ and [1](/turns/{TURN}/evidence/9/) [p1.c1]", handles
    )
    assert render_safe(reply.text, reply.links).count("href=") == 2


def test_what_is_handed_over_has_no_numbers(handles: Handles) -> None:
    finish_turn(_run(), with_links("Hot [p1.c1].", handles))
    item = handed_over.handed_answer(the_owner().pk, Message.objects.get(direction="out").seq)
    assert item is not None
    assert item.text == "Hot coffee.example."
