"""Formulas pass through Markdown unchanged; prices are no formulas."""

import pytest

from tests.cpu_time import check_growth
from thoughts.rendering import escape_markdown, render_safe

FORMULAS = [
    (r"Energy is \(E=mc^2\).", r"<p>Energy is <code>\(E=mc^2\)</code>.</p>"),
    ("$a_1 * b_2 * c$ and *em*", r"<p><code>\(a_1 * b_2 * c\)</code> and <em>em</em></p>"),
    ("so $x$ holds", r"<p>so <code>\(x\)</code> holds</p>"),
    ("\\[\n\\sum_{i=1}^n i\n\\]", r"<pre><code>\[\sum_{i=1}^n i\]</code></pre>"),
    ("It is\n$$x^2 + y*z*2$$\nthen", "<p>It is</p>\n<pre><code>\\[x^2 + y*z*2\\]</code></pre>\n<p>then</p>"),
    ("- first $$x$$\n- second", "<ul>\n<li>first <code>\\[x\\]</code></li>\n<li>second</li>\n</ul>"),
    (r"\(a < b\)", r"<p><code>\(a &lt; b\)</code></p>"),
    (r"So \[ E = mc^2 \] holds.", r"<p>So <code>\[E = mc^2\]</code> holds.</p>"),
    (r"with \[a + b\], then", r"<p>with <code>\[a + b\]</code>, then</p>"),
    (r"by \[\frac{speed}{time}\]", r"<p>by <code>\[\frac{speed}{time}\]</code></p>"),
    ("so \\[\nx_1 = 2\n\\] holds", "<p>so <code>\\[x_1 = 2\\]</code> holds</p>"),
    ("H$_2$O", r"<p>H<code>\(_2\)</code>O</p>"),
    ("Fe$^{3+}$ and SO$_4^{2-}$x", r"<p>Fe<code>\(^{3+}\)</code> and SO<code>\(_4^{2-}\)</code>x</p>"),
    (r"5 $\mu$m", r"<p>5 <code>\(\mu\)</code>m</p>"),
]
BLOCKS = [
    ("> $$\n> x^2\n> $$", "<pre><code>\\[x^2\\]</code></pre>"),
    ("$$\nx\n$$ more", "<p>"),
    ("$$\nx\n\n$$", "<p>"),
    ("\\[\nx\n\\]", "<p>"),
    ("\\[\na_1 \\] b \\]", "<p>"),
]
# Texts in which an opening bracket is never closed, or closed at once.
WORST = [
    "$$a\n",
    "$$\n",
    "\\[a\n",
    "\\[a=b\n",
    "\\(a ",
    "$a ",
    "$$ ",
    "\\",
    "$",
    "> $$\n",
    "- \\[a\n",
    "$$a\\]\n",
    "\\[x^2 ",
    "\\[^",
    "$_2",
    "$_{a",
]
CHARACTERS = 32_000  # of a message
NONE = [
    "costs $5 and $10, or US$5 + A$7", "$5-$10", r"\\(no\\)", "$HOME and $PATH_X", "a $b", r"a \(b", "$$5",
    r"see \[1\] and \[note\]", r"\[the total = 4\] was right", r"\[x^2\](no)", "US$_ and US$_x", "$PATH$HOME$X",
]  # fmt: skip


@pytest.mark.parametrize(("text", "html"), FORMULAS)
def test_a_formula_is_kept_as_it_was_written(text: str, html: str) -> None:
    assert render_safe(text, []).strip() == html


@pytest.mark.parametrize("text", NONE)
def test_a_price_is_no_formula(text: str) -> None:
    assert "<code>" not in render_safe(text, [])


@pytest.mark.parametrize(
    "words", ["[Sources: x_1 = 2]", r"a \(b\) c", "from $x=1$ on", "$$x$$", r"\[a = b\]", "[x^2]", "[a + b]", "H$_2$O"]
)
def test_what_a_page_says_becomes_no_formula(words: str) -> None:
    assert "<code>" not in render_safe(f"- {escape_markdown(words)} and more", [])


def test_a_formula_lets_nothing_through_that_other_text_would_not() -> None:
    html = render_safe(
        r"\(<img src=x onerror=alert(1)> \href{javascript:alert(1)}{x}\) $<script>a_1</script>$ \[<b onclick=x>\]", []
    )
    assert "&lt;img" in html
    assert "&lt;script&gt;" in html
    assert not [tag for tag in ("<img", "<script", "<b ", "href=") if tag in html]


@pytest.mark.parametrize(("text", "part"), BLOCKS)
def test_a_formula_of_lines_ends_with_its_first_closing_bracket(text: str, part: str) -> None:
    html = render_safe(text, [])
    assert part in html
    assert ("<pre>" in html) == ("<pre>" in part)


@pytest.mark.parametrize("piece", WORST)
def test_the_longest_message_costs_no_more_than_its_length(piece: str) -> None:
    text = piece * (CHARACTERS // len(piece))
    check_growth(lambda part: render_safe(part, []), text[: CHARACTERS // 4], text, repr(piece))
