"""Pictures of pages: encoded again in the sandbox, stored and served by Penny, never linked."""

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
KEPT_S = 600  # how long a shared page's picture waits for its run; a lost picture is left out
log = structlog.get_logger("penny.pictures")


def keep_run_picture(run_id: UUID, image: str) -> None:
    """Keep the picture of a shared page for its run, as the browser sent it.

    It is encoded in the run, so that the message is stored at once.
    """
    redis.wake(_picture_key(run_id), image, KEPT_S)


async def take_run_picture(run_id: UUID) -> Picture | None:
    try:
        image = await redis.shared_client().lpop(_picture_key(run_id))
    except (RedisError, OSError) as error:
        log.info("picture.dropped", code=type(error).__name__)
        return None
    return await encode_picture(str(image)) if image else None


def _picture_key(run_id: UUID) -> str:
    return f"picture:{run_id}"


class EncodedPicture(NamedTuple):
    webp: bytes
    width: int
    height: int


async def encode_picture(image: str) -> Picture | None:
    """Return the stored picture of a data: URL, or None.

    A missing picture is no failure of the page.
    """
    head, comma, data = image.partition(",")
    if not comma or not head.startswith("data:image/") or not head.endswith(";base64"):
        return None
    picture = await encode_again(data)
    return await _store_encoded(picture) if picture else None


async def encode_again(data: str) -> EncodedPicture | None:
    """Return the picture in the base64 text `data`, encoded again, or None."""
    try:
        reply = ImageReply.model_validate_json(await ask_sandbox("sandbox.encode_image", data))
        if reply.error_code:
            raise SandboxFailed(reply.error_code)
        return EncodedPicture(_webp(reply.image), reply.width, reply.height)
    except (SandboxFailed, ValidationError, ValueError) as error:
        log.info("picture.dropped", code=getattr(error, "code", "invalid"))
        return None


def _webp(data: str) -> bytes:
    """Return the bytes of a WebP. Raises ValueError for anything else."""
    file = base64.b64decode(data, validate=True)
    if (file[:4], file[8:12]) != WEBP:
        raise ValueError("not a WebP")
    return file


async def _store_encoded(file: EncodedPicture) -> Picture:
    digest = hashlib.sha256(file.webp).hexdigest()
    picture, _ = await Picture.objects.aget_or_create(
        sha256=digest, defaults={"data": file.webp, "width": file.width, "height": file.height}
    )
    return picture


def picture_bytes(name: str) -> bytes | None:
    of_page = Picture.objects.filter(sha256=name).values_list("data", flat=True).first()
    of_message = MessageFile.objects.filter(sha256=name, shown__isnull=False).values_list("shown", flat=True)
    data = of_page or of_message.first()
    return bytes(data) if data else None
