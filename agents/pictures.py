"""Pictures of pages on their way to the feed: decoded and encoded again in the sandbox, served by us, never linked."""

import base64
import hashlib
from uuid import UUID

import structlog
from pydantic import ValidationError
from redis.exceptions import RedisError

from agents.readings import ImageReply
from agents.sandbox_client import SandboxFailed, ask_sandbox
from devices import redis
from thoughts.models import Picture

WEBP = (b"RIFF", b"WEBP")
KEPT_S = 600  # until the run of a shared page takes its picture; one that is lost is left out
log = structlog.get_logger("penny.pictures")


def keep_for(run_id: UUID, image: str) -> None:
    """Keep the picture of a shared page, as the browser sent it, for the run that answers: nothing slow happens before it."""
    redis.wake(_key(run_id), image, KEPT_S)


async def take_kept(run_id: UUID) -> Picture | None:
    """Return what became of the picture that was kept for a run, if any was."""
    try:
        image = await redis.shared_client().lpop(_key(run_id))
    except (RedisError, OSError) as error:
        log.info("picture.dropped", code=type(error).__name__)
        return None
    return await encode_picture(str(image)) if image else None


def _key(run_id: UUID) -> str:
    return f"picture:{run_id}"


async def encode_picture(image: str) -> Picture | None:
    """Return the stored picture of a data: URL; None where there is none to show, which is no failure of the page."""
    head, comma, data = image.partition(",")
    if not comma or not head.startswith("data:image/") or not head.endswith(";base64"):
        return None
    try:
        reply = ImageReply.model_validate_json(await ask_sandbox("sandbox.encode_image", data))
        if reply.error_code:
            raise SandboxFailed(reply.error_code)
        return await _stored(reply)
    except (SandboxFailed, ValidationError, ValueError) as error:
        log.info("picture.dropped", code=getattr(error, "code", "invalid"))
        return None


async def _stored(reply: ImageReply) -> Picture:
    """Raises ValueError for what is not a WebP."""
    encoded = base64.b64decode(reply.image, validate=True)
    if (encoded[:4], encoded[8:12]) != WEBP:
        raise ValueError("not a WebP")
    digest = hashlib.sha256(encoded).hexdigest()
    picture, _ = await Picture.objects.aget_or_create(
        sha256=digest, defaults={"data": encoded, "width": reply.width, "height": reply.height}
    )
    return picture
