"""Quotes are found in a page's Markdown-like form, whether the model copies its marks or not."""

import pytest

from agents.zones.quotes import find_span

PAGE = """# Lever machines

Built [since 1962](l1)[^1], they need:

- a [new gasket](l2)
- 9 bar

| Part | Price |
|---|---|
| Spring | 19.00 € |

```
def pull():
    return 9
```"""


@pytest.mark.parametrize(
    ("quote", "span"),
    [
        ("Built since 1962, they need:", "Built [since 1962](l1)[^1], they need:"),
        ("Built [since 1962](l1)[^1], they need:", "Built [since 1962](l1)[^1], they need:"),
        ("a new gasket", "a [new gasket](l2)"),
        ("- a new gasket\n- 9 bar", "a [new gasket](l2)\n- 9 bar"),
        ("Part Price Spring 19.00 €", "Part | Price |\n|---|---|\n| Spring | 19.00 €"),
        ("| Spring | 19.00 € |", "| Spring | 19.00 € |"),
        ("def pull(): return 9", "def pull():\n    return 9"),
        ("Lever machines", "Lever machines"),
    ],
)
def test_a_quote_is_found_in_the_form_of_the_page(quote: str, span: str) -> None:
    place = find_span(quote, PAGE)
    assert place is not None
    assert PAGE[place.start : place.end] == span


def test_the_number_of_a_link_is_no_word_of_the_page() -> None:
    assert find_span("since 1962 l1", PAGE) is None
