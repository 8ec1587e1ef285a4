"""``make bench``: each figure on a line of its own, as ``name value``."""

from __future__ import annotations

import argparse

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
    known = PARTS | LONG
    told = argparse.ArgumentParser("python -m benchmarks", description="Time the parts named.")
    told.add_argument("part", nargs="*", help=f"of {', '.join(known)}; all but the long ones")
    parts = told.parse_args().part
    for name in parts:
        if name not in known:
            told.error(f"there is no part {name!r}: give some of {', '.join(known)}")
    for name in parts or PARTS:
        for figure, value in known[name]().items():
            print(f"{figure} {value:.3g}" if value < 100 else f"{figure} {value:.0f}", flush=True)


if __name__ == "__main__":
    main()
