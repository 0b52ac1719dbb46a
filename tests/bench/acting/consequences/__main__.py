"""Print how consequences of labelled controls are recognised: `python -m tests.bench.acting.consequences [--show]`.

A line of `first.txt` and `second.txt` is `language | facts | kinds | name`; `!` marks kinds of a final control, the
last step, and `-` a free one. The word lists were written first. `second.txt`, a fifth of the lines chosen by hash, was
kept apart while the lists were repaired; --show prints what is wrong in `first.txt` alone. The exit code is 1 if a
target is missed.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

EXTENSION = Path(__file__).parents[4] / "browser_ext"
TEST = "src/acting/consequences/corpus.test.ts"
RECALL_LEAST, FREE_ASKED_MOST = 0.98, 0.08


def main(options: list[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        subprocess.run(
            ["npx", "vitest", "run", TEST],
            cwd=EXTENSION,
            env=os.environ | {"CONSEQUENCES_REPORT": str(report)},
            capture_output=True,
            check=False,
        )
        parts = json.loads(report.read_text())
    is_good = True
    for part, measure in parts.items():
        recall = 1 - len(measure["finalMissed"]) / measure["final"]
        asked_share = len(measure["freeAsked"]) / measure["free"]
        is_good &= recall >= RECALL_LEAST and asked_share <= FREE_ASKED_MOST
        print(
            f"{part:6} {measure['controls']:4} controls: final kinds recognised {recall:6.1%} of {measure['final']}, "
            f"leading {1 - len(measure['leadingMissed']) / measure['leading']:6.1%} of {measure['leading']}, "
            f"free ones asked {asked_share:5.1%} of {measure['free']}"
        )
    if "--show" in options:
        print(
            *(line for kind in ("finalMissed", "leadingMissed", "freeAsked") for line in parts["first"][kind]), sep="\n"
        )
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
