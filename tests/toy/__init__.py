"""A family of which the solver knows the rules alone; see `tests.toy.test_toy`."""
