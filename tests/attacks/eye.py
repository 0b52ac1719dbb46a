"""A real Chromium that records all that runs and loads, and a sink that counts connections."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Request
from playwright.sync_api import Page as Tab

from tests.e2e.chromium import BUILD, PROGRAM, Chromium

# Fires every event handler of the page, follows every script URL and submits every form that leads elsewhere. Returns
# one line for each thing that should not be there.
ACT = r"""() => {
  const found = []
  const note = (element, why) => found.push(`${why}: ${element.outerHTML.slice(0, 160)}`)
  const ELEMENTS = /^(iframe|frame|object|embed|applet|base|meta|link|style|portal|fencedframe|video|audio|math)$/
  const script = /^[\s\u0000-\u001f]*(javascript|vbscript|data):/i
  const ADDRESSES = /^((xlink:)?href|src|srcset|srcdoc|(form)?action|data|poster|background|ping|values|to)$/
  for (const element of document.querySelectorAll('body *')) {
    for (const { name, value } of [...element.attributes]) {
      if (name.startsWith('on')) {
        note(element, 'handler')
        element.dispatchEvent(new Event(name.slice(2), { bubbles: true }))
      } else if (ADDRESSES.test(name) && script.test(value) && !element.matches(OWN)) {
        note(element, 'script address')
        element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
      }
    }
    const { localName } = element
    const isOwn = (address) => {
      try { return new URL(address, location.href).origin === location.origin } catch { return true }
    }
    if (ELEMENTS.test(localName) && !element.matches('.formula > .katex > math')) note(element, 'element')
    if (localName === 'script' && !String(element.src).startsWith(location.origin)) note(element, 'script')
    if (localName === 'form' && !isOwn(element.getAttribute('action') ?? '')) {
      note(element, 'form')
      HTMLFormElement.prototype.submit.call(element)
    }
    const isOther = localName === 'img' && !element.matches(OWN) && !isOwn(element.getAttribute('src') ?? '')
    if (isOther) note(element, 'image')
    const isLink = element instanceof HTMLAnchorElement && element.protocol.startsWith('http') && !element.matches(OWN)
    const isApart = element.rel === 'noopener noreferrer nofollow' && element.target === '_blank'
    if (isLink && !isOwn(element.href) && !isApart) note(element, 'outgoing link')
  }
  return found
}"""
RAN = (
    "globalThis.ran = (number) => console.debug(`ran ${number}`); globalThis.alert = globalThis.confirm "
    "= globalThis.prompt = ran"
)


class Sink:
    """A server for every host name but Penny's own.

    `hits`: addressee and first bytes of each connection.
    """

    def __init__(self) -> None:
        self.hits: list[str] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(0.5)
                try:
                    self.hits.append(addressee(connection.recv(4000)))
                    connection.sendall(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
                except OSError:
                    self.hits.append("opened and left")

    def close(self) -> None:
        self._listener.close()


def addressee(beginning: bytes) -> str:
    """Return the addressee in the first bytes of a connection: a request head, or the name in a TLS hello."""
    if not beginning.startswith(b"\x16\x03"):
        return beginning.decode(errors="replace") or "opened and left"
    names: list[str | None] = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.sni_callback = lambda _, name, __: names.append(name)
    incoming = ssl.MemoryBIO()
    incoming.write(beginning)
    try:
        context.wrap_bio(incoming, ssl.MemoryBIO(), server_side=True).do_handshake()
    except ssl.SSLError:
        pass  # the hello names the host before the handshake fails
    return f"TLS for {', '.join(map(str, names))}"


class Eye(Chromium):
    """Chromium with the built extension; it records runs, foreign requests and blocked loads."""

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.home = ""
        self.site = ""  # serves the pages of other tabs; Penny's pages must load nothing from it
        self.ran: list[str] = []
        self.elsewhere: list[str] = []
        self.refused: list[str] = []
        super().__init__()

    @property
    def options_url(self) -> str:
        return f"{self.origin}/options.html"

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Counts of runs, foreign requests, sink connections and blocked loads."""
        return len(self.ran), len(self.elsewhere), len(self.sink.hits), len(self.refused)

    def forget(self) -> None:
        for records in (self.ran, self.elsewhere, self.refused, self.sink.hits):
            records.clear()

    def _launch(self) -> BrowserContext:
        # The browser itself asks these two hosts, for updates and about form fields, whatever page it shows.
        own = "MAP *.google.com ~NOTFOUND , MAP *.googleapis.com ~NOTFOUND"
        rules = f"{own} , MAP * 127.0.0.1:{self.sink.port} , EXCLUDE 127.0.0.1 , EXCLUDE localhost"
        arguments = [
            "--no-sandbox", "--disable-background-networking", "--disable-component-update",
            f"--host-resolver-rules={rules}",
            f"--load-extension={BUILD}", f"--disable-extensions-except={BUILD}",
        ]  # fmt: skip
        launcher = self._playwright.chromium
        context = launcher.launch_persistent_context(
            self._profile, executable_path=PROGRAM, headless=True, args=arguments
        )
        context.add_init_script(RAN)
        context.on("console", self._record_console)
        context.on("dialog", self._record_dialog)
        context.on("request", self._record_request)
        return context

    def sign_in(self, url: str, cookies: dict[str, str]) -> None:
        self.home = url
        self.call(
            lambda: self._context.add_cookies(
                [{"name": name, "value": value, "url": url} for name, value in cookies.items()]
            )
        )

    @contextmanager
    def tab(self, *, has_policy: bool = True) -> Iterator[Tab]:
        """Open a tab, on Playwright's own thread only.

        `has_policy`: False ignores the policy that pages send.
        """
        tab = self._context.new_page()
        tab.set_default_timeout(30_000)
        try:
            if not has_policy:
                self._context.new_cdp_session(tab).send("Page.setBypassCSP", {"enabled": True})
            yield tab
        finally:
            for other in self._context.pages:
                if other is tab or other.opener() is tab:
                    other.close()

    def _record_console(self, message: ConsoleMessage) -> None:
        if message.text.startswith("ran "):
            self.ran.append(message.text)
        elif "Content Security Policy" in message.text:
            self.refused.append(message.text[:200])

    def _record_dialog(self, dialog: Dialog) -> None:
        self.ran.append(f"{dialog.type} {dialog.message}")
        dialog.dismiss()

    def _record_request(self, request: Request) -> None:
        there = urlsplit(request.url)
        own = [self.home, self.site] if request.is_navigation_request() else [self.home]
        if (
            there.scheme not in ("chrome-extension", "data", "blob", "about")
            and f"{there.scheme}://{there.netloc}" not in own
        ):
            self.elsewhere.append(request.url[:200])
