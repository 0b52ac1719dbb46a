"""Chromium through Playwright, in its own thread, because Playwright keeps a loop there."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar

from playwright.sync_api import BrowserContext, Error, Playwright, ViewportSize, sync_playwright
from playwright.sync_api import Page as Tab

from tests.e2e.browser import OUTPUT, Scheme, artifact, manifest
from tests.penny import descendants
from tests.waiting import until

BUILD = OUTPUT / "chrome-mv3"
PROGRAM = shutil.which("chromium") or shutil.which("google-chrome-stable") or "chromium"
ARGUMENTS = [
    "--no-sandbox",  # needed where the tests run as root
    "--disable-background-networking",
    "--disable-component-update",
    "--host-resolver-rules=MAP *.example 127.0.0.1 , MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
]
WAIT_MS = 60_000
CLOSE_S = 60.0
P = ParamSpec("P")
T = TypeVar("T")


class Chromium:
    name = "chromium"

    def __init__(self) -> None:
        self._panel_path = str(manifest(BUILD)["side_panel"]["default_path"])
        self._profile = tempfile.mkdtemp(prefix="penny-chromium-")
        self._extension = _with_every_permission(Path(self._profile) / "extension")
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="playwright")
        self._playwright: Playwright = self.call(lambda: sync_playwright().start())
        self._context: BrowserContext = self.call(self._launch)
        self._id = str(self.call(self._worker_url)).split("/")[2]

    @property
    def downloads(self) -> Path:
        return Path(self._profile) / "downloads"

    @property
    def origin(self) -> str:
        return f"chrome-extension://{self._id}"

    @property
    def panel_url(self) -> str:
        return f"{self.origin}/{self._panel_path}"

    def call(self, do: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
        """Call a function on Playwright's thread."""
        return self._thread.submit(do, *arguments, **options).result()

    def page(self, url: str) -> "ChromiumPage":
        return self.call(lambda: ChromiumPage(self, self._context.new_page())).at(url)

    def opened_at(self, url: str) -> "ChromiumPage":
        """Return the page that another one, or the extension, opened."""
        until(lambda: self.call(self._tab_at, url), f"a tab at {url}")
        return self.call(lambda: ChromiumPage(self, *self._tab_at(url)[:1]))

    def urls(self) -> list[str]:
        return [str(tab["url"]) for tab in self.call(self._tabs)]

    def close(self, url: str) -> None:
        tab = next(tab for tab in self.call(self._tabs) if tab["url"] == url)
        self.call(self._ask, "Target.closeTarget", {"targetId": tab["targetId"]})

    def in_background(self, expression: str) -> Any:
        """Evaluate an expression in the extension's background, for example to dispatch an event."""
        return self.call(lambda: self._context.service_workers[0].evaluate(expression))

    def kill_background(self) -> None:
        """Stop the extension's background in the middle of what it does. Its next event starts it again."""
        self.call(self._kill_background)

    def _kill_background(self) -> None:
        session = self._context.new_cdp_session(self._context.pages[0])
        try:
            session.send("ServiceWorker.enable")
            session.send("ServiceWorker.stopAllWorkers")
        finally:
            session.detach()

    @contextmanager
    def undriven(self) -> Iterator[None]:
        """Restart without a driver, because a driver makes Chromium draw hidden tabs."""
        self.call(self._context.close)
        command = [
            PROGRAM,
            "--headless",
            f"--user-data-dir={self._profile}",
            *ARGUMENTS,
            *self._extension_arguments,
            "about:blank",
        ]
        environment = {name: str(value) for name, value in self._environment.items()}
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        try:
            yield
        finally:
            process.terminate()
            until(lambda: process.poll() is not None, "Chromium ends", 20)

    def quit(self) -> None:
        """Close the browser, or kill one that does not answer."""
        closing = self._thread.submit(self._close)
        try:
            closing.result(CLOSE_S)
        except TimeoutError:
            self._kill()
        finally:
            self._thread.shutdown(wait=False)
            shutil.rmtree(self._profile, ignore_errors=True)

    def _close(self) -> None:
        self._context.close()
        self._playwright.stop()

    def _kill(self) -> None:
        for pid in descendants(os.getpid()):
            with suppress(OSError):
                if self._profile.encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                    os.kill(pid, signal.SIGKILL)

    def _launch(self) -> BrowserContext:
        launcher = self._playwright.chromium
        arguments = [*ARGUMENTS, *self._extension_arguments]
        return launcher.launch_persistent_context(
            self._profile,
            executable_path=PROGRAM,
            headless=True,
            args=arguments,
            downloads_path=self.downloads,
            env=self._environment,
            timeout=WAIT_MS,
        )

    @property
    def _environment(self) -> dict[str, str | float | bool]:
        """Return an environment in which what Chromium leaves behind lies in its profile, and goes with it."""
        return {**os.environ, "TMPDIR": self._profile}

    @property
    def _extension_arguments(self) -> list[str]:
        return [f"--load-extension={self._extension}", f"--disable-extensions-except={self._extension}"]

    def _tab_at(self, url: str) -> list[Tab]:
        self._context.pages[0].evaluate("0")  # Playwright hears of new tabs only while it waits for something
        return [tab for tab in self._context.pages if tab.url == url]

    def _tabs(self) -> list[dict[str, Any]]:
        return [target for target in self._ask("Target.getTargets")["targetInfos"] if target["type"] == "page"]

    def _ask(self, method: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a command of the DevTools protocol.

        Playwright learns late of tabs that pages open and close.
        """
        session = self._context.new_cdp_session(self._context.pages[0])
        try:
            return dict(session.send(method, arguments))
        finally:
            session.detach()

    def _worker_url(self) -> str:
        workers = self._context.service_workers
        worker = workers[0] if workers else self._context.wait_for_event("serviceworker", timeout=WAIT_MS)
        return str(worker.url)


def _with_every_permission(copy: Path) -> Path:
    """Copy the build with all permissions granted, as tests cannot press Chromium's buttons."""
    shutil.copytree(BUILD, copy)
    extension_manifest = manifest(copy)
    extension_manifest["permissions"] += extension_manifest.pop("optional_permissions")
    extension_manifest["host_permissions"] += extension_manifest.pop("optional_host_permissions")
    (copy / "manifest.json").write_text(json.dumps(extension_manifest))
    return copy


class ChromiumPage:
    def __init__(self, browser: Chromium, tab: Tab) -> None:
        self._browser, self._tab = browser, tab
        tab.set_default_timeout(WAIT_MS)

    def at(self, url: str) -> "ChromiumPage":
        self.goto(url)
        return self

    def goto(self, url: str) -> None:
        self._browser.call(self._goto, url)

    def evaluate(self, expression: str) -> Any:
        """Evaluate an expression. If the page goes in the meantime, ask the next one."""
        try:
            return self._browser.call(lambda: self._tab.evaluate(f"() => ({expression})"))
        except Error as reason:
            if "Execution context was destroyed" not in reason.message:
                raise
            return self._browser.call(lambda: self._tab.evaluate(f"() => ({expression})"))

    def click(self, selector: str) -> None:
        self._browser.call(lambda: self._tab.click(selector))

    def fill(self, selector: str, text: str) -> None:
        self._browser.call(lambda: self._tab.fill(selector, text))

    def press(self, selector: str, key: Literal["Enter", "Escape"], times: int = 1) -> None:
        for _ in range(times):
            self._browser.call(lambda: self._tab.press(selector, key))

    def key(self, key: str) -> None:
        self._browser.call(lambda: self._tab.keyboard.press(key))

    def press_at(self, x: int, y: int) -> None:
        width, height = self.evaluate("[innerWidth, innerHeight]")
        self._browser.call(lambda: self._tab.mouse.click(width - x, height - y))

    def download(self, selector: str) -> str:
        return self._browser.call(self._download, selector)

    def picture(self, name: str) -> Path:
        path = artifact(name)
        self._browser.call(lambda: self._tab.screenshot(path=path))
        return path

    def screenshot(self, name: str, width: int, height: int = 800, scheme: Scheme = "light") -> Path:
        with self.at_size(width, height, scheme):
            return self.picture(name)

    @contextmanager
    def at_size(self, width: int, height: int = 800, scheme: Scheme = "light") -> Iterator[None]:
        before = self._browser.call(self._resize, width, height, scheme)
        try:
            yield
        finally:
            self._browser.call(self._restore_size, before)

    def close(self) -> None:
        self._browser.call(lambda: self._tab.close())

    def _goto(self, url: str) -> None:
        """Open a URL, in a new tab if this one crashes.

        Chromium 156 crashes once in several hundred starts.
        """
        try:
            self._tab.goto(url, wait_until="domcontentloaded")
        except Error as error:
            if "crashed" not in str(error):
                raise
            dead, self._tab = self._tab, self._tab.context.new_page()
            self._tab.set_default_timeout(WAIT_MS)
            dead.close()
            self._tab.goto(url, wait_until="domcontentloaded")

    def _download(self, selector: str) -> str:
        with self._tab.expect_download() as saving:
            self._tab.click(selector)
        return saving.value.path().read_text()

    def _resize(self, width: int, height: int, scheme: Scheme) -> ViewportSize | None:
        before = self._tab.viewport_size
        self._tab.set_viewport_size({"width": width, "height": height})
        self._tab.emulate_media(color_scheme=scheme)
        return before

    def _restore_size(self, size: ViewportSize | None) -> None:
        self._tab.emulate_media(color_scheme="null")
        if size:
            self._tab.set_viewport_size(size)
