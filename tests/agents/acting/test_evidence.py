"""An operator that says *done* is believed if the page shows it after the last act."""

import pytest

from agents.acting.calls import Done
from agents.acting.evidence import Sight, missing

BASKET = "# Your basket\n[4 Quiet keyboard] € 89.00 [6 button Remove]\n[9 button Order]"
AFTER = [Sight("# Keyboards\n[1 button Add]", 0, True), Sight("+ In your basket: 1", 1, False), Sight(BASKET, 1, True)]


def claim(*quotes: str, outcome: str = "done") -> Done:
    return Done.model_validate({"outcome": outcome, "summary": "It is in the basket.", "evidence": list(quotes)})


@pytest.mark.parametrize("quote", ["In your basket: 1", "in  your BASKET", "[4 Quiet keyboard] € 89.00", "Your basket"])
def test_a_quote_of_what_came_after_the_last_act_is_believed(quote: str) -> None:
    assert missing(claim(quote), AFTER, 1, has_unsent=False) == ""


@pytest.mark.parametrize("outcome", ["partial", "failed"])
def test_less_than_done_needs_no_evidence(outcome: str) -> None:
    assert missing(claim(outcome=outcome), [], 5, has_unsent=True) == ""


@pytest.mark.parametrize(
    ("quotes", "last_act", "word"),
    [
        ((), 1, "quote"),
        (("Your order was sent",), 1, "does not say"),
        (("Your basket", "Thank you"), 1, "does not say"),
        (("Keyboards",), 1, "does not say"),
        (("Your basket",), 2, "not looked"),
        (("   ",), 1, "does not say"),
        (("x" * 201,), 1, "does not say"),
    ],
)
def test_a_claim_without_evidence_is_told_what_it_lacks(quotes: tuple[str, ...], last_act: int, word: str) -> None:
    assert word in missing(claim(*quotes), AFTER, last_act, has_unsent=False)


def test_an_open_dialog_a_wrong_field_and_what_was_not_sent_are_no_end() -> None:
    modal = [Sight('! dialog "Choose a size": [31 button S]\n# Your basket', 1, True)]
    wrong = [Sight("# Your basket\n[7 textbox Coupon = SAVE10 required !Unknown code]", 1, True)]
    assert "dialog" in missing(claim("Your basket"), modal, 1, has_unsent=False)
    assert "wrong" in missing(claim("Your basket"), wrong, 1, has_unsent=False)
    assert "not sent" in missing(claim("Your basket"), AFTER, 1, has_unsent=True)
    fine = [Sight("# Sale! Now!\n[7 textbox Coupon = SAVE10]\nHurry !", 1, True)]
    assert missing(claim("Sale"), fine, 1, has_unsent=False) == ""
