"""Bayesian network classifiers for tables, in the manner of scikit-learn.

Everything public is reachable from here and is loaded when it is first used,
so that ``import seminaive`` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# public name -> the module that defines it
_PUBLIC = {
    "AODE": "seminaive.classifiers.aode",
    "AnDE": "seminaive.classifiers.ande",
    "HNB": "seminaive.classifiers.hnb",
    "KDB": "seminaive.classifiers.kdb",
    "AVWAODE": "seminaive.classifiers.avwaode",
    "AWODE": "seminaive.classifiers.awode",
    "IBWAODE": "seminaive.classifiers.ibwaode",
    "IWAODE": "seminaive.classifiers.iwaode",
    "TAODE": "seminaive.classifiers.taode",
    "WAODE": "seminaive.classifiers.waode",
    "LocalKDB": "seminaive.classifiers.local_kdb",
    "AveragedKDB": "seminaive.classifiers.averaged_kdb",
    "TANFDA": "seminaive.classifiers.tanfda",
    "AODESR": "seminaive.classifiers.aodesr",
    "SelectiveNaiveBayes": "seminaive.classifiers.selective_naive_bayes",
    "AdaptiveKDB": "seminaive.classifiers.adaptive_kdb",
    "SelectiveKDB": "seminaive.classifiers.selective_kdb",
    "OptimizedKDB": "seminaive.classifiers.optimized_kdb",
    "PersonalizedKDB": "seminaive.classifiers.personalized_kdb",
    "AveragedNetworks": "seminaive.classifiers.averaged_networks",
    "NaiveBayes": "seminaive.classifiers.naive_bayes",
    "TAN": "seminaive.classifiers.tan",
    "all_classifiers": "seminaive.classifiers",
    "load": "seminaive.classifiers.model_files",
    "Counts": "seminaive.counts.labelled",
    "count_source": "seminaive.sources.counting",
    "evaluate_source": "seminaive.evaluate.sources",
    "from_dask": "seminaive.sources.dask",
    "from_spark": "seminaive.sources.spark",
    "from_table": "seminaive.sources.memory",
    "scan_arrow": "seminaive.sources.arrow",
    "scan_csv": "seminaive.sources.arrow",
    "scan_parquet": "seminaive.sources.arrow",
    "EqualFrequencyDiscretizer": "seminaive.data.discretize",
    "EqualWidthDiscretizer": "seminaive.data.discretize",
    "MDLPDiscretizer": "seminaive.data.discretize",
    "TableEncoder": "seminaive.data.encode",
    "UnseenValueWarning": "seminaive.exceptions",
    "ImpossibleEvidenceWarning": "seminaive.exceptions",
    "ModelVersionWarning": "seminaive.exceptions",
    "ModelFileError": "seminaive.exceptions",
}

__all__ = [  # noqa: RUF022 - classifiers first, as in the documentation
    "AODE",
    "AnDE",
    "HNB",
    "KDB",
    "NaiveBayes",
    "TAN",
    "WAODE",
    "AVWAODE",
    "TAODE",
    "IWAODE",
    "IBWAODE",
    "AWODE",
    "LocalKDB",
    "AveragedKDB",
    "TANFDA",
    "AODESR",
    "SelectiveNaiveBayes",
    "AdaptiveKDB",
    "SelectiveKDB",
    "OptimizedKDB",
    "PersonalizedKDB",
    "AveragedNetworks",
    "all_classifiers",
    "load",
    "Counts",
    "scan_parquet",
    "scan_csv",
    "scan_arrow",
    "from_table",
    "from_dask",
    "from_spark",
    "count_source",
    "evaluate_source",
    "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer",
    "MDLPDiscretizer",
    "TableEncoder",
    "UnseenValueWarning",
    "ImpossibleEvidenceWarning",
    "ModelVersionWarning",
    "ModelFileError",
]

if TYPE_CHECKING:
    from seminaive.classifiers import all_classifiers
    from seminaive.classifiers.adaptive_kdb import AdaptiveKDB
    from seminaive.classifiers.ande import AnDE
    from seminaive.classifiers.aode import AODE
    from seminaive.classifiers.aodesr import AODESR
    from seminaive.classifiers.averaged_kdb import AveragedKDB
    from seminaive.classifiers.averaged_networks import AveragedNetworks
    from seminaive.classifiers.avwaode import AVWAODE
    from seminaive.classifiers.awode import AWODE
    from seminaive.classifiers.hnb import HNB
    from seminaive.classifiers.ibwaode import IBWAODE
    from seminaive.classifiers.iwaode import IWAODE
    from seminaive.classifiers.kdb import KDB
    from seminaive.classifiers.local_kdb import LocalKDB
    from seminaive.classifiers.model_files import load
    from seminaive.classifiers.naive_bayes import NaiveBayes
    from seminaive.classifiers.optimized_kdb import OptimizedKDB
    from seminaive.classifiers.personalized_kdb import PersonalizedKDB
    from seminaive.classifiers.selective_kdb import SelectiveKDB
    from seminaive.classifiers.selective_naive_bayes import SelectiveNaiveBayes
    from seminaive.classifiers.tan import TAN
    from seminaive.classifiers.tanfda import TANFDA
    from seminaive.classifiers.taode import TAODE
    from seminaive.classifiers.waode import WAODE
    from seminaive.counts.labelled import Counts
    from seminaive.data.discretize import (
        EqualFrequencyDiscretizer,
        EqualWidthDiscretizer,
        MDLPDiscretizer,
    )
    from seminaive.data.encode import TableEncoder
    from seminaive.evaluate.sources import evaluate_source
    from seminaive.exceptions import (
        ImpossibleEvidenceWarning,
        ModelFileError,
        ModelVersionWarning,
        UnseenValueWarning,
    )
    from seminaive.sources.arrow import scan_arrow, scan_csv, scan_parquet
    from seminaive.sources.counting import count_source
    from seminaive.sources.dask import from_dask
    from seminaive.sources.memory import from_table
    from seminaive.sources.spark import from_spark


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'seminaive' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_PUBLIC])
