"""Pages in a real browser: what is drawn, what the selectors do, and that nothing is fetched or runs.

Needs Playwright for Python and a Chromium (Debian's package ``chromium``, or a path in SEMINAIVE_CHROMIUM).
"""

import json
import os
import re
import shutil

import numpy as np
import pandas as pd
import pytest
from test_html import HOSTILE, mixed_table

from seminaive import AODE, KDB, AveragedKDB, AveragedNetworks, LocalKDB, NaiveBayes
from seminaive.explain.html import cases_page, report_page
from seminaive.explain.page_data import Case

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: pip install playwright")

CHROMIUM = (
    os.environ.get("SEMINAIVE_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt-get install chromium")

ADDRESS = "http://page.test/"
GRAPHS = """() => [...document.querySelectorAll('.graph .canvas')].map(box => {
    const cy = box._cyreg.cy, colours = canvas =>
        canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    const pixels = [...box.querySelectorAll('canvas')].some(canvas => colours(canvas).some(value => value));
    return {nodes: cy.nodes().length, arcs: cy.edges().length, gone: cy.edges('.gone').length,
            new: cy.edges('.new').length, painted: pixels};
})"""


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # root may not use the sandbox
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


class Shown:
    """A page in the browser, with everything that it tried to do."""

    def __init__(self, browser, text, width, **options):
        self.fetched, self.messages, self.dialogs = [], [], []
        self.context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        self.page = self.context.new_page()
        self.page.on("console", lambda message: self.messages.append(message.text))
        self.page.on("pageerror", lambda error: self.messages.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.dialogs.append(dialog.message), dialog.dismiss()))

        def answer(route):
            if route.request.url == ADDRESS:
                route.fulfill(body=text, content_type="text/html; charset=utf-8")
            else:
                self.fetched.append(route.request.url)
                route.abort()

        self.context.route("**/*", answer)
        self.page.goto(ADDRESS)
        self.page.wait_for_function("performance.getEntriesByName('drawn').length")

    def graphs(self):
        return self.page.evaluate(GRAPHS)

    def bars(self):
        """Contributions as the waterfall shows them."""
        labels = self.page.eval_on_selector_all(
            ".waterfall g[aria-label]", "groups => groups.map(g => g.getAttribute('aria-label'))"
        )
        parts = [re.fullmatch(r"(.*): ([+−]?[\d.∞]+)(\. Show its probabilities\.)?", t, re.S) for t in labels]
        return {part[1]: float(part[2].replace("−", "-").replace("∞", "inf")) for part in parts}

    def tables(self, within):
        return self.page.eval_on_selector_all(
            f"{within} table",
            "tables => tables.map(t => [...t.rows].map(r => [...r.cells].map(c => c.textContent)))",
        )


@pytest.fixture
def show(browser):
    opened = []

    def open_page(text, width=1300, **options):
        opened.append(Shown(browser, text, width, **options))
        return opened[-1]

    yield open_page
    for shown in opened:
        shown.context.close()
        assert shown.messages == []
        assert shown.fetched == []
        assert shown.dialogs == []


def page_of(explanation):
    return cases_page([Case("Row", explanation)])


def arcs(network):
    return {(parent, child) for child, parents in network.parents.items() for parent in parents}


def test_general_and_local_network_side_by_side(show):
    X, y = mixed_table()
    explanation = AveragedKDB(critical_value=20).fit(X, y).explain(X)[1]
    general, local = explanation._networks
    shown = show(page_of(explanation))
    found = shown.graphs()
    assert [graph["painted"] for graph in found] == [True, True]
    assert [graph["nodes"] for graph in found] == [len(general.parents), len(local.parents)]
    assert [graph["arcs"] for graph in found] == [len(arcs(general)), len(arcs(local))]
    assert found[0]["gone"] == len(arcs(general) - arcs(local)) > 0
    assert found[1]["new"] == len(arcs(local) - arcs(general)) > 0
    places = shown.page.eval_on_selector_all(
        ".graph", "boxes => boxes.map(b => b.getBoundingClientRect().top)"
    )
    assert places[0] == places[1]
    text = shown.page.inner_text("main")
    for sentence in explanation.changes:
        assert " ".join(sentence.split()) in " ".join(text.split())


def test_groups_of_networks_are_neither_compared_nor_called_probabilities(show):
    X, y = mixed_table()
    explanation = AveragedNetworks(n_members=2, random_state=0).fit(X, y).explain(X)[1]
    shown = show(page_of(explanation))
    (graph,) = shown.graphs()  # one group at a time
    assert graph["arcs"] == len(arcs(explanation._networks[0]))
    assert graph["gone"] == graph["new"] == 0
    text = shown.page.inner_text("main")
    assert not re.search(r"General network|P\(number|Thin support", text)
    assert "What each group alone would say" in text
    shown.page.locator("#value select").select_option(label="number")
    (factors,) = shown.tables("#value")
    factor = next(f for f in explanation.members[0].factors if f.attribute == "number")
    largest = max(factor.probabilities)
    expected = {str(c): p / largest for c, p in zip(explanation.classes, factor.probabilities, strict=True)}
    assert factors[0] == ["class", "factor", "training rows"]
    assert {row[0]: float(row[1]) for row in factors[1:]} == pytest.approx(expected, abs=6e-4)
    shown.page.locator("select", has_text="group 2 of 2").select_option(label="group 2 of 2")
    assert "In group 2 of 2" in shown.page.inner_text("#value")


def test_parents_taken_away_are_drawn_dashed(show):
    X, y = mixed_table()
    found = LocalKDB(critical_value=20).fit(X, y).explain(X)
    explanation = next(one for one in found if any(one._networks[0].changes().values()))
    (network,) = explanation._networks
    taken = {(change.parent, child) for child, changes in network.changes().items() for change in changes}
    (graph,) = show(page_of(explanation)).graphs()
    assert graph["gone"] == len(taken) > 0
    assert graph["arcs"] == len(arcs(network)) + len(taken)


def test_selectors_change_the_numbers(show):
    X, y = mixed_table()
    explanation = KDB().fit(X, y).explain(X)[7]
    shown = show(page_of(explanation))

    def check(of, against):
        named = explanation.between(of, against)
        bars = shown.bars()
        prior, *terms, total = bars.values()
        assert prior == pytest.approx(named.prior, abs=0.006)
        assert total == pytest.approx(named.log_odds, abs=0.006)
        wanted = [term.contribution for term in named.sorted_terms()]
        assert terms == pytest.approx(wanted, abs=0.006)
        table = shown.tables(".panel")[0]
        assert [row[0] for row in table[1:3]] == [of, against]

    check(explanation.of, explanation.against)
    first, second = shown.page.query_selector_all(".controls select")[:2]
    third = next(c for c in explanation.classes if c not in (explanation.of, explanation.against))
    second.select_option(label=third)
    check(explanation.of, third)
    first = shown.page.query_selector_all(".controls select")[0]
    first.select_option(label=third)  # both the same: they change places
    check(third, explanation.of)


def test_nodes_show_their_probabilities(show):
    X, y = mixed_table()
    explanation = KDB().fit(X, y).explain(X)[7]
    (member,) = explanation.members
    shown = show(page_of(explanation))
    picked = "document.querySelector('.panel select').selectedOptions[0].textContent"
    node = """name => {
        const box = document.querySelector('.graph .canvas'), rect = box.getBoundingClientRect();
        const i = JSON.parse(document.getElementById('data').textContent).attributes.indexOf(name);
        const at = box._cyreg.cy.getElementById('n' + i).renderedPosition();
        return [rect.left + at.x, rect.top + at.y];
    }"""
    shown.page.locator(".graph").scroll_into_view_if_needed()
    for factor in member.factors:
        shown.page.mouse.move(*shown.page.evaluate(node, factor.attribute))
        shown.page.wait_for_function(f"{picked} === {json.dumps(factor.attribute)}")
        rows = {row[0]: row[1:] for row in shown.tables(".panel")[0][1:]}
        for label, p, n, k in zip(
            explanation.classes, factor.probabilities, factor.rows, factor.matching, strict=True
        ):
            assert float(rows[label][0]) == pytest.approx(p, abs=6e-4)
            assert rows[label][1] == f"{k:,.0f} of {n:,.0f}"
    shown.page.locator(".graph").focus()
    before = shown.page.evaluate(picked)
    shown.page.keyboard.press("ArrowRight")
    assert shown.page.evaluate(picked) != before
    level = "document.querySelector('.graph .canvas')._cyreg.cy.zoom()"
    zoom = shown.page.evaluate(level)
    shown.page.keyboard.press("+")
    assert shown.page.evaluate(level) > zoom
    shown.page.click("text=Show all >> visible=true")
    bar = shown.page.locator(".bar-row").nth(1)
    bar.focus()
    assert bar.get_attribute("aria-label").startswith(shown.page.evaluate(picked) + " = ")


@pytest.mark.parametrize("classifier", [AveragedKDB, AODE])
def test_hostile_names_stay_text(show, classifier):
    X, y = mixed_table()
    shown = show(report_page(classifier().fit(X, y), X, y, title=HOSTILE, n_cases=2))
    assert shown.page.locator("main script, main img").count() == 0
    assert shown.page.locator("script").count() == 4  # the data, two libraries, and ours
    assert shown.page.inner_text("h1") == HOSTILE
    assert HOSTILE in shown.page.inner_text("main")
    for button in shown.page.locator("button.link").all():
        button.click()
    for options in shown.page.locator("select").all():
        for option in range(options.locator("option").count()):
            options.select_option(index=option)


def test_injected_scripts_do_not_run(browser):
    X, y = mixed_table()
    page = page_of(NaiveBayes().fit(X, y).explain(X)[0])
    attacked = page.replace(
        "</main>", "</main><script>document.title = 'run'</script><img src=/x onerror=alert(1)>"
    )
    shown = Shown(browser, attacked, 1300)
    assert shown.page.title() != "run"
    assert shown.dialogs == shown.fetched == []
    shown.context.close()


def test_report_opens_cases(show):
    X, y = mixed_table()
    model = KDB().fit(X, y)
    shown = show(report_page(model, X, y, n_cases=2))
    general, _ = shown.graphs()
    parents = model.parents_
    assert general["arcs"] == sum(map(len, parents.values()))
    rows = shown.tables("section:nth-of-type(2)")[0][1:]
    for name, predicted, true, _ in rows:
        row = int(name.split()[1]) - 1
        assert true == y[row]
        assert predicted.startswith(f"{model.predict(X.iloc[[row]])[0]}, ")
        shown.page.click(f"button.link:text-is('{name}')")
        assert shown.page.inner_text("section:nth-of-type(3) h2") == name
        total = list(shown.bars().values())[-1]
        assert total == pytest.approx(model.explain(X)[row].log_odds, abs=0.006)


def test_averages_let_choose_the_network(show):
    X, y = mixed_table()
    explanation = AODE().fit(X, y).explain(X)[1]
    shown = show(page_of(explanation))
    chooser = shown.page.locator("label:has-text('Network') select")
    assert chooser.locator("option").count() == len(explanation.members) == 5
    for i in range(5):
        shown.page.locator("label:has-text('Network') select").select_option(index=i)
        (graph,) = shown.graphs()
        assert (graph["nodes"], graph["arcs"]) == (5, 4)
    votes = next(table for table in shown.tables("main") if table[0][0] == "network")
    assert {row[0] for row in votes[1:]} == {member.name for member in explanation.members}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phone_and_paper(show, scheme):
    X, y = mixed_table()
    explanation = AveragedKDB().fit(X, y).explain(X)[1]
    shown = show(page_of(explanation), 400, color_scheme=scheme)
    assert shown.page.evaluate("document.documentElement.scrollWidth") == 400
    brightness = "Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])"
    assert (shown.page.evaluate(brightness) > 128) is (scheme == "light")
    assert not shown.page.locator(".print svg").first.is_visible()
    shown.page.emulate_media(media="print")
    assert shown.page.locator(".print svg").first.is_visible()
    assert not shown.page.locator(".graph .canvas").first.is_visible()
    printed = shown.page.locator(".print").nth(0)
    assert printed.locator("rect").count() == len(explanation._networks[0].parents)
    assert printed.locator("path").count() == len(arcs(explanation._networks[0]))
    assert shown.page.evaluate(brightness) > 128


def test_sixty_attributes_are_light_and_quick(show):
    draw = np.random.default_rng(0)
    y = draw.integers(3, size=1000)
    X = pd.DataFrame(
        {f"attribute {i}": ((y + draw.integers(4, size=1000)) % 4).astype(str) for i in range(60)}
    )
    for classifier in (AveragedKDB, AODE):
        page = page_of(classifier().fit(X, y.astype(str)).explain(X)[0])
        assert len(page.encode()) < 2_000_000
        shown = show(page)
        assert all(graph["painted"] and graph["nodes"] == 60 for graph in shown.graphs())
        milliseconds = shown.page.evaluate("performance.getEntriesByName('drawn')[0].startTime")
        assert milliseconds < 5000  # below 1000 on a machine that is not busy
