"""A program with a token, and a model that sees."""

from collections.abc import Iterator

import httpx2
import openai
import pytest

from tests.agents.api.calls import make_token
from tests.agents.pages.seeing import SEEN, see
from tests.penny import MANY, Penny
from tests.stand_ins.model_server import ModelServer, text


@pytest.fixture(scope="module")
def token(_penny: Penny) -> str:
    """A token of the shared Penny, made on the page of programs."""
    _penny.set(API_CALLS_MINUTE=MANY)
    return make_token(_penny, "Editor")


@pytest.fixture
def api(penny: Penny, token: str) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{penny.url}/v1", api_key=token, max_retries=0) as client:
        yield client


@pytest.fixture
def http(penny: Penny, token: str) -> Iterator[httpx2.Client]:
    with httpx2.Client(
        base_url=penny.url, headers={"Authorization": f"Bearer {token}"}, trust_env=False, timeout=60
    ) as client:
        yield client


@pytest.fixture
def sight(model: ModelServer) -> ModelServer:
    """A model that sees, and a writer that repeats its description."""
    see(model)
    model.on(lambda request: "shows: " in request.last_user, text(SEEN))
    return model
