"""Firefox ESR through Marionette, without a driver program."""

import base64
import json
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from marionette_driver.addons import Addons
from marionette_driver.by import By
from marionette_driver.errors import UnknownException
from marionette_driver.keys import Keys
from marionette_driver.marionette import Marionette

from tests.demo import sites as demo
from tests.e2e.browser import OUTPUT, Scheme, artifact, manifest
from tests.penny import free_port
from tests.stand_ins.sites import HOSTS
from tests.waiting import until

BUILD = OUTPUT / "firefox-mv2"
PROGRAM = shutil.which("firefox-esr") or shutil.which("firefox") or "firefox-esr"
UUID = "7e1f3c52-9a64-4d0b-8f5e-2b6a9d3c1e70"  # fixed, so that the URLs of the extension's pages are known
BESIDE = 600  # pixels of the window beside its page; Firefox makes no window narrower than 500
KEYS = {
    "Enter": Keys.ENTER,
    "Escape": Keys.ESCAPE,
    "Tab": Keys.TAB,
    "ArrowUp": Keys.ARROW_UP,
    "ArrowDown": Keys.ARROW_DOWN,
}
MODIFIERS = {"Shift": Keys.SHIFT, "Control": Keys.CONTROL}
SCHEME = "layout.css.prefers-color-scheme.content-override"
WINDOWS = "[...Services.wm.getEnumerator('navigator:browser')]"
URL_OF = "tab => tab.linkedBrowser.currentURI.spec"
PREFS: dict[str, str | int | bool] = {
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.safebrowsing.downloads.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.tabs.warnOnClose": False,
    "dom.disable_open_during_load": False,  # pages may open tabs by themselves
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.security.https_first": False,
    "extensions.hideNotifications": True,
    "extensions.webextOptionalPermissionPrompts": False,  # every click in a test consents
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.dns.localDomains": ",".join({*HOSTS, *demo.HOSTS}),
    "network.proxy.type": 0,
    "network.trr.mode": 5,
}

MOVING_PICTURES = 10


class Firefox:
    name = "firefox"

    def __init__(self) -> None:
        extension_manifest = manifest(BUILD)
        self._panel_path = str(extension_manifest["sidebar_action"]["default_panel"]).lstrip("/")
        self._profile = Path(tempfile.mkdtemp(prefix="penny-firefox-"))
        port = free_port()
        self._write_prefs(extension_manifest["browser_specific_settings"]["gecko"]["id"], port)
        self._process = self._launch()
        self.marionette = until(lambda: _session(port), "Firefox answers", 60, 0.2)
        self.marionette.timeout.script = 90
        Addons(self.marionette).install(str(BUILD), temp=True)
        # It opens by itself, and would draw the conversation beside the panel of each test.
        until(lambda: self.chrome("return window.SidebarController.isOpen"), "the sidebar is open")
        self.hide_sidebar()

    @property
    def downloads(self) -> Path:
        return self._profile / "downloads"

    @property
    def origin(self) -> str:
        return f"moz-extension://{UUID}"

    @property
    def panel_url(self) -> str:
        return f"{self.origin}/{self._panel_path}"

    def page(self, url: str) -> "FirefoxPage":
        handle = self.marionette.open(type="tab", focus=True)["handle"]
        return FirefoxPage(self, handle).at(url)

    def urls(self) -> list[str]:
        return list(self.chrome(f"return {WINDOWS}.flatMap(window => [...window.gBrowser.tabs].map({URL_OF}))"))

    def close(self, url: str) -> None:
        tab_expression = f"[...window.gBrowser.tabs].find(tab => ({URL_OF})(tab) === {json.dumps(url)})"
        self.chrome(
            f"for (const window of {WINDOWS}) {{ const tab = {tab_expression}; "
            f"if (tab) {{ window.gBrowser.removeTab(tab); return }} }}"
        )

    def chrome(self, script: str) -> Any:
        """Run a script with the privileges of the browser window."""
        with self.marionette.using_context("chrome"):
            return self.marionette.execute_script(script, sandbox=None)

    def sidebar_screenshot(
        self, name: str, width: int, window: tuple[int, int] = (1100, 800), *, moves: bool = False
    ) -> Path:
        """Open the real sidebar at this width and take a picture of the window.

        `moves`: something in it moves.
        """
        until(self._show_sidebar, "the sidebar is open")
        self.chrome(f"document.getElementById('sidebar-box').style.width = '{width}px'")
        return self.window_screenshot(name, window, moves=moves)

    def window_screenshot(
        self, name: str, window: tuple[int, int], scheme: Scheme = "light", *, moves: bool = False
    ) -> Path:
        """Take a picture of the window once nothing in it moves."""
        self.marionette.set_window_rect(width=window[0], height=window[1])
        self.marionette.set_pref(SCHEME, 0 if scheme == "dark" else 1)
        pictures = [""]
        try:
            return _save(name, until(lambda: self._stable_picture(pictures, moves), "the window is drawn", every_s=0.3))
        finally:
            self.marionette.clear_pref(SCHEME)

    def _stable_picture(self, pictures: list[str], moves: bool) -> str:
        """Return a picture once two in a row are equal, or after MOVING_PICTURES if `moves`.

        Else return "".
        """
        with self.marionette.using_context("chrome"):
            try:
                pictures.append(self.marionette.screenshot(full=False))
            except UnknownException:  # the window's content has not been drawn since it opened
                return ""
        return pictures[-1] if pictures[-1] == pictures[-2] or (moves and len(pictures) > MOVING_PICTURES) else ""

    def hide_sidebar(self) -> None:
        self.chrome("window.SidebarController.hide()")

    def quit(self) -> None:
        try:
            self._process.terminate()
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        finally:
            shutil.rmtree(self._profile, ignore_errors=True)

    def _show_sidebar(self) -> bool:
        return bool(
            self.chrome(
                "let S = window.SidebarController; let k = [...S.sidebars.keys()].find(k => k.startsWith('penny'));"
                "if (!k) return false; if (S.currentID !== k || !S.isOpen) { S.show(k).catch(() => {}); return "
                "false; } return true"
            )
        )

    def _write_prefs(self, addon: str, port: int) -> None:
        self.downloads.mkdir()
        prefs = PREFS | {"browser.download.folderList": 2, "browser.download.dir": str(self.downloads)}
        prefs |= {"marionette.port": port, "extensions.webextensions.uuids": json.dumps({addon: UUID})}
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in prefs.items()]
        (self._profile / "user.js").write_text("\n".join(lines))

    def _launch(self) -> "subprocess.Popen[bytes]":
        size = ["--width", "1200", "--height", "800"]
        options = ["--headless", "--no-remote", "--marionette", "--remote-allow-system-access", *size]
        command = [PROGRAM, *options, "--profile", str(self._profile), "about:blank"]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class FirefoxPage:
    """A tab. Every step first switches to it."""

    def __init__(self, browser: Firefox, handle: str) -> None:
        self._browser, self._handle = browser, handle

    def at(self, url: str) -> "FirefoxPage":
        self.goto(url)
        return self

    def goto(self, url: str) -> None:
        self._here().navigate(url)

    def evaluate(self, expression: str) -> Any:
        return self._here().execute_script(f"return ({expression})", sandbox=None)

    def in_system(self, script: str) -> Any:
        """Run a script that also sees closed shadow trees."""
        return self._here().execute_script(script, sandbox="system")

    def click(self, selector: str) -> None:
        self._visible_element(selector).click()

    def fill(self, selector: str, text: str) -> None:
        element = self._visible_element(selector)
        element.clear()
        element.send_keys(text)

    def press(self, selector: str, key: Literal["Enter", "Escape"], times: int = 1) -> None:
        self._visible_element(selector).send_keys(KEYS[key] * times)

    def key(self, key: str) -> None:
        modifier, _, name = key.rpartition("+")
        keys = self._here().actions.sequence("key", "keyboard")
        if modifier:
            keys.key_down(MODIFIERS[modifier])
        keys.send_keys(KEYS.get(name, name))
        if modifier:
            keys.key_up(MODIFIERS[modifier])
        keys.perform()

    def press_at(self, x: int, y: int) -> None:
        width, height = self.evaluate("[innerWidth, innerHeight]")
        mouse = self._here().actions.sequence("pointer", "mouse", {"pointerType": "mouse"})
        mouse.pointer_move(width - x, height - y).pointer_down(0).pointer_up(0).perform()

    def download(self, selector: str) -> str:
        folder = self._browser.downloads
        before = set(folder.iterdir())
        self.click(selector)
        path = until(
            lambda: next((path for path in set(folder.iterdir()) - before if path.stat().st_size), None),
            "a file is saved",
        )
        return path.read_text()

    def picture(self, name: str) -> Path:
        return _save(name, self._here().screenshot(full=False))

    def screenshot(self, name: str, width: int, height: int = 800, scheme: Scheme = "light") -> Path:
        with self.at_size(width, height, scheme):
            return self.picture(name)

    @contextmanager
    def at_size(self, width: int, height: int = 800, scheme: Scheme = "light") -> Iterator[None]:
        here = self._here()
        before = here.window_rect
        # Firefox draws its whole window again for each new size: one that has room for the page keeps its own.
        has_room = before["width"] >= width + BESIDE and before["height"] == height
        here.set_pref(SCHEME, 0 if scheme == "dark" else 1)
        if not has_room:
            here.set_window_rect(width=width + BESIDE, height=height)
        self._narrow(f"{width}px")
        try:
            until(lambda: self.evaluate("innerWidth") == width, f"the page is {width} pixels wide")
            self.evaluate(
                "new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))"
            )  # wait for the layout
            yield
        finally:
            self._narrow("")
            here.clear_pref(SCHEME)
            if not has_room:
                here.set_window_rect(width=before["width"], height=before["height"])

    def _narrow(self, width: str) -> None:
        self._browser.chrome(f"window.gBrowser.selectedBrowser.style.maxWidth = '{width}'")

    def close(self) -> None:
        here = self._here()
        here.close()
        here.switch_to_window(here.window_handles[0])

    def _here(self) -> Any:
        self._browser.marionette.switch_to_window(self._handle)
        return self._browser.marionette

    def _visible_element(self, selector: str) -> Any:
        here = self._here()
        return until(lambda: _visible(here, selector), f"{selector} is there", 20)


def _visible(marionette: Any, selector: str) -> Any:
    return next(
        (element for element in marionette.find_elements(By.CSS_SELECTOR, selector) if element.is_displayed()), None
    )


def _session(port: int) -> Any:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()  # waiting with Marionette leaves sockets open
    except OSError:
        return None
    marionette = Marionette(host="127.0.0.1", port=port, socket_timeout=60)
    try:
        marionette.start_session()
    except OSError:
        return None
    return marionette


def _save(name: str, data: str) -> Path:
    path = artifact(name)
    path.write_bytes(base64.b64decode(data))
    return path
