"""Start a Penny, pair, ask and stop, in this process alone: run by a test that has taken the network away. The argument is a folder."""

import sys
from pathlib import Path

from tests.penny import running


def main(data: Path) -> None:
    with running(data) as penny, penny.client() as client:
        print("answered:", client.ask("Are you there without a network?").text)  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]))
