"""Decode a picture from the web to pixels and encode it as a new file.

Nothing else of the old file remains: no metadata, no second format. Format and size are bounded.
"""

import base64
import io
import struct
import zlib

from PIL import Image, UnidentifiedImageError

from agents.zones.sandbox_messages import ImageReply

FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
PIXELS_MAX = 40_000_000
SIDE_MAX = 960
LOOKED_AT_MAX = 2048  # larger, for a vision model that looks at a long page
SIDE_MIN = 64  # smaller ones are icons and counters
BYTES_MAX = 256 * 1024
# Raised by decoders for truncated or damaged files.
DAMAGE = (
    EOFError,
    IndexError,
    KeyError,
    OSError,
    OverflowError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)


def encode(data: str) -> ImageReply:
    pixels = _pixels(data, SIDE_MIN, SIDE_MAX)
    return ImageReply(error_code=pixels) if isinstance(pixels, str) else _encode_webp(pixels)


def as_jpeg(data: str) -> bytes | None:
    """Return the picture as a JPEG, which every vision model accepts; None if there is none."""
    pixels = _pixels(data, 1, LOOKED_AT_MAX)
    if isinstance(pixels, str):
        return None
    file = io.BytesIO()
    pixels.save(file, "JPEG", quality=85)
    return file.getvalue()


def _pixels(data: str, shortest: int, longest: int) -> Image.Image | str:
    """Return the pixels, scaled to sides of at most `longest`, or an error code."""
    Image.MAX_IMAGE_PIXELS = PIXELS_MAX
    try:
        with Image.open(io.BytesIO(base64.b64decode(data, validate=True)), formats=FORMATS) as image:
            if image.width * image.height > PIXELS_MAX or min(image.size) < shortest:
                return "image_size"
            pixels = image.convert("RGB")
            pixels.thumbnail((longest, longest))
            return pixels
    except (UnidentifiedImageError, Image.DecompressionBombError, *DAMAGE):
        return "image_broken"


def _encode_webp(pixels: Image.Image) -> ImageReply:
    for quality in (80, 60, 40):
        file = io.BytesIO()
        pixels.save(file, "WEBP", quality=quality)
        if file.tell() <= BYTES_MAX:
            return ImageReply(
                image=base64.b64encode(file.getvalue()).decode(), width=pixels.width, height=pixels.height
            )
    return ImageReply(error_code="image_size")
