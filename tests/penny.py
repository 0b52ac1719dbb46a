"""A real Penny for tests: `manage.py up` as a process with its own port and data folder."""

import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from html import unescape
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

import httpx2

from penny_site.processes.socket_folders import OWN, READERS, socket_folder_of
from tests import commands, databases
from tests.client import Answer, Client, Pairing, Tool, pair
from tests.commands import ROOT as ROOT
from tests.commands import environment as environment
from tests.pages import SqueezedPages
from tests.stand_ins.model_server import NAME
from tests.stand_ins.signal_server import OWNER, SignalServer
from tests.transport import SOCKETS, Transport
from tests.waiting import NotInTime, until

URL = re.compile(r"https?://\S+")
MANY = 10_000
READY_S = 180.0  # twenty times the usual, because the machine may be loaded
STOP_S = 20.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def with_model(url: str) -> dict[str, str]:
    """Return the settings that make a Penny use the scripted model at `url`."""
    return {
        "PENNY_MODEL": f"openai-compatible:{NAME}",
        "PENNY_VISION_MODEL": f"openai-compatible:{NAME}-sees",
        "PENNY_MODEL_URL": url,
    }


class Penny:
    """A running Penny.

    `lines` holds the output of `up`; its first URL is the one-time sign-in link.
    """

    transport: Transport = SOCKETS

    def __init__(self, data: Path, **settings: str) -> None:
        self.data, self.port, self.settings = data, free_port(), databases.database_settings() | settings
        self.url = f"http://127.0.0.1:{self.port}"
        self.lines: list[str] = []
        self._process: commands.ForkedCommand | subprocess.Popen[str] | None = None
        self._loaded: commands.LoadedPenny | None = None  # for commands
        self._http: httpx2.Client | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def output(self) -> str:
        return "\n".join(self.lines)

    def start(self) -> "Penny":
        self.launch()
        self.wait_ready()
        return self

    def launch(self) -> None:
        self.lines.clear()
        databases.copy_into(self.data)
        arguments = ["up", "--port", str(self.port), "--data", str(self.data)]
        start = (
            commands.ForkedCommand if databases.is_test_run() else commands.start_in_new_python
        )  # benches measure the start itself
        self._process = start(*arguments, environment=environment(self.data, **self.settings))
        threading.Thread(target=self._read_output, args=(self._process,), daemon=True).start()

    def wait_ready(self) -> None:
        assert self._process is not None
        process = self._process
        try:
            until(lambda: self.is_ready() or process.poll() is not None, "Penny is ready", READY_S)
        except NotInTime as late:
            raise NotInTime(f"{late}\n{self.output}\n{self.logs()}") from None
        assert process.poll() is None, f"`up` ended with {process.returncode}:\n{self.output}\n{self.logs()}"
        until(lambda: self.link, "the sign-in link is printed", READY_S)

    def is_ready(self) -> bool:
        try:
            with build_opener(ProxyHandler({})).open(f"{self.url}/readyz", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    @property
    def link(self) -> str:
        """Return the one-time sign-in link, or "" before it is printed."""
        match = URL.search(self.output)
        return match.group() if match else ""

    @property
    def http(self) -> httpx2.Client:
        """Return the owner's signed-in client. It squeezes the white space of pages."""
        if self._http is None:
            self._http = httpx2.Client(
                base_url=self.url,
                transport=SqueezedPages(self.transport.pages()),
                follow_redirects=True,
                trust_env=False,
                timeout=30,
            )
            self._http.get(self.link).raise_for_status()
        return self._http

    def manage(self, *arguments: str, how: commands.Runner = commands.run_command) -> str:
        return self.run(*arguments, check=True, how=how).stdout

    def run(
        self, *arguments: str, check: bool = False, how: commands.Runner = commands.run_command
    ) -> commands.CompletedCommand:
        settings = environment(self.data, **self.settings)
        if arguments[0] in ("constance", "shell", "sign_in_link") and how is commands.run_command:
            outcome = self._loaded_with(settings).run(*arguments, "--data", str(self.data))
        else:
            outcome = how(*arguments, "--data", str(self.data), environment=settings)
        assert not check or outcome.returncode == 0, (
            f"{arguments} ended with {outcome.returncode}: {outcome.stdout}{outcome.stderr}"
        )
        return outcome

    def _loaded_with(self, settings: dict[str, str]) -> commands.LoadedPenny:
        if self._loaded is None or self._loaded.environment != settings:
            self._end_loaded()
            self._loaded = commands.LoadedPenny(settings)
        return self._loaded

    def _end_loaded(self) -> None:
        if self._loaded is not None:
            self._loaded.end()
            self._loaded = None

    def set(self, **values: str | int) -> None:
        for name, value in values.items():
            self.manage("constance", "set", name, str(value))

    def allow_many_calls(self) -> None:
        """Lift the rate limits, and learn nothing from the messages of earlier tests."""
        self.set(RATE_PER_HOST_MINUTE=MANY, RATE_MINUTE=MANY, LEARN_AFTER_S=MANY)

    def code(self) -> str:
        match = re.search(r"\b\d{4} \d{4}\b", self.post("/setup/code/").text)
        assert match is not None
        return match.group()

    def post(self, path: str, **fields: str | list[str]) -> httpx2.Response:
        return self._submit(path, fields)

    def know_phone(self, server: SignalServer) -> None:
        """Enter the owner's number, and write its code from their phone."""
        code = re.search(r'<b class="written">([\d ]+)</b>', self.post("/setup/signal/", number=OWNER).text)
        assert code is not None
        until(lambda: server.listening > 0, "Penny listens to Signal")
        server.write(code[1])
        until(lambda: bool(server.sent), "Penny says that she knows the number")

    def upload(self, path: str, **files: tuple[str, bytes]) -> httpx2.Response:
        """Send files, given as (name, content), as the owner's browser does; return the next page."""
        return self._submit(path, {}, files)

    def _submit(
        self, path: str, fields: Mapping[str, str | list[str]], files: Mapping[str, tuple[str, bytes]] | None = None
    ) -> httpx2.Response:
        answer = self._send(path, fields, files, follow_redirects=True)
        assert answer.status_code == 200, answer.text
        return answer

    def _send(
        self,
        path: str,
        fields: Mapping[str, str | list[str]],
        files: Mapping[str, tuple[str, bytes]] | None = None,
        *,
        follow_redirects: bool = False,
    ) -> httpx2.Response:
        """Send a form with the CSRF token of the browser's cookie."""
        token = next(value for name, value in self.http.cookies.items() if name.endswith(f"csrf_{self.port}"))
        headers = {"Referer": f"{self.url}/setup/", "Origin": self.url}
        data = {**fields, "csrfmiddlewaretoken": token}
        return self.http.post(path, data=data, files=files, headers=headers, follow_redirects=follow_redirects)

    def admin_action(self, model: str, action: str) -> None:
        """Run and confirm an admin action on all rows of a model, such as `devices/device`."""
        if not self._has_rows(model.replace("/", "_")):
            return
        listed = self.http.get(f"/admin/{model}/").text
        ids = re.findall(r'name="_selected_action" value="([^"]+)"', listed)
        if ids:
            answer = self._send(
                f"/admin/{model}/", {"action": action, "_selected_action": ids, "post": "yes", "sure": "yes"}
            )
            assert answer.status_code == 302, answer.text

    def pair(self, label: str = "Test program", kind: str = "api", origin: str | None = None) -> Pairing:
        return pair(self.url, self.code(), label, kind, origin, self.transport)

    def client(
        self,
        label: str = "Test program",
        *,
        tools: Mapping[str, Tool] | None = None,
        answers: Answer | None = None,
        cursor: int | None = None,
    ) -> Client:
        """Return a newly paired client, a context manager that connects."""
        return Client(self.pair(label), tools=tools, answers=answers, cursor=cursor)

    @property
    def database(self) -> Path:
        return self.data / databases.FILE

    def tick(self) -> None:
        """Look for what is due. The beat of a running Penny does so every two seconds."""

    def children(self) -> list[int]:
        return descendants(self.pid)

    def keeps(self, words: str) -> list[str]:
        """Return the database rows, and the ends of the logs, that hold these words."""
        with closing(sqlite3.connect(self.database, timeout=20)) as database:
            return [row for row in [*database.iterdump(), self.logs()] if words in row]

    def _has_rows(self, table: str) -> bool:
        if databases.is_on_server():
            return True
        with closing(sqlite3.connect(self.database, timeout=20)) as database:
            return database.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() is not None

    def last_rows(self) -> str:
        """Return the newest messages, runs and pages, for the report of a failed test."""
        with closing(sqlite3.connect(self.database, timeout=20)) as database:
            database.row_factory = sqlite3.Row
            return "".join(
                f"--- {table}\n"
                + "".join(
                    f"{_shortened(row)}\n"
                    for row in database.execute(f"SELECT * FROM {table} ORDER BY rowid DESC LIMIT 4")
                )
                for table in ("devices_message", "agents_run", "thoughts_page", "thoughts_thought_pages")
            )

    def logs(self, most: int = 3000) -> str:
        paths = sorted((self.data / "log").glob("*.log")) if (self.data / "log").exists() else []
        return "\n".join(f"--- {path.name}\n{path.read_text(errors='replace')[-most:]}" for path in paths)

    def kill(self) -> None:
        """Kill every process at once, as a power cut would."""
        pids = [self.pid, *self.children()]
        for pid in pids:
            _signal(pid, signal.SIGKILL)
        self._wait_gone(pids)

    def stop(self) -> int:
        """Ask for an orderly end, then kill the rest. Return the exit code."""
        self._end_loaded()
        if self._process is None:
            return 0
        pids = self.children() if self._process.poll() is None else []
        if self._process.poll() is None:
            self._process.terminate()
        try:
            return self.wait()
        except NotInTime:
            self._process.kill()
            return self._process.wait()
        finally:
            for pid in pids:
                _signal(pid, signal.SIGKILL)
            if self._http:
                self._http.close()
                self._http = None

    def wait(self) -> int:
        """Return the exit code of `up` once it has ended. Raises NotInTime."""
        process = self._process
        assert process is not None
        until(lambda: process.poll() is not None, "`up` ends", STOP_S)
        return process.wait()

    def restart(self) -> None:
        self.stop()
        self.start()

    def _wait_gone(self, pids: list[int]) -> None:
        self.wait()
        until(lambda: not any(is_running(pid) for pid in pids), "every process is gone")

    def _read_output(self, process: "commands.ForkedCommand | subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                self.lines.append(line.rstrip("\n"))


def form_fields(html: str) -> dict[str, str]:
    """Return the values of a page's form fields by name, as a browser would send them."""
    tags = [
        tag
        for tag in re.findall(r"<input[^>]*>", html)
        if not re.search(r'type="(?:checkbox|radio)"', tag) or re.search(r"\schecked\b", tag)
    ]
    inputs = (
        ({"value": "on"} if 'type="checkbox"' in tag else {}) | dict(re.findall(r'\b(name|value)="([^"]*)"', tag))
        for tag in tags
    )
    chosen = re.findall(r'<select name="([^"]+)"(?:(?!</select>).)*?<option value="([^"]*)" selected', html, re.DOTALL)
    return {field["name"]: unescape(field.get("value", "")) for field in inputs if "name" in field} | dict(chosen)


@contextmanager
def run_penny(data: Path, **settings: str) -> Iterator[Penny]:
    penny = Penny(data, **settings)
    try:
        penny.start()
        if not databases.is_test_run():
            penny.manage("shell", "-v0", "-c", "from tests.databases import set_daytime; set_daytime()")
        yield penny
    finally:
        penny.stop()
        for ending in (OWN, READERS):  # of one that was killed
            shutil.rmtree(socket_folder_of(data, ending), ignore_errors=True)


def descendants(pid: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (parent := _parent(int(entry.name))) is not None:
            parents.setdefault(parent, []).append(int(entry.name))
    pids, todo = [], [pid]
    while todo:
        below = parents.get(todo.pop(), [])
        pids += below
        todo += below
    return pids


def is_running(pid: int) -> bool:
    """Whether the process runs. A zombie does not."""
    try:
        return _stat(pid)[0] != "Z"
    except OSError:
        return False


def _parent(pid: int) -> int | None:
    try:
        return int(_stat(pid)[1])
    except OSError:
        return None


def _stat(pid: int) -> list[str]:
    """Return state, parent and later fields. The name before them may hold spaces and brackets."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def _signal(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def _shortened(row: sqlite3.Row) -> dict[str, str]:
    return {name: str(row[name])[:200] for name in row.keys() if row[name] not in (None, "")}  # noqa: SIM118 - a Row is iterated by value
