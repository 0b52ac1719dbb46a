"""Write small PDF files by hand."""

import textwrap
from collections.abc import Iterable, Mapping, Sequence

WIDTH, HEIGHT, SIZE, LEADING, MARGIN = 612, 792, 12, 15, 72
LINE = 76  # characters; fits the page in Helvetica at 12 points
PICTURE = b"q 400 0 0 300 72 400 cm /I Do Q"  # a scanned page: a picture without text


def show(text: str, x: float, y: float, size: float = SIZE) -> bytes:
    """Return the operators for a line of text, in points from the lower left corner."""
    escaped = text.translate({ord(letter): f"\\{letter}" for letter in "\\()"})
    return f"BT /F {size} Tf 1 0 0 1 {x} {y} Tm ({escaped}) Tj ET\n".encode("cp1252")


def article_pages(title: str, paragraphs: Sequence[str], lines_on_page: int = 40) -> list[bytes]:
    """Return pages with a large title and wrapped paragraphs, separated by empty lines."""
    rows = [
        (title, 20),
        *(
            row
            for paragraph in paragraphs
            for row in (("", SIZE), *((line, SIZE) for line in textwrap.wrap(paragraph, LINE)))
        ),
    ]
    pages = [rows[start : start + lines_on_page] for start in range(0, len(rows), lines_on_page)]
    top = HEIGHT - MARGIN
    return [
        b"".join(show(text, MARGIN, top - at * LEADING, size) for at, (text, size) in enumerate(page) if text)
        for page in pages
    ]


def pdf(
    pages: Iterable[bytes],
    title: str = "",
    font: str = "",
    is_locked: bool = False,
    forms: Mapping[str, bytes] | None = None,
) -> bytes:
    """Return a file with these pages.

    `font`: a dictionary in the place of Helvetica's. A locked file asks for a password that nobody has.
    """
    contents = [*pages]
    kids = " ".join(f"{10 + 2 * at} 0 R" for at in range(len(contents)))
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: f"<< /Type /Pages /Kids [{kids}] /Count {len(contents)} >>".encode(),
        3: (font or "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>").encode(),
        4: f"<< /Title ({title}) >>".encode() if title else b"<< >>",
        5: b"<< /Filter /Standard /V 1 /R 2 /P -4 /O <%b> /U <%b> >>" % (b"5a" * 32, b"a5" * 32),
        6: _stream(
            b"<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8", b"\x80"
        ),
    }
    first = 10 + 2 * len(contents)
    form_names = "".join(f" /{name} {first + at} 0 R" for at, name in enumerate(forms or {}))
    resources = f"/Font << /F 3 0 R >> /XObject << /I 6 0 R{form_names} >>"
    for at, content in enumerate((forms or {}).values(), first):
        form = f"<< /Type /XObject /Subtype /Form /BBox [0 0 {WIDTH} {HEIGHT}] /Resources << {resources} >>"
        objects[at] = _stream(form.encode(), content)
    for at, content in enumerate(contents):
        box = f"[0 0 {WIDTH} {HEIGHT}]"
        head = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Resources << {resources} >> /Contents {11 + 2 * at} 0 R >>"
        )
        objects[10 + 2 * at] = head.encode()
        objects[11 + 2 * at] = _stream(b"<<", content)
    lock = "/Encrypt 5 0 R /ID [<0011> <0011>] " if is_locked else ""
    return _assemble(objects, f"/Root 1 0 R /Info 4 0 R {lock}")


def _stream(head: bytes, data: bytes) -> bytes:
    return head + b" /Length %d >>\nstream\n%b\nendstream" % (len(data), data)


def _assemble(objects: dict[int, bytes], trailer: str) -> bytes:
    body_bytes, places = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", {}
    for number, body in objects.items():
        places[number] = len(body_bytes)
        body_bytes += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = "".join(f"{number} 1\n{place:010d} 00000 n \n" for number, place in places.items())
    end = (
        f"xref\n0 1\n0000000000 65535 f \n{table}trailer\n<< /Size {max(objects) + 1} "
        f"{trailer}>>\nstartxref\n{len(body_bytes)}\n%%EOF\n"
    )
    return body_bytes + end.encode()


def endless() -> bytes:
    """Return a small file that repeats a word ten billion times, by nested forms."""
    forms = {f"X{depth}": b"/X%d Do " % (depth + 1) * 10 for depth in range(10)} | {"X10": show("again", 72, 700)}
    return pdf([b"/X0 Do"], forms=forms)


# The characters of this font are in a table of Adobe's that readers of PDFs must bring with them.
JAPANESE = (
    "<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light /Encoding /UniJIS-UCS2-H /DescendantFonts"
    " [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light /DW 1000"
    " /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >>"
    " /FontDescriptor << /Type /FontDescriptor /FontName /Ryumin-Light /Flags 4 /FontBBox [0 0 1000 "
    "1000] /ItalicAngle 0"
    " /Ascent 800 /Descent -200 /CapHeight 800 /StemV 80 >> >>] >>"
)


def japanese(text: str) -> bytes:
    return pdf([f"BT /F 12 Tf 72 700 Td <{text.encode('utf-16-be').hex()}> Tj ET".encode()], font=JAPANESE)
