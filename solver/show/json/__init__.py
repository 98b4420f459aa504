"""Records that `--json` prints, and their schemas."""
