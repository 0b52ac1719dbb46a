"""The passwords that docker-compose.yml makes at its first start."""

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.compose_file import SERVICES

# The volumes of passwords, and the folder of each for the script.
VOLUMES = {volume.partition(":")[0]: volume.rpartition("/")[2] for volume in SERVICES["passwords"]["volumes"]}


def make_passwords(folder: Path, *broken: str) -> int:
    """Run the script that makes the passwords in a folder; return its exit code.

    The programs `broken` fail.
    """
    programs = folder / "programs"
    shutil.rmtree(programs, ignore_errors=True)
    for path in (programs, *(folder / name for name in VOLUMES.values())):
        path.mkdir(exist_ok=True)
    for name, code in ({"chown": 0} | dict.fromkeys(broken, 9)).items():
        (programs / name).write_text(f"#!/bin/sh\nexit {code}\n")
        (programs / name).chmod(0o755)
    script = SERVICES["passwords"]["command"][0].replace("$$", "$").replace("/passwords", str(folder))
    environment = {"PATH": f"{programs}:{os.environ['PATH']}"}
    return subprocess.run(
        [*SERVICES["passwords"]["entrypoint"], script], env=environment, stderr=subprocess.DEVNULL
    ).returncode


def passwords(folder: Path) -> tuple[str, str]:
    return (folder / "postgres/password").read_text(), (folder / "penny/pgpass").read_text()


def test_the_password_is_made_once_for_both_of_its_readers(tmp_path: Path) -> None:
    assert make_passwords(tmp_path) == 0
    password, pgpass = first = passwords(tmp_path)
    assert re.fullmatch(r"[0-9a-f]{64}", password)
    assert pgpass == f"database:5432:penny:penny:{password}\n"
    assert make_passwords(tmp_path) == 0
    assert passwords(tmp_path) == first


@pytest.mark.parametrize(
    "leftovers", [{"postgres/password": "ab" * 32}, {"postgres/password": "ab" * 32, "penny/pgpass": ""}]
)
def test_the_next_start_completes_a_killed_one(tmp_path: Path, leftovers: dict[str, str]) -> None:
    for name, content in leftovers.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    assert make_passwords(tmp_path) == 0
    assert passwords(tmp_path) == ("ab" * 32, f"database:5432:penny:penny:{'ab' * 32}\n")


def test_each_redis_gets_a_password_of_its_own_and_keeps_the_digest_alone(tmp_path: Path) -> None:
    assert make_passwords(tmp_path) == 0
    urls = [redis_url(tmp_path, name) for name in ("redis", "sandbox-redis")]
    assert urls[0].partition("@")[0] != urls[1].partition("@")[0]
    assert [path.name for path in (tmp_path / "beat").iterdir()] == ["redis-url"]
    assert [path.name for path in (tmp_path / "sandbox").iterdir()] == ["sandbox-redis-url"]
    assert make_passwords(tmp_path) == 0
    assert [redis_url(tmp_path, name) for name in ("redis", "sandbox-redis")] == urls


def redis_url(folder: Path, name: str) -> str:
    """Return the URL of a Redis, which fits the digest that the server gets."""
    url = (folder / f"penny/{name}-url").read_text().strip()
    password = re.fullmatch(rf"redis://:([0-9a-f]{{64}})@{name}:6379/0", url)
    assert password
    assert [path.name for path in (folder / name).iterdir()] == ["digest"]
    assert (folder / name / "digest").read_text().strip() == hashlib.sha256(password[1].encode()).hexdigest()
    return url


@pytest.mark.parametrize("program", ["mv", "head", "cat", "sha256sum", "cut"])
def test_no_incomplete_password_is_read(tmp_path: Path, program: str) -> None:
    assert make_passwords(tmp_path, program) != 0
    assert not (tmp_path / "beat/redis-url").exists()
    assert make_passwords(tmp_path) == 0
    assert redis_url(tmp_path, "redis") != redis_url(tmp_path, "sandbox-redis")
    password, pgpass = passwords(tmp_path)
    assert re.fullmatch(r"[0-9a-f]{64}", password)
    assert pgpass == f"database:5432:penny:penny:{password}\n"
