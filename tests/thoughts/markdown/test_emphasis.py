"""Emphasis in scripts without spaces between words."""

import pytest

from thoughts.rendering import render_safe


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("* **具体：**与其说", "<strong>具体：</strong>与其说"),
        ("**重点（括弧付き）。**この文", "<strong>重点（括弧付き）。</strong>この文"),
        ("**'강조'**는", "<strong>'강조'</strong>는"),
        ("~~删除。~~这个", "<s>删除。</s>这个"),
        ("他说**“你好”**了", "他说<strong>“你好”</strong>了"),
        ("。**“你好”**。", "。<strong>“你好”</strong>。"),
        ("คำว่า**“ไทย”**ครับ", "คำว่า<strong>“ไทย”</strong>ครับ"),
        ("это*«слово»*м", "это<em>«слово»</em>м"),
        ("これは*「斜体」*です", "これは<em>「斜体」</em>です"),
        ("2*(a)*b", "2*(a)*b"),
        ("a**(b)**c", "a**(b)**c"),
        ("snake_(case)_name", "snake_(case)_name"),
        ("** 具体 **", "** 具体 **"),
    ],
)
def test_emphasis_needs_no_space_around_it(text: str, html: str) -> None:
    assert html in render_safe(text, [])
