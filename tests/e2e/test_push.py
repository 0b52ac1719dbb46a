"""A find is shown by a real browser's service worker, with no page of Penny's open: what is shown is what Penny's own
code sent.
"""

import json
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone
from playwright.sync_api import BrowserContext, Worker, sync_playwright
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

# before that it hears nothing
ACTIVE = "navigator.serviceWorker.getRegistration().then((found) => found?.active?.state === 'activated')"
SHOWN = "self.registration.getNotifications().then((all) => all.map(({ title, body, tag }) => ({ title, body, tag })))"
# Nothing can press a notification of a browser without a window: the worker hears of it as it would, and what it opens
# is caught.
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
# A browser's own push service cannot be reached from here: what it would have told the browser.
CHANGED = """([before, subscription]) => self.dispatchEvent(Object.assign(new \
ExtendableEvent("pushsubscriptionchange"), {
  oldSubscription: { endpoint: before }, newSubscription: { toJSON: () => subscription },
}))"""

OUTLETS = "__import__('devices.models').models.Device.objects.filter(kind='push')"


@pytest.fixture
def service() -> Iterator[PushService]:
    with serving(PushService()) as found:
        yield found


def sent(service: PushService, penny: Penny, settings: Settings) -> tuple[Thought, dict[str, str]]:
    """Have this process notify a browser of a find as the worker does; return the find and what that browser was able
    to read.
    """
    settings.PUBLIC_URL = penny.url
    address = f"http://127.0.0.1:{service.port}/push/1"
    Device.objects.create(label="Chrome", kind="push", address=address, secrets=service.keys)
    now = timezone.now()
    words = {"title": "A lever machine", "text": "It holds nine bars.", "html": ""}
    find = Thought.objects.create(**words, origin=["owner", "penny"], points=3, created_at=now)
    notify.notify_due(now)
    loop.run_on_loop(_posted())
    [shown] = service.shown.values()
    return find, shown


async def _posted() -> None:
    await send.post_due()
    await in_db(connections.close_all)()


@contextmanager
def chromium(penny: Penny) -> Iterator[tuple[BrowserContext, Worker]]:
    """A Chromium that was on a page of Penny's, allowed it to show notifications, and closed it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, sync_playwright() as playwright:
        browser = playwright.chromium.launch_persistent_context(
            profile, executable_path=PROGRAM, headless=True, args=ARGUMENTS
        )
        browser.grant_permissions(["notifications"], origin=penny.url)
        page = browser.new_page()
        page.goto(penny.manage("sign_in_link").strip())
        page.wait_for_function(ACTIVE)
        worker = browser.service_workers[0] if browser.service_workers else browser.wait_for_event("serviceworker")
        page.close()
        yield browser, worker
        browser.close()


def shown_of(browser: BrowserContext, worker: Worker, penny: Penny, data: str) -> list[dict[str, str]]:
    """Hand the worker a push, as the browser does once it has deciphered what came, and return what is shown then."""
    here = browser.pages[0]
    session, known = browser.new_cdp_session(here), []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: known.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    for number in range(400):
        if found := worker.evaluate(SHOWN):
            return list(found)
        if known and number % 20 == 0:  # one for a worker that is not yet written to the profile is lost without a word
            pushed = {"origin": penny.url, "registrationId": known[0]["registrationId"], "data": data}
            session.send("ServiceWorker.deliverPushMessage", pushed)
        here.wait_for_timeout(50)
    return []


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("redis")
def test_a_find_is_shown_with_no_page_open_and_leads_where_it_says(
    penny: Penny, service: PushService, settings: Settings
) -> None:
    find, said = sent(service, penny, settings)

    def seen() -> tuple[Any, ...]:
        with chromium(penny) as (browser, worker):
            shown = shown_of(browser, worker, penny, json.dumps(said))
            return shown, worker.evaluate(PRESSED), [page.url for page in browser.pages]

    shown, opened, pages = _apart(seen)
    assert pages == ["about:blank"]
    assert shown == [{"title": "Penny", "body": said["body"], "tag": said["tag"]}]
    assert said["body"].startswith("A lever machine")
    assert opened == [f"{penny.url}/thoughts/{find.pk}/", f"{penny.url}/thoughts/{find.pk}/alike/?valence=-1"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("redis")
def test_a_notification_is_opened_in_a_window_that_is_there_unless_something_may_be_typed_in_it(
    penny: Penny, service: PushService, settings: Settings
) -> None:
    find, said = sent(service, penny, settings)

    def opened_from(path: str) -> tuple[list[str], str]:
        with chromium(penny) as (browser, worker):
            shown_of(browser, worker, penny, json.dumps(said))
            page = browser.new_page()
            page.goto(penny.url + path)
            page.wait_for_function("navigator.serviceWorker.controller !== null")
            # Only a press by hand lets a worker bring a window to the front.
            opened = worker.evaluate(
                "() => { WindowClient.prototype.focus = async function () { return this; }; }"
            ) or worker.evaluate(PRESSED_ONCE)
            if not opened:
                page.wait_for_url(f"**/thoughts/{find.pk}/")
            return opened, page.url

    there = f"{penny.url}/thoughts/{find.pk}/"
    assert _apart(lambda: opened_from("/chat/")) == ([], there)
    assert _apart(lambda: opened_from("/schedules/new/")) == ([there], f"{penny.url}/schedules/new/")


def test_a_browser_that_changes_its_subscription_tells_penny_by_itself(penny: Penny, service: PushService) -> None:
    before = {"endpoint": "https://push.example/before", "label": "Chrome on a desk", **service.keys}
    penny.post("/setup/push/", **before)
    after = {"endpoint": "https://push.example/after", "keys": service.keys}

    def told() -> list[str]:
        with chromium(penny) as (_, worker):
            worker.evaluate(CHANGED, [before["endpoint"], after])
            return until(
                lambda: [found for found in _addresses(penny) if found != before["endpoint"]], "the new one is told"
            )

    try:
        assert (_apart(told), _addresses(penny)) == ([after["endpoint"]], [after["endpoint"]])
    finally:
        penny.manage("shell", "-v0", "-c", f"{OUTLETS}.delete()")


def test_a_page_that_is_looked_at_says_that_its_browser_is_used(penny: Penny, service: PushService) -> None:
    ours = "https://push.example/ours"
    penny.post("/setup/push/", endpoint=ours, label="Chrome on a desk", **service.keys)

    def was_used() -> bool:
        return "True" in penny.manage("shell", "-v0", "-c", f"print({OUTLETS}.exclude(used_at=None).exists())")

    def looked_at() -> tuple[bool, bool]:
        with chromium(penny) as (browser, _):
            before = was_used()
            page = browser.new_page()  # of a browser without a push service: what it would have told the page
            page.add_init_script(f"PushManager.prototype.getSubscription = async () => ({{ endpoint: '{ours}' }})")
            with page.expect_response("**/setup/push/used/"):
                page.goto(f"{penny.url}/schedules/")
            return before, was_used()

    try:
        assert _apart(looked_at) == (False, True)
    finally:
        penny.manage("shell", "-v0", "-c", f"{OUTLETS}.delete()")


def _addresses(penny: Penny) -> list[str]:
    return penny.manage("shell", "-v0", "-c", f"print(*{OUTLETS}.values_list('address', flat=True))").split()


def _apart(do: Any) -> Any:
    """Do it on a thread of its own: Playwright keeps a loop on the one that it is used from."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(do).result()
