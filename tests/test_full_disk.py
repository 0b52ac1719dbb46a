"""A disk that runs full under a running Penny: new work is refused and says why, what she has stays, and with room she
goes on.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from devices import protocol as p
from tests.client import Client
from tests.commands import ROOT, environment
from tests.penny import Penny, free_port, with_model
from tests.stand_ins.model_server import ModelServer, Reply
from tests.waiting import until

SIZE = "224m"
SETTING_BYTES = 200 * 1024 * 1024
# The folder becomes a file system of its own, which only the processes below see.
MOUNTED = 'mount -t tmpfs -o size="$1",mode=700 tmpfs "$2" && shift 2 && exec "$@"'


def inside(size: str, folder: Path) -> list[str]:
    """Return the beginning of a command to which a folder is a disk of that size."""
    user = [] if os.getuid() == 0 else ["--map-root-user"]
    return ["unshare", "-m", *user, "sh", "-c", MOUNTED, "sh", size, str(folder)]


class SmallDisk(Penny):
    """A Penny whose data folder is on a small disk of its own."""

    def launch(self) -> None:
        self.lines.clear()
        command = [sys.executable, "manage.py", "up", "--port", str(self.port), "--data", str(self.data)]
        self._process = subprocess.Popen(
            [*inside(SIZE, self.data), *command], cwd=ROOT, env=environment(self.data, **self.settings),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        threading.Thread(target=self._read_output, args=(self._process,), daemon=True).start()

    @property
    def disk(self) -> Path:
        return Path(f"/proc/{self.pid}/root{self.data}")

    def fill(self, left_bytes: int) -> None:
        """Leave so much room on the disk, in whole pages."""
        free = os.statvfs(self.disk).f_bavail * os.statvfs(self.disk).f_frsize
        with (self.disk / "filler").open("ab") as file:
            os.posix_fallocate(file.fileno(), file.tell(), free - left_bytes) if free > left_bytes else None

    def empty(self) -> None:
        (self.disk / "filler").unlink()

    def part(self) -> str:
        """Return what the setup page says about the disk."""
        return self.http.get("/setup/").text.partition('id="text-disk">')[2].partition("<")[0]


@pytest.fixture
def small(tmp_path: Path, model: ModelServer) -> Iterator[SmallDisk]:
    found = SmallDisk(tmp_path, PENNY_DATABASE_URL="", **with_model(model.url))
    try:
        found.start()
        yield found
    finally:
        found.stop()


def refused(client: Client, text: str = "Hello") -> p.Error:
    return client.expect(p.Error, ref=str(client.say(text)))


def test_penny_says_in_one_line_that_it_cannot_start_on_a_full_disk(tmp_path: Path) -> None:
    made = subprocess.run(
        [sys.executable, "manage.py", "migrate", "-v0", "--data", str(tmp_path / "made")],
        cwd=ROOT,
        env=environment(tmp_path / "made"),
    )
    assert made.returncode == 0
    (tmp_path / "small").mkdir()
    fill = 'cp "$0"/secret_key "$0"/penny.sqlite3 "$1"; cat /dev/zero >"$1"/filler; shift; exec "$@"'
    up = [sys.executable, "manage.py", "up", "--port", str(free_port()), "--data", str(tmp_path / "small")]
    filled = ["sh", "-c", fill, str(tmp_path / "made"), str(tmp_path / "small"), *up]
    done = subprocess.run(
        [*inside("4m", tmp_path / "small"), *filled],
        cwd=ROOT,
        env=environment(tmp_path / "small"),
        capture_output=True,
        text=True,
        timeout=60,
    )
    said = [line for line in done.stderr.splitlines() if line.startswith("penny:")]
    assert (done.returncode, len(said), "full" in said[0]) == (2, 1, True), done.stdout + done.stderr


def is_over(client: Client, turn_id: UUID) -> bool:
    return bool(client.frames_of(p.TurnDone, turn_id=turn_id) or client.frames_of(p.TurnFailed, turn_id=turn_id))


def test_a_disk_that_runs_full_refuses_new_work_keeps_the_rest_and_recovers_by_itself(
    small: SmallDisk, model: ModelServer
) -> None:
    with small.client() as client:
        before = client.say("Before")
        client.expect(p.TurnDone, turn_id=before)
        assert small.http.get("/readyz").status_code == 200

        # Little room: nothing new, but what was accepted is finished, and a message that was stored is acknowledged
        # again.
        small.fill(SETTING_BYTES // 8)
        assert (refused(client).code, "Free some room" in refused(client).message) == ("disk_full", True)
        client.say("Before", before)
        client.expect(p.Ack, ref=str(before), count=2)
        ready = small.http.get("/readyz")
        assert (ready.status_code, [part["name"] for part in ready.json()["parts"] if not part["is_ok"]]) == (
            503,
            ["disk"],
        )
        assert "is full" in small.part()
        assert "No thought: There is too little room" in think(small)

        # No room at all: a turn in the middle of its answer, and whatever else is written.
        small.empty()
        model.on(
            lambda request: "write on" in request.last_user,
            Reply(tokens=("Half ", "an ", "answer ") * 20, every_s=0.05),
        )
        during = client.say("Please write on")
        client.expect(p.TurnDelta, turn_id=during)
        small.fill(0)
        assert refused(client).code == "disk_full"
        assert small.http.get("/readyz").status_code == 503
        token = small.http.get("/setup/").text.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
        # What there was of SQLite's log is used up first.
        until(lambda: added(small, token) == (507, True), "a page says that the disk is full", 60)
        client.send(p.HistoryFetch(before_seq=2, limit=10))
        assert client.expect(p.HistoryPage).messages[0].text == "Before"

        # Room again, and nobody restarted anything.
        pids = small.children()
        small.empty()
        until(lambda: small.http.get("/readyz").status_code == 200, "Penny is ready again")
        assert client.ask("After", 30).text
        until(lambda: is_over(client, during), "the turn has ended", 60)
        assert set(pids) & set(small.children()) == set(pids)


def added(small: SmallDisk, token: str) -> tuple[int, bool]:
    """Add a preference in the web page; return the answer's status, and whether it says that the disk is full."""
    fields = {"csrfmiddlewaretoken": token, "text": uuid4().hex * 9, "valence": "1"}
    answer = small.http.post(
        "/preferences/", data=fields, headers={"Referer": f"{small.url}/setup/", "Origin": small.url}
    )
    return answer.status_code, "The disk is full" in answer.text


def think(penny: SmallDisk) -> str:
    """Run `think` where the disk is."""
    entered = [
        "nsenter",
        f"--target={penny.pid}",
        "--mount",
        *([] if os.getuid() == 0 else ["--user", "--preserve-credentials"]),
    ]
    command = [*entered, sys.executable, str(ROOT / "manage.py"), "think", "--data", str(penny.data)]
    return subprocess.run(
        command, cwd=ROOT, env=environment(penny.data), capture_output=True, text=True, timeout=60
    ).stdout
