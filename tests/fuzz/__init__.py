"""A shrinking random tester: random deals of random games, searched in random ways.

``python -m tests.fuzz --seconds 3600`` runs it for as long as one likes, with new cases each
time; a failure is shrunk to a small deal and printed. The test suite runs a fixed, seeded part.

``--only parsers`` keeps to what reads the files that people share, with damaged and hostile ones.
"""
