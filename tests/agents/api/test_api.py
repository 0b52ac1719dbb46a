"""Other programs talk to Penny as they talk to OpenAI: the `openai` package drives her, a token lets it in, revoking it
ends that.
"""

import asyncio
import base64
import errno
import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import httpx2
import openai
import pytest
import schemathesis
from constance import config
from django.http import HttpResponse, JsonResponse
from django.test import Client as Browser
from django.test import RequestFactory
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import positive_data_acceptance

from agents.api import completions
from agents.api.following import Increments
from agents.api.openapi import description
from agents.api.schemas import ErrorBody
from devices.access.api_tokens import new_token
from devices.access.revoke import revoke
from devices.models import Device, Message
from devices.models.sign_in import ApiToken
from penny_site.middleware import DiskFull
from tests.agents.pages.seeing import SEEN, drawn, looked_at, see
from tests.client import Client, allow, browser, page
from tests.penny import MANY, Penny, with_model
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_server import ModelServer, Reply, ToolUse, text

URL = "https://coffee.example/water"


@pytest.fixture(scope="module")
def token(_penny: Penny) -> str:
    """A token of the shared Penny, made on the page where the owner makes them."""
    _penny.set_form(API_CALLS_MINUTE=MANY)
    return _token(_penny, "Editor")


def _token(penny: Penny, label: str) -> str:
    found = re.search(r'data-copy="(penny-[\w-]+)"', penny.post("/programs/", label=label).text)
    assert found is not None
    return found[1]


def _revoking(penny: Penny, label: str) -> str:
    """Return the address at which the token of a program is revoked."""
    listed = penny.http.get("/programs/").text.partition(label)[2]
    found = re.search(r'action="(/programs/\d+/revoke/)"', listed)
    assert found is not None
    return found[1]


@pytest.fixture
def api(penny: Penny, token: str) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{penny.url}/v1", api_key=token, max_retries=0) as client:
        yield client


def ask(api: openai.OpenAI, words: str, **more: Any) -> Any:
    return api.chat.completions.create(model="penny", messages=[{"role": "user", "content": words}], **more)


def call(api: openai.OpenAI, **body: Any) -> Any:
    create: Any = api.chat.completions.create
    return create(model="penny", **body)


def asked_about(*urls: str) -> dict[str, Any]:
    return {
        "messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}} for url in urls]}]
    }


@pytest.fixture
def sight(model: ModelServer) -> ModelServer:
    """A model that sees, and a writer that says what it is handed of that."""
    see(model)
    model.on(lambda request: "shows: " in request.last_user, text(SEEN))
    return model


def as_address(picture: bytes, kind: str = "jpeg") -> str:
    return f"data:image/{kind};base64,{base64.b64encode(picture).decode()}"


# As a program sees it
# ---------------------------------------------------------------------------------------------------------


def test_a_program_gets_the_whole_answer(api: openai.OpenAI) -> None:
    found = ask(api, "Say a word about rain", temperature=0.2)
    assert found.choices[0].message.content.startswith("You said: Say a word about rain")
    assert (found.object, found.model, found.choices[0].finish_reason) == ("chat.completion", "penny", "stop")
    assert found.usage.total_tokens > 0
    assert found.id.startswith("chatcmpl-")


def test_an_answer_is_streamed_as_it_is_written(api: openai.OpenAI, model: ModelServer) -> None:
    model.on(lambda _: True, text("One two three four five six seven.", every_s=0.03))
    chunks = list(ask(api, "Count", stream=True, stream_options={"include_usage": True}))
    pieces = [chunk.choices[0].delta.content for chunk in chunks if chunk.choices and chunk.choices[0].delta.content]
    assert "".join(pieces) == "One two three four five six seven."
    assert len(pieces) > 2
    assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "stop"
    assert chunks[-1].usage.total_tokens > 0


def test_a_program_that_is_revoked_while_an_answer_is_written_hears_no_more_of_it(
    penny: Penny, model: ModelServer
) -> None:
    model.on(lambda _: True, text(" ".join(map(str, range(200))), every_s=0.05))
    with openai.OpenAI(base_url=f"{penny.url}/v1", api_key=_token(penny, "Short-lived"), max_retries=0) as program:
        heard = ask(program, "Count", stream=True)
        said = [next(heard) for _ in range(3)]
        penny.post(_revoking(penny, "Short-lived"))
        with pytest.raises(openai.APIError, match="revoked"):
            said.extend(heard)
    assert "199" not in "".join(chunk.choices[0].delta.content or "" for chunk in said)


@pytest.mark.parametrize("is_streamed", [False, True])
def test_what_waits_for_a_yes_is_part_of_the_answer(api: openai.OpenAI, model: ModelServer, is_streamed: bool) -> None:
    asked = {"when": "every weekday at 8", "what": "find news"}
    model.on(
        lambda request: bool(request.tools) and not request.tool_results, Reply(tools=(ToolUse("schedule", asked),))
    )
    model.on(lambda request: bool(request.tool_results), text("Done."))
    found = ask(api, "Every weekday at eight, find news", stream=is_streamed)
    said = (
        "".join(each.choices[0].delta.content or "" for each in found)
        if is_streamed
        else found.choices[0].message.content
    )
    assert said.startswith("Done.\n\nI would do this Monday to Friday at 08:00")
    assert "Answer **yes**" in said


def test_what_came_from_a_page_is_said_with_its_source(penny: Penny, api: openai.OpenAI) -> None:
    penny.admin_action("devices/grant", "delete_selected")
    with penny.client("Fake browser", tools=browser({URL: page(URL, WATER.title, WATER.text)}), answers=allow("once")):
        whole = ask(api, f"How is espresso brewed? {URL}").choices[0].message.content
    with penny.client("Fake browser", tools=browser({URL: page(URL, WATER.title, WATER.text)}), answers=allow("once")):
        chunks = list(ask(api, f"How is espresso brewed? {URL}", stream=True))
    streamed = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    assert WATER.paragraphs[0] in whole
    assert WATER.paragraphs[0] in streamed
    assert f"]({URL})" in whole
    assert f"]({URL})" in streamed
    assert "[p1" not in streamed


def test_the_owner_sees_in_the_conversation_what_a_program_asked(penny: Penny, api: openai.OpenAI) -> None:
    words = f"From a program {uuid4()}"
    ask(api, words)
    with penny.client("Desk") as client:
        assert [m.device_label for m in _messages(client) if m.text == words] == ["Editor"]


def _messages(client: Client) -> list[Any]:
    from devices import protocol

    client.ask("Hello")
    return [frame.message for frame in client.seen(protocol.MessageNew)]


def test_what_a_client_writes_out_though_it_does_not_ask_for_it_is_no_hindrance(api: openai.OpenAI) -> None:
    asked: Any = {
        "logprobs": False,
        "tools": [],
        "tool_choice": "none",
        "modalities": ["text"],
        "temperature": 0.7,
        "stop": ["x"],
    }
    found = api.chat.completions.create(model="penny", messages=[{"role": "user", "content": "Hello"}], **asked)
    assert found.choices[0].message.content


@pytest.mark.parametrize("not_streamed", [None, False])
def test_a_client_may_leave_open_whether_it_wants_a_stream(api: openai.OpenAI, not_streamed: bool | None) -> None:
    found = call(
        api,
        messages=[{"role": "user", "content": "/help stop"}],
        stream=not_streamed,
        stream_options={"include_usage": None},
    )
    assert found.choices[0].message.content.startswith("`/stop`")


def test_what_was_said_with_another_model_before_hinders_no_question(api: openai.OpenAI) -> None:
    before = [
        *asked_about("https://coffee.example/a.png")["messages"],
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]},
        {"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "", "format": "mp3"}}]},
    ]
    found = call(api, messages=[*before, {"role": "user", "content": "/help stop"}])
    assert found.choices[0].message.content.startswith("`/stop`")


def test_commands_work_here_too(api: openai.OpenAI) -> None:
    assert "`/stop`" in ask(api, "/help").choices[0].message.content
    assert "".join(chunk.choices[0].delta.content or "" for chunk in ask(api, "/help stop", stream=True)).startswith(
        "`/stop`"
    )


def test_what_is_sent_again_with_its_key_is_asked_once(api: openai.OpenAI, model: ModelServer) -> None:
    first, again = (ask(api, "Once", extra_headers={"Idempotency-Key": "same"}) for _ in range(2))
    assert first.id == again.id
    assert first.choices == again.choices
    assert len(model.requests) == 1


def test_a_key_that_came_with_another_question_is_refused(api: openai.OpenAI, model: ModelServer) -> None:
    assert "422" in description()["paths"]["/v1/chat/completions"]["post"]["responses"]
    ask(api, "One question", extra_headers={"Idempotency-Key": "reused"})
    with pytest.raises(openai.UnprocessableEntityError) as refused:
        ask(api, "Another question", extra_headers={"Idempotency-Key": "reused"})
    assert refused.value.code == "idempotency_key_reused"
    assert len(model.requests) == 1


def test_a_full_disk_is_an_error_of_the_shape_that_is_promised() -> None:
    refuse = DiskFull(lambda request: HttpResponse())
    answer = refuse.process_exception(
        RequestFactory().post("/v1/chat/completions"), OSError(errno.ENOSPC, "No space left on device")
    )
    assert isinstance(answer, JsonResponse)
    assert (answer.status_code, ErrorBody.model_validate_json(answer.content).error.code) == (507, "disk_full")


def test_a_model_that_fails_is_an_error_and_no_answer(api: openai.OpenAI, model: ModelServer) -> None:
    model.on(lambda _: True, Reply(status=401), times=10)
    with pytest.raises(openai.InternalServerError) as failed:
        ask(api, "Hello")
    assert failed.value.code == "model_key_refused"
    with pytest.raises(openai.APIError, match="key"):
        list(ask(api, "Hello", stream=True))


@pytest.mark.parametrize("is_streamed", [False, True])
def test_a_picture_is_looked_at_by_the_model_that_sees(
    api: openai.OpenAI, sight: ModelServer, is_streamed: bool
) -> None:
    parts = [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": as_address(drawn()), "detail": "low"}},
    ]
    found = call(api, messages=[{"role": "user", "content": parts}], stream=is_streamed)
    said = (
        "".join(chunk.choices[0].delta.content or "" for chunk in found)
        if is_streamed
        else found.choices[0].message.content
    )
    assert SEEN in said
    assert not any(
        request.tools for request in sight.requests
    )  # whatever it shows, nobody who may call something hears of it
    assert any(looked_at(request) and "What is this?" in request.everything for request in sight.requests)


def test_a_picture_alone_is_a_question_and_the_same_key_with_another_is_refused(
    api: openai.OpenAI, sight: ModelServer
) -> None:
    keyed = {"extra_headers": {"Idempotency-Key": str(uuid4())}}
    for _ in range(2):
        assert SEEN in call(api, **asked_about(as_address(drawn())), **keyed).choices[0].message.content
    assert len([request for request in sight.requests if looked_at(request)]) == 1
    with pytest.raises(openai.UnprocessableEntityError):
        call(api, **asked_about(as_address(drawn(size=(90, 90)))), **keyed)


def test_a_large_picture_is_taken_and_what_is_far_too_large_is_refused(
    penny: Penny, api: openai.OpenAI, token: str, sight: ModelServer
) -> None:
    large = drawn("PNG") + bytes(2 * 1024 * 1024)  # behind the picture: what nobody looks at
    assert SEEN in call(api, **asked_about(as_address(large, "png"))).choices[0].message.content
    body, headers = (
        b'{"messages": [' + b" " * completions.BODY_BYTES,
        {"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    answer = httpx2.post(f"{penny.url}/v1/chat/completions", content=body, headers=headers, trust_env=False)
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


async def _turns_of_the_loop(body: bytes) -> int:
    """Return how often others came to run on the loop while a call was taken apart."""
    count = 0

    async def others() -> None:
        nonlocal count
        while True:
            await asyncio.sleep(0)
            count += 1

    running = asyncio.create_task(others())
    asked = await completions.asked_in(
        RequestFactory().post("/v1/chat/completions", body, content_type="application/json")
    )
    running.cancel()
    assert asked.question == "What is this?"
    return count


async def test_a_large_call_is_taken_apart_beside_the_loop_and_a_small_one_at_once() -> None:
    def body(size: int) -> bytes:
        parts = [
            {"type": "text", "text": "What is this?"},
            {"type": "image_url", "image_url": {"url": as_address(bytes(size))}},
        ]
        return json.dumps({"messages": [{"role": "user", "content": parts}]}).encode()

    assert await _turns_of_the_loop(body(1000)) == 0
    assert await _turns_of_the_loop(body(15 * 1024 * 1024)) > 0


def test_what_is_drawn_is_an_address_that_answers_to_the_token_of_who_asked(
    start_penny: Callable[..., Penny], model: ModelServer
) -> None:
    model.draws = (200, {"created": 0, "data": [{"b64_json": base64.b64encode(drawn("PNG", (256, 256))).decode()}]})
    penny = start_penny(
        **with_model(model.url) | {"PENNY_VISION_MODEL": ""}, PENNY_IMAGE_MODEL="openai-compatible:brush"
    )
    tokens = [_token(penny, label) for label in ("Editor", "Another")]
    with openai.OpenAI(base_url=f"{penny.url}/v1", api_key=tokens[0], max_retries=0) as api:
        whole = ask(api, "/draw a lighthouse").choices[0].message.content
        streamed = "".join(
            chunk.choices[0].delta.content or "" for chunk in ask(api, "/draw a lighthouse", stream=True)
        )
        with pytest.raises(openai.BadRequestError, match="no model that sees is set"):
            call(api, **asked_about(as_address(drawn())))
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


def test_the_model_is_listed_and_no_other_is_there(api: openai.OpenAI) -> None:
    assert [each.id for each in api.models.list()] == ["penny"]
    assert api.models.retrieve("penny").owned_by == "penny"
    with pytest.raises(openai.NotFoundError):
        api.models.retrieve("gpt-4")
    with pytest.raises(openai.NotFoundError):
        api.chat.completions.create(model="gpt-4", messages=[{"role": "user", "content": "x"}])


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "assistant", "content": "x"}]}, "no message of the user"),
        ({"messages": [{"role": "user", "content": "x"}], "n": 2}, "n:"),
        ({"messages": [{"role": "user", "content": "x"}], "tools": [{"type": "function"}]}, "does not take tools"),
        (asked_about("data:"), "send it along"),
        (asked_about("https://coffee.example/a.png"), "Penny fetches no picture for a program"),
        (asked_about("data:image/png;base64,QUJD"), "is no picture that Penny can look at"),
        (asked_about("data:image/png;base64,QUJ"), "is no base64"),
        (asked_about(*["data:image/png;base64,QUJD"] * 9), "more than 8 pictures"),
        (
            {
                "messages": [
                    {"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "", "format": "mp3"}}]}
                ]
            },
            "no input_audio",
        ),
        ({"messages": [{"role": "user", "content": "x" * 32_001}]}, "text"),
    ],
)
def test_what_penny_does_not_do_is_refused_by_name(penny: Penny, token: str, body: dict[str, Any], said: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    answer = httpx2.post(
        f"{penny.url}/v1/chat/completions", json={"model": "penny"} | body, headers=headers, trust_env=False
    )
    assert answer.status_code == 400
    assert said in answer.json()["error"]["message"]


def test_the_description_holds_for_whatever_is_sent(penny: Penny, token: str) -> None:
    """schemathesis makes calls of the description, good ones and bad ones, and checks each answer against it.

    That the last message is the user's no schema says, and that she could not answer (502) is described too.
    """
    described = httpx2.get(f"{penny.url}/api/docs", trust_env=False)
    schema = schemathesis.openapi.from_dict(described.json())
    schema.config.update(base_url=penny.url)
    made = 0
    for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):
        for found in schema.get_all_operations():
            assert isinstance(found, Ok)
            operation = found.ok()

            @given(case=operation.as_strategy(generation_mode=mode))
            @settings(
                max_examples=5, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
            )
            def check(case: Any) -> None:
                nonlocal made
                made += 1
                answer = case.call(headers={"Authorization": f"Bearer {token}"}, timeout=30)
                case.validate_response(answer, excluded_checks=[positive_data_acceptance, not_a_server_error])

            check()
    assert made > 15


# The door
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("redis")
class TestTheDoor:
    def asked(self, token: str = "") -> completions.Refused | Device:
        try:
            return completions.admit(RequestFactory().get("/v1/models", headers={"Authorization": f"Bearer {token}"}))
        except completions.Refused as refused:
            return refused

    def status(self, token: str = "") -> int:
        found = self.asked(token)
        return found.status if isinstance(found, completions.Refused) else 200

    def test_there_is_no_api_before_there_is_a_token(self, client: Browser) -> None:
        assert self.status() == 404
        assert client.get("/api/docs").status_code == 404
        assert client.get("/v1/models").status_code == 404

    def test_a_token_opens_it_and_revoking_closes_it(self) -> None:
        made, token = new_token("Editor")
        assert self.status(token) == 200
        assert [self.status(wrong) for wrong in ("", "x", token[:-1], made.digest)] == [401] * 4
        revoke(made.device)
        assert self.status(token) == 404

    def test_one_that_was_revoked_does_not_stay_open_because_another_is_good(self) -> None:
        (made, token), _ = new_token("Editor"), new_token("Phone")
        revoke(made.device)
        assert self.status(token) == 401

    def test_a_token_is_stored_nowhere(self) -> None:
        made, token = new_token("Editor")
        assert token not in str(ApiToken.objects.values()) + str(Device.objects.values())
        assert made.device.tool_use is False

    def test_each_program_makes_so_many_calls_in_a_minute(self) -> None:
        config.API_CALLS_MINUTE = 3
        (_, token), (_, other) = new_token("Editor"), new_token("Phone")
        assert [self.status(token) for _ in range(5)] == [200, 200, 200, 429, 429]
        assert self.status(other) == 200

    def test_a_session_of_the_owners_opens_nothing(self, owner_client: Browser) -> None:
        new_token("Editor")
        assert (
            owner_client.post("/v1/chat/completions", {"messages": []}, content_type="application/json").status_code
            == 401
        )
        assert not Message.objects.exists()

    def test_what_a_program_may_call_is_described_for_people_too(self, owner_client: Browser) -> None:
        html = owner_client.get("/api/docs", headers={"Accept": "text/html"}).content.decode()
        assert "POST /v1/chat/completions" in html
        assert "<code>messages</code>" in html
        assert "curl http" in html
        assert owner_client.get("/api/docs?form=json", headers={"Accept": "text/html"}).json() == description()
        assert description()["paths"].keys() == {
            "/v1/chat/completions",
            "/v1/pictures/{name}.webp",
            "/v1/models",
            "/v1/models/{name}",
        }

    def test_the_page_shows_a_token_once_and_revokes_it(self, owner_client: Browser) -> None:
        assert "No program may talk to Penny" in owner_client.get("/programs/").content.decode()
        assert owner_client.post("/programs/", {"label": "Editor"}).headers["Location"] == "/programs/"
        owner_client.head("/programs/")
        shown = owner_client.get("/programs/")
        found = re.search(r'data-copy="(penny-[\w-]+)"', shown.content.decode())
        assert found is not None
        assert shown.headers["Cache-Control"] == "no-store"
        assert found[1] not in owner_client.get("/programs/").content.decode()
        assert (ApiToken.objects.count(), found[1] in str(dict(owner_client.session))) == (1, False)
        assert self.status(found[1]) == 200
        owner_client.post(f"/programs/{ApiToken.objects.get().pk}/revoke/")
        assert self.status(found[1]) == 404

    def test_revoking_is_asked_first_and_named_apart_for_programs_of_one_name(self, owner_client: Browser) -> None:
        for at in (datetime(2026, 1, 2, 8, tzinfo=UTC), datetime(2026, 1, 3, 8, tzinfo=UTC)):
            made, _ = new_token("Editor")
            ApiToken.objects.filter(pk=made.pk).update(created_at=at)
        html = owner_client.get("/programs/").content.decode()
        asked = re.findall(r'<details class="sure"><summary[^>]*>(.*?)</summary>.*?<form.*?</details>', html, re.DOTALL)
        assert len(set(asked)) == 2
        assert len(re.findall(r'action="/programs/\d+/revoke/"', html)) == 2


# What is written bit by bit
# ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("states", "sent"),
    [
        (["One", "One two", "One two three"], ["One", " two", " three"]),
        (["Let me look", "", "It is", "It is nine"], ["Let me look", "", "\n\nIt is", " nine"]),
        (
            ["Nine bars [", "Nine bars [p1", "Nine bars [p1.c2].", "Nine bars [p1.c2]. So"],
            ["Nine bars", "", ".", " So"],
        ),
        (["a[", "a[x", "a[x]"], ["a", "[x", "]"]),
    ],
)
def test_only_what_is_new_is_sent_and_no_handle(states: list[str], sent: list[str]) -> None:
    increments = Increments()
    assert [increments.of(state) for state in states] == sent


def test_at_the_end_comes_what_is_missing() -> None:
    streamed, unheard = Increments(), Increments()
    streamed.of("Nine bars.")
    assert streamed.rest("Nine bars. The budget is used up.", []) == " The budget is used up."
    assert (
        streamed.rest("Nine [bars](x)", [("Water", "https://a.example/")]) == "\n\nFrom:\n- [Water](https://a.example/)"
    )
    assert unheard.rest("All of it", []) == "All of it"
