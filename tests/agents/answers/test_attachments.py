"""Files in a message: answered from without tools, shown by name, or refused with a reason."""

import base64
import io
from threading import get_ident
from uuid import uuid4

import PIL.Image
import pytest

from agents.answers import attachments
from agents.answers.attachments import AttachmentRefused, CheckedFile, check_files
from agents.turns.start import start_turn
from devices import protocol as p
from devices.access.handshake import web_device
from devices.models import Message, MessageFile
from devices.owner.account import the_owner
from tests.client import Client
from tests.stand_ins.articles import INJECTION, WATER
from tests.stand_ins.model_server import ModelServer, Reply
from tests.stand_ins.pdfs import article_pages, pdf
from thoughts.text.cleaning import clean_text


def file(data: bytes, name: str = "notes.txt", mime: str = "text/plain") -> p.Attachment:
    return p.Attachment(name=name, mime=mime, data=base64.urlsafe_b64encode(data).decode().rstrip("="))


def jpeg_bytes() -> bytes:
    buffer = io.BytesIO()
    PIL.Image.linear_gradient("L").convert("RGB").save(buffer, "JPEG")
    return buffer.getvalue()


def send(
    client: Client, *files: p.Attachment, words: str = "At how many degrees is espresso brewed?", **fields: object
) -> p.Message:
    frame = p.ChatSend.model_validate({"turn_id": uuid4(), "text": words, "attachments": list(files)} | fields)
    client.send(frame)
    return client.expect(p.TurnDone, 30, turn_id=frame.turn_id).message


def test_a_file_is_answered_from_in_a_request_without_tools(desk: Client, model: ModelServer) -> None:
    desk.ask("My canary-history number is 4711")
    model.requests.clear()
    data = f"{WATER.text}\n{INJECTION}".encode()
    answer = send(desk, file(data))
    [request] = model.requests
    assert request.tools == []
    assert "File notes.txt:" in request.last_user
    assert WATER.paragraphs[0] in request.last_user
    assert "canary-history" not in request.everything
    assert answer.origin == ["attachment", "owner", "penny"]
    question = next(
        f.message
        for f in desk.frames_of(p.MessageNew)
        if f.message.turn_id == answer.turn_id and f.message.direction == "in"
    )
    assert question.attachments == [p.AttachmentInfo(name="notes.txt", mime="text/plain", size_bytes=len(data))]


def test_what_is_not_read_of_the_files_of_a_message_is_said(desk: Client, model: ModelServer) -> None:
    long, more = "Water boils at ninety degrees. " * 2_000, "Salt melts ice. " * 500
    answer = send(desk, file(long.encode()), file(more.encode(), "more_salt.txt"))
    assert "I read the first 50 of 62 kB of notes.txt." in answer.text
    assert answer.text.endswith("I read nothing of the 8 kB of more\\_salt.txt: send it in a message of its own.")
    assert "I read" not in send(desk, file(more.encode())).text


def test_a_pdf_is_answered_from_in_a_request_without_tools(desk: Client, model: ModelServer) -> None:
    model.requests.clear()
    send(desk, file(pdf(article_pages("Water", WATER.paragraphs)), "a.pdf", "text/plain"))
    [request] = model.requests
    assert request.tools == []
    assert "between 90 and 96 degrees" in request.last_user


def test_a_pdf_that_cannot_be_read_is_told_in_words(desk: Client, model: ModelServer) -> None:
    answer = send(desk, file(pdf(article_pages("Water", WATER.paragraphs), is_locked=True), "a.pdf"))
    assert "a.pdf asks for a password" in answer.text


def test_later_turns_see_no_word_of_the_file_or_of_what_was_said_of_it(desk: Client, model: ModelServer) -> None:
    answer = send(desk, file(WATER.text.encode(), name="canary-name.txt"))
    model.requests.clear()
    desk.ask("And now?")
    planners = [request for request in model.requests if request.tools]
    assert [
        words for words in ("canary-name", *WATER.paragraphs) for request in planners if words in request.everything
    ] == []
    assert f"[answer a{answer.seq}, from attachment]" in model.requests[0].everything


def test_a_question_that_failed_is_asked_once_more_with_its_files(desk: Client, model: ModelServer) -> None:
    model.on(lambda _: True, Reply(status=401), times=1)
    frame = p.ChatSend(turn_id=uuid4(), text="How hot?", attachments=[file(WATER.text.encode())])
    desk.send(frame)
    failure = desk.expect(p.TurnFailed, 30, turn_id=frame.turn_id).message
    desk.send(p.ChatSend(turn_id=failure.id, text="How hot?", parent_id=failure.id))
    assert desk.expect(p.TurnDone, 30, turn_id=failure.id).message.origin == ["attachment", "owner", "penny"]


async def test_a_long_text_is_cleaned_beside_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[int] = []

    def clean(text: str) -> str:
        threads.append(get_ident())
        return clean_text(text)

    monkeypatch.setattr(attachments, "clean_text", clean)
    text = CheckedFile("notes.txt", "text/plain", b"Salt \x07 melts ice.")
    assert await attachments._clean_text_of(text) == "Salt  melts ice."
    assert threads != [get_ident()]


@pytest.mark.parametrize(
    ("upload", "words"),
    [
        (file(b"PK\x00\xff\xfe", "a.pdf", "application/pdf"), "a.pdf is no text, PDF or picture"),
        (file(b"", "a.txt"), "a.txt is empty"),
        (file(b"a\x00b"), "notes.txt is no text, PDF or picture"),
        (p.Attachment(name="a.txt", mime="text/plain", data="A"), "a.txt did not come over whole"),
        (file(jpeg_bytes(), "cat.jpg", "image/jpeg"), "cat.jpg is a picture, and no model is set"),
    ],
)
@pytest.mark.django_db
def test_what_cannot_be_read_is_refused_with_a_reason(upload: p.Attachment, words: str) -> None:
    with pytest.raises(AttachmentRefused, match=words):
        check_files([upload])


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("redis")
def test_nothing_is_stored_of_a_message_whose_file_is_refused_and_files_go_with_their_message() -> None:
    bad = p.ChatSend(turn_id=uuid4(), text="x", attachments=[file(b"\xff\xfe\x00")])
    with pytest.raises(AttachmentRefused):
        start_turn(the_owner(), web_device(), bad)
    assert not Message.objects.exists()
    start_turn(
        the_owner(), web_device(), p.ChatSend(turn_id=uuid4(), text="x", attachments=[file(b"words", "a\u202eb.txt")])
    )
    message = Message.objects.get()
    assert [(file.name, file.data) for file in attachments.files_of(message)] == [("ab.txt", b"words")]
    message.delete()
    assert not MessageFile.objects.exists()
