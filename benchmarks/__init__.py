"""Speed and memory of seminaive and its peers, side by side: ``python -m benchmarks``."""
