"""The picture of networks, and the two patients of the documentation."""

import importlib.util
import os
import re
from pathlib import Path

import numpy as np
import pytest
from test_html import mixed_table

from seminaive import AODE, KDB, AveragedKDB, AveragedNetworks, LocalKDB, NaiveBayes
from seminaive.explain.network_plot import tree_places

plt = pytest.importorskip("matplotlib.pyplot", reason="matplotlib is not installed")

ROOT = Path(__file__).parents[2]
SHARED = Path(os.environ.get("SEMINAIVE_SHARED") or ROOT.parent / "shared")
STYLES = {"#0072b2": "new", "#c04f00": "gone", "0.45": "kept"}


def drawn(ax):
    """Boxes and the number of arrows of each style."""
    texts = [text for text in ax.texts if text.get_bbox_patch() is not None]
    arrows = [text.arrow_patch for text in ax.texts if getattr(text, "arrow_patch", None) is not None]
    same = plt.matplotlib.colors.same_color
    styles = [next(STYLES[c] for c in STYLES if same(arrow.get_edgecolor(), c)) for arrow in arrows]
    return [text.get_text().split("\n")[0] for text in texts], {
        kind: styles.count(kind) for kind in set(styles)
    }


@pytest.fixture(autouse=True)
def closed_figures():
    plt.switch_backend("agg")
    yield
    plt.close("all")


def arcs(network):
    return {(parent, child) for child, parents in network.parents.items() for parent in parents}


def test_general_and_local_networks():
    X, y = mixed_table()
    why = AveragedKDB(critical_value=20).fit(X, y).explain(X)[1]
    general, local = map(arcs, why._networks)
    first, second = why.plot_networks()
    assert drawn(first)[1] == {"kept": len(general & local), "gone": len(general - local)}
    assert drawn(second)[1] == {"kept": len(general & local), "new": len(local - general)}
    assert drawn(first)[0] == drawn(second)[0] == list(X.columns)
    first.figure.canvas.draw()


def test_groups_are_not_compared():
    X, y = mixed_table()
    why = AveragedNetworks(n_members=2, random_state=0).fit(X, y).explain(X)[1]
    assert [member.is_group for member in why.members] == [True, True]
    (ax,) = why.plot_networks()
    largest = int(np.argmax([member.share for member in why.members]))
    assert drawn(ax)[1] == {"kept": len(arcs(why._networks[largest]))}


def test_part_of_a_network():
    X, y = mixed_table()
    model = KDB().fit(X, y)
    (ax,) = model.explain(X)[1].plot_networks(["number"])
    parents = model.parents_["number"]
    assert set(drawn(ax)[0]) == {"number", *parents}
    assert drawn(ax)[1] == {"kept": len(parents)}
    (ax,) = NaiveBayes().fit(X, y).explain(X)[1].plot_networks(["number"])
    assert drawn(ax) == (["number"], {})
    with pytest.raises(ValueError, match="there is no attribute 'numbre'"):
        model.explain(X)[1].plot_networks(["numbre"])


def test_parents_that_were_taken_away():
    X, y = mixed_table()
    found = LocalKDB(critical_value=20).fit(X, y).explain(X)
    why = next(one for one in found if any(one._networks[0].changes().values()))
    taken = {(change.parent, child) for child, some in why._networks[0].changes().items() for change in some}
    (ax,) = why.plot_networks()
    assert drawn(ax)[1]["gone"] == len(taken)


def test_averages_show_the_weightiest_superparent():
    X, y = mixed_table()
    why = AODE().fit(X, y).explain(X)[1]
    (ax,) = why.plot_networks()
    assert drawn(ax)[1] == {"kept": 4}
    assert ax.get_title() == max(why.members, key=lambda member: member.share).name


def test_no_two_nodes_share_a_place():
    draw = np.random.default_rng(0)
    for _ in range(20):
        parent_of = {i: int(draw.integers(i)) for i in range(1, 30) if draw.random() < 0.9}
        places = tree_places(range(30), parent_of)
        assert len(set(places.values())) == 30
        assert all(places[child][1] == places[parent][1] + 1 for child, parent in parent_of.items())


def test_page_of_two_patients_says_what_the_models_say(capsys, tmp_path):
    table = SHARED / "data" / "hypothyroid.csv.gz"
    if not table.exists():
        pytest.skip(f"no hypothyroid data at {table}: set SEMINAIVE_SHARED")
    path = ROOT / "docs" / "make_two_patients.py"
    spec = importlib.util.spec_from_file_location("make_two_patients", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    script.main(str(table), str(tmp_path))
    page = (ROOT / "docs" / "two_patients.rst").read_text(encoding="utf-8")
    printed = re.findall(r"(first|second) +\w+ +P\(hypothyroid\) (\S+)", capsys.readouterr().out)
    assert len(printed) == 10
    for patient in ("first", "second"):
        row = page.partition(f"   * - {patient}, ")[2].partition("   * - ")[0]
        assert re.findall(r"0\.\d{3}", row)[:5] == [number for who, number in printed if who == patient]
        for what in ("contributions", "networks"):
            assert (tmp_path / f"{patient}_patient_{what}.svg").exists()
            assert f"images/{patient}_patient_{what}.svg" in page
