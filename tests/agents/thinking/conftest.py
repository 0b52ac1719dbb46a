"""A Penny that thinks about espresso, with a fake browser that has three articles."""

from collections.abc import Iterator

import pytest

from devices import protocol as p
from tests.client import Client, allow, browser_tools, make_page
from tests.penny import Penny
from tests.stand_ins.articles import GRIND, PRESSURE, WATER
from tests.waiting import until

ARTICLES = {
    "https://coffee.example/water": WATER,
    "https://lab.example/grind": GRIND,
    "https://museum.example/gaggia": PRESSURE,
}
PAGES = {url: make_page(url, article.title, article.text) for url, article in ARTICLES.items()}
RESULTS = [
    p.SearchResult(title=article.title, url=url, snippet=article.paragraphs[0]) for url, article in ARTICLES.items()
]


@pytest.fixture
def thinker(penny: Penny) -> Penny:
    """A Penny without thoughts, preferences, muted sites and grants of other tests."""
    for rows in ("thoughts/thought", "thoughts/preference", "thoughts/mutedsite", "devices/grant"):
        penny.admin_action(rows, "delete_selected")
    return penny


@pytest.fixture
def laptop(thinker: Penny) -> Iterator[Client]:
    with thinker.client("Fake browser", tools=browser_tools(PAGES, RESULTS), answers=allow()) as laptop:
        yield laptop


def run_think(penny: Penny, preference: str = "espresso") -> str:
    return penny.manage("think", *(["--preference", preference] if preference else []))


def grant_all(client: Client) -> None:
    hosts = [url.split("/")[2] for url in ARTICLES] + [engine_host()]
    for host in hosts:
        client.send(p.GrantSet(host=host, capability="read", state="allowed", scope="always"))
    until(
        lambda: {grant.host for sync in client.frames_of(p.GrantsSync) for grant in sync.grants} >= set(hosts),
        "every site is granted",
    )


def browsed_urls(client: Client) -> list[str]:
    calls = [call.arguments for call in client.frames_of(p.ToolCall)]
    return [arguments.url for arguments in calls if isinstance(arguments, p.BrowseUrlArguments)]


def engine_host() -> str:
    return "html.duckduckgo.com"
