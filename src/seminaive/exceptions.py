"""Warnings of the library, each a class of its own so that it can be filtered or turned into an error."""

import sys
import warnings

__all__ = ["ImpossibleEvidenceWarning", "UnseenValueWarning"]


class UnseenValueWarning(UserWarning):
    """A value met in prediction was not in the training table and is treated as missing."""


class ImpossibleEvidenceWarning(UserWarning):
    """Every class has probability zero for a row (possible without smoothing); the prior is returned."""


def warn_user(message: str, category: type[Warning]) -> None:
    """Warn at the line outside this package that led here."""
    level = 1
    while sys._getframe(level).f_globals.get("__name__", "").partition(".")[0] == "seminaive":
        level += 1
    warnings.warn(message, category, stacklevel=level + 1)
