"""What the frames of acting refuse: addresses of another site, endless texts, results that are half of each."""

from typing import Any
from uuid import uuid4

import pytest
from pydantic import TypeAdapter, ValidationError

from devices import protocol as p

ACTION: TypeAdapter[p.Action] = TypeAdapter(p.Action)
SHOWN = {"kinds": ["buy"], "certainty": "words", "host": "shop.example", "to": "", "button": "Pay", "digest": "a" * 64}
EFFECTS = {
    "has_navigated": False,
    "is_same_page": True,
    "has_opened_tab": False,
    "has_closed_tab": False,
    "is_nothing": True,
}


@pytest.mark.parametrize("path", ["/", "/cart", "/a?b=c#d", "/a//b"])
def test_a_path_is_of_this_site(path: str) -> None:
    assert ACTION.validate_python({"do": "go", "to": "path", "path": path})


@pytest.mark.parametrize("path", ["", "cart", "//evil.example", "/\\evil.example", "https://evil.example/", "/\x00"])
def test_no_path_leads_to_another_site(path: str) -> None:
    with pytest.raises(ValidationError):
        ACTION.validate_python({"do": "go", "to": "path", "path": path})


@pytest.mark.parametrize(
    "action",
    [
        {"do": "click", "ref": "0"},
        {"do": "click", "ref": "12; drop"},
        {"do": "click", "ref": "1", "count": 4},
        {"do": "set", "fields": []},
        {"do": "set", "fields": [{"ref": "1", "value": "x"}] * 21},
        {"do": "set", "fields": [{"ref": "1", "value": "x" * 20_001}]},
        {"do": "press", "keys": "Control+"},
        {"do": "press", "keys": "Enter", "times": 11},
        {"do": "wait", "until": "ms", "ms": 30_001},
        {"do": "script", "code": "1"},
    ],
)
def test_an_action_has_bounds(action: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ACTION.validate_python(action)


def test_an_act_was_done_or_needs_a_yes() -> None:
    common = {"act_id": uuid4(), "url": "https://shop.example/"}
    right: list[dict[str, Any]] = [{"state": "done", "effects": EFFECTS}, {"state": "needs_approval", "shown": SHOWN}]
    for fields in right:
        assert p.Acted.model_validate(common | fields)
    wrong: list[dict[str, Any]] = [
        {"state": "done"},
        {"state": "needs_approval"},
        {"state": "done", "effects": EFFECTS, "shown": SHOWN},
        {"state": "needs_approval", "effects": EFFECTS, "shown": SHOWN},
    ]
    for fields in wrong:
        with pytest.raises(ValidationError):
            p.Acted.model_validate(common | fields)
