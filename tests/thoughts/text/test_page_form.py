"""The words of a page are found without the marks of its form, at their places in it."""

import pytest

from tests.cpu_time import check_growth
from thoughts.text.page_form import plain_view


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("A text, [with brackets] - and #signs > all.", "A text, [with brackets] - and #signs > all."),
        ("# Title\n\nText", "Title\n\nText"),
        ("- one\n  - two\n10. three", "one\ntwo\n10. three"),
        ("> quoted\n>\n> > twice", "quoted\n\ntwice"),
        ("See [the [first] report](l12) now.", "See the [first] report now."),
        ("Run `npm ci` and ` alone", "Run npm ci and ` alone"),
        ("[![A star]](l3) and ![4 of 5] here", " and  here"),
        ("95[^1] of them", "95 of them"),
        ("| Model | Price |\n|---|---|\n| A\\|B | 12 € |", "Model Price \n\nA|B 12 € "),
        ("```python\n- x = [1](l2)\n  # y\n```\n- end", "\n- x = [1](l2)\n  # y\n\nend"),
        ("````\n```\n# a\n````\n# b", "\n```\n# a\n\nb"),
        ("- 5 °C and -3", "5 °C and -3"),
        ("a ](l4) b [c](x) d [e](l", "a ](l4) b [c](x) d [e](l"),
    ],
)
def test_the_marks_of_the_form_are_no_words(form: str, words: str) -> None:
    assert plain_view(form).text == words


def test_a_span_of_the_words_is_one_of_the_form() -> None:
    form = "## Prices\n\nIt costs [12 €](l1) today."
    view = plain_view(form)
    start = view.text.index("costs")
    begin, end = view.span(start, start + len("costs 12 € today"))
    assert form[begin:end] == "costs [12 €](l1) today"


@pytest.mark.parametrize("piece", ["[", "](l1)", "![", "| ", "> ", "- ", "#", "```\n", "[^", "`", "\\|", "[a](l1) "])
def test_the_time_grows_with_the_length(piece: str) -> None:
    check_growth(plain_view, (piece * 50_000)[:50_000], (piece * 200_000)[:200_000], piece)
