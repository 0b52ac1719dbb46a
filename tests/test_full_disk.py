"""A full disk: Penny refuses new work, keeps its data, and recovers with free room."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from devices import protocol as p
from tests import databases
from tests.client import Client
from tests.commands import ROOT, environment
from tests.penny import Penny, free_port, with_model
from tests.stand_ins.model_server import ModelServer, Reply
from tests.waiting import until

pytestmark = pytest.mark.processes("the disk of a running Penny is full")

SIZE = "224m"
SETTING_BYTES = 200 * 1024 * 1024
# Mounts a file system on the folder that only the child processes see, with the migrated database.
MOUNTED = 'mount -t tmpfs -o size="$1",mode=700 tmpfs "$2" && cp "$3" "$2" && shift 3 && exec "$@"'


def on_small_disk(size: str, folder: Path) -> list[str]:
    """Return the prefix of a command that sees the folder as a disk of this size."""
    user = [] if os.getuid() == 0 else ["--map-root-user"]
    return ["unshare", "-m", *user, "sh", "-c", MOUNTED, "sh", size, str(folder), databases.migrated_database()]


class SmallDisk(Penny):
    """A Penny with its data folder on its own small disk."""

    def launch(self) -> None:
        self.lines.clear()
        command = [sys.executable, "manage.py", "up", "--port", str(self.port), "--data", str(self.data)]
        self._process = subprocess.Popen(
            [*on_small_disk(SIZE, self.data), *command], cwd=ROOT, env=environment(self.data, **self.settings),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        threading.Thread(target=self._read_output, args=(self._process,), daemon=True).start()

    @property
    def disk(self) -> Path:
        return Path(f"/proc/{self.pid}/root{self.data}")

    def fill(self, left_bytes: int) -> None:
        """Leave this much room on the disk, in whole pages."""
        free = os.statvfs(self.disk).f_bavail * os.statvfs(self.disk).f_frsize
        with (self.disk / "filler").open("ab") as file:
            os.posix_fallocate(file.fileno(), file.tell(), free - left_bytes) if free > left_bytes else None

    def empty(self) -> None:
        (self.disk / "filler").unlink()

    def disk_problem(self) -> str:
        return self.http.get("/settings/machine/").text.partition('id="text-disk">')[2].partition("<")[0]


@pytest.fixture
def small_disk(tmp_path: Path, model: ModelServer) -> Iterator[SmallDisk]:
    disk_penny = SmallDisk(tmp_path, PENNY_DATABASE_URL="", **with_model(model.url))
    try:
        disk_penny.start()
        yield disk_penny
    finally:
        disk_penny.stop()


def refusal(client: Client, text: str = "Hello") -> p.Error:
    return client.expect(p.Error, ref=str(client.say(text)))


def test_penny_says_in_one_line_that_it_cannot_start_on_a_full_disk(tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("k" * 64)
    (tmp_path / "small").mkdir()
    fill = 'cp "$0" "$1"; cat /dev/zero >"$1"/filler; shift; exec "$@"'
    up = [sys.executable, "manage.py", "up", "--port", str(free_port()), "--data", str(tmp_path / "small")]
    command = ["sh", "-c", fill, str(tmp_path / "secret_key"), str(tmp_path / "small"), *up]
    outcome = subprocess.run(
        [*on_small_disk("4m", tmp_path / "small"), *command],
        cwd=ROOT,
        env=environment(tmp_path / "small"),
        capture_output=True,
        text=True,
        timeout=60,
    )
    lines = [line for line in outcome.stderr.splitlines() if line.startswith("penny:")]
    assert (outcome.returncode, len(lines), "full" in lines[0]) == (2, 1, True), outcome.stdout + outcome.stderr


def is_over(client: Client, turn_id: UUID) -> bool:
    return bool(client.frames_of(p.TurnDone, turn_id=turn_id) or client.frames_of(p.TurnFailed, turn_id=turn_id))


def test_a_disk_that_runs_full_refuses_new_work_keeps_the_rest_and_recovers_by_itself(
    small_disk: SmallDisk, model: ModelServer
) -> None:
    with small_disk.client() as client:
        before = client.say("Before")
        client.expect(p.TurnDone, turn_id=before)
        assert small_disk.http.get("/readyz").status_code == 200

        # Little room: no new work, but accepted work is finished, and a stored message is acknowledged again.
        small_disk.fill(SETTING_BYTES // 8)
        assert (refusal(client).code, "Free some room" in refusal(client).message) == ("disk_full", True)
        client.say("Before", before)
        client.expect(p.Ack, ref=str(before), count=2)
        ready = small_disk.http.get("/readyz")
        assert (
            ready.status_code,
            [part["name"] for part in ready.json()["parts"] if not part["is_ok"]],
        ) == (
            503,
            ["disk"],
        )
        assert "is full" in small_disk.disk_problem()
        assert "No thought: There is too little room" in run_think(small_disk)

        # No room at all, in the middle of an answer.
        small_disk.empty()
        model.on(
            lambda request: "write on" in request.last_user,
            Reply(tokens=("Half ", "an ", "answer ") * 20, every_s=0.05),
        )
        during = client.say("Please write on")
        client.expect(p.TurnDelta, turn_id=during)
        small_disk.fill(0)
        assert refusal(client).code == "disk_full"
        assert small_disk.http.get("/readyz").status_code == 503
        token = small_disk.http.get("/setup/").text.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
        # SQLite first uses up the rest of its log.
        until(lambda: add_preference(small_disk, token) == (507, True), "a page says that the disk is full", 60)
        client.send(p.HistoryFetch(before_seq=2, limit=10))
        assert client.expect(p.HistoryPage).messages[0].text == "Before"

        # Room again, without a restart.
        pids = small_disk.children()
        small_disk.empty()
        until(lambda: small_disk.http.get("/readyz").status_code == 200, "Penny is ready again")
        assert client.ask("After", 30).text
        until(lambda: is_over(client, during), "the turn has ended", 60)
        assert set(pids) & set(small_disk.children()) == set(pids)


def add_preference(small_disk: SmallDisk, token: str) -> tuple[int, bool]:
    """Add a preference on the web page; return the status, and whether it names the full disk."""
    fields = {"csrfmiddlewaretoken": token, "text": uuid4().hex * 9, "valence": "1"}
    answer = small_disk.http.post(
        "/interests/", data=fields, headers={"Referer": f"{small_disk.url}/setup/", "Origin": small_disk.url}
    )
    return answer.status_code, "The disk is full" in answer.text


def run_think(penny: SmallDisk) -> str:
    """Run `think` in the mount namespace of the disk."""
    prefix = [
        "nsenter",
        f"--target={penny.pid}",
        "--mount",
        *([] if os.getuid() == 0 else ["--user", "--preserve-credentials"]),
    ]
    command = [*prefix, sys.executable, str(ROOT / "manage.py"), "think", "--data", str(penny.data)]
    return subprocess.run(
        command, cwd=ROOT, env=environment(penny.data), capture_output=True, text=True, timeout=60
    ).stdout
