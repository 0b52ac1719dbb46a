"""A picture of a page becomes pixels and then a new file; anything else is dropped."""

import base64
import io
import random
import struct
import zlib

import pytest
from django.test import Client
from PIL import Image, PngImagePlugin

from agents.sandbox.images import BYTES_MAX, SIDE_MAX, encode
from agents.zones.sandbox_messages import ImageReply
from devices.owner.account import the_owner
from thoughts.models import Picture

CANARY = b"canary-of-the-page"
SCRIPT = b"<script>ran(1)</script>"


def encode_picture(kind: str = "PNG", size: tuple[int, int] = (120, 90), **options: object) -> bytes:
    file = io.BytesIO()
    Image.linear_gradient("L").resize(size).convert("RGB").save(file, kind, **options)
    return file.getvalue()


def encode_bytes(data: bytes) -> ImageReply:
    return encode(base64.b64encode(data).decode())


def encoded_file(data: bytes) -> bytes:
    """Return the encoded picture, which must be a plain WebP."""
    reply = encode_bytes(data)
    assert reply.error_code == ""
    file = base64.b64decode(reply.image)
    with Image.open(io.BytesIO(file)) as image:
        assert (image.format, image.mode, image.size) == ("WEBP", "RGB", (reply.width, reply.height))
        assert not getattr(image, "is_animated", False)
        assert {"exif", "xmp", "icc_profile"}.isdisjoint(image.info)
    return file


def with_exif() -> bytes:
    exif = Image.Exif()
    exif[0x010E] = CANARY.decode()  # the description
    exif.get_ifd(0x8825)[1] = "N"  # where it was taken
    return encode_picture("JPEG", exif=exif, comment=CANARY)


def with_text() -> bytes:
    text = PngImagePlugin.PngInfo()
    text.add_text("Comment", CANARY.decode() + SCRIPT.decode())
    text.add_itxt("XML:com.adobe.xmp", CANARY.decode())
    return encode_picture("PNG", pnginfo=text)


CARRIERS = {
    "exif": with_exif(),
    "text chunks": with_text(),
    "xmp": encode_picture("WEBP", xmp=CANARY + SCRIPT),
    "icc": encode_picture("JPEG", icc_profile=CANARY * 20),
    "a page behind it": encode_picture("JPEG") + b"<html>" + SCRIPT + CANARY,
    "an archive behind it": encode_picture("GIF") + b"PK\x03\x04" + CANARY,
    "a script behind it": encode_picture("GIF") + b"=1;" + SCRIPT + CANARY,
}


@pytest.mark.parametrize("carrier", CARRIERS)
def test_nothing_but_the_pixels_is_kept(carrier: str) -> None:
    assert CANARY in CARRIERS[carrier]
    file = encoded_file(CARRIERS[carrier])
    assert CANARY not in file
    assert SCRIPT not in file


def test_of_what_moves_one_still_is_kept() -> None:
    frames = [Image.new("RGB", (120, 90), colour) for colour in ("red", "green", "blue")]
    for kind in ("GIF", "WEBP", "PNG"):
        file = io.BytesIO()
        frames[0].save(file, kind, save_all=True, append_images=frames[1:], duration=20)
        encoded_file(file.getvalue())


def test_a_picture_is_scaled_and_bounded() -> None:
    noise = Image.frombytes("RGB", (3000, 2000), random.Random(1).randbytes(3000 * 2000 * 3))
    file = io.BytesIO()
    noise.save(file, "PNG", compress_level=1)
    webp = encoded_file(file.getvalue())
    assert len(webp) <= BYTES_MAX
    with Image.open(io.BytesIO(webp)) as image:
        assert max(image.size) == SIDE_MAX


def png_that_claims(width: int, height: int) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
@pytest.mark.parametrize("size", [(30_000, 30_000), (65_535, 65_535), (2**31 - 1, 2**31 - 1), (0, 0), (40_000_001, 1)])
def test_a_picture_that_claims_to_be_huge_costs_nothing(size: tuple[int, int]) -> None:
    assert encode_bytes(png_that_claims(*size)).image == ""


@pytest.mark.parametrize("size", [(1, 1), (63, 500), (500, 2)])
def test_a_counter_is_no_picture(size: tuple[int, int]) -> None:
    assert encode_bytes(encode_picture(size=size)).error_code == "image_size"


NO_PICTURES = {
    "SVG": b"<svg xmlns='http://www.w3.org/2000/svg' onload='ran(1)'/>",
    "SVG after a mark": b"\xef\xbb\xbf<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>",
    "HTML": b"<!doctype html>" + SCRIPT,
    "PDF": b"%PDF-1.7\n1 0 obj<</JS(ran(1))>>",
    "PostScript": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 100 100\n(ran) run",
    "BMP": encode_picture("BMP"),
    "TIFF": encode_picture("TIFF"),
    "ICO": encode_picture("ICO"),
    "nothing": b"",
    "only a name": b"\x89PNG\r\n\x1a\n",
}


@pytest.mark.parametrize("kind", NO_PICTURES)
def test_what_is_no_picture_of_a_known_kind_is_dropped(kind: str) -> None:
    assert encode_bytes(NO_PICTURES[kind]) == ImageReply(error_code="image_broken")


@pytest.mark.parametrize("data", ["not base64!", "====", "data:image/png;base64,AAAA", "é"])
def test_what_is_no_base64_is_dropped(data: str) -> None:
    assert encode(data).error_code == "image_broken"


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_a_damaged_picture_is_dropped_or_plain_and_never_an_error(kind: str) -> None:
    """Cut off anywhere, or with random bytes changed."""
    whole, chance = encode_picture(kind), random.Random(3)
    for length in range(0, len(whole), max(1, len(whole) // 40)):
        encode_bytes(whole[:length])
    for _ in range(150):
        damaged = bytearray(whole)
        for _ in range(chance.randint(1, 8)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        assert encode_bytes(bytes(damaged)).image == "" or encoded_file(bytes(damaged))


@pytest.mark.django_db
def test_a_picture_is_served_as_nothing_but_a_picture_and_only_to_the_owner(client: Client) -> None:
    Picture.objects.create(sha256="a" * 64, data=SCRIPT, width=1, height=1)
    address = f"/pictures/{'a' * 64}.webp"
    assert client.get(address).status_code == 302
    client.force_login(the_owner())
    answer = client.get(address)
    assert answer.headers["Content-Type"] == "image/webp"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Disposition"] == 'inline; filename="aaaaaaaaaaaa.webp"'
