"""``python -m seminaive`` is the command ``seminaive``."""

from seminaive.cli import main

if __name__ == "__main__":
    main()
