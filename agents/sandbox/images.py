"""A picture from the web becomes pixels and then a new file: no metadata, no second meaning, a known format and
size.
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
LOOKED_AT_MAX = 2048  # of a long page the model that sees needs more
SIDE_MIN = 64  # smaller ones are icons and counters
BYTES_MAX = 256 * 1024
# What decoders raise for files that are cut off or damaged.
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
    """Return the picture that base64 `data` holds, encoded anew."""
    pixels = _pixels(data, SIDE_MIN, SIDE_MAX)
    return ImageReply(error_code=pixels) if isinstance(pixels, str) else _written(pixels)


def as_jpeg(data: str) -> bytes | None:
    """Return the picture that base64 `data` holds as a JPEG, which every model that sees can take; None where it holds
    none.
    """
    pixels = _pixels(data, 1, LOOKED_AT_MAX)
    if isinstance(pixels, str):
        return None
    file = io.BytesIO()
    pixels.save(file, "JPEG", quality=85)
    return file.getvalue()


def _pixels(data: str, shortest: int, longest: int) -> Image.Image | str:
    """Return the pixels, scaled down to sides of at most `longest`, or the code of what is wrong with the file."""
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


def _written(pixels: Image.Image) -> ImageReply:
    for quality in (80, 60, 40):
        file = io.BytesIO()
        pixels.save(file, "WEBP", quality=quality)
        if file.tell() <= BYTES_MAX:
            return ImageReply(
                image=base64.b64encode(file.getvalue()).decode(), width=pixels.width, height=pixels.height
            )
    return ImageReply(error_code="image_size")
