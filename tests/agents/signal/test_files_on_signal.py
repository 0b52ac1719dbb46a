"""Files over Signal: pictures and texts are used, voice notes transcribed, others refused."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from django.conf import settings

from agents.answers.attachments import PICTURE_QUESTION
from agents.llm.providers import parse_endpoint
from agents.models import Proposal, Run
from agents.signal import files
from agents.signal.messages import VOICE_NOTE
from agents.turns import confirm_words
from devices.models import Device, Message, MessageFile
from devices.models.deliveries import LineEntry
from tests.agents.background import carry_out_all, use_model
from tests.agents.signal.on_signal import conversation, lambda_of, listening, post_all
from tests.stand_ins.model_script import zone
from tests.stand_ins.model_server import NAME, ModelServer, text
from tests.stand_ins.serving import Served, serving
from tests.stand_ins.signal_server import PNG, SignalServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


@pytest.fixture
def sight(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> None:
    use_model(monkeypatch, model)
    monkeypatch.setattr(settings, "VISION_MODEL", parse_endpoint(f"openai-compatible:{NAME}", model.url))


def replies() -> list[str]:
    return [text for direction, text in conversation() if direction == "out"]


@pytest.mark.usefixtures("sight")
@pytest.mark.parametrize(("words", "question"), [("What is this?", "What is this?"), (None, PICTURE_QUESTION)])
def test_a_picture_goes_with_its_message_to_the_model_that_sees(
    signal: SignalServer, phone: Device, words: str | None, question: str
) -> None:
    listening(signal, lambda_of(signal.send_file, "a.png", "image/png", PNG, words), lambda: Run.objects.exists())
    message = Message.objects.get()
    assert (message.text, message.device, Run.objects.get().message) == (question, phone, message)
    assert [(file.name, file.mime, bytes(file.data)) for file in MessageFile.objects.all()] == [
        ("a.png", "image/png", PNG)
    ]


def test_a_text_is_answered_from_and_a_long_message_is_whole(signal: SignalServer, phone: Device) -> None:
    listening(
        signal, lambda_of(signal.send_file, "notes.txt", "text/plain", b"It is hot."), lambda: Run.objects.exists()
    )
    assert (conversation(), MessageFile.objects.get().name) == ([("in", files.TEXT_QUESTION)], "notes.txt")
    long = "All of it. " * 400
    listening(
        signal,
        lambda_of(signal.send_file, "long", "text/x-signal-plain", long.encode(), long[:2000]),
        lambda: Run.objects.count() == 2,
    )
    assert conversation()[-1] == ("in", long.strip())


@pytest.mark.usefixtures("sight")
def test_what_a_file_of_the_owner_s_says_comes_back_word_for_word(
    signal: SignalServer, phone: Device, model: ModelServer
) -> None:
    words = (
        "The water should be between ninety and ninety-six degrees when it meets the coffee, and not any "
        "hotter than that."
    )
    model.on(lambda request: zone(request) == "writer", text(words))
    listening(
        signal, lambda_of(signal.send_file, "notes.txt", "text/plain", words.encode()), lambda: Run.objects.exists()
    )
    carry_out_all()
    post_all()
    assert [message.text for message in signal.sent] == [words]


def test_a_file_is_gone_with_the_message_that_its_owner_deleted(signal: SignalServer, phone: Device) -> None:
    listening(
        signal,
        lambda_of(signal.send_file, "notes.txt", "text/plain", b"It is hot.", "How hot?"),
        lambda: Run.objects.exists(),
    )
    sent_at = LineEntry.objects.get().timestamp
    listening(signal, lambda_of(signal.delete, sent_at), lambda: Message.objects.filter(text="(deleted)").exists())
    assert (MessageFile.objects.count(), Message.objects.get(text="(deleted)").attachments) == (0, None)


def test_without_a_model_that_sees_a_picture_is_refused_with_the_reason(signal: SignalServer, phone: Device) -> None:
    listening(
        signal,
        lambda_of(signal.send_file, "a.png", "image/png", PNG, "What is this?"),
        lambda: Message.objects.count() == 2,
    )
    [why] = replies()
    assert why.startswith("a.png is a picture, and no model is set that could look at it. You can choose one")
    assert (Run.objects.count(), MessageFile.objects.count()) == (0, 0)
    post_all()
    assert len(signal.sent) == 1


@pytest.mark.usefixtures("sight")
def test_what_is_too_large_too_many_no_picture_or_gone_is_refused_with_the_reason(
    signal: SignalServer, phone: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "FILE_BYTES", 200)

    def send() -> None:
        file = {"contentType": "image/png", "filename": "a.png"}
        signal.write(None, attachments=[file | {"id": "large", "size": 10**9}])  # not fetched: the file does not exist
        signal.send_file("lies", "image/png", PNG * 10)
        signal.files["lies"] = PNG * 1000
        signal.write(None, attachments=[file | {"id": "lies", "size": 3}])
        signal.send_file("b.png", "image/png", b"<svg/>")
        signal.send_file("c.mp4", "video/mp4", b"\x00\x01")
        signal.write(None, attachments=[file | {"id": "gone", "size": 3}])
        signal.write("All", attachments=[file | {"id": str(number)} for number in range(9)])
        signal.files["once"] = PNG
        signal.write(None, viewOnce=True, attachments=[file | {"id": "once"}])

    listening(signal, send, lambda: len(replies()) == 8)
    large = "a.png is larger than 8 MB. Send a smaller one."
    assert replies() == [
        large,
        large.replace("a.png", "lies"),
        large,
        "b.png is no picture that Penny can look at. She takes JPEG, PNG, WebP and GIF.",
        "c.mp4 is no text, PDF or picture, and Penny reads nothing else. Send the message without it.",
        "I could not fetch a.png, so I answered nothing. Send it again.",
        files.TOO_MANY,
        files.ONCE,
    ]
    assert (Run.objects.count(), MessageFile.objects.count()) == (0, 0)


def test_a_voice_note_is_refused_with_the_reason_where_no_model_is_set(signal: SignalServer, phone: Device) -> None:
    listening(signal, lambda_of(signal.send_file, "a.aac", "audio/aac", b"x"), lambda: Message.objects.count() == 2)
    assert replies() == [files.NO_VOICE]


class Transcriber(BaseHTTPRequestHandler):
    """An endpoint that transcribes every recording to the same text."""

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002  the name is the base class's
        pass

    def do_POST(self) -> None:
        request_body = self.rfile.read(int(self.headers["Content-Length"]))
        body = (
            b'{"text": " How hot is the water? "}' if b"whisper" in request_body and b"sound" in request_body else b"{}"
        )
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def ears(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with serving(Served(Transcriber)) as endpoint:
        url = f"http://127.0.0.1:{endpoint.port}/v1"
        monkeypatch.setattr(settings, "TRANSCRIPTION_MODEL", parse_endpoint("openai-compatible:whisper", url))
        yield url


def record(signal: SignalServer, content: bytes = b"sound", **fields: Any) -> None:
    """Send a recording: it has no name."""
    signal.files["recording"] = content
    signal.write(None, attachments=[{"id": "recording", "contentType": "audio/aac", **fields}])


@pytest.mark.usefixtures("ears")
def test_a_voice_note_is_read_back_and_answered_after_a_yes(signal: SignalServer, phone: Device) -> None:
    listening(signal, lambda_of(record, signal), lambda: Proposal.objects.exists())
    assert conversation()[0] == ("in", VOICE_NOTE)
    assert "> How hot is the water?" in replies()[0]
    assert not Run.objects.exists()
    listening(signal, lambda_of(signal.write, "yes"), lambda: Run.objects.count() == 2)
    assert conversation()[-1] == ("in", "How hot is the water?")
    assert Run.objects.latest("created_at").message.device == phone  # type: ignore[union-attr]


@pytest.mark.usefixtures("ears")
@pytest.mark.parametrize("answer", ["no", "What do you mean?"])
def test_without_a_yes_a_voice_note_does_nothing(signal: SignalServer, phone: Device, answer: str) -> None:
    listening(signal, lambda_of(record, signal), lambda: Proposal.objects.exists())
    listening(signal, lambda_of(signal.write, answer), lambda: Run.objects.exists())
    assert ("in", "How hot is the water?") not in conversation()


@pytest.mark.usefixtures("ears", "sight")
@pytest.mark.parametrize("label", ["attachment", "penny"])
def test_what_was_heard_is_beside_no_tools_before_the_yes_and_without_its_label_it_is(
    signal: SignalServer, phone: Device, model: ModelServer, monkeypatch: pytest.MonkeyPatch, label: str
) -> None:
    monkeypatch.setattr(confirm_words, "ATTACHMENT", label)
    listening(signal, lambda_of(record, signal), lambda: Proposal.objects.exists())
    listening(signal, lambda_of(signal.write, "What do you mean by that?"), lambda: Run.objects.exists())
    carry_out_all()
    with_tools = [request.everything for request in model.requests if request.tools]
    assert with_tools
    assert any("How hot" in words for words in with_tools) is (label == "penny")


@pytest.mark.usefixtures("ears")
@pytest.mark.parametrize(
    ("words", "fields"),
    [
        (None, {"filename": "a.m4a"}),
        (None, {"filename": "meeting.mp3", "contentType": "audio/mpeg"}),
        ("Sum it up", {}),
        (None, {"voiceNote": False}),
    ],
)
def test_the_words_of_other_sound_are_a_file(
    signal: SignalServer, phone: Device, words: str | None, fields: dict[str, Any]
) -> None:
    def send() -> None:
        signal.files["recording"] = b"sound"
        signal.write(words, attachments=[{"id": "recording", "contentType": "audio/aac", **fields}])

    listening(signal, send, lambda: Run.objects.exists())
    assert conversation() == [("in", words or files.TEXT_QUESTION)]
    file = MessageFile.objects.get()
    assert (file.name, bytes(file.data)) == (f"{fields.get('filename', 'sound')}.txt", b"How hot is the water?")


def test_sound_without_words_is_refused(signal: SignalServer, phone: Device, ears: str) -> None:
    listening(signal, lambda_of(record, signal, b"noise"), lambda: Message.objects.count() == 2)
    assert replies() == [f"I could not listen to your voice note. What {ears} answered is no transcription."]
