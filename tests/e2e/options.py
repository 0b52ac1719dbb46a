"""The options page in a tab, and another device of the owner that manages the same grants."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

from devices import protocol
from tests.client import Client
from tests.e2e.browser import Page, shows, visible
from tests.penny import Penny

COFFEE = "coffee.example"
API = "(globalThis.browser ?? chrome)"


class Options:
    """The options page, used through its controls and read from its text."""

    def __init__(self, page: Page) -> None:
        self.page = page
        visible(page, "#sites")

    def row(self, host: str) -> str:
        return f'.grant[data-host="{host}"]'

    def wait(self, host: str, state: str | None) -> None:
        """Wait until the page shows this state of a host; None: does not list it."""
        find = f"(document.querySelector({json.dumps(self.row(host))})?.dataset.state ?? null) === {json.dumps(state)}"
        shows(self.page, find, f"{host} as {state}")

    def press(self, host: str, action: str) -> None:
        button = f'{self.row(host)} [data-action="{action}"]'
        self.wait_until_free(button)
        self.page.press(button, "Enter")

    def wait_until_free(self, selector: str) -> None:
        """Wait until the row has finished its last action."""
        shows(
            self.page,
            f"document.querySelector({json.dumps(selector)}).getAttribute('aria-disabled') === 'false'",
            "a row that is free",
        )

    def add(self, host: str) -> None:
        shows(self.page, "document.querySelector('#add-grant').getAttribute('aria-disabled') === 'false'", "no saving")
        self.page.fill("#grant-host", host)
        self.page.press("#grant-host", "Enter")

    def choose(self, selector: str, value: str) -> None:
        self.wait_until_free(selector)
        selector_json = json.dumps(selector)
        self.page.evaluate(
            f"(select => {{ select.value = {json.dumps(value)}; select.dispatchEvent(new Event('change', "
            f"{{bubbles: true}})) }})"
            f"(document.querySelector({selector_json}))"
        )

    @property
    def focused(self) -> str:
        return str(
            self.page.evaluate("(e => e.getAttribute('aria-label') || e.innerText || e.id)(document.activeElement)")
        )

    def sticking_out(self, width: int) -> list[str]:
        """Return the elements that do not fit into a page of this width."""
        elements = "[...document.querySelectorAll('body *')].filter(e => e.checkVisibility() && !e.matches('.unseen'))"
        with self.page.at_size(width):
            return list(
                self.page.evaluate(
                    f"{elements}.filter(e => e.getBoundingClientRect().right > {width} + 0.5).map(e => e.outerHTML)"
                )
            )


@contextmanager
def another_device(penny: Penny) -> Iterator[Client]:
    with penny.client("Another device") as client:
        yield client


def send_grant(
    client: Client, host: str, state: protocol.GrantState = "allowed", scope: protocol.Scope = "always"
) -> None:
    client.send(protocol.GrantSet(host=host, capability="read", state=state, scope=scope))
    client.expect(protocol.Ack, ref=host)


def grants_by_host(client: Client) -> dict[str, tuple[str, str]]:
    """Return the state and session of every host, from the last sync of another device."""
    syncs = client.frames_of(protocol.GrantsSync)
    return {grant.host: (grant.state, grant.session) for grant in syncs[-1].grants} if syncs else {}
