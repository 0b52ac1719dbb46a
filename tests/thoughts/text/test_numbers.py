"""Numbers as people write them."""

from decimal import Decimal

import pytest

from thoughts.templatetags.numbers import written
from thoughts.text.money import read_money
from thoughts.text.numbers import money_text, size_text


@pytest.mark.parametrize(
    ("amount", "currency", "text"),
    [
        ("169.00", "EUR", "169 €"),
        ("1299.5", "EUR", "1,299.50 €"),
        ("0.0040", "EUR", "0.0040 €"),
        ("1299", "USD", "$1,299"),
        ("900", "CHF", "CHF 900"),
        ("12", "", "12"),
    ],
)
def test_money_is_written_as_people_write_it_and_read_back(amount: str, currency: str, text: str) -> None:
    assert money_text(Decimal(amount), currency) == text
    money = read_money(text)
    assert money is not None
    assert (money.amount, money.currency) == (Decimal(amount), currency)


def test_no_amount_is_no_words() -> None:
    assert money_text(None, "EUR") == ""


@pytest.mark.parametrize(
    ("size_bytes", "text"),
    [
        (0, "0 kB"),
        (812_400, "812 kB"),
        (999_600, "1 MB"),
        (73_563_000_000, "74 GB"),
        (4_210_000_000, "4.2 GB"),
        (1_953 * 10**9, "2.0 TB"),
    ],
)
def test_sizes_have_at_most_three_digits(size_bytes: int, text: str) -> None:
    assert size_text(size_bytes) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (True, "", "on"),
        (False, "", "off"),
        (2.40, "", "2.4"),
        (0.0, "", "0"),
        (73563, "", "73,563"),
        (-0.104, "share", "−10 %"),
        (0.004, "share", "+0.4 %"),
        (72_000_000_000, "bytes", "72 GB"),
        (Decimal(169), "EUR", "169 €"),
    ],
)
def test_one_filter_writes_each_kind_of_number(value: object, unit: str, text: str) -> None:
    assert written(value, unit) == text  # type: ignore[arg-type]
