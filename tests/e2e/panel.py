"""The conversation as the owner uses it in a real browser: the side panel, opened as a tab, and the chat page."""

import json
import re
from typing import Literal

from tests.e2e.browser import Browser, Page, shows, text_of, texts_of, visible
from tests.penny import Penny
from tests.waiting import until

Decision = Literal["once", "run", "hour", "always", "always_clean", "block", "dismiss"]
MORE = ("run", "hour", "always_clean", "block")  # behind ⋯


# The script for the newest answer, in the panel and on the chat page.
LAST = "[...document.querySelectorAll('.message.out[data-seq]')].at(-1)"


class Surface:
    """A page with the conversation, used by typing and clicking, and read from its text."""

    page: Page

    def wait_connected(self, deadline_s: float = 30) -> None:
        self.wait_state("connected", deadline_s)

    def wait_state(self, name: str, deadline_s: float = 30) -> None:
        until(lambda: self.state == name, f"the panel says {name} (it says {self.state}: {self.status})", deadline_s)

    @property
    def state(self) -> str:
        return str(self.page.evaluate("document.querySelector('#status')?.dataset.state || ''"))

    @property
    def status(self) -> str:
        return text_of(self.page, "#status") or text_of(self.page, "main")

    def say(self, text: str) -> None:
        self.page.fill("#composer", text)
        self.page.press("#composer", "Enter")

    def ask(self, text: str, deadline_s: float = 30) -> str:
        before = self.last_seq()
        self.say(text)
        return self.answer_after(before, deadline_s)

    def answer_after(self, seq: int, deadline_s: float = 30) -> str:
        """Return the finished answer to the first message above `seq` from this panel."""
        ours = (
            f"all.find(e => Number(e.dataset.seq) > {seq} && e.matches('.in') && "
            "!e.querySelector('.device'))?.dataset.turn"
        )
        find = (
            f"all => {{ const turn = {ours}; return turn && all.find(e => e.matches('.out') && e.dataset.turn === "
            f"turn)?.innerText }}"
        )
        expression = f"({find})([...document.querySelectorAll('.message[data-seq]')]) || ''"
        return str(shows(self.page, expression, f"an answer to a message after {seq}", deadline_s))

    def last_seq(self) -> int:
        return int(
            self.page.evaluate(
                "Math.max(0, ...[...document.querySelectorAll('.message[data-seq]')].map(e => Number(e.dataset.seq)))"
            )
        )

    def streaming(self) -> str:
        return text_of(self.page, ".message.turn .text.streaming")

    def messages(self) -> list[str]:
        return texts_of(self.page, ".message[data-seq] .text")

    def wait_message(self, part: str, deadline_s: float = 30) -> str:
        find = (
            "[...document.querySelectorAll('.message[data-seq]')].find(e => "
            f"e.innerText.includes({json.dumps(part)}))?.innerText || ''"
        )
        return str(shows(self.page, find, f"a message with {part!r}", deadline_s))

    def wait_ask(self, deadline_s: float = 20) -> str:
        """Wait for an ask; return its host."""
        visible(self.page, ".ask button[data-decision]:enabled", deadline_s)
        return text_of(self.page, ".ask .question b")

    def decide(self, decision: Decision) -> None:
        """Answer the question, and wait until it is gone: the next one may stand in its place at once."""
        question = text_of(self.page, ".ask .question")
        if decision in MORE:
            self.page.click('.ask [data-action="more-answers"]')
        self.page.click(f'.ask button[data-decision="{decision}"]:enabled')
        until(lambda: text_of(self.page, ".ask .question") != question, "the question is gone")

    def stop(self) -> None:
        self.page.click("#stop")

    def close(self) -> None:
        self.page.close()


class Panel(Surface):
    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.page: Page = browser.page(browser.panel_url)

    def pair(self, penny: Penny, label: str) -> None:
        visible(self.page, "#code")
        self.page.fill("#code", penny.code())
        self.page.fill("#label", label)
        self.page.fill("#server", penny.url)
        self.page.click("#pair")
        self.wait_connected()
        seqs = [int(seq) for seq in re.findall(r'data-seq="(\d+)"', penny.http.get("/chat/").text)]
        until(lambda: self.last_seq() >= max(seqs, default=0), "the conversation so far is here")

    @property
    def is_paired(self) -> bool:
        return not self.page.evaluate("!!document.querySelector('.pairing')")

    def unpair(self) -> None:
        self.page.click("#menu")
        self.page.click("#unpair")
        self.page.click("#unpair-confirm")
        visible(self.page, "#code")


class Chat(Surface):
    def __init__(self, browser: Browser, penny: Penny) -> None:
        self.page = browser.page(f"{penny.url}/chat/")
        self.wait_connected()
