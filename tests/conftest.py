"""Settings for all tests: Hypothesis never asserts on time, and finds the same in every run."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "dealproof",
    deadline=None,
    derandomize=True,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "search", settings.get_profile("dealproof"), derandomize=False, max_examples=1000
)
settings.register_profile(
    "unshrunk", settings.get_profile("dealproof"), phases=[Phase.explicit, Phase.generate]
)
settings.load_profile("dealproof")  # `pytest --hypothesis-profile=search` looks further
