"""What every classifier shares: parameters, documentation, refitting, graphs, messages."""

from __future__ import annotations

import ast
import inspect
import logging
import re
import sys
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from repeatable import repeatable
from seminaive import AODE, KDB, TAN, NaiveBayes, all_classifiers
from seminaive.classifiers import base
from seminaive.classifiers.base import BayesianNetworkClassifier, row_blocks
from seminaive.classifiers.options import DEFAULTS

CLASSIFIERS = all_classifiers()
every_classifier = pytest.mark.parametrize("classifier", CLASSIFIERS.values(), ids=list(CLASSIFIERS))

X = pd.DataFrame({"colour": list("aabbab"), "size": list("ststst"), "shape": list("uuuvvv")})
Y = ["no", "no", "yes", "yes", "yes", "no"]


def sections(documentation: str) -> dict[str, str]:
    """Titles and texts of the sections of a docstring."""
    parts = re.split(r"^(\w[\w ]+)\n-+\n", inspect.cleandoc(documentation), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def entries(section: str) -> dict[str, str]:
    """Names that stand at the beginning of a line, each with what follows them there."""
    found = {}
    for line in section.splitlines():
        if line and not line.startswith(" "):
            names, _, kind = line.partition(" : ")
            found |= dict.fromkeys(names.split(", "), kind)
    return found


# --- parameters


def test_classifiers_are_listed_by_name():
    assert list(CLASSIFIERS)[:4] == ["NaiveBayes", "TAN", "KDB", "AODE"]
    assert {name: c.__name__ for name, c in CLASSIFIERS.items()} == {name: name for name in CLASSIFIERS}


@every_classifier
def test_the_signature_shows_every_parameter(classifier):
    parameters = inspect.signature(classifier).parameters
    assert inspect.Parameter.VAR_KEYWORD not in {p.kind for p in parameters.values()}
    assert {name: parameters[name].default for name in DEFAULTS} == {**DEFAULTS, **classifier._own_defaults}
    assert sorted(parameters) == sorted(classifier().get_params())
    assert inspect.signature(classifier.__init__).parameters.keys() == {"self", *parameters}


@every_classifier
def test_every_parameter_is_documented_with_its_default(classifier):
    assert "%(" not in classifier.__doc__
    documented = entries(sections(classifier.__doc__)["Parameters"])
    parameters = inspect.signature(classifier).parameters
    assert list(documented) == list(parameters)
    for name, kind in documented.items():
        if "default=" in kind:
            assert ast.literal_eval(kind.split("default=")[1]) == parameters[name].default, name


@every_classifier
def test_every_fitted_attribute_is_documented(classifier):
    documented = entries(sections(classifier.__doc__)["Attributes"])
    fitted = {name for name in vars(classifier().fit(X, Y)) if name.endswith("_") and name[0] != "_"}
    assert set(documented) == fitted
    assert all(documented.values())


@every_classifier
def test_the_documentation_is_complete(classifier):
    documentation = sections(classifier.__doc__)
    assert {"Parameters", "Attributes", "See Also", "Notes", "Examples"} <= set(documentation)
    for name, method in inspect.getmembers(classifier, inspect.isfunction):
        if not name.startswith("_") and method.__module__.startswith("seminaive."):
            parameters = [p for p in inspect.signature(method).parameters if p != "self"]
            assert method.__doc__, name
            if parameters:
                assert list(entries(sections(method.__doc__)["Parameters"])) == parameters, name
            assert "Returns" in sections(method.__doc__), name


@every_classifier
def test_an_unknown_keyword_lists_the_parameters(classifier):
    with pytest.raises(TypeError) as caught:
        classifier(smooting="laplace")
    message = str(caught.value)
    assert f"{classifier.__name__}() has no parameter 'smooting'" in message
    assert all(repr(name) in message for name in inspect.signature(classifier).parameters)


@every_classifier
def test_shared_parameters_are_keywords(classifier):
    with pytest.raises(TypeError):
        classifier(1, "laplace")


@every_classifier
def test_repr_shows_what_was_changed(classifier):
    name = classifier.__name__
    assert repr(classifier()) == f"{name}()"
    assert repr(classifier(smoothing="laplace", n_jobs=2)) == f"{name}(n_jobs=2, smoothing='laplace')"


@every_classifier
def test_parameters_can_be_read_and_set(classifier):
    model = classifier(smoothing_strength=3)
    assert model.get_params()["smoothing_strength"] == 3
    assert model.set_params(smoothing="laplace", unseen="error") is model
    assert (model.smoothing, model.unseen) == ("laplace", "error")
    assert clone(model).get_params() == model.get_params()
    with pytest.raises(ValueError, match="bogus"):
        model.set_params(bogus=1)


@every_classifier
def test_parameters_that_change_after_fitting_wait_for_the_next_fit(classifier):
    classifier = repeatable(classifier.__name__)
    model = classifier().fit(X, Y)
    before = model.joint_log_likelihood(X)
    others = {
        "smoothing": "laplace",
        "smoothing_strength": 9.0,
        "class_prior": [0.9, 0.1],
        "missing": "value",
    }
    model.set_params(**others)
    np.testing.assert_array_equal(model.joint_log_likelihood(X), before)
    expected = classifier(**others).fit(X, Y).joint_log_likelihood(X)
    np.testing.assert_array_equal(model.fit(X, Y).joint_log_likelihood(X), expected)
    assert not np.array_equal(expected, before)


@every_classifier
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"smoothing": "add-one"}, r"smoothing='add-one'.*'m-estimate' or 'laplace'"),
        ({"smoothing_strength": -1}, r"smoothing_strength.*>= 0, got -1"),
        ({"unseen": "warn"}, r"unseen='warn'.*'ignore', 'error'"),
        ({"memory_limit": 0}, r"memory_limit.*positive.*got 0"),
        ({"class_prior": "uniform"}, r"class_prior='uniform'.*'empirical'"),
        ({"class_prior": [1, 2, 3]}, r"class_prior.*classes \['no', 'yes'\].*\[1, 2, 3\]"),
        ({"class_prior": [0, 0]}, r"class_prior.*\[0, 0\]"),
        ({"discretizer": "chi-merge"}, "chi-merge"),
        ({"missing": "drop"}, "drop"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_wrong_parameters_are_named_with_what_is_right(classifier, wrong, message):
    numbers = X.assign(length=np.arange(6.0))
    with pytest.raises(ValueError, match=message):
        classifier(**wrong).fit(numbers, Y)


class Stubborn(NaiveBayes):
    """Naive Bayes with an opinion.

    Parameters
    ----------
    opinion : str, default="none"
        What it thinks.
    %(options)s
    """

    def __init__(self, opinion: str = "none", **options: Any) -> None:
        super().__init__(**options)
        self.opinion = opinion


def test_a_subclass_inherits_parameters_and_their_documentation():
    assert list(inspect.signature(Stubborn).parameters) == ["opinion", *DEFAULTS]
    assert list(entries(sections(Stubborn.__doc__)["Parameters"])) == ["opinion", *DEFAULTS]
    model = clone(Stubborn("firm", unseen="error"))
    assert repr(model) == "Stubborn(opinion='firm', unseen='error')"
    assert model.fit(X, Y).predict(X).shape == (6,)
    with pytest.raises(TypeError, match="opinions"):
        Stubborn(opinions="many")


# --- fitting again


@every_classifier
def test_a_second_fit_forgets_the_first(classifier):
    classifier = repeatable(classifier.__name__)
    numbers = np.column_stack([np.arange(9.0), np.arange(9) % 2])
    classes = np.arange(9) // 3
    model = classifier().fit(X, Y)
    assert model.fit(numbers, classes) is model
    fresh = classifier().fit(numbers, classes)
    assert vars(model).keys() == vars(fresh).keys()
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.n_features_in_ == 2
    assert set(model.parents_) <= {"x0", "x1"}
    assert model.parents_ == fresh.parents_
    np.testing.assert_array_equal(model.predict_proba(numbers), fresh.predict_proba(numbers))


# --- blocks of rows


def test_blocks_cover_all_rows():
    with patch.object(base, "BLOCK_ROWS", 256):
        assert row_blocks(600).tolist() == [[0, 256], [256, 512], [512, 600]]
        assert row_blocks(256).tolist() == [[0, 256]]
        assert row_blocks(0).tolist() == []


# --- graphs


def test_dot():
    model = KDB(k=1).fit(X[["colour", "size"]], ["no", "no", "yes", "yes", "no", "yes"])
    assert model.parents_ == {"colour": [], "size": ["colour"]}
    assert model.to_dot() == (
        'digraph "KDB" {\n'
        '  "class";\n'
        '  "colour";\n'
        '  "size";\n'
        '  "class" -> "colour";\n'
        '  "class" -> "size";\n'
        '  "colour" -> "size";\n'
        "}"
    )


@every_classifier
def test_networkx_has_the_arcs_of_dot(classifier):
    model = classifier().fit(X, Y)
    graph = model.to_networkx()
    assert list(graph) == ["class", "colour", "size", "shape"]
    arcs = [("class", name) for name in model.parents_] + [
        (p, child) for child, ps in model.parents_.items() for p in ps
    ]
    assert set(graph.edges) == set(arcs)
    assert set(re.findall(r'"(.*)" -> "(.*)";', model.to_dot())) == set(arcs)


@every_classifier
def test_an_unfitted_classifier_has_no_graph(classifier):
    for ask in (classifier().to_dot, classifier().to_networkx):
        with pytest.raises(NotFittedError):
            ask()


def test_without_networkx_the_error_names_the_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(ImportError, match=r"seminaive\[graph\]"):
        NaiveBayes().fit(X, Y).to_networkx()


# --- what is going on


@every_classifier
def test_verbose_logs_what_is_counted(classifier, caplog):
    caplog.set_level(logging.INFO, logger="seminaive")
    classifier().fit(X, Y)
    assert not caplog.records
    classifier(verbose=1).fit(X, Y)
    pattern = rf"\[{classifier.__name__}\] counted 6 rows x 3 attributes in \d+\.\d{{3}} s"
    assert any(re.fullmatch(pattern, record.getMessage()) for record in caplog.records)


def test_nothing_is_printed(capsys):
    for classifier in (NaiveBayes, TAN, KDB, AODE):
        classifier(verbose=1).fit(X, Y).predict(X)
    assert capsys.readouterr().out == ""


def test_the_base_is_no_classifier():
    with pytest.raises(NotImplementedError):
        BayesianNetworkClassifier().fit(X, Y)
