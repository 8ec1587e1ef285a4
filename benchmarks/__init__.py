"""Benchmarks: ratios within one run, printed one a line; not timed tests."""
