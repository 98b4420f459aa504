"""The Klondike family, compiled."""
