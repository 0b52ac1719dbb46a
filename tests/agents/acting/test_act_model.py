"""PENNY_ACT_MODEL: the operator has a model of its own, all others keep theirs."""

import pytest
from django.test import override_settings

from agents.llm.providers import Endpoint
from agents.model_choice.in_use import models_in_use

MAIN, HANDS = (Endpoint("openai-compatible", name, "http://127.0.0.1:9/v1") for name in ("main", "hands"))


@pytest.mark.parametrize(("act", "expected"), [(HANDS, HANDS), (None, MAIN)])
def test_without_one_the_model_acts_itself(act: Endpoint | None, expected: Endpoint) -> None:
    with override_settings(MODEL=MAIN, READER_MODEL=MAIN, VISION_MODEL=None, ACT_MODEL=act):
        assert (models_in_use().act, models_in_use().main) == (expected, MAIN)
