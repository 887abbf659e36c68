"""The command ``seminaive``: one file per verb.

Nothing heavy is imported before a verb runs, so that ``--help`` answers at once.
"""

from seminaive.cli.app import app, main

__all__ = ["app", "main"]
