"""The text of a page is shown in its form, with the quote marked, and never as markup of the page's own."""

import pytest

from tests.cpu_time import check_growth
from thoughts.rendering import render_page

FORM = """# Prices

See [the *first* <b>report</b>](l12) and [more](https://x.example/), `a|b` costs 5[^1].

1. one
2. [two](l9) three
   - nested

| A | B\\|C |
|---|---|
| 1 | 2 |

```python
# x = [a](l2)
```

> quoted ![4 of 5]"""


def marked(quote: str, form: str = FORM) -> str:
    start = form.index(quote)
    return str(render_page(form, start, start + len(quote)))


def test_the_form_is_shown_without_links_and_pictures() -> None:
    html = marked("nested")
    for part in (
        "<h4>Prices</h4>",
        "See the *first* &lt;b&gt;report&lt;/b&gt; and [more](https://x.example/), <code>a|b</code> costs 5[1].",
        "<li>two three",
        '<li><mark id="quote">nested</mark></li>',
        "<th>B|C</th>",
        "<pre><code># x = [a](l2)\n</code></pre>",
        "<p>quoted [4 of 5]</p>",
    ):
        assert part in html
    assert "<a" not in html
    assert "<b>" not in html
    assert "<img" not in html


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("[two](l9) three", '<li><mark id="quote">two</mark><mark> three</mark>'),
        ("2. [two](l9)", '<li><mark id="quote">two</mark> three'),
        ("1 | 2", '<td><mark id="quote">1 </mark></td>\n<td><mark>2</mark></td>'),
        ("x = [a]", '<pre><code># <mark id="quote">x = [a]</mark>(l2)'),
        ("`a|b` costs", '<code><mark id="quote">a|b</mark></code><mark> costs</mark> 5'),
        ("# Prices", '<h4><mark id="quote">Prices</mark></h4>'),
    ],
)
def test_a_quote_is_marked_within_what_it_is_a_part_of(quote: str, expected: str) -> None:
    assert expected in marked(quote)


def test_a_text_file_and_one_with_too_many_marks_are_shown_as_written() -> None:
    text = "# a <b>\n> b"
    assert render_page(text, 2, 3, as_written=True) == '<pre># <mark id="quote">a</mark> &lt;b&gt;\n&gt; b</pre>'
    many = "| " * 13_000
    assert str(render_page(many, 0, 1)).startswith('<pre><mark id="quote">|</mark> | |')


def test_a_page_forges_no_mark() -> None:
    assert str(render_page("\ue000a\ue001 b", 4, 5)) == '<p>a  <mark id="quote">b</mark></p>\n'


@pytest.mark.parametrize("piece", ["[a](l1) ", "| a ", "> ", "- ", "`a` ", "1. a\n", "# a\n", "![a] ", "```\n"])
def test_the_time_grows_with_the_length(piece: str) -> None:
    check_growth(
        lambda form: render_page(form, 0, len(form)), (piece * 12_500)[:12_500], (piece * 50_000)[:50_000], piece
    )
