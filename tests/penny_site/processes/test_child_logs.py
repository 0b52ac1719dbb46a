"""Logs of the processes: a year of output must not fill the disk."""

from pathlib import Path

import pytest

from penny_site.processes.supervisor import LOG_BYTES, keep_short


def test_a_long_log_is_rotated_and_its_process_writes_from_the_beginning(tmp_path: Path) -> None:
    log = tmp_path / "worker.log"
    with log.open("ab", buffering=0) as process:
        process.write(b"a" * (LOG_BYTES + 1))
        keep_short(log)
        process.write(b"after\n")
        assert log.read_bytes() == b"after\n"
        process.write(b"b" * LOG_BYTES)
        keep_short(log)
        assert log.read_bytes() == b""
    old_log = tmp_path / "worker.log.1"
    assert old_log.read_bytes() == b"after\n" + b"b" * LOG_BYTES


def test_a_short_log_is_not_rotated(tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    log.write_bytes(b"a" * LOG_BYTES)
    keep_short(log)
    assert log.stat().st_size == LOG_BYTES
    assert list(tmp_path.iterdir()) == [log]


def test_a_log_that_cannot_be_rotated_is_kept_and_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "beat.log"
    log.write_bytes(b"a" * (LOG_BYTES + 1))
    (tmp_path / "beat.log.1").mkdir()
    keep_short(log)
    assert log.stat().st_size == LOG_BYTES + 1
    assert "beat.log cannot be shortened" in capsys.readouterr().out
