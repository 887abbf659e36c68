"""Discretisers: numeric columns to numbered bins, one method a file."""

from seminaive.data.discretize.base import Discretizer
from seminaive.data.discretize.equal_frequency import EqualFrequencyDiscretizer
from seminaive.data.discretize.equal_width import EqualWidthDiscretizer
from seminaive.data.discretize.every_value import EveryValueDiscretizer
from seminaive.data.discretize.mdlp import MDLPDiscretizer

__all__ = [
    "Discretizer",
    "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer",
    "EveryValueDiscretizer",
    "MDLPDiscretizer",
]
