"""A Penny that has every optional setting at once: each of her pages opens."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agents.acting.conftest import MAY_ACT
from tests.agents.acting.shop import HOST, Shop
from tests.agents.acting.test_errands import DONE, ask_to_act, is_operator, script
from tests.client import Client, allow
from tests.penny import Penny, run_penny, with_model
from tests.stand_ins import oidc_service
from tests.stand_ins.model_server import ModelServer, tool

PAGES = [
    "/",
    "/chat/",
    "/setup/",
    "/settings/signing-in/",
    "/permissions/programs/",
    "/settings/notifications/",
    "/activity/routine/",
    "/watches/",
]


@pytest.fixture(scope="module")
def penny(tmp_path_factory: pytest.TempPathFactory, _model: ModelServer) -> Iterator[Penny]:
    with oidc_service.run_oidc_service() as service:
        settings = with_model(_model.url) | {
            "PENNY_READER_MODEL": "openai-compatible:reader",
            "PENNY_VISION_MODEL": "openai-compatible:eye",
            "PENNY_ACT_MODEL": "openai-compatible:hands",
            "PENNY_IMAGE_MODEL": "openai-compatible:brush",
            "PENNY_EMBEDDING_MODEL": "openai-compatible:vectors",
            "PENNY_TRANSCRIPTION_MODEL": "openai-compatible:ear",
            "PENNY_TRANSCRIPTION_URL": _model.url,
            "PENNY_SIGNAL_URL": _model.url,
            "PENNY_SIGNAL_NUMBER": "+4915112345678",
            "PENNY_OIDC_URL": service.url,
            "PENNY_OIDC_CLIENT": oidc_service.CLIENT,
            "PENNY_OIDC_SECRET": oidc_service.SECRET,
            "PENNY_OIDC_NAME": "Home",
        }
        data: Path = tmp_path_factory.mktemp("optional")
        with run_penny(data, **settings) as penny:
            yield penny


@pytest.mark.parametrize("address", PAGES)
def test_each_page_opens_with_every_optional_setting(penny: Penny, address: str) -> None:
    assert penny.http.get(address).status_code == 200


def test_the_admin_and_each_of_its_lists_opens_with_every_optional_setting(penny: Penny) -> None:
    index = penny.http.get("/admin/")
    assert index.status_code == 200
    lists = set(re.findall(r'href="(/admin/[a-z]+/[a-z]+/)"', index.text))
    assert len(lists) > 20
    assert {address: penny.http.get(address).status_code for address in lists} == dict.fromkeys(lists, 200)
    assert "socialaccount" not in index.text


def test_the_operator_asks_its_own_model(penny: Penny, model: ModelServer) -> None:
    pairing = penny.pair("Desk")
    penny.manage("shell", "-v", "0", "-c", MAY_ACT)
    script(model, tool("click", ref=2), DONE)
    with Client(pairing, tools=Shop().tools, answers=allow("run")) as client:
        assert HOST in ask_to_act(client).origin
    assert "Penny acts on pages with hands." in penny.http.get("/settings/model/").text
    assert {request.body["model"] for request in model.requests if is_operator(request)} == {"hands"}
    assert "hands" not in {request.body.get("model") for request in model.requests if not is_operator(request)}
