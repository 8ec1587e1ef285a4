"""``make bench``: each figure on a line of its own, as ``name value``."""

from __future__ import annotations

import sys

from benchmarks import append, audit, resolve, rounds

PARTS = {"append": append.run, "resolve": resolve.run, "audit": audit.run, "rounds": rounds.run}


def main() -> None:
    """Run all parts, or those named on the command line."""
    for name in sys.argv[1:] or PARTS:
        for figure, value in PARTS[name]().items():
            print(f"{figure} {value:.3g}" if value < 100 else f"{figure} {value:.0f}", flush=True)


if __name__ == "__main__":
    main()
