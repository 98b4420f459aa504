"""The record of surveys: what is kept of them, how they agree with others, and the page of both.

``python -m benchmarks.results --help`` tells how the page is made.
"""
