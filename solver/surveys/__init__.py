"""Surveys: the verdicts of many deals, in files that survive, and what they add up to."""
