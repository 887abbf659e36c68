"""The tests of this folder start from the tables that the tests of the counter use."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "counts"))
