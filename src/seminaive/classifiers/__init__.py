"""One small file per classifier."""

from __future__ import annotations

import importlib

__all__ = ["all_classifiers"]

# in reading order: name -> module
_CLASSIFIERS = {
    "NaiveBayes": "naive_bayes",
    "TAN": "tan",
    "KDB": "kdb",
    "AODE": "aode",
    "AnDE": "ande",
    "HNB": "hnb",
    "WAODE": "waode",
    "AVWAODE": "avwaode",
    "TAODE": "taode",
    "IWAODE": "iwaode",
    "IBWAODE": "ibwaode",
    "AWODE": "awode",
    "SelectiveNaiveBayes": "selective_naive_bayes",
    "AdaptiveKDB": "adaptive_kdb",
    "SelectiveKDB": "selective_kdb",
    "LocalKDB": "local_kdb",
    "AveragedKDB": "averaged_kdb",
    "TANFDA": "tanfda",
    "AODESR": "aodesr",
    "OptimizedKDB": "optimized_kdb",
    "PersonalizedKDB": "personalized_kdb",
    "AveragedNetworks": "averaged_networks",
}


def all_classifiers() -> dict[str, type]:
    """Every classifier of the package by name, simplest first.

    Examples
    --------
    >>> from seminaive import all_classifiers
    >>> list(all_classifiers())[:4]
    ['NaiveBayes', 'TAN', 'KDB', 'AODE']
    """
    return {
        name: getattr(importlib.import_module(f"seminaive.classifiers.{module}"), name)
        for name, module in _CLASSIFIERS.items()
    }
