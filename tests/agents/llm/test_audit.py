"""The model's server receives exactly the requests that are recorded."""

import pytest
from constance.utils import get_values

from agents.llm import audit, client, connection, messages
from agents.llm.providers import Endpoint
from agents.models import Run, Step
from agents.runs.ask_model import ask_recorded
from agents.runs.context import Context
from agents.runs.handles import Handles
from agents.zones.inputs import Private, Untrusted
from agents.zones.reader import reader_request
from devices.db import in_db
from tests.agents.background import SOME_MODELS
from tests.stand_ins.model_server import ModelServer, Reply, Request

ASKED = reader_request(Untrusted("A page.", frozenset({"a.example"})), Private("What?"))


def requests_to(model: ModelServer, name: str) -> list[Request]:
    """Return the requests to model `name`. A running Penny may send others to the same server."""
    return [request for request in model.requests if request.body["model"] == name]


async def test_a_request_is_recorded_before_it_leaves_and_again_when_it_is_tried_again(model: ModelServer) -> None:
    records: list[tuple[audit.SentRequest, int]] = []

    async def record(sent_request: audit.SentRequest) -> None:
        records.append((sent_request, len(requests_to(model, "tried-again"))))

    model.on(lambda r: r.format == "json_schema", Reply(status=400))
    await client.ask(_endpoint(model, "tried-again"), ASKED, record)
    assert [(sent_request.sha256, before) for sent_request, before in records] == [
        (request.sha256, n) for n, request in enumerate(requests_to(model, "tried-again"))
    ]
    assert len(records) == 2
    assert records[0][0].labels == ("a.example", "owner")


async def test_a_request_that_cannot_be_recorded_does_not_leave(model: ModelServer) -> None:
    async def record(_: audit.SentRequest) -> None:
        raise OSError("the disk is full")

    with pytest.raises(messages.ModelFailed):
        await client.ask(_endpoint(model, "unrecorded"), ASKED, record)
    assert requests_to(model, "unrecorded") == []


async def test_nobody_can_ask_past_the_audit(model: ModelServer) -> None:
    with pytest.raises(messages.ModelFailed):
        await client._stream(_endpoint(model, "past"), ASKED, None, "schema", 5, 1000, frozenset())
    assert requests_to(model, "past") == []


async def test_without_the_audit_the_same_request_would_leave(
    model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(_: object) -> None:
        pass

    monkeypatch.setattr(connection, "record_before_sending", nothing)
    await client._stream(_endpoint(model, "open"), ASKED, None, "schema", 5, 1000, frozenset())
    assert requests_to(model, "open") != []


def _endpoint(model: ModelServer, name: str) -> Endpoint:
    """Return an endpoint that no other test uses: clients are cached for the process."""
    return Endpoint("openai-compatible", name, model.url)


@pytest.mark.django_db(transaction=True)
async def test_the_step_of_a_request_that_failed_keeps_what_was_sent(model: ModelServer) -> None:
    model.on(lambda _: True, Reply(status=500))
    run = await Run.objects.acreate(kind="thinking")
    context = Context(
        run, "thinking", Handles([]), "What?", SOME_MODELS, await in_db(get_values)(), _ignore_text, lambda: None
    )
    with pytest.raises(messages.ModelFailed):
        await ask_recorded(context, _endpoint(model, "failing"), ASKED)
    step = await Step.objects.aget(run=run)
    assert (step.state, step.zone, step.origin, step.error_code) == (
        "failed",
        "reader",
        ["a.example", "owner"],
        "model_failed",
    )
    assert [record["sha256"] for record in step.request["sent"]] == [
        request.sha256 for request in requests_to(model, "failing")
    ]
    assert step.request["turns"] == [{"role": "user", "text": "Question: What?\n\nText:\nA page."}]


async def _ignore_text(_: str) -> None:
    pass
