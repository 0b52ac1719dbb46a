"""A vision model, and the sandbox's work on pictures in the test's process."""

import io
import json
from typing import Any

import pytest
from django.conf import settings
from PIL import Image

from agents.llm.providers import parse_endpoint
from agents.pages import pictures, read
from agents.sandbox import images, reader
from agents.zones.sandbox_messages import ReadingRequest
from tests.agents.background import use_model
from tests.stand_ins.model_server import NAME, ModelServer, Reply, Request

SEEN = "A brass lever machine stands on the stove."


def draw_picture(kind: str = "JPEG", size: tuple[int, int] = (160, 120)) -> bytes:
    file = io.BytesIO()
    Image.linear_gradient("L").resize(size).convert("RGB").save(file, kind)
    return file.getvalue()


def is_picture_request(request: Request) -> bool:
    return "You look at one picture" in request.everything


def see(model: ModelServer, sight: str = SEEN) -> None:
    """Script the vision model to report `sight`."""
    model.on(is_picture_request, Reply(tokens=(json.dumps({"found": True, "headline": sight, "summary": sight}),)))


def use_sight(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> None:
    """Set a model and a vision model, and do the sandbox's work in this process."""
    use_model(monkeypatch, model)
    monkeypatch.setattr(settings, "VISION_MODEL", parse_endpoint(f"openai-compatible:{NAME}-sees", model.url))

    async def ask_sandbox(task: str, *arguments: Any, task_id: str = "") -> str:
        if task == "sandbox.encode_image":
            return images.encode(*arguments).model_dump_json()
        request, use_model = arguments
        parsed_request = ReadingRequest.model_validate(json.loads(json.dumps(request)))
        endpoint = settings.VISION_MODEL if parsed_request.picture else settings.READER_MODEL
        return (
            await reader.read_request(parsed_request, endpoint if use_model else None, _unrecorded)
        ).model_dump_json()

    async def sent_by(task_id: str) -> list[dict[str, Any]]:
        return []

    monkeypatch.setattr(pictures, "ask_sandbox", ask_sandbox)
    monkeypatch.setattr(read, "ask_sandbox", ask_sandbox)
    monkeypatch.setattr(read, "sent_by", sent_by)


async def _unrecorded(_: object) -> None:
    pass
