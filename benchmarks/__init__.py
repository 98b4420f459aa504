"""Measurements that no command makes, and a baseline of counts for `dealproof bench`."""
