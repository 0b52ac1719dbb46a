"""What Penny's processes print must not fill the disk in a year of running."""

from pathlib import Path

import pytest

from penny_site.processes.supervisor import LOG_BYTES, keep_short


def test_a_long_log_is_set_aside_and_its_process_goes_on_at_the_beginning(tmp_path: Path) -> None:
    log = tmp_path / "worker.log"
    with log.open("ab", buffering=0) as process:
        process.write(b"a" * (LOG_BYTES + 1))
        keep_short(log)
        process.write(b"after\n")
        assert log.read_bytes() == b"after\n"
        process.write(b"b" * LOG_BYTES)
        keep_short(log)
        assert log.read_bytes() == b""
    kept = tmp_path / "worker.log.1"
    assert kept.read_bytes() == b"after\n" + b"b" * LOG_BYTES


def test_a_short_log_stays_as_it_is(tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    log.write_bytes(b"a" * LOG_BYTES)
    keep_short(log)
    assert log.stat().st_size == LOG_BYTES
    assert list(tmp_path.iterdir()) == [log]


def test_a_log_that_cannot_be_set_aside_is_kept_and_it_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "beat.log"
    log.write_bytes(b"a" * (LOG_BYTES + 1))
    (tmp_path / "beat.log.1").mkdir()
    keep_short(log)
    assert log.stat().st_size == LOG_BYTES + 1
    assert "beat.log cannot be shortened" in capsys.readouterr().out
