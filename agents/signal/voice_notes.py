"""Transcribe sound with the transcription model. The words are anybody's until the owner has confirmed them."""

import hashlib

import structlog
from django.conf import settings
from pydantic import BaseModel, ValidationError

from agents.llm.providers import Endpoint

BYTES_MAX = 25 * 1024 * 1024  # limit of the endpoints
TIMEOUT_S = 120.0
_SUFFIXES = {
    "audio/mpeg": "mp3",
    "audio/mp4": "m4a",
    "audio/aac": "aac",
    "audio/ogg": "ogg",
    "audio/wav": "wav",
    "audio/webm": "webm",
}
log = structlog.get_logger("penny.transcribing")


class NotTranscribed(Exception):
    """A recording without a transcript; the message says why and what to do."""


class _Answer(BaseModel):
    text: str


async def transcribe(sound: bytes, kind: str) -> str:
    """Return the text of a recording of media type `kind`.

    The request is logged before it leaves. Raises NotTranscribed.
    """
    import httpx2

    endpoint: Endpoint | None = settings.TRANSCRIPTION_MODEL
    assert endpoint is not None
    headers = {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
    log.info(
        "voice.sent", model=str(endpoint), labels=["owner"], size=len(sound), sha256=hashlib.sha256(sound).hexdigest()
    )
    name = f"voice.{_SUFFIXES.get(kind.partition(';')[0], 'm4a')}"
    try:
        async with httpx2.AsyncClient(timeout=TIMEOUT_S, trust_env=False) as client:
            answer = await client.post(
                f"{endpoint.url.rstrip('/')}/audio/transcriptions",
                data={"model": endpoint.name},
                files={"file": (name, sound, kind)},
                headers=headers,
            )
        answer.raise_for_status()
        text = _Answer.model_validate_json(answer.content).text.strip()
    except httpx2.HTTPStatusError as error:
        code = error.response.status_code
        raise NotTranscribed(
            f"{endpoint.url} refused it with {endpoint.name} ({code}). Correct PENNY_TRANSCRIPTION_MODEL."
        ) from None
    except httpx2.HTTPError as error:
        raise NotTranscribed(f"No answer came from {endpoint.url} ({type(error).__name__}).") from None
    except ValidationError:
        raise NotTranscribed(f"What {endpoint.url} answered is no transcription.") from None
    if not text:
        raise NotTranscribed("I heard no words in it.")
    return text
