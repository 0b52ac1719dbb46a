"""A picture from the web becomes pixels and then a new file: no metadata, no second meaning, a known format and size."""

import base64
import io
import struct
import zlib

from PIL import Image, UnidentifiedImageError

from agents.readings import ImageReply

FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
PIXELS_MAX = 40_000_000
SIDE_MAX = 960
SIDE_MIN = 64  # smaller ones are icons and counters
BYTES_MAX = 256 * 1024
# What decoders raise for files that are cut off or damaged.
DAMAGE = (EOFError, IndexError, KeyError, OSError, OverflowError, SyntaxError, TypeError, ValueError, struct.error, zlib.error)


def encode(data: str) -> ImageReply:
    """Return the picture that base64 `data` holds, encoded anew."""
    Image.MAX_IMAGE_PIXELS = PIXELS_MAX
    try:
        with Image.open(io.BytesIO(base64.b64decode(data, validate=True)), formats=FORMATS) as image:
            if image.width * image.height > PIXELS_MAX or min(image.size) < SIDE_MIN:
                return ImageReply(error_code="image_size")
            pixels = image.convert("RGB")
            pixels.thumbnail((SIDE_MAX, SIDE_MAX))
            return _written(pixels)
    except (UnidentifiedImageError, Image.DecompressionBombError, *DAMAGE):
        return ImageReply(error_code="image_broken")


def _written(pixels: Image.Image) -> ImageReply:
    for quality in (80, 60, 40):
        file = io.BytesIO()
        pixels.save(file, "WEBP", quality=quality)
        if file.tell() <= BYTES_MAX:
            return ImageReply(image=base64.b64encode(file.getvalue()).decode(), width=pixels.width, height=pixels.height)
    return ImageReply(error_code="image_size")
