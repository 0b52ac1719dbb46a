"""The addresses of both Redis, out of files."""

from pathlib import Path

import pytest

from tests import commands

CODE = "from django.conf import settings; print('are', settings.REDIS_URL, settings.SANDBOX_REDIS_URL)"
URL = "redis://:secret@127.0.0.1:6379/0"


def read_urls(data: Path, **environment: str) -> str:
    result = commands.run_command("shell", "-v0", "-c", CODE, environment={"PENNY_DATA": str(data), **environment})
    return f"{result.stdout}{result.stderr}".strip()


def test_an_address_is_read_from_its_file(tmp_path: Path) -> None:
    (tmp_path / "url").write_text(f"{URL}\n")
    own = {"PENNY_REDIS_URL": "redis://127.0.0.1/1", "PENNY_REDIS_URL_FILE": str(tmp_path / "url")}
    files = {"PENNY_SANDBOX_REDIS_URL": "", "PENNY_SANDBOX_REDIS_URL_FILE": str(tmp_path / "url")}
    assert read_urls(tmp_path / "data", **own, **files) == f"are redis://127.0.0.1/1 {URL}"


@pytest.mark.parametrize("content", [None, "secret"])
def test_a_file_without_an_address_is_refused_by_name_alone(tmp_path: Path, content: str | None) -> None:
    if content:
        (tmp_path / "url").write_text(content)
    output = read_urls(tmp_path / "data", PENNY_REDIS_URL="", PENNY_REDIS_URL_FILE=str(tmp_path / "url"))
    assert "PENNY_REDIS_URL_FILE cannot be" in output
    assert "secret" not in output
