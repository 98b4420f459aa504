"""The reductions of the Decade family."""
