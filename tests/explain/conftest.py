"""The tests of this folder draw the random tables that the tests of the classifiers draw."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "classifiers"))
