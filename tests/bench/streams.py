"""Shared parts of the benchmarks: a model that timestamps its tokens, and a Penny that uses it."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.commands import ROOT
from tests.penny import Penny, run_penny, with_model
from tests.stand_ins.model_server import ModelServer, Reply, Request
from tests.waiting import until

TOKENS = 100
EVERY_S = 0.01
ONE = "Say one word"  # the answer is the first token alone


def stamped_tokens() -> Iterator[str]:
    """Yield tokens that carry their number and the time of writing, in ns."""
    for number in range(TOKENS):
        yield f"{number}:{time.monotonic_ns()} "


def stamped(request: Request) -> Reply:
    if ONE in request.last_user:
        return Reply(tokens=(f"0:{time.monotonic_ns()} ",))
    return Reply(tokens=stamped_tokens(), every_s=EVERY_S)


@contextmanager
def model_process() -> Iterator[str]:
    """Start a timestamping model server in a process of its own, so that it costs Penny no time; yield its URL."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.streams"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


@contextmanager
def benched_penny(model_url: str | None = None, **more: str) -> Iterator[Penny]:
    """Run a Penny on fresh data, with rates that allow many calls."""
    settings = (with_model(model_url) if model_url else {}) | more
    with tempfile.TemporaryDirectory(prefix="penny-bench-") as data, run_penny(Path(data), **settings) as penny:
        penny.allow_many_calls()
        yield penny


def percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def verdict(what: str, value: float, unit: str, at_most: float) -> bool:
    """Print a figure beside its target; return whether the target is met."""
    met = value <= at_most
    print(f"{'met   ' if met else 'MISSED'} {what}: {value:.1f} {unit} (target at most {at_most:g} {unit})")
    return met


def main() -> None:
    server = ModelServer(script=stamped).start()
    print(server.url, flush=True)
    until(lambda: False, "the benchmark is over", deadline_s=3600, every_s=1)


if __name__ == "__main__":
    main()
