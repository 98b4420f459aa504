"""Benchmarks: the cases of `solver.bench` under pytest-benchmark, and a baseline of counts."""
