"""Draw a picture with an OpenAI-compatible endpoint (OpenAI, Ollama).

The request contains only the owner's words. The endpoint's picture is untrusted: like a picture of a page it is
decoded in the sandbox, encoded again, and served by Penny.
"""

import hashlib
import json
from typing import Any

from django.conf import settings
from pydantic import BaseModel, Field, ValidationError

from agents.answers.reply import Reply
from agents.llm.messages import ModelFailed
from agents.llm.providers import Endpoint
from agents.models import Memory
from agents.pages.pictures import encode_picture
from agents.runs.budget import estimate
from agents.runs.context import Context
from agents.runs.steps import record_step
from agents.runs.stream import Stream
from agents.zones.inputs import OWNER, Private
from agents.zones.slots import hide_values
from devices.db import in_db
from devices.models import Message
from devices.web.hosts import grant_host
from devices.web.links import link_to
from thoughts.models import Page, Picture
from thoughts.rendering import escape_markdown
from thoughts.text.labels import HOUSE

TIMEOUT_S = 180.0
PICTURE_BYTES = 24 * 1024 * 1024
SIZE = "1024x1024"


class _ImageData(BaseModel):
    b64_json: str


class _Answer(BaseModel):
    data: list[_ImageData] = Field(min_length=1)


def wish_of(message: Message) -> str:
    """Return the text after /draw."""
    return message.text.strip().partition(" ")[2].strip()


async def draw_picture(context: Context, stream: Stream) -> Reply:
    """Return the reply that shows a picture. Raises ModelFailed."""
    message, endpoint = context.run.message, settings.IMAGE_MODEL
    assert message is not None
    if endpoint is None:
        raise ModelFailed("no_model", "No model that draws is set any more. Set PENNY_IMAGE_MODEL.")
    await stream.status("Drawing")
    wish = wish_of(message)
    await add_picture(context, endpoint, wish)
    return Reply(f"“{escape_markdown(wish)}”, drawn by {escape_markdown(str(endpoint))}.", [], sorted(HOUSE))


async def add_picture(context: Context, endpoint: Endpoint, wish: str) -> None:
    """Draw a picture and show it with the turn. Raises ModelFailed."""
    prompt = Private(hide_values(wish, await in_db(Memory.objects.slots)()))
    picture = await encode_picture(f"data:image/png;base64,{await _request_picture(context, endpoint, prompt)}")
    if picture is None:
        raise ModelFailed("model_broken", f"What {endpoint} drew cannot be shown: it is no picture, or a tiny one.")
    await in_db(_store_picture)(context, picture, wish)


async def _request_picture(context: Context, endpoint: Endpoint, wish: Private) -> str:
    """Return the picture in base64. The step is recorded before the request is sent."""
    payload: dict[str, Any] = {"model": endpoint.name, "prompt": wish.text, "n": 1, "size": SIZE}
    if not endpoint.name.startswith("gpt-image"):  # these always answer in base64, and refuse the parameter
        payload["response_format"] = "b64_json"
    body = json.dumps(payload).encode()
    body_facts = {"sha256": hashlib.sha256(body).hexdigest(), "size_bytes": len(body)}
    step_of = record_step(
        context,
        kind="model",
        zone="drawer",
        name=str(endpoint),
        origin=OWNER,
        request={"instructions": "", "turns": [{"said": "user", "text": wish.text}], "tools": [], "sent": [body_facts]},
        tokens=estimate(wish.text),
        url=endpoint.url,
    )
    async with step_of as step:
        context.on_start()
        data = await _post_request(endpoint, body)
        step.result = {"text": "(a picture)"}
    return data


async def _post_request(endpoint: Endpoint, body: bytes) -> str:
    import httpx2

    headers = {"Content-Type": "application/json"} | (
        {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
    )
    url = f"{endpoint.url.rstrip('/')}/images/generations"
    try:
        async with httpx2.AsyncClient(timeout=TIMEOUT_S, trust_env=False) as client:
            answer = await client.post(url, content=body, headers=headers)
        answer.raise_for_status()
        if len(answer.content) > PICTURE_BYTES:
            raise ModelFailed("model_too_long", f"What {endpoint} drew is too large.")
        return _Answer.model_validate_json(answer.content).data[0].b64_json
    except httpx2.HTTPStatusError as error:
        raise ModelFailed(
            "model_refused", f"{endpoint} refused to draw ({error.response.status_code}). Correct PENNY_IMAGE_MODEL."
        ) from None
    except httpx2.HTTPError as error:
        raise ModelFailed(
            "model_away",
            f"No picture came from {endpoint} ({type(error).__name__}). Try again, or correct PENNY_IMAGE_MODEL.",
        ) from None
    except ValidationError:
        raise ModelFailed(
            "model_broken", f"What {endpoint} answered is no picture in base64, and I fetch none from elsewhere."
        ) from None


def _store_picture(context: Context, picture: Picture, wish: str) -> None:
    """Store the picture as the page of the question: every channel shows a page's picture."""
    run = context.run
    assert run.message is not None
    address = link_to("turn", run.turn_id)
    page = Page.objects.create(
        url=address,
        domain=grant_host(address),
        title=wish[:300],
        text="",
        sha256=hashlib.sha256(b"").hexdigest(),
        extracted_with="text",
        picture=picture,
        device_label="Penny",
    )
    run.page = page
    run.save(update_fields=["page"])
    run.message.sources.add(page)
