"""A Penny that has every optional setting at once: each of her pages opens."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.penny import Penny, run_penny, with_model
from tests.stand_ins import oidc_service
from tests.stand_ins.model_server import run_model_server

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
def penny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Penny]:
    with run_model_server() as model, oidc_service.run_oidc_service() as service:
        settings = with_model(model.url) | {
            "PENNY_READER_MODEL": "openai-compatible:reader",
            "PENNY_VISION_MODEL": "openai-compatible:eye",
            "PENNY_IMAGE_MODEL": "openai-compatible:brush",
            "PENNY_EMBEDDING_MODEL": "openai-compatible:vectors",
            "PENNY_TRANSCRIPTION_MODEL": "openai-compatible:ear",
            "PENNY_TRANSCRIPTION_URL": model.url,
            "PENNY_SIGNAL_URL": model.url,
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
