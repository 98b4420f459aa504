"""The reductions of the Klondike family."""
