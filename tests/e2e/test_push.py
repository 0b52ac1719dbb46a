"""A real browser's service worker shows Penny's notifications without an open page."""

import json
import os
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone
from playwright.sync_api import BrowserContext, Error, Playwright, Worker, sync_playwright
from pytest_django.fixtures import Settings

from agents.outbox import notify, send
from agents.worker import loop
from devices.db import in_db
from devices.models import Device
from tests.e2e.chromium import ARGUMENTS, PROGRAM
from tests.penny import Penny
from tests.stand_ins.push_service import PushService
from tests.stand_ins.serving import serving
from tests.waiting import until
from thoughts.models import Thought

pytestmark = pytest.mark.browser("Chromium shows the notifications")

# An inactive worker receives no push.
ACTIVE = "navigator.serviceWorker.getRegistration().then((found) => found?.active?.state === 'activated')"
SHOWN = "self.registration.getNotifications().then((all) => all.map(({ title, body, tag }) => ({ title, body, tag })))"
# A headless browser cannot press a notification: the script dispatches the event and records the opened URLs.
PRESSED = """async () => {
  const [notification] = await self.registration.getNotifications();
  const opened = [];
  self.clients.openWindow = async (url) => opened.push(url);
  const waited = [];
  for (const action of ["", "less"]) {
    const event = new NotificationEvent("notificationclick", { notification, action });
    event.waitUntil = (what) => waited.push(what);
    self.dispatchEvent(event);
  }
  await Promise.all(waited);
  return opened;
}"""
PRESSED_ONCE = """async () => {
  const [notification] = await self.registration.getNotifications();
  const opened = [];
  self.clients.openWindow = async (url) => opened.push(url);
  const event = new NotificationEvent("notificationclick", { notification });
  const waited = [];
  event.waitUntil = (what) => waited.push(what);
  self.dispatchEvent(event);
  await Promise.all(waited);
  return opened;
}"""
# The event of the browser's own push service, which tests cannot reach.
CHANGED = """([before, subscription]) => self.dispatchEvent(Object.assign(new \
ExtendableEvent("pushsubscriptionchange"), {
  oldSubscription: { endpoint: before }, newSubscription: { toJSON: () => subscription },
}))"""

OUTLETS = "__import__('devices.models').models.Device.objects.filter(kind='push')"


@pytest.fixture
def service() -> Iterator[PushService]:
    with serving(PushService()) as running_service:
        yield running_service


def notify_find(service: PushService, penny: Penny, settings: Settings) -> tuple[Thought, dict[str, str]]:
    """Notify a browser of a find; return the find and the decrypted notification."""
    settings.PUBLIC_URL = penny.url
    address = f"http://127.0.0.1:{service.port}/push/1"
    Device.objects.create(label="Chrome", kind="push", address=address, secrets=service.keys)
    now = timezone.now()
    words = {"title": "A lever machine", "text": "It holds nine bars.", "html": ""}
    find = Thought.objects.create(**words, origin=["owner", "penny"], points=3, created_at=now)
    notify.notify_due(now)
    loop.run_on_loop(_post_due())
    [notification] = service.shown.values()
    return find, notification


async def _post_due() -> None:
    await send.post_due()
    await in_db(connections.close_all)()


@contextmanager
def open_chromium(penny: Penny) -> Iterator[tuple[BrowserContext, Worker]]:
    """Run a Chromium that has visited Penny, allowed notifications and closed the page.

    Now and then a Chromium without a screen ends by itself while it starts: then a second one is started.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, sync_playwright() as playwright:
        try:
            browser, worker = _visit_penny(playwright, f"{folder}/first", penny)
        except Error as reason:
            if "has been closed" not in reason.message:
                raise
            browser, worker = _visit_penny(playwright, f"{folder}/second", penny)
        yield browser, worker
        browser.close()


def _visit_penny(playwright: Playwright, profile: str, penny: Penny) -> tuple[BrowserContext, Worker]:
    environment: dict[str, str | float | bool] = {**os.environ, "TMPDIR": str(Path(profile).parent)}
    browser = playwright.chromium.launch_persistent_context(
        profile, executable_path=PROGRAM, headless=True, args=ARGUMENTS, env=environment
    )
    browser.grant_permissions(["notifications"], origin=penny.url)
    page = browser.new_page()
    page.goto(penny.manage("sign_in_link").strip())
    until(lambda: page.evaluate(ACTIVE), "an active worker")  # the policy forbids what Playwright's own wait evaluates
    worker = browser.service_workers[0] if browser.service_workers else browser.wait_for_event("serviceworker")
    page.close()
    return browser, worker


def deliver_push(browser: BrowserContext, worker: Worker, penny: Penny, data: str) -> list[dict[str, str]]:
    here = browser.pages[0]
    session, registrations = browser.new_cdp_session(here), []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    for number in range(400):
        if notifications := worker.evaluate(SHOWN):
            return list(notifications)
        if registrations and number % 20 == 0:  # a push is lost while the worker is not yet written to the profile
            pushed = {"origin": penny.url, "registrationId": registrations[0]["registrationId"], "data": data}
            session.send("ServiceWorker.deliverPushMessage", pushed)
        here.wait_for_timeout(50)
    return []


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("redis")
def test_a_find_is_shown_without_an_open_page_and_leads_to_its_thought(
    penny: Penny, service: PushService, settings: Settings
) -> None:
    find, notification = notify_find(service, penny, settings)

    def show_and_press() -> tuple[Any, ...]:
        with open_chromium(penny) as (browser, worker):
            notifications = deliver_push(browser, worker, penny, json.dumps(notification))
            return notifications, worker.evaluate(PRESSED), [page.url for page in browser.pages]

    notifications, opened_urls, pages = in_own_thread(show_and_press)
    assert pages == ["about:blank"]
    assert notifications == [{"title": "Penny", "body": notification["body"], "tag": notification["tag"]}]
    assert notification["body"].startswith("A lever machine")
    assert opened_urls == [f"{penny.url}/thoughts/{find.pk}/", f"{penny.url}/thoughts/{find.pk}/alike/?valence=-1"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("redis")
def test_a_notification_opens_in_an_existing_window_without_a_form(
    penny: Penny, service: PushService, settings: Settings
) -> None:
    find, notification = notify_find(service, penny, settings)

    def press_from(path: str) -> tuple[list[str], str]:
        with open_chromium(penny) as (browser, worker):
            deliver_push(browser, worker, penny, json.dumps(notification))
            page = browser.new_page()
            page.goto(penny.url + path)
            until(lambda: page.evaluate("navigator.serviceWorker.controller !== null"), "a page behind the worker")
            # Only a real click lets a worker focus a window.
            opened_urls = worker.evaluate(
                "() => { WindowClient.prototype.focus = async function () { return this; }; }"
            ) or worker.evaluate(PRESSED_ONCE)
            if not opened_urls:
                page.wait_for_url(f"**/thoughts/{find.pk}/")
            return opened_urls, page.url

    there = f"{penny.url}/thoughts/{find.pk}/"
    assert in_own_thread(lambda: press_from("/chat/")) == ([], there)
    assert in_own_thread(lambda: press_from("/activity/routine/new/")) == (
        [there],
        f"{penny.url}/activity/routine/new/",
    )


def test_a_browser_reports_its_changed_subscription(penny: Penny, service: PushService) -> None:
    before = {"endpoint": "https://push.example/before", "label": "Chrome on a desk", **service.keys}
    penny.post("/setup/push/", **before)
    after = {"endpoint": "https://push.example/after", "keys": service.keys}

    def change_subscription() -> list[str]:
        with open_chromium(penny) as (_, worker):
            worker.evaluate(CHANGED, [before["endpoint"], after])
            return until(
                lambda: [address for address in _addresses(penny) if address != before["endpoint"]],
                "the new address is stored",
            )

    try:
        assert (in_own_thread(change_subscription), _addresses(penny)) == ([after["endpoint"]], [after["endpoint"]])
    finally:
        penny.manage("shell", "-v0", "-c", f"{OUTLETS}.delete()")


def test_a_page_visit_marks_its_browser_as_used(penny: Penny, service: PushService) -> None:
    ours = "https://push.example/ours"
    penny.post("/setup/push/", endpoint=ours, label="Chrome on a desk", **service.keys)

    def was_used() -> bool:
        return "True" in penny.manage("shell", "-v0", "-c", f"print({OUTLETS}.exclude(used_at=None).exists())")

    def visit_page() -> tuple[bool, bool]:
        with open_chromium(penny) as (browser, _):
            before = was_used()
            page = browser.new_page()  # stands in for the browser's push service
            page.add_init_script(f"PushManager.prototype.getSubscription = async () => ({{ endpoint: '{ours}' }})")
            with page.expect_response("**/setup/push/used/"):
                page.goto(f"{penny.url}/activity/routine/")
            return before, was_used()

    try:
        assert in_own_thread(visit_page) == (False, True)
    finally:
        penny.manage("shell", "-v0", "-c", f"{OUTLETS}.delete()")


def _addresses(penny: Penny) -> list[str]:
    return penny.manage("shell", "-v0", "-c", f"print(*{OUTLETS}.values_list('address', flat=True))").split()


def in_own_thread(do: Any) -> Any:
    """Run it in its own thread, because Playwright keeps an event loop there."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(do).result()
