"""How much a further parent has to tell: the redundancy ratio with the least leave-one-out error."""

from __future__ import annotations

import numpy as np

from seminaive.counts.instance_index import InstanceIndex
from seminaive.counts.triple_totals import TripleTotals
from seminaive.learn.case_networks import CaseCounts, informative_structures, tiles
from seminaive.learn.leave_one_out import TrainingRows
from seminaive.learn.local_information import LocalInformation
from seminaive.learn.posterior import log_mean_posterior, log_normalized
from seminaive.learn.smoothing import Smoothing
from seminaive.parallel import run_blocks

__all__ = ["leave_one_out_losses"]

_BLOCK_ROWS = 8192


def leave_one_out_losses(
    local: LocalInformation,
    index: InstanceIndex,
    triples: TripleTotals | None,
    rows: TrainingRows,
    k: int,
    ratios: np.ndarray,
    smoothing: Smoothing,
    log_priors: np.ndarray,
    general: list[list[int]] | None = None,
    n_jobs: int | None = None,
) -> np.ndarray:
    """Zero-one loss of each ratio on the training rows, each predicted from the others.

    Structures come from all rows; the prior and the counts of the factors lose the row. Value combinations
    that networks of several ratios share are counted once.

    Parameters
    ----------
    local : LocalInformation
    index : InstanceIndex
        Of ``rows``.
    triples : TripleTotals or None
        Of ``rows``, where they were counted.
    rows : TrainingRows
    k : int
    ratios : ndarray of float64
        Ascending.
    smoothing : Smoothing
    log_priors : ndarray of shape (n_rows, K)
        Of each row, without it.
    general : list of list of int, default=None
        Parents in a network for all rows; the mean of both posteriors is judged where it is given.
    n_jobs : int, default=None

    Returns
    -------
    ndarray of shape (len(ratios),)
        Weighted shares of errors.
    """
    n_attributes, n_rows = rows.codes.shape
    weights, left_out = rows.all_weights, rows.left_out
    starts = np.arange(0, n_rows, _BLOCK_ROWS)
    errors = np.zeros((len(starts), len(ratios)))

    def judge(blocks: np.ndarray) -> None:
        for block in blocks:
            begin = starts[block]
            size = min(_BLOCK_ROWS, n_rows - begin)
            counts = CaseCounts(index, smoothing, k, size, triples, leaves_out=True)
            for tile in tiles(size, n_attributes):
                some = slice(begin + tile.start, begin + tile.stop)
                codes, labels = np.ascontiguousarray(rows.codes[:, some]), rows.labels[some]
                found = informative_structures(local, counts, codes, k, ratios)
                prior = log_priors[some]
                joint = np.repeat(prior[:, None], len(ratios), axis=1)
                counts.add_log_factors(codes, found.parents, found.implied_by, joint, labels, left_out[some])
                posterior = _log_posterior(joint, prior, None)
                if general is not None:
                    parents = np.tile(_padded(general, k), (len(labels), 1, 1, 1))
                    other = prior[:, None].copy()
                    counts.add_log_factors(codes, parents, found.implied_by, other, labels, left_out[some])
                    posterior = _log_posterior(joint, prior, other)
                wrong = np.exp(posterior).argmax(axis=2) != labels[:, None]
                errors[block] += weights[some] @ wrong

    run_blocks(judge, np.arange(len(starts)), n_jobs, work=rows.codes.size * 1000)
    return np.asarray(errors.sum(axis=0) / weights.sum())


def _log_posterior(joint: np.ndarray, prior: np.ndarray, other: np.ndarray | None) -> np.ndarray:
    """Log posteriors (rows, ratios, K) of one network for each ratio, or of its mean with ``other``."""
    flat = joint.reshape(-1, joint.shape[2])
    priors = np.repeat(prior, joint.shape[1], axis=0)
    if other is not None:
        general = np.repeat(other[:, 0], joint.shape[1], axis=0)
        flat = log_mean_posterior(flat, general, priors)
    return log_normalized(flat, priors, warn=False).reshape(joint.shape)


def _padded(parents: list[list[int]], k: int) -> np.ndarray:
    """Parents as an array (1, n_attributes, k), -1 for none."""
    table = np.full((1, len(parents), k), -1, dtype=np.int32)
    for child, chosen in enumerate(parents):
        table[0, child, : len(chosen)] = chosen
    return table
