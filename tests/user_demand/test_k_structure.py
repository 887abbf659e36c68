"""Group K: structure."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
from demand import coloured, every_determined_classifier, every_full_classifier, mixed

from seminaive import KDB, TAN, NaiveBayes
from seminaive.classifiers.network import SingleNetworkClassifier
from seminaive.classifiers.with_general import AveragedWithGeneralKDB


@pytest.mark.parametrize("root", [None, "size", 2, -1, "class"])
def test_d63_the_tree_is_over_features_only(root):
    X, y = coloured()
    X = X.assign(**{"class": np.where(X["shape"] == "flat", "p", "q")})
    model = TAN(root=root).fit(X, y)
    roots = [name for name, parents in model.parents_.items() if not parents]
    assert roots == [{None: "colour", 2: "shape", -1: "class"}.get(root, root)]
    assert list(model.parents_) == list(X)
    assert all(len(parents) <= 1 and set(parents) <= set(X) for parents in model.parents_.values())
    tree = nx.Graph([(child, parent) for child, parents in model.parents_.items() for parent in parents])
    assert nx.is_tree(tree)
    assert set(tree) == set(X)


@pytest.mark.parametrize("root", ["nothing", 3, -4, 1.5], ids=str)
def test_d63_a_root_that_is_not_there(root):
    X, y = coloured()
    with pytest.raises(ValueError, match=rf"root={root!r}.*'colour'"):
        TAN(root=root).fit(X, y)


def test_d63_ties_go_to_the_earlier_column():
    # three copies of one column: every pair depends equally
    X = np.repeat(np.array([["a"], ["b"], ["a"], ["b"], ["b"]]), 3, axis=1)
    y = [0, 0, 1, 1, 1]
    assert TAN().fit(X, y).parents_ == {"x0": [], "x1": ["x0"], "x2": ["x0"]}
    assert TAN(root=1).fit(X, y).parents_ == {"x0": ["x1"], "x1": [], "x2": ["x1"]}
    assert KDB(k=1).fit(X, y).parents_ == {"x0": [], "x1": ["x0"], "x2": ["x0"]}
    assert KDB(k=2).fit(X, y).parents_ == {"x0": [], "x1": ["x0"], "x2": ["x0", "x1"]}
    # and so where nothing depends on anything
    X = np.array([[a, b, c] for a in "ab" for b in "ab" for c in "ab"])
    assert TAN().fit(X, [0] * 8).parents_ == {"x0": [], "x1": ["x0"], "x2": ["x0"]}


@every_determined_classifier
def test_d63_the_same_data_give_the_same_structure(classifier):
    X, y = mixed()
    order = np.random.default_rng(0).permutation(len(y))
    model = classifier().fit(X, y)
    for other in (
        classifier().fit(X.iloc[order], y[order]),
        classifier(n_jobs=2).fit(X, y),
        classifier().fit(pl.from_pandas(X), y),
        classifier().fit(pd.concat([X, X]), np.r_[y, y], sample_weight=np.full(2 * len(y), 0.5)),
    ):
        assert other.parents_ == model.parents_


@every_full_classifier
def test_d63_the_graph_has_every_feature_and_the_class(classifier):
    X, y = coloured()
    # a column may be called like the node of the class
    X = X.rename(columns={"size": "class"})
    model = classifier().fit(X, y)
    graph = model.to_networkx()
    assert set(graph) > set(X)
    assert graph.number_of_nodes() == 4
    (target,) = set(graph) - set(X)
    assert set(graph.successors(target)) == set(X)
    assert not list(graph.predecessors(target))
    for child, parents in model.parents_.items():
        assert set(graph.predecessors(child)) == {target, *parents}
    # others average over networks, or have one for each row
    if isinstance(model, SingleNetworkClassifier | AveragedWithGeneralKDB):
        assert nx.is_directed_acyclic_graph(graph)
    assert model.to_dot().count("->") == graph.number_of_edges()


def test_d63_names_with_quotes_in_the_graph():
    X = pd.DataFrame({'say "hi"': list("abab"), "back\\slash": list("abba"), "b\nc": list("aabb")})
    dot = NaiveBayes().fit(X, [0, 1, 0, 1]).to_dot()
    assert r'"say \"hi\""' in dot
    assert r'"back\\slash"' in dot
    assert dot.count("{") == dot.count("}") == 1
