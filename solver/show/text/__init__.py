"""Text and rich trees for the terminal."""
