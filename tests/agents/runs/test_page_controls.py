"""Controls of a snapshot are told apart from what they hold and what they say of themselves."""

import pytest

from agents.runs.page_controls import control_name, controls_in, is_secret, role_and_name


@pytest.mark.parametrize(
    ("control", "words", "name", "secret"),
    [
        ("textbox Coupon = SAVE10 required !Unknown code >", "textbox Coupon", "Coupon", False),
        ("button Add to basket", "button Add to basket", "Add to basket", False),
        ("Quiet keyboard", "Quiet keyboard", "Quiet keyboard", False),
        ("textbox Password secret = •••• required", "textbox Password", "Password", True),
        ("textbox PIN secret", "textbox PIN", "PIN", True),
        ("textbox Code secret required >", "textbox Code", "Code", True),
        ("textbox Note = my secret", "textbox Note", "Note", False),
        ("checkbox Gift wrap ✓", "checkbox Gift wrap", "Gift wrap", False),
        ("select Country = Germany (Austria | Belgium | +10)", "select Country", "Country", False),
        ("button Details +", "button Details", "Details", False),
        ("button", "button", "", False),
    ],
)
def test_a_control_has_a_name_and_is_secret_or_not(control: str, words: str, name: str, secret: bool) -> None:
    assert (role_and_name(control), control_name(control), is_secret(control)) == (words, name, secret)


def test_the_newest_text_says_what_a_control_is() -> None:
    assert controls_in(["# Page\n[1 Home] and [2 textbox Name]", None, "~ [2 textbox Name = Ada]"]) == {
        "1": "Home",
        "2": "textbox Name = Ada",
    }
