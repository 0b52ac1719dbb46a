"""Markdown as people and models write it: what must stand in its HTML, and what must not."""

from __future__ import annotations

import re
import time

from tests.bench.reality.outcome import Outcome

SECONDS, GROWTH = 1.0, 60  # of CPU; characters of HTML for each of text
# Number, text in the owner's words, what the HTML holds, what it does not.
CASES = [
    ("B629", "**$1.50**", ["<strong>$1.50</strong>"], []),
    ("B630", "$2k is a lot, but $25-50k is more", ["$2k", "$25-50k"], ["<code>"]),
    ("B631", "$HOME, and $x = $y", ["$HOME", "$x = $y"], ["<code>"]),
    ("B634", "* **具体：**与其说", ["<strong>具体：</strong>与其说"], ["**"]),
    ("B635", "**強調（括弧付き）。**この文", ["<strong>強調（括弧付き）。</strong>この文"], ["**"]),
    ("B636", "**'강조'**는", ["<strong>'강조'</strong>는"], ["**"]),
    ("B637", "~~消す（これ）。~~この文", ["<s>消す（これ）。</s>"], ["~~"]),
    ("B640", "See https://a.example.com/x_(y)_z.", ['href="https://a.example.com/x_(y)_z"'], []),
    ("B641", "| a |\n|---|\n| `x\\|y` |", ["<td><code>x|y</code></td>"], []),
    ("B643", "<b onclick=x>raw</b>", ["&lt;b onclick=x&gt;raw"], ["<b"]),
    ("B644", "**👩‍👩‍👧‍👦** and שלום", ["<strong>👩‍👩‍👧‍👦</strong>", "שלום"], []),
    ("B645", "- [ ] open\n- [x] done", ["[ ] open", "[x] done"], []),
    ("B646", "A claim[^1].\n\n[^1]: The note.", ["[^1]", "The note."], ["<a"]),
    ("B647", "3. three\n4. four", ['<ol start="3">'], []),
    ("B648", "https://web.dev/articles/x", ['href="https://web.dev/articles/x"'], []),
    (
        "B649",
        "https://foo.app/x, https://my.blog/x, sub.example.shop",
        ['href="https://foo.app/x"', 'href="https://my.blog/x"', 'href="https://sub.example.shop"'],
        [],
    ),
    (
        "B651",
        "http://localhost:3000/x, 192.168.1.5:8123",
        ['href="http://localhost:3000/x"', 'href="http://192.168.1.5:8123"'],
        [],
    ),
    ("B652", "https://[::1]:8443/x", ['href="https://[::1]:8443/x"'], []),
    (
        "B653",
        "example.com/x and www.example.com",
        ['href="https://example.com/x"', 'href="https://www.example.com"'],
        [],
    ),
]
COSTLY = [
    ("B655", "|" + "a|" * 300 + "\n|" + "-|" * 300 + "\n" + "x|\n" * 300),
    ("B656", "|" + "a|" * 127 + "\n|" + "-|" * 127 + "\n" + "x|\n" * 6000),
    *(("B657", piece * (30_000 // len(piece))) for piece in ("[", "> ", "<!--", "**")),
]


def outcomes() -> list[Outcome]:
    from thoughts.rendering import render_safe

    results = []
    for number, text, in_it, not_in_it in CASES:
        html = re.sub(r'" (?:rel|target)="[^"]*"', '"', str(render_safe(text)))
        is_right = all(part in html for part in in_it) and not any(part in html for part in not_in_it)
        results.append(Outcome(number, "K18", is_right, html))
    for number, text in COSTLY:
        began = time.thread_time()
        size = len(render_safe(text))
        seconds = time.thread_time() - began
        is_right = seconds < SECONDS and size < GROWTH * len(text)
        results.append(Outcome(number, "K18", is_right, f"{seconds:.2f} s, {size} characters from {len(text)}"))
    return results
