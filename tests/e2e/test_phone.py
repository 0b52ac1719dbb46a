"""What the owner does on the phone: read a page, stop everything, delete a message."""

import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from devices import protocol as p
from tests.client import Client, allow, browser_tools, make_page
from tests.e2e.test_push import open_chromium
from tests.penny import Penny, run_penny
from tests.stand_ins import signal_server
from tests.stand_ins.articles import WATER
from tests.stand_ins.signal_server import BOT, SignalServer
from tests.waiting import until

pytestmark = pytest.mark.processes("a phone and a browser meet in a running Penny")

URL = "https://coffee.example/water"
QUESTION = f"At what temperature is espresso brewed? {URL}"
PIN = ("My pin is 1234", "(deleted)")
SHARED_MAX = 12  # words in a row that a message over Signal and a page may share


@pytest.fixture(scope="module")
def messenger() -> Iterator[SignalServer]:
    with signal_server.run_signal_server() as server:
        yield server


@pytest.fixture(scope="module")
def penny_with_phone(messenger: SignalServer) -> Iterator[Penny]:
    """A Penny without a model that knows the owner's phone."""
    settings = {"PENNY_SIGNAL_URL": messenger.url, "PENNY_SIGNAL_NUMBER": BOT}
    with tempfile.TemporaryDirectory(prefix="penny-") as folder, run_penny(Path(folder), **settings) as penny:
        penny.know_phone(messenger)
        yield penny


@pytest.fixture
def desk_beside(penny_with_phone: Penny) -> Iterator[Client]:
    pages = {URL: make_page(URL, WATER.title, WATER.text)}
    with penny_with_phone.client("Desk", tools=browser_tools(pages), answers=allow()) as desk:
        yield desk


def write_and_wait(signal: SignalServer, words: str, part: str) -> str:
    """Write to Penny over Signal; return her next message that holds `part`."""
    count = len(signal.sent)
    signal.write(words)
    return until(lambda: next((sent.text for sent in signal.sent[count:] if part in sent.text), ""), part, 60)


def shared_runs(text: str) -> list[str]:
    """Return the runs of more words than allowed that a text shares with the page."""
    words, page = text.split(), " ".join(WATER.text.split())
    runs = [" ".join(words[start : start + SHARED_MAX + 1]) for start in range(len(words) - SHARED_MAX)]
    return [run for run in runs if run in page]


def test_a_page_does_not_speak_over_signal(
    penny_with_phone: Penny, desk_beside: Client, messenger: SignalServer
) -> None:
    assert shared_runs(desk_beside.ask(QUESTION, 60).text)
    sent = write_and_wait(messenger, QUESTION, "coffee.example")
    until(lambda: len(desk_beside.frames_of(p.TurnDone)) == 2, "it is answered")
    assert shared_runs("\n".join(message.text for message in messenger.sent)) == []
    assert f"{penny_with_phone.url}/turns/" in sent


def test_a_stop_on_the_phone_holds_at_the_desk_until_the_owner_goes_on(
    desk_beside: Client, messenger: SignalServer
) -> None:
    write_and_wait(messenger, "/stop", "Stopped.")
    try:
        assert "Everything is stopped" in desk_beside.ask(QUESTION, 60).text
        assert desk_beside.frames_of(p.ToolCall) == []
    finally:
        write_and_wait(messenger, "/resume", "I go on.")
    assert WATER.paragraphs[0] in desk_beside.ask(QUESTION, 60).text
    assert desk_beside.frames_of(p.ToolCall)


def test_a_message_that_is_deleted_on_the_phone_is_gone_from_an_open_chat_and_a_connected_device(
    penny_with_phone: Penny, messenger: SignalServer
) -> None:
    with penny_with_phone.client("Beside") as beside, ThreadPoolExecutor(1) as thread:

        def delete_on_phone() -> list[str]:
            with open_chromium(penny_with_phone) as (browser, _):
                page = browser.new_page()
                page.goto(f"{penny_with_phone.url}/chat/")
                timestamp = messenger.write("My pin is 1234")
                mine = page.locator(".message.in .text")
                mine.get_by_text("My pin is 1234").wait_for()
                until(lambda: "turn.done" in {frame.type for frame in beside.frames}, "it is answered")
                messenger.delete(timestamp)
                mine.get_by_text("(deleted)").wait_for()
                return [text for text in mine.all_inner_texts() if "pin" in text or "deleted" in text]

        assert thread.submit(delete_on_phone).result() == ["(deleted)"]
        until(lambda: len(of_the_pin(beside)) == len(PIN), "the device was told")
        first, last = of_the_pin(beside)
        assert (first.text, last.text) == PIN
        assert (last.id, last.seq) == (first.id, first.seq)


def of_the_pin(client: Client) -> list[p.Message]:
    return [frame.message for frame in client.frames_of(p.MessageNew) if frame.message.text in PIN]
