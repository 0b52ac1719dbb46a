"""A Penny that has every optional setting at once: each of her pages opens, and she draws."""

import base64
import re
from collections.abc import Iterator
from pathlib import Path

import httpx2
import openai
import pytest

from tests.agents.acting.conftest import MAY_ACT
from tests.agents.acting.shop import HOST, Shop
from tests.agents.acting.test_errands import DONE, ask_to_act, is_operator, script
from tests.agents.api.calls import complete, make_token
from tests.agents.pages.seeing import draw_picture
from tests.client import Client, allow
from tests.penny import Penny, run_penny, with_model
from tests.stand_ins import oidc_service
from tests.stand_ins.model_server import ModelServer, tool

pytestmark = pytest.mark.processes("its Penny has every optional setting")

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


def test_what_is_drawn_is_an_address_that_answers_to_the_token_of_who_asked(penny: Penny, model: ModelServer) -> None:
    model.draws = (
        200,
        {"created": 0, "data": [{"b64_json": base64.b64encode(draw_picture("PNG", (256, 256))).decode()}]},
    )
    tokens = [make_token(penny, label) for label in ("Editor", "Another")]
    with openai.OpenAI(base_url=f"{penny.url}/v1", api_key=tokens[0], max_retries=0) as api:
        whole = complete(api, "/draw a lighthouse").choices[0].message.content
        streamed = "".join(
            chunk.choices[0].delta.content or "" for chunk in complete(api, "/draw a lighthouse", stream=True)
        )
    addresses = re.findall(r"!\[A picture\]\((\S+)\)", whole + streamed)
    assert len(addresses) == 2
    assert addresses[0].startswith(f"{penny.url}/v1/pictures/")

    def fetched(address: str, token: str) -> httpx2.Response:
        return httpx2.get(address, headers={"Authorization": f"Bearer {token}"}, trust_env=False)

    for address in addresses:
        mine = fetched(address, tokens[0])
        assert (mine.status_code, mine.headers["Content-Type"], mine.content[8:12]) == (200, "image/webp", b"WEBP")
        assert [fetched(address, token).status_code for token in (tokens[1], "wrong")] == [404, 401]
    assert fetched(f"{penny.url}/v1/pictures/{'0' * 64}.webp", tokens[0]).status_code == 404
