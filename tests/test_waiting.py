"""A wait is over when the machine gave it its time, not before."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import waiting
from tests.waiting import NotInTime, Patience, pressure_s, until, without_stalls

PRESSURE = "some avg10=25.68 avg60=38.83 avg300=64.98 total=807787125\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"


def test_the_pressure_is_read_in_seconds() -> None:
    assert pressure_s(PRESSURE) == pytest.approx(807.787125)


@pytest.mark.parametrize(("waited_s", "stalled_s", "given_s"), [(10, 0, 10), (10, 4, 6), (80, 80, 10), (80, 100, 10)])
def test_time_without_a_core_does_not_count(waited_s: float, stalled_s: float, given_s: float) -> None:
    assert without_stalls(waited_s, stalled_s) == given_s


def test_what_does_not_happen_is_named_with_both_times() -> None:
    with pytest.raises(NotInTime, match=r"the tea is ready: not within 0.01 s \(.* by the clock\); last value: None"):
        until(lambda: None, "the tea is ready", 0.01)


def test_a_wait_on_a_stalled_machine_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = {"now": 100.0}
    monkeypatch.setattr(waiting, "time", SimpleNamespace(monotonic=lambda: clock["now"]))
    monkeypatch.setattr(waiting, "stalled_s", lambda: 7 / 8 * (clock["now"] - 100.0))
    patience = Patience()
    clock["now"] += 119.0
    assert not patience.is_over(15.0)
    clock["now"] += 2.0
    assert patience.is_over(15.0)


def test_without_a_measure_of_pressure_a_thread_measures_how_it_oversleeps(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(waiting, "PRESSURE", tmp_path / "none")
    first = waiting.stalled_s()
    until(lambda: waiting.stalled_s() > first, "the thread overslept")
