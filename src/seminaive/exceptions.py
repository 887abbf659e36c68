"""Warnings of the library, each a class of its own so that it can be filtered or turned into an error."""

__all__ = ["ImpossibleEvidenceWarning", "UnseenValueWarning"]


class UnseenValueWarning(UserWarning):
    """A value met in prediction was not in the training table and is treated as missing."""


class ImpossibleEvidenceWarning(UserWarning):
    """Every class has probability zero for a row (possible without smoothing); the prior is returned."""
