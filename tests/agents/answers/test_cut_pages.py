"""Of a page that the browser cut at its bound, the answer says that only the beginning was read."""

from datetime import date
from uuid import uuid4

import pytest

from agents.answers.cut_pages import SELECT, cut_page_notes
from agents.answers.reply import Reply
from agents.models import Run
from agents.runs.context import Context
from agents.runs.fit import Unread
from agents.runs.handles import Handles
from devices import protocol as p
from tests.agents.background import SOME_MODELS
from tests.agents.runs.test_fit import source
from tests.client import Client, allow, browser_tools, make_page
from tests.penny import Penny
from thoughts.models import Page

SENTENCE = "The museum keeps a lever machine of chrome and brass in the hall. "
LONG = SENTENCE * (50_000 // len(SENTENCE))
URL = "https://museum.example/"
CUT = make_page(URL, "The museum", LONG, words=36_000).model_copy(update={"truncated": True})
NOTE = f"I read the first 50 of about 183 kB of museum.example. {SELECT}"


NUMBERS = dict.fromkeys(
    ("MODEL_WINDOW", "TURN_STEPS_MAX", "TURN_TOKENS_MAX", "TURN_PAGES_MAX", "TURN_SECONDS_MAX", "CHAT_STEPS_MAX"), 1
)


def context_with(*pages: Page, is_read: bool = True) -> Context:
    context = Context(Run(kind="turn"), "planner", Handles([]), "What?", SOME_MODELS, NUMBERS)
    for number, page in enumerate(pages, 1):
        context.handles.add_page(page, page.url, page.domain)
        if is_read:
            context.handles.sources.append(source(number))
    return context


def cut_page(number: int = 1, *, words: int | None = None, text: str = LONG, truncated: bool = True) -> Page:
    url = f"https://a.example/{number}"
    return Page(url=url, domain="a.example", text=text, words=words, truncated=truncated, links=[])


@pytest.mark.parametrize(
    ("page", "words"),
    [
        (cut_page(words=36_000), "I read the first 50 of about 183 kB of a.example."),
        (cut_page(), "I read the first 50 kB of a.example, which is longer."),
        (cut_page(words=5), "I read the first 50 kB of a.example, which is longer."),
        (
            cut_page(words=36_000, text="博物馆保存着一台机器。" * 4_500),
            "I read the first 50 kB of a.example, which is longer.",
        ),
        (
            cut_page(words=9, text="Short words of a damaged file."),
            "I read the first 1 kB of a.example, which is longer.",
        ),
    ],
)
def test_the_part_that_was_read_is_said_and_the_whole_where_it_is_known(page: Page, words: str) -> None:
    assert cut_page_notes(context_with(page)) == {"page_cut": f"{words} {SELECT}"}


def test_it_is_said_once_a_page_and_of_many_pages_in_one_sentence() -> None:
    assert cut_page_notes(context_with(cut_page(), cut_page())) == cut_page_notes(context_with(cut_page()))
    others = [Page(url=f"https://{n}.example/", domain=f"{n}.example", text="x", truncated=True) for n in range(6)]
    words = "Of 6 pages I read the beginning alone: 0.example, 1.example, 2.example, 3.example and others."
    assert cut_page_notes(context_with(*others)) == {"page_cut": f"{words} {SELECT}"}


def test_nothing_is_said_of_a_whole_page_of_one_that_was_not_read_and_of_one_that_was_kept() -> None:
    assert cut_page_notes(context_with(cut_page(truncated=False))) == {}
    assert cut_page_notes(context_with(cut_page(), is_read=False)) == {}
    context = context_with()
    context.handles.add_kept(cut_page(), date(2026, 11, 30), source(1).reading.claims[:1])
    assert cut_page_notes(context) == {}


def test_it_stands_beside_what_the_model_did_not_read_of_the_same_page() -> None:
    context = context_with(cut_page(words=36_000))
    context.of(Unread).texts["a.example"] = (40_000, 50_000)
    text = Reply("So it is.", [], []).with_notes(context).text
    assert text == (
        "So it is.\n\nI read the first 40 of 50 kB of a.example.\n\n"
        f"a.example is longer than that, about 183 kB. {SELECT}"
    )


def test_an_answer_from_a_cut_page_says_so_however_the_page_came(desk: Client, penny: Penny) -> None:
    frame = p.ChatSend(turn_id=uuid4(), text="Where does the machine stand?", page=CUT)
    desk.send(frame)
    assert desk.expect(p.TurnDone, 30, turn_id=frame.turn_id).message.text.endswith(NOTE)
    with penny.client("Laptop", tools=browser_tools({URL: CUT}), answers=allow()) as laptop:
        answer = laptop.ask(f"Where does the machine stand? {URL}", 30)
    assert answer.text.count("I read the first 50 of about 183 kB of museum.example.") == 1
