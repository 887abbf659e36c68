"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const main = document.getElementById("main");
  const MOST_BARS = 14; // of the waterfall before "show all"
  const MOST_BESIDE = 32; // nodes of networks that stand side by side
  const THIN = 10; // training rows of a class below which support is called thin
  const WIDTH = 150, HEIGHT = 62; // of a node

  // ---- elements; names and values only ever become text

  function add(parent, children) {
    for (const child of children.flat()) if (child !== null && child !== undefined) parent.append(child);
    return parent;
  }
  function el(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else if (value !== null && value !== false) made.setAttribute(key, value);
    }
    return add(made, children);
  }
  function svg(name, attributes, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    return add(made, children);
  }
  function table(head, rows, caption) {
    const cells = (row, first) => row.cells.map((cell, j) => {
      const number = typeof cell === "number" || (row.numbers || []).includes(j);
      return el(j === 0 && first ? "th" : "td", { scope: j === 0 && first ? "row" : null, class: number ? "number" : null }, cell instanceof Node ? cell : String(cell));
    });
    const numbers = new Set(rows.flatMap((row) => row.numbers || []));
    return el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": caption },
      el("table", {},
        el("thead", {}, el("tr", {}, head.map((title, j) => el("th", { scope: "col", class: numbers.has(j) ? "number" : null }, title)))),
        el("tbody", {}, rows.map((row) => el("tr", { class: row.class || null }, cells(row, true))))));
  }
  function choice(label, options, chosen, change) {
    const list = el("select", { onchange: (event) => change(Number(event.target.value)) },
      options.map(([value, text]) => el("option", { value }, text)));
    list.value = String(chosen);
    return el("label", {}, label, list);
  }

  // ---- numbers

  const real = (value) => (value === "inf" ? Infinity : value === "-inf" ? -Infinity : value);
  const signed = (x) => {
    if (!Number.isFinite(x)) return x > 0 ? "+∞" : "−∞";
    const text = Math.abs(x).toFixed(2);
    return text === "0.00" ? "0.00" : (x < 0 ? "−" : "+") + text;
  };
  const percent = (p) => (p > 0 && p < 0.001 ? "<\u00a00.1\u00a0%" : p < 1 && p > 0.999 ? ">\u00a099.9\u00a0%" : `${(100 * p).toFixed(1)}\u00a0%`);
  const probability = (p) => (p !== 0 && p < 0.001 ? p.toExponential(1) : p.toFixed(3));
  const whole = (n) => n.toLocaleString("en", { maximumFractionDigits: 3 });
  const minus = (a, b) => (a === -Infinity && b === -Infinity ? 0 : a - b);
  const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
  const shorten = (text, most) => (text.length > most && most > 8 ? `${text.slice(0, most - 5)}…${text.slice(-4)}` : cut(text, most));
  const name = (i) => data.attributes[i];

  // ---- state

  let kase, of, against, chosen, graphs, drawnNetwork;

  function contributions() {
    const [first, second] = of < against ? [of, against] : [against, of];
    const sign = of < against ? 1 : -1;
    const numbers = kase.pairs[`${first},${second}`];
    return numbers ? numbers.map((x) => sign * real(x)) : data.attributes.map(() => 0).concat(0);
  }
  const logOdds = () => {
    const total = minus(real(kase.logs[of]), real(kase.logs[against]));
    return total;
  };
  const inUse = (i) => ["used", "imputed"].includes(kase.terms[i].status);

  // ---- waterfall

  function waterfall(box, everything) {
    const numbers = contributions();
    const terms = data.attributes.map((_, i) => i).filter(inUse)
      .sort((a, b) => Math.abs(numbers[b + 1]) - Math.abs(numbers[a + 1]));
    const shown = everything ? terms : terms.slice(0, MOST_BARS);
    const rows = [{ label: "prior: how frequent the classes are", value: numbers[0] }];
    for (const i of shown) rows.push({ label: `${name(i)} = ${kase.terms[i].text}`, value: numbers[i + 1], attribute: i });
    const rest = terms.slice(shown.length);
    if (rest.length) rows.push({ label: `${rest.length} smaller ones together`, value: rest.reduce((sum, i) => sum + numbers[i + 1], 0) });
    const width = Math.max(280, box.clientWidth), narrow = width < 620;
    const left = narrow ? 6 : Math.min(370, 0.42 * width), step = narrow ? 46 : 30, reserve = 58;
    const finite = rows.filter((row) => Number.isFinite(row.value)).reduce((sum, row) => sum + Math.abs(row.value), 0);
    let end = 0;
    for (const row of rows) {
      row.start = end;
      end += Number.isFinite(row.value) ? row.value : Math.sign(row.value) * (1 + 1.5 * finite);
      row.end = end;
    }
    const total = logOdds();
    rows.push({ label: `total: odds ${odds(total)}`, value: total, start: 0, end, total: true });
    const ends = rows.flatMap((row) => [row.start, row.end]);
    const low = Math.min(0, ...ends), high = Math.max(0, ...ends), span = high - low || 1;
    const x = (value) => left + ((value - low) / span) * (width - left - reserve);
    const height = step * rows.length + 6;
    const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Contributions, largest first" });
    rows.forEach((row, r) => {
      const top = step * r + 3, bar = top + (narrow ? 20 : 5), thick = narrow ? 17 : 18;
      const from = x(Math.min(row.start, row.end)), to = x(Math.max(row.start, row.end));
      const kind = row.total ? "total" : row.value >= 0 ? "for" : "against";
      const label = svg("text", { class: row.total ? "name total" : "name", x: narrow ? left : left - 10, y: top + (narrow ? 14 : 19), "text-anchor": narrow ? "start" : "end" },
        cut(row.label, Math.floor((narrow ? width - 12 : left - 14) / 6.9)));
      const value = svg("text", { class: row.total ? "total" : "", x: to + 5, y: bar + 13 }, signed(row.value));
      const pressable = row.attribute !== undefined;
      const group = svg("g", pressable
        ? { class: "bar-row", tabindex: 0, role: "button", "data-attribute": row.attribute, "aria-label": `${row.label}: ${signed(row.value)}. Show its probabilities.` }
        : { "aria-label": `${row.label}: ${signed(row.value)}` },
        svg("title", {}, `${row.label}: ${signed(row.value)}`),
        svg("rect", { class: "hit", x: 0, y: top, width, height: step }),
        svg("rect", { class: `bar-${kind}`, x: from, y: bar, width: Math.max(1.5, to - from), height: thick }), label, value);
      if (pressable) {
        group.addEventListener("click", () => choose(row.attribute));
        group.addEventListener("focus", () => choose(row.attribute));
      }
      drawing.append(group, svg("line", { class: "rule", x1: x(0), x2: x(0), y1: bar - (narrow ? 2 : 6), y2: bar + thick + (narrow ? 5 : 7) }));
      if (r < rows.length - 2) drawing.append(svg("line", { class: "step", x1: x(row.end), x2: x(row.end), y1: bar + thick, y2: bar + step }));
    });
    box.replaceChildren(drawing);
    return { hidden: rest.length, terms, numbers };
  }
  function odds(total) {
    if (!Number.isFinite(total)) return total > 0 ? "∞ : 1" : "0 : 1";
    const ratio = Math.exp(Math.abs(total));
    const text = ratio >= 1e6 ? ratio.toExponential(1) : ratio >= 100 ? whole(Math.round(ratio)) : ratio.toFixed(1);
    return total >= 0 ? `${text} : 1` : `1 : ${text}`;
  }

  // ---- networks: where nodes stand

  // of one network in a box that stands on the page
  function room(box) {
    const probe = el("div", { class: "graph" });
    box.append(probe);
    const { clientWidth: width, clientHeight: height } = probe;
    probe.remove();
    return { width: Math.max(200, width), height };
  }
  // the tree of the strongest parents decides, as it is far easier to read than a layout by all arcs
  function strongest(arcs) {
    const found = new Map();
    for (const [source, target] of arcs) if (!found.has(target)) found.set(target, [source, target]);
    return [...found.values()];
  }
  function positions(nodes, arcs, superparent, weigh, room) {
    const found = new Map();
    const byWeight = [...nodes].sort((a, b) => weigh(b) - weigh(a));
    if (superparent !== null && superparent !== undefined) {
      found.set(superparent, { x: 0, y: 0 });
      const others = byWeight.filter((i) => i !== superparent);
      for (let ring = 1, next = 0; next < others.length; ring++) {
        const inRing = others.slice(next, next + 6 * ring);
        inRing.forEach((i, j) => {
          const angle = (2 * Math.PI * (j + 0.5 * (ring % 2))) / inRing.length - Math.PI / 2;
          found.set(i, { x: 1.27 * WIDTH * (ring + 0.3) * Math.cos(angle), y: 2.1 * HEIGHT * (ring + 0.1) * Math.sin(angle) });
        });
        next += inRing.length;
      }
      return found;
    }
    const connected = new Set(arcs.flatMap(([source, target]) => [source, target]));
    let bottom = 0, left = 0, right = 0;
    if (connected.size) {
      const layout = cytoscape({
        headless: true, styleEnabled: true,
        style: [{ selector: "node", style: { width: WIDTH, height: HEIGHT, shape: "rectangle" } }],
        elements: [
          ...[...nodes].filter((i) => connected.has(i)).map((i) => ({ data: { id: `n${i}` } })),
          ...arcs.map(([source, target], a) => ({ data: { id: `a${a}`, source: `n${source}`, target: `n${target}` } })),
        ],
      });
      const tries = ["LR", "TB"].map((rankDir) => {
        layout.layout({ name: "dagre", rankDir, nodeSep: 14, rankSep: 44, edgeSep: 4, animate: false, fit: false }).run();
        const spots = new Map([...connected].map((i) => [i, { ...layout.getElementById(`n${i}`).position() }]));
        const { w, h } = layout.nodes().boundingBox({ includeLabels: false });
        return { spots, w, h, zoom: Math.min(room.width / w, room.height / h) };
      });
      const best = tries.reduce((one, other) => (other.zoom > one.zoom ? other : one));
      // arrows are easier to follow where the free room is used
      const wide = Math.min(1.6, Math.max(1, room.width / best.w / best.zoom)), high = Math.min(2.2, Math.max(1, room.height / best.h / best.zoom));
      for (const [i, { x, y }] of best.spots) found.set(i, { x: x * wide, y: y * high });
      layout.destroy();
      const places = [...found.values()];
      left = Math.min(...places.map((p) => p.x)), right = Math.max(...places.map((p) => p.x));
      bottom = Math.max(...places.map((p) => p.y)) + 1.6 * HEIGHT;
    }
    const alone = byWeight.filter((i) => !connected.has(i));
    const columns = Math.max(2, Math.round((right - left) / (WIDTH + 18)) + 1, Math.ceil(Math.sqrt(alone.length * 0.75)));
    alone.forEach((i, j) => found.set(i, { x: left + (j % columns) * (WIDTH + 18), y: bottom + Math.floor(j / columns) * (HEIGHT + 16) }));
    return found;
  }

  // ---- networks: how they look

  const colour = (variable) => getComputedStyle(document.documentElement).getPropertyValue(`--${variable}`).trim();

  function look() {
    const ink = colour("ink"), soft = colour("soft"), page = colour("page");
    return [
      { selector: "node", style: {
        shape: "round-rectangle", width: WIDTH, height: HEIGHT, label: "data(label)", "text-wrap": "wrap",
        "text-valign": "center", "text-halign": "center", "font-size": "data(size)", "line-height": 1.15, color: ink,
        "font-family": "system-ui, -apple-system, Segoe UI, Roboto, Arial, sans-serif",
        "background-color": page, "border-width": 1.5, "border-color": soft } },
      { selector: "node.for", style: { "background-color": colour("for-soft"), "border-color": colour("for"), "border-width": 2.5 } },
      { selector: "node.against", style: { "background-color": colour("against-soft"), "border-color": colour("against"), "border-width": 2.5 } },
      { selector: "node.idle", style: { "border-style": "dashed", color: soft } },
      { selector: "edge", style: {
        "curve-style": "bezier", "target-arrow-shape": "triangle", width: "data(width)", "arrow-scale": 1.1,
        "line-color": soft, "target-arrow-color": soft } },
      { selector: "edge.idle", style: { "line-style": "dotted", opacity: 0.7 } },
      { selector: "edge.new, edge.placed", style: { width: 4, "line-color": colour("for"), "target-arrow-color": colour("for") } },
      { selector: "edge.gone", style: { width: 2.5, "line-style": "dashed", "line-dash-pattern": [9, 5], "line-color": colour("against"), "target-arrow-color": colour("against"), "target-arrow-shape": "vee" } },
      { selector: "node.chosen", style: { "border-width": 5, "border-color": colour("link"), "border-style": "solid" } },
      { selector: "edge.near", style: { width: 5 } },
      { selector: ".far", style: { opacity: 0.35 } },
    ];
  }

  function makeGraph(spec) {
    const canvas = el("div", { class: "canvas" });
    const printed = el("div", { class: "print" });
    const box = el("div", {
      class: "graph", tabindex: 0, role: "application",
      "aria-label": `${spec.title}: ${spec.nodes.length} values, ${spec.arcs.filter((arc) => arc.kind !== "gone").length} arcs. Arrow keys go from value to value, plus and minus zoom, 0 shows all.`,
    }, canvas, printed);
    const zoom = (factor) => cy.zoom({ level: cy.zoom() * factor, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } });
    const press = (sign, label, action) => el("button", { type: "button", "aria-label": label, title: label, onclick: action }, sign);
    const figure = el("figure", {},
      el("figcaption", {}, el("span", {}, spec.title),
        el("span", { class: "screen" }, press("+", "Zoom in", () => zoom(1.4)), press("−", "Zoom out", () => zoom(1 / 1.4)), press("Show all", "Show the whole network", () => cy.fit(undefined, 12)))),
      box);
    spec.parent.append(figure);
    const cy = cytoscape({
      container: canvas, style: look(), layout: { name: "preset", fit: true, padding: 12 },
      minZoom: 0.05, maxZoom: 3, autoungrabify: true, boxSelectionEnabled: false, userZoomingEnabled: false,
      elements: [
        ...spec.nodes.map((i) => ({ data: { id: `n${i}`, attribute: i, label: "", size: 14 }, position: spec.places.get(i) })),
        ...spec.arcs.map((arc, a) => ({ data: { id: `a${a}`, source: `n${arc.source}`, target: `n${arc.target}`, width: arc.width }, classes: arc.kind })),
      ],
    });
    // the wheel scrolls the page until the reader turns to the network
    box.addEventListener("focus", () => cy.userZoomingEnabled(true));
    box.addEventListener("blur", () => cy.userZoomingEnabled(false));
    canvas.addEventListener("pointerdown", () => box.focus({ preventScroll: true }));
    const pick = (event) => (spec.choose || choose)(event.target.data("attribute"));
    cy.on("mouseover", "node", pick);
    cy.on("tap", "node", pick);
    cy.on("mouseout", "node", () => cy.elements().removeClass("far"));
    box.addEventListener("keydown", (event) => {
      const go = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (go) {
        const order = [...spec.nodes].sort((a, b) => spec.places.get(a).y - spec.places.get(b).y || spec.places.get(a).x - spec.places.get(b).x);
        const now = order.indexOf(spec.current ? spec.current() : chosen);
        const next = order[(now + go + order.length) % order.length];
        (spec.choose || choose)(next);
        if (cy.zoom() > 0.6) cy.center(cy.getElementById(`n${next}`));
      } else if (event.key === "+" || event.key === "=") zoom(1.4);
      else if (event.key === "-") zoom(1 / 1.4);
      else if (event.key === "0") cy.fit(undefined, 12);
      else return;
      event.preventDefault();
    });
    const graph = { cy, spec, box, printed, texts: null, size: 0 };
    cy.on("zoom", () => write(graph));
    cy.one("render", () => { if (!performance.getEntriesByName("drawn").length) performance.mark("drawn"); });
    return graph;
  }

  // texts: attribute -> {lines, kind}; seen from afar, fewer and larger letters
  function label(graph, texts) {
    graph.texts = texts;
    graph.size = 0;
    write(graph);
    graph.cy.batch(() => { for (const i of graph.spec.nodes) graph.cy.getElementById(`n${i}`).classes(texts(i).kind); });
    print(graph, texts);
  }
  function write(graph) {
    const size = graph.cy.zoom() > 0.7 ? 14 : Math.min(26, Math.round(10 / graph.cy.zoom()));
    if (size === graph.size || !graph.texts) return;
    graph.size = size;
    const most = Math.floor(WIDTH / (0.62 * size));
    graph.cy.batch(() => {
      for (const i of graph.spec.nodes) {
        const { lines } = graph.texts(i), shown = size > 14 ? [lines[0], lines[lines.length - 1]] : lines;
        graph.cy.getElementById(`n${i}`).data({ label: shown.map((line) => shorten(line, most)).join("\n"), size });
      }
    });
  }
  function print(graph, texts) {
    const places = graph.spec.places;
    const xs = graph.spec.nodes.map((i) => places.get(i).x), ys = graph.spec.nodes.map((i) => places.get(i).y);
    const x0 = Math.min(...xs) - WIDTH, y0 = Math.min(...ys) - HEIGHT;
    const drawing = svg("svg", { viewBox: `${x0} ${y0} ${Math.max(...xs) - x0 + WIDTH} ${Math.max(...ys) - y0 + HEIGHT}`, "aria-hidden": "true" });
    for (const arc of graph.spec.arcs) {
      const a = places.get(arc.source), b = places.get(arc.target), dx = b.x - a.x, dy = b.y - a.y;
      const reach = Math.min(WIDTH / 2 / (Math.abs(dx) || 1e-9), HEIGHT / 2 / (Math.abs(dy) || 1e-9));
      const length = Math.hypot(dx, dy) || 1, tip = { x: b.x - reach * dx, y: b.y - reach * dy };
      const [ux, uy] = [dx / length, dy / length];
      const head = `M${tip.x - 10 * ux - 5 * uy} ${tip.y - 10 * uy + 5 * ux}L${tip.x} ${tip.y}L${tip.x - 10 * ux + 5 * uy} ${tip.y - 10 * uy - 5 * ux}`;
      drawing.append(svg("path", { class: `edge ${arc.kind}`, d: `M${a.x + reach * dx} ${a.y + reach * dy}L${tip.x} ${tip.y}${head}` }));
    }
    for (const i of graph.spec.nodes) {
      const { x, y } = places.get(i), lines = texts(i).lines;
      drawing.append(svg("rect", { class: "node", x: x - WIDTH / 2, y: y - HEIGHT / 2, width: WIDTH, height: HEIGHT, rx: 8 }));
      lines.forEach((line, l) => drawing.append(svg("text", { x, y: y + 16 * (l - (lines.length - 1) / 2) + 4 }, cut(line, 20))));
    }
    graph.printed.replaceChildren(drawing);
  }
  function mark(graph, i, dim = true) {
    const { cy } = graph;
    cy.batch(() => {
      cy.elements().removeClass("chosen near far");
      const node = cy.getElementById(`n${i}`);
      if (node.empty()) return;
      node.addClass("chosen");
      node.connectedEdges().addClass("near");
      if (dim) cy.elements().not(node.closedNeighborhood()).filter("edge").addClass("far");
    });
  }
  function widths(arcs) {
    const most = Math.max(1e-12, ...arcs.map((arc) => Math.max(0, arc[2] || 0)));
    return (strength) => (strength === null ? 1.5 : 1.2 + 3 * Math.sqrt(Math.max(0, strength) / most));
  }
  function legend(items) {
    const sample = { kept: ["soft", 1.5, ""], new: ["for", 4, ""], placed: ["for", 4, ""], gone: ["against", 2.5, "9 5"], idle: ["soft", 1.5, "1 4"] };
    return el("ul", { class: "legend" }, items.map(([kind, text]) => {
      const [stroke, width, dash] = sample[kind];
      return el("li", {}, svg("svg", { viewBox: "0 0 42 12", "aria-hidden": "true" },
        svg("line", { x1: 0, x2: 40, y1: 6, y2: 6, stroke: `var(--${stroke})`, "stroke-width": width, "stroke-dasharray": dash })), text);
    }));
  }

  // ---- networks of a case

  function drawNetworks(box, items) {
    const all = kase.networks, key = ([source, target]) => `${source} ${target}`;
    const compared = all.length === 2 && all.every((network) => network.superparent === null && !network.group);
    const shown = compared || all.length === 1 ? all : [all[drawnNetwork]];
    const specs = shown.map((network, n) => {
      const other = compared ? new Set(shown[1 - n].arcs.map(key)) : null;
      const taken = network.taken.filter(([parent, child]) => !network.arcs.some((arc) => arc[0] === parent && arc[1] === child));
      const placed = new Set(network.taken.filter((change) => change[2] !== null).map((change) => `${change[2]} ${change[1]}`));
      const width = widths(network.arcs);
      const arcs = network.arcs.map((arc) => ({
        source: arc[0], target: arc[1], strength: arc[2], used: arc[3], width: width(arc[2]),
        kind: other ? (other.has(key(arc)) ? (arc[3] ? "kept" : "idle") : n === 0 ? "gone" : "new")
          : placed.has(key(arc)) ? "placed" : arc[3] || network.superparent !== null ? "kept" : "idle",
      }));
      if (!other) for (const [parent, child] of taken) arcs.push({ source: parent, target: child, width: 2, kind: "gone" });
      return { title: network.name, nodes: network.nodes, arcs, superparent: network.superparent, network };
    });
    const nodes = [...new Set(specs.flatMap((spec) => spec.nodes))];
    const numbers = contributions();
    const arcs = [...shown].reverse().flatMap((network) => network.arcs);
    box.className = specs.length === 2 && nodes.length <= MOST_BESIDE ? "graphs two" : "graphs";
    const places = positions(nodes, strongest(arcs), specs[0].superparent, (i) => Math.abs(numbers[i + 1]), room(box));
    const kinds = new Set(specs.flatMap((spec) => spec.arcs.map((arc) => arc.kind)));
    const words = shown[0].group ? { kept: "one of the parents that networks of the group use most often", idle: "not in use for this case" } : compared
      ? { kept: "in both networks", gone: `only in the ${all[0].name}`, new: `only in the ${all[1].name}`, idle: "not in use for this case" }
      : { kept: "parent of a value", placed: "parent in the place of another one", gone: "taken away for this case", idle: "not in use for this case" };
    items.replaceWith(legend(Object.keys(words).filter((kind) => kinds.has(kind)).map((kind) => [kind, words[kind]])));
    return specs.map((spec) => makeGraph({ ...spec, places, parent: box }));
  }
  function ownLogOdds(network, i) {
    const factor = network.factors[i];
    return factor ? minus(Math.log(factor.p[of]), Math.log(factor.p[against])) : null;
  }
  function caseTexts(graph) {
    return (i) => {
      const { network } = graph.spec, own = ownLogOdds(network, i);
      const small = own !== null && Math.abs(own) < 0.005;
      const why = network.implied[i] !== undefined ? "implied" : inUse(i) ? "no factor here" : kase.terms[i].status;
      return {
        lines: [name(i), ...(why === kase.terms[i].short ? [] : [kase.terms[i].short]), own === null ? why : signed(own)],
        kind: (own === null ? "idle" : small ? "" : own > 0 ? "for" : "against") + (i === chosen ? " chosen" : ""),
      };
    };
  }

  // ---- the value that is looked at

  function choose(i) {
    if (chosen === i) return;
    chosen = i;
    show(true);
  }
  function show(dim = false) {
    for (const graph of graphs) mark(graph, chosen, dim);
    for (const row of document.querySelectorAll(".bar-row")) row.classList.toggle("chosen", Number(row.dataset.attribute) === chosen);
    const panel = document.getElementById("value");
    const term = kase.terms[chosen];
    const picker = choice("Value", data.attributes.map((text, i) => [i, text]), chosen, choose);
    const parts = graphs.map((graph) => probabilities(graph.spec.network));
    const focused = panel.contains(document.activeElement);
    panel.replaceChildren(el("div", { class: "controls" }, picker),
      el("h4", {}, `${name(chosen)} = ${term.text}`), el("div", { class: "tables" }, parts));
    if (focused) panel.querySelector("select").focus();
  }
  // the two that are compared come first
  const inOrder = () => data.classes.map((_, y) => y).sort((a, b) => (b === of) - (a === of) || (b === against) - (a === against) || a - b);
  function probabilities(network) {
    const factor = network.factors[chosen], title = kase.networks.length > 1 ? `In ${network.group ? "" : "the "}${network.name}` : "";
    const heading = title ? el("p", {}, el("strong", {}, title)) : null;
    if (!factor) {
      const by = network.implied[chosen];
      const term = kase.terms[chosen];
      const why = by !== undefined ? `implied by ${name(by)} = ${kase.terms[by].text}, so it is no evidence`
        : term.status === "missing" ? "missing, so it is left out" : term.status === "unseen" ? "training never saw this value, so it is left out" : "not in this network";
      return el("div", {}, heading, el("p", {}, `${network.group ? "No factor" : "No probability"}: ${why}.`));
    }
    const arcs = network.arcs.filter((arc) => arc[1] === chosen);
    const given = arcs.filter((arc) => arc[3]).map((arc) => `${name(arc[0])} = ${kase.terms[arc[0]].value}`);
    if (network.group) return el("div", {}, heading, ...weighing(network, arcs));
    const own = network.superparent === chosen;
    const value = `${name(chosen)} = ${kase.terms[chosen].value}`;
    const thin = [of, against].filter((y) => factor.rows[y] < THIN);
    return el("div", {}, heading,
      el("p", {}, `P(${value} | class${given.length ? ", " + given.join(", ") : ""})`),
      table(["class", "probability", "training rows"], inOrder().map((y) => ({
        cells: [data.classes[y], probability(factor.p[y]), `${whole(factor.matching[y])} of ${whole(factor.rows[y])}`],
        numbers: [1, 2], class: y === of || y === against ? "compared" : null,
      })), `Probabilities of ${value}`),
      el("p", {}, `Adds ${signed(ownLogOdds(network, chosen))} to the log-odds${kase.networks.length > 1 ? " of this network" : ""}.`),
      thin.length ? el("p", { class: "thin" }, `⚠ Thin support: fewer than ${THIN} training rows of ${thin.map((y) => data.classes[y]).join(" and ")}.`) : null,
      own ? el("p", {}, "Superparent: every other value depends on it.") : null,
      arcs.length && !own && network.superparent === null ? el("ul", {}, arcs.map((arc) => el("li", {},
        `Parent ${name(arc[0])} = ${kase.terms[arc[0]].text}` + (arc[2] === null ? "" : `, ${arc[2].toFixed(4)} bits`) + (arc[3] ? "" : " (not in use: not observed, or never seen with the stronger parents)")))) : null);
  }

  function weighing(network, arcs) {
    const factor = network.factors[chosen], most = Math.max(...factor.p);
    const rows = (n) => n.toLocaleString("en", { maximumFractionDigits: 1 });
    return [
      el("p", {}, "How the odds change: factors of the networks, averaged and weighted. They are no probabilities; only their ratio matters, and the largest is shown as 1."),
      table(["class", "factor", "training rows"], inOrder().map((y) => ({
        cells: [data.classes[y], probability(factor.p[y] / most), `${rows(factor.matching[y])} of ${rows(factor.rows[y])}`],
        numbers: [1, 2], class: y === of || y === against ? "compared" : null,
      })), `Factors of ${name(chosen)} = ${kase.terms[chosen].value}`),
      el("p", {}, `Adds ${signed(ownLogOdds(network, chosen))} to the log-odds${kase.networks.length > 1 ? " of this group" : ""}.`),
      el("p", { class: "soft" }, "Rows are means over the networks: those with the same values of its parents, as far as training knows them, and how many of them have this value too. Estimates also lean on fewer parents, where rows are more."),
      arcs.length ? el("p", {}, "Parents that its networks use most often:") : null,
      el("ul", {}, arcs.map((arc) => el("li", {}, `${name(arc[0])} = ${kase.terms[arc[0]].text}` + (arc[3] ? "" : " (not observed)")))),
    ];
  }

  // ---- a case

  function drawCase(section) {
    if (graphs) for (const graph of graphs) graph.cy.destroy();
    graphs = [];
    [of, against] = kase.pair;
    drawnNetwork = 0;
    const order = data.classes.map((_, y) => y).sort((a, b) => real(kase.logs[b]) - real(kase.logs[a]));
    const bars = el("div", { class: "classes" }), compare = el("div", { class: "controls" });
    const sides = el("div", { class: "sides" }), falls = el("div", { class: "waterfall" });
    const more = el("div", { class: "screen" }), words = el("p", { class: "soft" }), numbers = el("div");
    const networks = el("div"), items = el("ul"), votes = el("div");
    const best = order[0], one = data.classes.length === 1, groups = kase.networks.some((network) => network.group);
    section.replaceChildren(
      el("h2", {}, data.cases.length > 1 ? kase.name : "The prediction"),
      el("div", { class: "verdict" },
        el("div", {},
          el("p", { class: "answer" }, "Predicted ", el("strong", {}, data.classes[best]), ` with probability ${percent(Math.exp(real(kase.logs[best])))}.`),
          kase.truth === null ? null : el("p", {}, kase.truth === best ? "That is its true class." : `Its true class is ${data.classes[kase.truth]}, which gets ${percent(Math.exp(real(kase.logs[kase.truth])))}.`),
          kase.impossible ? el("p", {}, "Every class is impossible for this row; the prior is what is predicted.") : null,
          el("p", { class: "soft" }, kase.unused.length ? null : "Every value is in use."),
          kase.unused.length ? el("ul", { class: "soft" }, kase.unused.map(([why, which]) => el("li", {}, `Adds nothing, ${why}: ${which.join(", ")}`))) : null),
        bars),
      ...(one ? [] : [
        el("h3", {}, "Why"), compare, words, sides, falls, more, numbers,
        el("h3", {}, kase.networks.length > 2 || groups ? "The networks behind it" : kase.networks.length === 2 ? "General network and network of the case" : "The network"),
        el("p", {}, (groups ? "Networks are averaged in groups. An arrow leads to a value from one of the parents that networks of the group use most often" : "An arrow says that the probability of a value depends on its parent") + `. The class is a parent of every value; its arrows are left out. The number in a box is what the value adds in this ${groups ? "group" : "network"}` + (kase.networks.length > 1 ? ", which is averaged with others." : ".")),
        items, networks, el("div", { class: "panel", id: "value", "aria-live": "polite" }),
        ...(kase.changes.length ? [el("h3", {}, "What was changed for this case"), el("ul", {}, kase.changes.map((text) => el("li", {}, text)))] : []),
        votes,
        el("h3", {}, "What would change the prediction"), ...counterfactuals(best),
      ]));
    const drawBars = () => {
      const shown = order.filter((y, r) => r < 8 || y === of || y === against || y === kase.truth);
      bars.replaceChildren(...shown.flatMap((y) => {
        const p = Math.exp(real(kase.logs[y])), kind = y === of ? "for" : y === against ? "against" : "";
        return [el("div", {}, data.classes[y] + (y === kase.truth ? " (true)" : "")),
          el("div", { class: "track" }, el("div", { class: `fill ${kind}`, style: `width:${100 * p}%` })),
          el("div", { class: "number" }, percent(p))];
      }));
      if (shown.length < order.length) bars.append(el("div", { class: "soft" }, `and ${order.length - shown.length} more`));
    };
    if (one) { drawBars(); return; }
    let everything = false;
    const drawPair = () => {
      drawBars();
      const pair = (label, now, set) => choice(label, kase.offered.map((y) => [y, data.classes[y]]), now, set);
      const focused = compare.contains(document.activeElement) ? [...compare.querySelectorAll("select")].indexOf(document.activeElement) : -1;
      compare.replaceChildren(
        pair("Evidence for", of, (y) => { if (y === against) against = of; of = y; drawPair(); }),
        pair("against", against, (y) => { if (y === of) of = against; against = y; drawPair(); }));
      if (focused >= 0) compare.querySelectorAll("select")[focused].focus();
      words.textContent = `Log-odds: the prior and what each value adds, which sum to the total. +0.69 doubles the odds of ${data.classes[of]} against ${data.classes[against]}, −0.69 halves them.`;
      sides.replaceChildren(el("span", { class: "away" }, `◀ for ${data.classes[against]}`), el("span", { class: "towards" }, `for ${data.classes[of]} ▶`));
      drawFall();
      for (const graph of graphs) label(graph, caseTexts(graph));
      drawVotes();
      show();
    };
    const drawFall = () => {
      const { hidden, terms, numbers: found } = waterfall(falls, everything);
      more.replaceChildren(...(hidden || everything ? [el("button", { type: "button", onclick: () => { everything = !everything; drawFall(); show(); } }, everything ? "Show the largest only" : `Show all ${terms.length}`)] : []));
      const open = numbers.querySelector("details")?.open;
      numbers.replaceChildren(el("details", { class: "screen" }, el("summary", {}, "The same as a table"),
        table(["value", "log-odds"], [["prior", found[0]], ...terms.map((i) => [`${name(i)} = ${kase.terms[i].text}`, found[i + 1]]), ["total", logOdds()]]
          .map(([text, x]) => ({ cells: [text, signed(x)], numbers: [1] })), "Contributions")));
      if (open) numbers.querySelector("details").open = true;
    };
    const drawVotes = () => {
      if (kase.votes.length < 2) return;
      const sorted = [...kase.votes].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
      const rows = sorted.map((vote) => ({
        cells: [vote.name, vote.weight.toFixed(3), probability(vote.votes[of]), probability(vote.votes[against])], numbers: [1, 2, 3],
      }));
      const made = table([groups ? "group" : "network", "weight", `P(${data.classes[of]})`, `P(${data.classes[against]})`], rows, "Votes");
      const wasOpen = votes.querySelector("details")?.open;
      const folded = rows.length > 8 ? el("details", {}, el("summary", {}, `Votes of all ${rows.length} networks`), made) : made;
      if (wasOpen) folded.open = true;
      votes.replaceChildren(el("h3", {}, `What each ${groups ? "group" : "network"} alone would say`), folded);
    };
    const rebuild = () => {
      for (const graph of graphs) graph.cy.destroy();
      const box = el("div"), list = el("ul");
      const several = kase.networks.length > (groups ? 1 : 2) ? el("div", { class: "controls" }, choice(groups ? "Group" : "Network", kase.networks.map((network, n) => [n, network.name]), drawnNetwork, (n) => { drawnNetwork = n; rebuild(); for (const graph of graphs) label(graph, caseTexts(graph)); show(); })) : null;
      const told = kase.networks.length > 2 && kase.votes.length > kase.networks.length ? el("p", { class: "soft" }, `Of ${kase.votes.length} networks the ${kase.networks.length} with the largest shares in the log-odds can be drawn.`) : null;
      networks.replaceChildren(...[told, several, list, box].filter(Boolean));
      graphs = drawNetworks(box, list);
    };
    items.remove();
    const first = contributions();
    chosen = data.attributes.map((_, i) => i).sort((a, b) => inUse(b) - inUse(a) || Math.abs(first[b + 1]) - Math.abs(first[a + 1]))[0];
    rebuild();
    drawPair();
    resized = () => { drawFall(); show(); };
  }
  function counterfactuals(best) {
    if (!kase.counterfactuals.length) return [el("p", {}, `No change of a single value changes the prediction ${data.classes[best]}.`)];
    const rows = kase.counterfactuals.map((change) => ({
      cells: [change.attribute, `${change.now === null ? "not observed" : change.now} → ${change.then}`,
        `${data.classes[change.prediction]}, ${percent(change.probability)}`],
    }));
    const more = kase.more_counterfactuals;
    return [el("p", {}, "If one value were another one and all else the same, smallest change first:"),
      table(["value", "now → instead", "then predicted"], rows, "Changes of one value"),
      more ? el("p", { class: "soft" }, `and ${more} more change${more > 1 ? "s" : ""}.`) : ""];
  }

  // ---- the classifier in general

  function drawOverview(section) {
    const { overview } = data, most = Math.max(1e-12, ...overview.attributes.map((one) => one.importance));
    const rows = overview.attributes.map((one) => ({
      cells: [name(one.attribute), el("div", { class: "track bar" }, el("div", { class: "fill for", style: `width:${(100 * one.importance) / most}%` })),
        one.importance.toFixed(3), one.information.toFixed(3)], numbers: [2, 3],
    }));
    const head = ["attribute", "", "mean |log-odds|", "bits about the class"];
    const values = el("div"), graphBox = el("div"), about = el("div", { class: "soft" });
    let attribute = overview.attributes[0].attribute, network = 0, graph = null;
    section.replaceChildren(
      el("h2", {}, "In general"),
      el("dl", { class: "numbers" }, overview.facts.map(([what, value]) => el("div", {}, el("dt", {}, what), el("dd", {}, value)))),
      el("h3", {}, "What matters"),
      el("p", {}, `How much a value adds to the log-odds of the predicted class against the next one, on the average over ${whole(overview.n_rows)} rows of ${overview.source}; and the information of the attribute about the class in the training rows.`),
      table(head, rows.slice(0, 15), "Importance of attributes"),
      rows.length > 15 ? el("details", {}, el("summary", {}, `The other ${rows.length - 15}`), table(head, rows.slice(15), "Importance of the other attributes")) : null,
      el("h3", {}, "What each value speaks for"), values,
      ...(overview.networks.some((one) => one.arcs.length) ? [el("h3", {}, "Structure"), about, graphBox] : []),
      ...(overview.weights.length ? [el("h3", {}, "Weights of superparents"), table(["superparent", "mean weight"],
        [...overview.weights].sort((a, b) => b[1] - a[1]).map(([i, weight]) => ({ cells: [name(i), weight.toFixed(3)], numbers: [1] })), "Weights")] : []));
    const drawValues = () => {
      const one = overview.attributes.find((other) => other.attribute === attribute);
      const focused = values.contains(document.activeElement);
      values.replaceChildren(
        el("div", { class: "controls" }, choice("Attribute", overview.attributes.map((other) => [other.attribute, name(other.attribute)]), attribute, (i) => { attribute = i; drawValues(); if (graph) mark(graph, i); })),
        table(["value", "rows", ...data.classes.map((text) => `for ${text}`)], one.values.map(([value, n, sums]) => ({
          cells: [value, whole(n), ...sums.map((x) => shade(real(x)))], numbers: [1, ...sums.map((_, j) => j + 2)],
        })), "Contributions of values"),
        el("p", { class: "soft" }, "Mean contribution to the log-odds of each class against the most probable other one."));
      if (focused) values.querySelector("select").focus();
    };
    const drawStructure = () => {
      const one = overview.networks[network];
      const width = widths(one.arcs);
      const nodes = [...new Set(one.arcs.flatMap(([parent, child]) => [parent, child]))];
      const local = one.arcs.some((arc) => arc[3] < 1);
      const arcs = one.arcs.map(([source, target, strength, share]) => ({ source, target, width: local ? 0.8 + 4 * share : width(strength), kind: "kept" }));
      about.replaceChildren(
        el("p", {}, `Arrows lead from parents to children, the wider the ${local ? "more networks have them" : "more the two share given the class"}. The class is a parent of all.` + (one.omitted ? ` ${whole(one.omitted)} rarer arcs are left out.` : "")),
        ...(overview.networks.length > 1 ? [el("div", { class: "controls" }, choice("Network", overview.networks.map((other, n) => [n, other.name]), network, (n) => { network = n; drawStructure(); }))] : []));
      if (graph) graph.cy.destroy();
      const box = el("div", { class: "graphs" });
      graphBox.replaceChildren(box, el("details", {}, el("summary", {}, "The arcs as a table"), table(["parent", "child", "share of networks", "bits"],
        one.arcs.map(([source, target, strength, share]) => ({ cells: [name(source), name(target), percent(share), strength.toFixed(4)], numbers: [2, 3] })), "Arcs")));
      const weight = new Map(overview.attributes.map((other) => [other.attribute, other.importance]));
      graph = makeGraph({ title: one.name, nodes, arcs, parent: box, places: positions(nodes, strongest([...one.arcs].sort((a, b) => b[3] - a[3] || b[2] - a[2])), null, (i) => weight.get(i), room(box)),
        choose: (i) => { attribute = i; drawValues(); mark(graph, i); }, current: () => attribute });
      label(graph, (i) => ({ lines: [name(i), weight.get(i).toFixed(3)], kind: "" }));
      overviewGraph = graph;
    };
    drawValues();
    if (graphBox.isConnected) drawStructure();
  }
  function shade(x) {
    const strong = Math.min(70, 25 * Math.abs(x));
    const side = x > 0 ? "for" : "against";
    return Math.abs(x) < 0.005 ? signed(x) : el("span", { style: `padding:.1rem .3rem;border-radius:.2rem;background:color-mix(in srgb, var(--${side}) ${strong}%, transparent)` }, signed(x));
  }

  // ---- the page

  let resized = () => {}, overviewGraph = null, seen = innerWidth;
  const general = el("section"), list = el("section"), section = el("section");
  add(main, [data.overview ? general : null, data.cases.length > 1 ? list : null, section]);
  if (data.overview) drawOverview(general);
  const open = (c) => {
    kase = data.cases[c];
    drawCase(section);
    for (const row of list.querySelectorAll("tbody tr")) row.classList.remove("chosen");
    const row = list.querySelectorAll("tbody tr")[c];
    if (row) {
      row.classList.add("chosen");
      for (const button of list.querySelectorAll("button")) button.removeAttribute("aria-current");
      row.querySelector("button").setAttribute("aria-current", "true");
    }
  };
  if (data.cases.length > 1) {
    const words = { surprising: "surprising", uncertain: "uncertain" };
    const truths = data.cases.some((one) => one.truth !== null), why = data.cases.some((one) => one.reasons.length);
    const rows = data.cases.map((one, c) => {
      const best = one.logs.map(real).reduce((top, x, y, logs) => (x > logs[top] ? y : top), 0);
      const cells = [el("button", { type: "button", class: "link", onclick: () => { open(c); section.scrollIntoView({ behavior: "smooth" }); } }, one.name), `${data.classes[best]}, ${percent(Math.exp(real(one.logs[best])))}`];
      if (truths) cells.push(one.truth === null ? "not known" : data.classes[one.truth]);
      if (why) cells.push(one.reasons.map((reason) => words[reason] || reason).join(", "));
      return { cells };
    });
    add(list, [el("h2", {}, "Cases"),
      data.overview ? el("p", {}, data.overview.truth_known
        ? "Surprising: the true class got the smallest probability. Uncertain: the most probable class is the least probable."
        : "Uncertain: the most probable class is the least probable. True classes are not known, so surprising cases cannot be told.") : null,
      table(["case", "predicted", ...(truths ? ["true class"] : []), ...(why ? ["why here"] : [])], rows, "Cases")]);
  }
  open(0);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const graph of [...graphs, overviewGraph]) if (graph) graph.cy.style(look());
  });
  addEventListener("resize", () => {
    if (innerWidth === seen) return; // a phone only shows or hides its address bar
    seen = innerWidth;
    resized();
    for (const graph of [...graphs, overviewGraph]) if (graph) { graph.cy.resize(); graph.cy.fit(undefined, 12); }
  });
})();
