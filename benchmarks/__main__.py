"""``make bench``: each figure on a line of its own, as ``name value``."""

from __future__ import annotations

import sys

from benchmarks import append, audit, board, resolve, rounds

PARTS = {
    "append": append.run,
    "resolve": resolve.run,
    "audit": audit.run,
    "rounds": rounds.run,
    "board": board.run,
}
#: Those that last too long to be among all.
LONG = {"board-long": board.run_long}


def main() -> None:
    """Run all parts, or those named on the command line."""
    for name in sys.argv[1:] or PARTS:
        for figure, value in (PARTS | LONG)[name]().items():
            print(f"{figure} {value:.3g}" if value < 100 else f"{figure} {value:.0f}", flush=True)


if __name__ == "__main__":
    main()
