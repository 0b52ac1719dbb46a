"""/draw: only the owner's words leave, and the picture is encoded again."""

import base64
import io
from typing import Any

import pytest
from PIL import Image

from agents.llm.providers import parse_endpoint
from agents.models import Step
from agents.pages import pictures
from agents.sandbox import images
from devices.models import Message
from tests.agents.background import carry_out_all, use_model
from tests.agents.outbox.send_message import immediate_answer, reply_to, send_message
from tests.stand_ins.model_server import ModelServer, Reply, ToolUse, text
from thoughts.models import Picture

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


def picture_base64(size: int = 256) -> str:
    file = io.BytesIO()
    Image.new("RGB", (size, size), "navy").save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


@pytest.fixture
def bodies(monkeypatch: pytest.MonkeyPatch, settings: Any, model: ModelServer) -> list[dict[str, Any]]:
    """The bodies that an endpoint that draws is sent. Pictures are encoded in this process."""
    settings.IMAGE_MODEL = parse_endpoint("openai-compatible:brush", model.url)
    model.draws = (200, {"created": 0, "data": [{"b64_json": picture_base64()}]})

    async def ask_sandbox(task: str, data: str) -> str:
        return images.encode(data).model_dump_json()

    monkeypatch.setattr(pictures, "ask_sandbox", ask_sandbox)
    return model.drawn


def test_without_a_model_that_draws_it_says_how_to_set_one() -> None:
    assert "PENNY_IMAGE_MODEL" in immediate_answer("/draw a lighthouse").text


def test_nothing_is_drawn_while_everything_is_stopped(bodies: list[dict[str, Any]]) -> None:
    immediate_answer("/stop")
    assert "Write “go on” first." in immediate_answer("/draw a lighthouse").text
    carry_out_all()
    assert bodies == []
    immediate_answer("/resume")
    send_message("/draw a lighthouse")
    carry_out_all()
    assert len(bodies) == 1


def test_a_picture_is_stored_and_shown_with_question_and_answer(bodies: list[dict[str, Any]]) -> None:
    run = send_message("/draw a lighthouse in the fog")
    carry_out_all()
    reply, question = reply_to(run), Message.objects.get(direction="in")
    assert bodies == [
        {
            "model": "brush",
            "prompt": "a lighthouse in the fog",
            "n": 1,
            "size": "1024x1024",
            "response_format": "b64_json",
        }
    ]
    assert reply.page is not None
    assert reply.page["image"].endswith(f"/pictures/{Picture.objects.get().sha256}.webp")
    assert reply.page == question.page
    assert reply.origin == ["owner", "penny"]
    step = Step.objects.get()
    assert (step.zone, step.origin, step.state) == ("drawer", ["owner"], "done")


def test_it_can_be_asked_for_in_words(
    bodies: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, model: ModelServer
) -> None:
    use_model(monkeypatch, model)
    model.on(
        lambda request: bool(request.tools) and not request.tool_results,
        Reply(tools=(ToolUse("draw", {"what": "a lighthouse"}),)),
    )
    model.on(lambda request: bool(request.tool_results), text("Here it is."))
    run = send_message("Draw me a lighthouse")
    carry_out_all()
    reply = reply_to(run)
    assert (reply.text, bodies[0]["prompt"]) == ("Here it is.", "a lighthouse")
    assert reply.page is not None
    assert "image" in reply.page


@pytest.mark.parametrize(
    ("draws", "reason"),
    [
        ((400, {}), "refused to draw (400)"),
        ((200, {"data": []}), "no picture in base64"),
        ((200, {"data": [{"url": "https://elsewhere.example/a.png"}]}), "I fetch none from elsewhere"),
        ((200, {"data": [{"b64_json": base64.b64encode(b"<svg onload=alert(1)>").decode()}]}), "cannot be shown"),
        ((200, {"data": [{"b64_json": picture_base64(8)}]}), "a tiny one"),
    ],
)
def test_what_is_no_picture_is_not_shown(
    bodies: list[dict[str, Any]], model: ModelServer, draws: tuple[int, dict[str, Any]], reason: str
) -> None:
    model.draws = draws
    run = send_message("/draw a lighthouse")
    carry_out_all()
    assert reply_to(run).kind == "failure"
    assert reason in reply_to(run).text
    assert Picture.objects.count() == 0
