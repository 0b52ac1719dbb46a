"""Each failure that the contract names has words of its own: for the operator, or for the owner."""

from typing import get_args

import pytest

from agents.acting.end_texts import end_text
from agents.acting.loop import ENDS
from agents.acting.step_texts import refusal_text
from agents.runs.failure_texts import tool_failure
from devices.protocol.failures import ActCode, CallCode

OTHER = "of_no_contract"


@pytest.mark.parametrize("code", get_args(ActCode.__value__))
def test_an_act_that_failed_is_told_to_the_operator_or_ends_the_errand(code: str) -> None:
    assert refusal_text(code).removeprefix(code) != refusal_text(OTHER).removeprefix(OTHER) or code in ENDS


@pytest.mark.parametrize("code", get_args(CallCode.__value__))
def test_a_call_that_failed_is_told(code: str) -> None:
    sentences = [tool_failure(code, "it"), end_text(code, "it"), refusal_text(code).removeprefix(code)]
    others = [tool_failure(OTHER, "it"), end_text(OTHER, "it"), refusal_text(OTHER).removeprefix(OTHER)]
    others[1] = others[1].replace(OTHER.replace("_", " "), code.replace("_", " "))
    assert sentences != others
