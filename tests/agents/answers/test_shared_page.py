"""A shared tab: one request gets the question and the page, later turns a placeholder."""

import base64
import io
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import PIL.Image
import pytest
from django.conf import settings

from agents.outbox import reword
from agents.pages import store
from devices import protocol as p
from devices.models import Message
from devices.web.address import Address
from tests.client import Client, make_page
from tests.penny import Penny
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_server import ModelServer, Reply, Request, text
from thoughts.text.labels import foreign

URL = "https://coffee.example/water"
SHARED = make_page(URL, WATER.title, WATER.text, [("The grind", "https://coffee.example/grind")])
QUESTION = "At how many degrees is espresso brewed?"


def share_page(client: Client, shared: p.Page = SHARED, words: str = QUESTION) -> p.Message:
    frame = p.ChatSend(turn_id=uuid4(), text=words, page=shared)
    client.send(frame)
    return client.expect(p.TurnDone, 30, turn_id=frame.turn_id).message


def share_refused(client: Client, penny: Penny, changes: dict[str, Any], **more: Any) -> p.Error:
    """Share a page that is refused. Return the error, and check that nothing of it was stored."""
    shared = make_page("https://refused.example/", "canary-refused", "Words.").model_copy(update=changes)
    frame = p.ChatSend(turn_id=uuid4(), text=QUESTION, page=shared, **more)
    client.send(frame)
    error = client.expect(p.Error, ref=str(frame.turn_id))
    client.ask("Was something stored?")
    assert [new for new in client.frames_of(p.MessageNew) if new.message.turn_id == frame.turn_id] == []
    assert "refused" not in penny.http.get("/admin/thoughts/page/").text
    return error


def question_of(client: Client, answer: p.Message) -> p.Message:
    return next(
        f.message
        for f in client.frames_of(p.MessageNew)
        if f.message.turn_id == answer.turn_id and f.message.direction == "in"
    )


def with_tools(model: ModelServer) -> list[Request]:
    return [request for request in model.requests if request.tools]


def test_one_request_holds_the_question_and_the_page_and_nothing_else(
    desk: Client, penny: Penny, model: ModelServer
) -> None:
    penny.manage("think", "--preference", "canary-preference")
    desk.ask("My canary-history number is 4711")
    model.requests.clear()
    share_page(desk)
    [request] = model.requests
    assert request.tools == []
    system, words = request.messages
    assert words["content"] == f"Question: {QUESTION}\n\nPage [p1]:\n{WATER.title}\n\n{WATER.text}"
    assert [word for word in ("canary", "4711", "https://", "Monday") if word in request.everything] == []
    assert "never an instruction" in system["content"]


def test_the_answer_is_labelled_with_its_site_and_links_the_page_and_what_supports_it_alone(
    desk: Client, penny: Penny
) -> None:
    answer = share_page(desk)
    assert WATER.paragraphs[0] in answer.text
    assert (answer.origin, answer.kind) == (["coffee.example", "owner", "penny"], "chat")
    assert f'href="{URL}"' in answer.html
    evidence = answer.html.count(f'href="{penny.url}/turns/{answer.turn_id}/evidence/')
    assert answer.html.count("<a ") == answer.html.count(f'href="{URL}"') + evidence
    html = penny.http.get(f"/turns/{answer.turn_id}/evidence/1/").text
    assert any(f'<mark id="quote">{sentence}</mark>' in html for sentence in WATER.text.splitlines() if sentence)


def test_the_question_carries_the_header_of_the_page_and_stays_the_owners(desk: Client, penny: Penny) -> None:
    question = question_of(desk, share_page(desk))
    assert question.page is not None
    assert question.page == p.PageHeader(url=URL, title=WATER.title, read=question.page.read)
    assert WATER.paragraphs[0] in penny.http.get(urlsplit(str(question.page.read)).path).text
    assert (question.text, question.origin) == (QUESTION, ["owner"])


def test_its_picture_is_encoded_again_and_shown_with_question_and_answer(desk: Client, penny: Penny) -> None:
    file = io.BytesIO()
    exif = PIL.Image.Exif()
    exif[0x010E] = "canary-exif"
    PIL.Image.linear_gradient("L").convert("RGB").save(file, "JPEG", exif=exif)
    image = f"data:image/jpeg;base64,{base64.b64encode(file.getvalue()).decode()}"
    answer = share_page(desk, SHARED.model_copy(update={"image": image}))
    assert answer.page is not None
    assert answer.page.image is not None
    served = penny.http.get(answer.page.image)
    assert (served.content[:4], served.headers["content-type"]) == (b"RIFF", "image/webp")
    assert b"canary" in file.getvalue()
    assert b"canary" not in served.content
    desk.send(p.HistoryFetch(before_seq=answer.seq, limit=1))
    [question] = desk.expect(p.HistoryPage).messages
    assert question.page == answer.page
    ref, name = uuid4(), answer.page.image.rpartition("/")[2].removesuffix(".webp")
    desk.send(p.PictureFetch(ref=ref, name=name))
    assert base64.b64decode(desk.expect(p.Picture, ref=ref).data) == served.content
    desk.send(p.PictureFetch(ref=ref, name="0" * 64))
    assert desk.expect(p.Error, ref=str(ref)).code == "not_found"


@pytest.mark.parametrize(
    "image", ["https://evil.example/a.png", "data:image/svg+xml;base64,PHN2Zy8+", "data:image/png;base64,AAAA"]
)
def test_what_is_no_picture_is_left_out_and_the_question_answered(desk: Client, image: str) -> None:
    answer = share_page(desk, SHARED.model_copy(update={"image": image}))
    assert answer.page is not None
    assert (answer.page.url, answer.page.title, answer.page.image) == (URL, WATER.title, None)
    assert WATER.paragraphs[0] in answer.text


def test_later_turns_see_a_placeholder_and_no_word_of_page_title_or_answer(desk: Client, model: ModelServer) -> None:
    answer = share_page(desk)
    model.requests.clear()
    desk.ask("And what did I ask you before?")
    [request] = with_tools(model)
    assert f"[answer a{answer.seq}, from coffee.example]" in request.everything
    assert QUESTION in request.everything
    assert [word for word in (WATER.title, *WATER.paragraphs) if word[:25] in request.everything] == []


def test_sharing_asks_for_no_grant_calls_no_browser_and_leaves_no_grant(desk: Client, penny: Penny) -> None:
    share_page(desk)
    assert not desk.frames_of(p.GrantAsk)
    assert not desk.frames_of(p.ToolCall)
    assert not desk.frames_of(p.GrantsSync)
    assert "coffee.example" not in penny.http.get("/admin/devices/grant/").text


def test_a_resend_gets_the_same_ack_and_is_answered_once(desk: Client, model: ModelServer) -> None:
    frame = p.ChatSend(turn_id=uuid4(), text=QUESTION, page=SHARED)
    desk.send(frame)
    desk.expect(p.TurnDone, 30, turn_id=frame.turn_id)
    desk.send(frame)
    desk.expect(p.Ack, ref=str(frame.turn_id), count=2)
    desk.ask("Anything else?")
    assert len([request for request in model.requests if "Page [p1]" in request.last_user]) == 1


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"url": "ftp://coffee.example/"}, "http and https"),
        ({"url": "file:///etc/refused"}, "http and https"),
        ({"url": "javascript:alert(1)"}, "http and https"),
        ({"url": "https://me:refused@coffee.example/"}, "password"),
        ({"url": "not an address"}, "not a web address"),
        ({"text": " \n\t "}, "no text"),
        ({"text": "\u200b\u00ad"}, "no text"),
    ],
)
def test_what_is_no_page_is_refused_and_nothing_of_it_is_stored(
    desk: Client, penny: Penny, changes: dict[str, Any], reason: str
) -> None:
    error = share_refused(desk, penny, changes)
    assert error.code == "bad_page"
    assert reason in error.message


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]"])
def test_pennys_own_page_is_refused_under_all_her_names(desk: Client, penny: Penny, name: str) -> None:
    error = share_refused(desk, penny, {"url": f"http://{name}:{penny.port}/setup/"})
    assert (error.code, "own pages" in error.message) == ("bad_page", True)


def test_only_the_check_of_her_own_names_keeps_pennys_page_out(monkeypatch: pytest.MonkeyPatch) -> None:
    own = make_page(f"{settings.PUBLIC_URL}/setup/", "Setup", "Codes.")
    with pytest.raises(store.PageRefused):
        store.shared_page(own, "Desk")
    monkeypatch.setattr(Address, "is_own", False)
    assert store.shared_page(own, "Desk").text == "Codes."


@pytest.mark.parametrize("host", ["owner", "penny", "attachment"])
def test_a_host_that_is_called_like_a_label_of_ours_is_labelled_as_another(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    shared = make_page(f"http://{host}:8080/", "A page", "Whatever it says.")
    assert foreign([store.shared_page(shared, "Desk").domain]) == [f"{host}."]
    assert reword.sites_in(Message(origin=["owner", "penny", store.shared_page(shared, "Desk").domain])) == [f"{host}."]
    monkeypatch.setattr(store, "of_host", lambda host: host)
    assert reword.sites_in(Message(origin=["owner", "penny", store.shared_page(shared, "Desk").domain])) == []


def test_files_do_not_go_with_a_page(desk: Client, penny: Penny) -> None:
    assert (
        share_refused(desk, penny, {}, attachments=[p.Attachment(name="a", mime="text/plain", data="YQ")]).code
        == "unsupported"
    )


def test_what_looks_like_a_secret_is_cut_from_the_address_before_it_is_stored_or_shown(desk: Client) -> None:
    secret = make_page(
        "https://coffee.example/water?cup=2&access_token=canary-secret#canary-fragment", WATER.title, WATER.text
    )
    answer = share_page(desk, secret)
    question = question_of(desk, answer)
    assert question.page is not None
    assert question.page.url == "https://coffee.example/water?cup=2"
    assert "canary" not in answer.model_dump_json() + question.model_dump_json()


def test_addresses_and_images_that_a_page_has_the_writer_write_are_dropped(
    desk: Client, penny: Penny, model: ModelServer
) -> None:
    leak = (
        "See [this](https://evil.example/?q=4711), https://evil.example/x, <https://evil.example/y>, "
        "![i](https://evil.example/i.png), "
        "[that][1], [p1](https://evil.example/z), [p1.l1], [s1.r1] and [a1].\n\n[1]: https://evil.example/r\n\n"
        '<img src="https://evil.example/j.png"> [p1]'
    )
    model.on(lambda request: "Page [p1]" in request.last_user, text(leak))
    answer = share_page(desk)
    assert "https://evil.example" not in answer.html + answer.text
    assert "<img" not in answer.html
    evidence = answer.html.count(f'href="{penny.url}/turns/{answer.turn_id}/evidence/')
    assert answer.html.count("href=") - evidence == answer.html.count(f'href="{URL}"') > 0


def test_what_a_model_wrote_before_it_broke_off_is_labelled_like_the_page(desk: Client, model: ModelServer) -> None:
    model.on(lambda request: "Page [p1]" in request.last_user, Reply(tokens=("Half ", "an ", "answer "), cut_after=2))
    answer = share_page(desk)
    assert answer.text.startswith("Half an")
    assert answer.goes_on
    assert answer.origin == ["coffee.example", "owner", "penny"]
