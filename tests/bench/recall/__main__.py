"""Measure the search of what is kept.

    python -m tests.bench.recall FOLDER [--cache DIR] [--chunks 100000] [--only quality|scale]

FOLDER holds four judged collections: Cranfield, CISI, CACM and Vaswani NPL, as they are published. `--cache` keeps the
vectors for the next run: making them takes minutes.

Quality: nDCG@10 of words alone, meaning alone, both together and reciprocal rank fusion. The weight of the meaning is
fitted on two collections and told on the other two, both ways round. Scale: the time of a search without embedding the
question over an exact scan of the same vectors in memory, the recall of the meaning leg against that scan, and bytes.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

GAIN = 0.03  # of the mean over the better leg


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--only", choices=["quality", "scale"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="penny-") as data:
        os.environ.update(PENNY_DATA=data, DJANGO_SETTINGS_MODULE="penny_site.settings")
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        met = True
        if options.only != "scale":
            met &= _measure_quality(options.folder, options.cache or Path(data))
        if options.only != "quality":
            from tests.bench.recall import scale

            met &= scale.measure(options.chunks)
    return 0 if met else 1


def _measure_quality(folder: Path, cache: Path) -> bool:
    from tests.bench.recall import quality
    from tests.bench.recall.collections import read_collections

    cache.mkdir(exist_ok=True)
    results = dict[str, quality.Results]()
    for collection in read_collections(folder):
        results[collection.name] = quality.measure(collection, quality.keep_all(collection, cache))
        line = "  ".join(f"{way} {value:.4f}" for way, value in results[collection.name].items())
        print(f"{collection.name:10} {line}", flush=True)
    names, gains, met = list(results), list[float](), True
    for first, other in ((names[:2], names[2:]), (names[2:], names[:2])):
        way = quality.fitted_on(results, first)
        for name in other:
            best, both = max(results[name]["words"], results[name]["meaning"]), results[name][way]
            gains.append(both - best)
            met &= both >= best
            print(f"{'met   ' if both >= best else 'MISSED'} {name}: {way} {both:.4f}, the better leg {best:.4f}")
    mean = sum(gains) / len(gains)
    print(f"{'met   ' if mean >= GAIN else 'MISSED'} on the mean {mean:+.4f} (at least +{GAIN})", flush=True)
    return met and mean >= GAIN


if __name__ == "__main__":
    sys.exit(main())
