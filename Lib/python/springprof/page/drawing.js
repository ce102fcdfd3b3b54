/* Everything that is seen: graph, time line, tables, source. */

/* ---- words and numbers ---- */

const percent = (part, all) =>
    all ? (100 * part / all).toFixed(part / all < 0.0995 ? 2 : 1) + " %" : "–";
function duration(ns) {
  if (ns >= 1e9) return (ns / 1e9).toFixed(2) + " s";
  if (ns >= 1e6) return (ns / 1e6).toFixed(1) + " ms";
  return Math.round(ns / 1e3) + " µs";
}
function quantity(weight) {
  if (R.meta.unit === undefined || R.meta.unit === "ns") return duration(weight);
  for (const [size, letter] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]])
    if (weight >= size) return (weight / size).toFixed(2) + " " + letter;
  return String(weight);
}
const change = (a, b) => (b - a >= 0 ? "+" : "−") + Math.abs((b - a) / 1e4).toFixed(2) + " %";
const base = path => path.slice(path.lastIndexOf("/") + 1);
function frameLabel(f) {
  const name = R.strings[R.names[f]];
  return state.byLines && R.lines[f] ? name + ":" + R.lines[f] : name;
}
function framePlace(f) {
  if (!isPython(R.kinds[f])) return R.strings[R.dsos[f]] || KINDS[R.kinds[f]].toLowerCase();
  return R.strings[R.files[f]] + (state.byLines && R.lines[f] ? ":" + R.lines[f] : "");
}
function amount(b, a) {
  if (A) return `${percent(a, 1e6)} → ${percent(b, 1e6)} (${change(a, b)})`;
  return `${quantity(b)}, ${percent(b, totalB)}`;
}

/* ---- drawing ---- */

const ROW = 19;
let tree, inverse, boxes = [], focus = 0, hover = 0, ratio = 1, colorCache = new Map();
const current = () => state.inverted ? inverse : tree;
const zoomed = () => state.zoom.length ? state.zoom[state.zoom.length - 1] : 0;
const dark = matchMedia("(prefers-color-scheme: dark)");

function mix(hex, other, share) {
  const p = i => Math.round(parseInt(hex.slice(i, i + 2), 16) * (1 - share) +
                            parseInt(other.slice(i, i + 2), 16) * share);
  return `rgb(${p(1)},${p(3)},${p(5)})`;
}
function boxColor(n, t) {
  const f = t.frame[n];
  if (f < 0) return dark.matches ? "#3a3f48" : "#d9d5cd";
  if (A) {
    const a = t.totalA[n], b = t.total[n], d = (b - a) / 1e6;
    const strength = Math.min(1, Math.sqrt(Math.abs(d) * 4));
    return mix(dark.matches ? "#3a3f48" : "#e9e6e0", d > 0 ? "#d7443b" : "#3b7fc4",
               d ? strength : 0);
  }
  return frameColor(f, R.kinds[f]);
}
function frameColor(f, kind) {
  const fn = functions[functionOf[f]], key = functionOf[f] * 8 + kind;
  let color = colorCache.get(key);
  if (!color) { /* neighbours differ a little, a file's are alike */
    let hash = 7;
    for (const c of fn.file || fn.dso) hash = (hash * 31 + c.charCodeAt(0)) >>> 0;
    for (const c of fn.name) hash = (hash * 33 + c.charCodeAt(0)) >>> 0;
    const share = (hash % 100) / 100 * 0.30;
    color = mix(COLORS[kind], kind === PYTHON ? "#ffdf8e" : "#ffffff", share);
    if (dark.matches)
      color = mix("#" + color.match(/\d+/g).map(x => (+x).toString(16).padStart(2, "0")).join(""),
                  "#16181c", 0.2);
    colorCache.set(key, color);
  }
  return color;
}

function fit(canvas, height) {
  ratio = devicePixelRatio || 1;
  const width = canvas.clientWidth;
  canvas.style.height = height ? height + "px" : "";
  const h = height || canvas.clientHeight;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(h * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(h * ratio);
  }
  const c = canvas.getContext("2d");
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, width, h);
  return [c, width, h];
}

function layout(width) {
  const t = current(), zoom = zoomed(), found = [];
  let deepest = 0;
  const path = [];
  for (let n = zoom;; n = t.parent[n]) {
    path.unshift(n);
    if (!n) break;
  }
  path.forEach((n, d) => {
    if (n !== zoom) found.push({n, x: 0, w: width, d, above: true});
  });
  const scale = width / (t.width(zoom) || 1), work = [[zoom, 0, path.length - 1]];
  while (work.length) {
    const [n, x, d] = work.pop(), w = t.width(n) * scale;
    found.push({n, x, w, d, above: false});
    if (d > deepest) deepest = d;
    let at = x;
    for (const kid of t.children(n)) {
      const kw = t.width(kid) * scale;
      if (kw < 0.6) break; /* the others are narrower */
      work.push([kid, at, d + 1]);
      at += kw;
    }
  }
  return [found, Math.max(deepest, path.length - 1)];
}

let frameRequest = 0;
function drawSoon() {
  if (!frameRequest)
    frameRequest = requestAnimationFrame(() => {
      frameRequest = 0;
      draw();
    });
}

function draw() {
  const canvas = $("flames");
  const [found, deepest] = layout(canvas.clientWidth);
  const height = Math.max((deepest + 1) * ROW + 4, $("graph").clientHeight - 2);
  const [c, width, h] = fit(canvas, height);
  const t = current(), ink = "#22262b";
  boxes = found;
  c.font = "11.5px system-ui, 'DejaVu Sans', sans-serif";
  c.textBaseline = "middle";
  const letter = c.measureText("abcdefghij_klmnopqrst").width / 21;
  for (const box of found) {
    box.y = state.icicle ? box.d * ROW + 2 : h - (box.d + 1) * ROW - 2;
    const {n, x, y, w} = box, f = t.frame[n], mark = f >= 0 && isMarked(f);
    c.globalAlpha = box.above ? 0.45 : matches && !mark ? 0.42 : 1;
    c.fillStyle = mark ? "#a06bff" : boxColor(n, t);
    const drawn = Math.max(w - (w > 2 ? 1 : 0), 0.5);
    c.fillRect(x, y, drawn, ROW - 1);
    const part = mark || A || f < 0 ? 0 : compiledPart(n, t);
    if (part > 0 && part < 1) { /* the level that stands in the box */
      const level = (ROW - 1) * part;
      c.fillStyle = frameColor(f, PYTHON);
      c.fillRect(x, y, drawn, ROW - 1 - level);
      c.fillStyle = frameColor(f, COMPILED);
      c.fillRect(x, y + ROW - 1 - level, drawn, level);
    }
    c.globalAlpha = 1;
    if (n && (n === focus || n === hover)) {
      c.strokeStyle = n === focus ? getComputedStyle(document.body).getPropertyValue("--accent")
                                  : "rgba(0,0,0,.45)";
      c.lineWidth = n === focus ? 2 : 1;
      c.strokeRect(x + 1, y + 1, Math.max(w - 3, 1), ROW - 3);
    }
    if (w > 24) {
      let text = f < 0 ? "all" : frameLabel(f);
      const room = Math.floor((w - 8) / letter / 1.07);
      if (text.length > room) text = room > 3 ? text.slice(0, room - 1) + "…" : "";
      c.fillStyle = mark ? "#fff" : A || f < 0 ? getComputedStyle(document.body).color : ink;
      const dimmed = box.above || (dark.matches && matches && !mark);
      if (dimmed) c.fillStyle = getComputedStyle(document.body).color;
      if (text) c.fillText(text, x + 4, y + ROW / 2 - 0.5);
    }
  }
}

function boxAt(event) {
  const area = $("flames").getBoundingClientRect(), x = event.clientX - area.left,
        y = event.clientY - area.top;
  for (const box of boxes)
    if (y >= box.y && y < box.y + ROW && x >= box.x && x < box.x + box.w) return box;
  return null;
}

/* ---- the time line ---- */

function drawTime() {
  const canvas = $("time");
  if (R.meta.diff) {
    $("time-box").hidden = true;
    $("time-box").style.display = "none";
    return;
  }
  const [c, width, height] = fit(canvas, 0);
  const length = timeLength(), bins = Math.max(1, Math.floor(width / 3)), kinds = KINDS.length;
  const sums = new Float64Array(bins * kinds),
        nodeKind = new Uint8Array(R.parents.length).fill(LIBRARY);
  for (let n = 1; n < nodeKind.length; n++) { /* the innermost frame that is shown counts */
    const kind = R.kinds[R.nodeFrames[n]];
    nodeKind[n] = state.shown[kind] ? kind : nodeKind[R.parents[n]];
  }
  for (let s = 0; s < R.times.length; s++) {
    if (state.threads && !state.threads.has(R.sampleThreads[s])) continue;
    const bin = Math.min(bins - 1, Math.floor(R.times[s] / length * bins)), node = R.nodes[s];
    sums[bin * kinds + nodeKind[node]] += R.weights[s];
  }
  let most = 0;
  for (let b = 0; b < bins; b++) {
    let sum = 0;
    for (let k = 0; k < kinds; k++) sum += sums[b * kinds + k];
    most = Math.max(most, sum);
  }
  for (let b = 0; b < bins; b++) {
    let y = height;
    for (let k = 0; k < kinds; k++) {
      const h = most ? sums[b * kinds + k] / most * (height - 12) : 0;
      c.fillStyle = COLORS[k];
      c.fillRect(b * width / bins, y - h, width / bins - 0.6, h);
      y -= h;
    }
  }
  if (state.span) {
    const [x, to] = state.span.map(t => t / length * width);
    c.fillStyle = dark.matches ? "rgba(0,0,0,.6)" : "rgba(251,250,248,.72)";
    c.fillRect(0, 0, x, height);
    c.fillRect(to, 0, width - to, height);
    c.strokeStyle = getComputedStyle(document.body).getPropertyValue("--accent");
    c.lineWidth = 1.5;
    c.strokeRect(x, 1, Math.max(to - x, 1), height - 2);
  }
  $("span").textContent = state.span ? state.span.map(duration).join(" to ") : duration(length);
}
const timeLength = () => Math.max(R.times.length ? R.times[R.times.length - 1] : 0, 1);

/* ---- tables and source ---- */

const MOST_ROWS = 1000;

function tableRows() {
  const table = state.table === "lines" ? tables.lines : tables.functions, rows = [];
  for (let i = 0; i < table.total.length; i++) {
    if (!table.total[i] && !(A && table.totalA[i])) continue;
    if (state.table !== "lines" && functions[i].python !== (state.table === "functions")) continue;
    const key = state.table === "lines" ? lineKeys[i] : functions[i];
    rows.push({
      i,
      key,
      own: table.own[i],
      total: table.total[i],
      ownA: A ? table.ownA[i] : 0,
      totalA: A ? table.totalA[i] : 0
    });
  }
  const value = {
    own: r => A ? Math.abs(r.own - r.ownA) : r.own,
    total: r => A ? Math.abs(r.total - r.totalA) : r.total
  }[state.sort];
  const name = r => r.key.name || r.key.file + String(r.key.line).padStart(8, "0");
  rows.sort(value ? (x, y) => value(y) - value(x) : (x, y) => name(x) < name(y) ? -1 : 1);
  if (!state.descending) rows.reverse();
  return rows;
}

function rowText(row) {
  if (state.table === "lines")
    return [`${base(row.key.file)}:${row.key.line}`, functions[row.key.function].name];
  const fn = row.key;
  return [fn.name, fn.python ? fn.file : fn.dso || KINDS[fn.kind].toLowerCase()];
}

function element(tag, properties, ...children) {
  const e = Object.assign(document.createElement(tag), properties);
  e.append(...children);
  return e;
}

function drawTable() {
  const rows = tableRows(), body = $("table").tBodies[0], head = $("table").tHead;
  const columnsShown =
      [["own", "Own"], ["total", "Total"], ["name", state.table === "lines" ? "Line" : "Function"]];
  head.replaceChildren(element("tr", {}, ...columnsShown.flatMap(([key, text]) => {
    const th = element("th", {textContent: text});
    if (state.sort === key)
      th.setAttribute("aria-sort", state.descending ? "descending" : "ascending");
    th.onclick = () => {
      state.descending = state.sort === key ? !state.descending : true;
      state.sort = key;
      drawTable();
    };
    if (key === "name") return [th];
    if (!A) {
      th.colSpan = 2;
      return [th];
    }
    return [
      element("th", {textContent: text + " before"}), element("th", {textContent: "after"}), th
    ];
  })));
  const cell = (b, a) => {
    if (A) {
      const d = element(
          "td", {textContent: change(a, b),
                 className: b > a ? "grown"
                     : b < a      ? "shrunk"
                                  : ""});
      return [
        element("td", {textContent: percent(a, 1e6)}),
        element("td", {textContent: percent(b, 1e6)}), d
      ];
    }
    const share = element("td", {textContent: percent(b, totalB), className: "bar"});
    share.style.setProperty("--share", (100 * b / whole()).toFixed(1) + "%");
    return [element("td", {textContent: quantity(b)}), share];
  };
  body.replaceChildren(...rows.slice(0, MOST_ROWS).map(row => {
    const [name, place] = rowText(row);
    const last = element("td", {title: name + "\n" + place}, element("code", {textContent: name}),
                         element("small", {textContent: place}));
    const tr = element("tr", {}, ...cell(row.own, row.ownA), ...cell(row.total, row.totalA), last);
    tr.dataset.name = name;
    tr.dataset.own = row.own;
    tr.dataset.total = row.total;
    tr.dataset.place = place;
    const chosen = state.chosen;
    if (chosen &&
        (state.table === "lines" ? chosen.file === row.key.file && chosen.line === row.key.line
                                 : chosen.function === row.i))
      tr.className = "chosen";
    tr.onclick = () => {
      if (state.table === "lines")
        choose({file: row.key.file, line: row.key.line, function: row.key.function});
      else
        choose({function: row.i, file: row.key.file, line: hottestLine(row.i)});
      const place =
          state.table === "lines" ? base(row.key.file) + ":" + row.key.line : row.key.name;
      setSearch(place);
    };
    return tr;
  }));
  $("rows").textContent =
      rows.length > MOST_ROWS ? `${MOST_ROWS} of ${rows.length}` : `${rows.length}`;
  for (const tab of document.querySelectorAll("[data-table]"))
    tab.setAttribute("aria-selected", tab.dataset.table === state.table);
}

function hottestLine(fn) {
  let best = 0, most = -1;
  for (let f = 0; f < functionOf.length; f++) {
    if (functionOf[f] !== fn || lineOf[f] < 0) continue;
    const weight = tables.lines.total[lineOf[f]];
    if (weight > most) {
      most = weight;
      best = R.lines[f];
    }
  }
  return best;
}

function choose(place) {
  state.chosen = place;
  drawTable();
  drawSource(true);
}

let sourceShown = null;
function drawSource(scroll) {
  const box = $("source"), chosen = state.chosen, file = chosen && chosen.file;
  $("source-name").textContent = file ? "\u200e" + file : "Source";
  $("source-share").textContent = "";
  const none = text => {
    box.replaceChildren(element("div", {className: "none", textContent: text}));
    sourceShown = null;
  };
  if (!chosen) return none("Choose a Python function: in the graph, or in the table.");
  if (!file)
    return none(`${functions[chosen.function].name} is not Python: there is no source here.`);
  const text = R.sources[file];
  if (text === undefined) return none("The source of this file is not in the recording.");
  const heat = new Map();
  let most = 0, sum = 0;
  lineKeys.forEach((key, l) => {
    if (key.file !== file) return;
    heat.set(key.line, l);
    most = Math.max(most, tables.lines.own[l], A ? tables.lines.ownA[l] : 0);
    sum += tables.lines.own[l];
  });
  $("source-share").textContent =
      heat.size ? `own time ${percent(sum, A ? 1e6 : totalB)}` : "recorded without lines";
  const wholeTotal = A ? 1e6 : totalB;
  box.replaceChildren(...text.replace(/\n$/, "").split("\n").map((code, i) => {
    const l = heat.get(i + 1), row = element("div", {className: "row"});
    let own = "", total = "";
    if (l !== undefined) {
      const o = tables.lines.own[l], t = tables.lines.total[l];
      if (A) {
        const d = o - tables.lines.ownA[l];
        own = change(tables.lines.ownA[l], o);
        total = percent(t, 1e6);
        row.style.background = d ? `rgba(${d > 0 ? "215,68,59" : "59,127,196"}, ${
                                       Math.min(.6, Math.sqrt(Math.abs(d) / 1e6))})`
                                 : "";
      } else {
        own = o ? percent(o, wholeTotal) : "";
        total = t ? percent(t, wholeTotal) : "";
        row.style.background =
            o ? `rgba(var(--heat), ${(0.08 + 0.5 * o / (most || 1)).toFixed(3)})` : "";
      }
      row.dataset.own = o;
      row.dataset.total = t;
    }
    row.dataset.line = i + 1;
    if (i + 1 === chosen.line) row.classList.add("here");
    row.append(element("span", {className: "own", textContent: own}),
               element("span", {className: "total", textContent: total}),
               element("span", {className: "number", textContent: i + 1}),
               element("span", {textContent: code.replace(/\r$/, "")}));
    return row;
  }));
  sourceShown = file;
  if (scroll && chosen.line)
    box.scrollTop = Math.max(0, (chosen.line - 1) * 18 - box.clientHeight / 2);
}

/* ---- what the page says about the place that is looked at ---- */

function drawPath() {
  const n = hover || focus || zoomed(), t = current(), f = t.frame[n];
  const path = $("path");
  if (f === undefined || f < 0) {
    path.textContent = A
        ? "Boxes: red has grown, blue has shrunk; width is the mean of both shares."
        : "Click a box to zoom, / to search, ? for keys.";
    return;
  }
  path.replaceChildren(element("b", {textContent: frameLabel(f)}),
                       `  ${framePlace(f)}  —  ${amount(t.total[n], A ? t.totalA[n] : 0)}`);
}

function kindText(n, t) {
  const part = A ? 0 : compiledPart(n, t);
  if (part > 0 && part < 1) return `Python, ${percent(part, 1)} compiled`;
  return KINDS[R.kinds[t.frame[n]]].toLowerCase();
}

function showTip(event, box) {
  const tip = $("tip");
  if (!box) {
    tip.hidden = true;
    return;
  }
  const t = current(), f = t.frame[box.n];
  const lines = f < 0 ? [] : [
    element("div", {textContent: framePlace(f)}),
    element("div", {textContent: kindText(box.n, t)})
  ];
  tip.replaceChildren(
      element("b", {textContent: f < 0 ? "all" : frameLabel(f)}), ...lines,
      element("div", {textContent: amount(t.total[box.n], A ? t.totalA[box.n] : 0)}));
  tip.hidden = false;
  const x = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
  const y = event.clientY + 18 + tip.offsetHeight > innerHeight
      ? event.clientY - tip.offsetHeight - 10
      : event.clientY + 18;
  tip.style.left = Math.max(4, x) + "px";
  tip.style.top = Math.max(4, y) + "px";
}
