"""The Decade family, compiled."""
