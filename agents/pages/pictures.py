"""Pictures of pages on their way to the feed: decoded and encoded again in the sandbox, served by us, never linked."""

import base64
import hashlib
from typing import NamedTuple
from uuid import UUID

import structlog
from pydantic import ValidationError
from redis.exceptions import RedisError

from agents.pages.sandbox_client import SandboxFailed, ask_sandbox
from agents.zones.sandbox_messages import ImageReply
from devices import redis
from devices.models import MessageFile
from thoughts.models import Picture

WEBP = (b"RIFF", b"WEBP")
KEPT_S = 600  # until the run of a shared page takes its picture; one that is lost is left out
log = structlog.get_logger("penny.pictures")


def keep_for(run_id: UUID, image: str) -> None:
    """Keep the picture of a shared page, as the browser sent it, for the run that answers: nothing slow happens before
    it.
    """
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


class Encoded(NamedTuple):
    """A picture as the sandbox encoded it."""

    webp: bytes
    width: int
    height: int


async def encode_picture(image: str) -> Picture | None:
    """Return the stored picture of a data: URL; None where there is none to show, which is no failure of the page."""
    head, comma, data = image.partition(",")
    if not comma or not head.startswith("data:image/") or not head.endswith(";base64"):
        return None
    found = await encoded(data)
    return await _stored(found) if found else None


async def encoded(data: str) -> Encoded | None:
    """Return the picture that base64 `data` holds as a new file; None where there is none to show."""
    try:
        reply = ImageReply.model_validate_json(await ask_sandbox("sandbox.encode_image", data))
        if reply.error_code:
            raise SandboxFailed(reply.error_code)
        return Encoded(_webp(reply.image), reply.width, reply.height)
    except (SandboxFailed, ValidationError, ValueError) as error:
        log.info("picture.dropped", code=getattr(error, "code", "invalid"))
        return None


def _webp(data: str) -> bytes:
    """Raises ValueError for what is none."""
    found = base64.b64decode(data, validate=True)
    if (found[:4], found[8:12]) != WEBP:
        raise ValueError("not a WebP")
    return found


async def _stored(found: Encoded) -> Picture:
    digest = hashlib.sha256(found.webp).hexdigest()
    picture, _ = await Picture.objects.aget_or_create(
        sha256=digest, defaults={"data": found.webp, "width": found.width, "height": found.height}
    )
    return picture


def shown(name: str) -> bytes | None:
    """Return the WebP that Penny shows under a name: a page's picture, or one that came with a message."""
    of_page = Picture.objects.filter(sha256=name).values_list("data", flat=True).first()
    of_message = MessageFile.objects.filter(sha256=name, shown__isnull=False).values_list("shown", flat=True)
    found = of_page or of_message.first()
    return bytes(found) if found else None
