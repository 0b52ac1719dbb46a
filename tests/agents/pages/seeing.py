"""A model that sees, and the sandbox's own work on pictures in the process of the test."""

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


def drawn(kind: str = "JPEG", size: tuple[int, int] = (160, 120)) -> bytes:
    file = io.BytesIO()
    Image.linear_gradient("L").resize(size).convert("RGB").save(file, kind)
    return file.getvalue()


def looked_at(request: Request) -> bool:
    return "You look at one picture" in request.everything


def see(model: ModelServer, seen: str = SEEN) -> None:
    """Have the model that sees say what it sees, and the writer repeat what was handed over."""
    model.on(looked_at, Reply(tokens=(json.dumps({"found": True, "headline": seen, "summary": seen}),)))


def use_sight(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> None:
    """Set a model and one that sees, and do what the sandbox does here."""
    use_model(monkeypatch, model)
    monkeypatch.setattr(settings, "VISION_MODEL", parse_endpoint(f"openai-compatible:{NAME}-sees", model.url))

    async def ask_sandbox(task: str, *arguments: Any, task_id: str = "") -> str:
        if task == "sandbox.encode_image":
            return images.encode(*arguments).model_dump_json()
        request, use_model = arguments
        wanted = ReadingRequest.model_validate(json.loads(json.dumps(request)))
        endpoint = settings.VISION_MODEL if wanted.picture else settings.READER_MODEL
        return (await reader.read(wanted, endpoint if use_model else None, _unrecorded)).model_dump_json()

    async def sent_by(task_id: str) -> list[dict[str, Any]]:
        return []

    monkeypatch.setattr(pictures, "ask_sandbox", ask_sandbox)
    monkeypatch.setattr(read, "ask_sandbox", ask_sandbox)
    monkeypatch.setattr(read, "sent_by", sent_by)


async def _unrecorded(_: object) -> None:
    pass
