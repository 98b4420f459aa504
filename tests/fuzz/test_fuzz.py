"""The seeded part of the random tester; `python -m tests.fuzz` looks further."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from tests.fuzz.parsers import PARSERS
from tests.fuzz.properties import PROPERTIES, examples


@pytest.mark.parametrize("name", PROPERTIES)
def test_property(name: str) -> None:
    @settings(max_examples=examples(name, 80), suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def attempt(data: DataObject) -> None:
        PROPERTIES[name](data)

    attempt()


@pytest.mark.parametrize("name", PARSERS)
def test_parser(name: str) -> None:
    @settings(max_examples=40, suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def attempt(data: DataObject) -> None:
        PARSERS[name](data)

    attempt()
