"""A message that the owner deletes on a device disappears from open devices at once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from devices import protocol as p
from tests.e2e.test_push import open_chromium
from tests.penny import Penny
from tests.stand_ins import signal_server
from tests.stand_ins.signal_server import BOT
from tests.waiting import until


def test_a_message_that_is_deleted_on_the_phone_is_gone_from_an_open_chat_and_a_connected_device(
    start_penny: Callable[..., Penny],
) -> None:
    with signal_server.run_signal_server() as signal:
        penny = start_penny(PENNY_SIGNAL_URL=signal.url, PENNY_SIGNAL_NUMBER=BOT)
        penny.know_phone(signal)
        with penny.client("Desk") as desk, ThreadPoolExecutor(1) as thread:

            def delete_on_phone() -> list[str]:
                with open_chromium(penny) as (browser, _):
                    page = browser.new_page()
                    page.goto(f"{penny.url}/chat/")
                    timestamp = signal.write("My pin is 1234")
                    mine = page.locator(".message.in .text")
                    mine.get_by_text("My pin is 1234").wait_for()
                    until(lambda: "turn.done" in {frame.type for frame in desk.frames}, "it is answered")
                    signal.delete(timestamp)
                    mine.get_by_text("(deleted)").wait_for()
                    return mine.all_inner_texts()

            assert thread.submit(delete_on_phone).result() == ["(deleted)"]
            update = desk.expect(p.MessageNew, count=4).message
            _, first, *_, last = [
                frame.message for frame in desk.frames_of(p.MessageNew)
            ]  # after the message of the number's confirmation
            assert (last.id, last.seq, last.text) == (first.id, first.seq, "(deleted)")
            assert update == last
