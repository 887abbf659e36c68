"""Errors and warnings of the library, each a class of its own so that it can be caught or filtered."""

import sys
import warnings

__all__ = ["ImpossibleEvidenceWarning", "ModelFileError", "ModelVersionWarning", "UnseenValueWarning"]


class ModelFileError(ValueError):
    """A model or counts file cannot be read, or something cannot be written to one."""


class ModelVersionWarning(UserWarning):
    """A model or counts file was written by another version of the library."""


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
