"""The command line: ``dealproof``, or ``python -m dealproof``."""

from solver.cli import main

if __name__ == "__main__":
    main()
