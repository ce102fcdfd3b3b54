"use strict";
/* The page of a recording. Data flows one way:

     bytes -> recording (columns, as in the file)
           -> selection: which samples count (thread, span of time)  -> weight of each node
           -> tree: frames that are shown, merged                    -> boxes on the canvas
           -> tables: own and total time of functions and lines      -> rows, heat of source

   A change of the selection or of what is shown starts again at its place in that row. A page
   of a comparison has two weights everywhere, `a` before and `b` after, each a share of its whole;
   an ordinary page has only b. */

const PYTHON = 0, COMPILED = 1, INTERPRETER = 2, LIBRARY = 3, KERNEL = 4;
const KINDS = ["Python", "Compiled", "Interpreter", "Library", "Kernel"];
const COLORS = ["#f0a33f", "#8cc152", "#9db4c8", "#b79ad6", "#e0757c"];
const $ = id => document.getElementById(id);

/* ---- bytes -> recording ---- */

function decodeBase64(text) {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

function columns(buffer, types) {
  const count = new DataView(buffer).getUint32(0, true);
  let at = 8;
  return types.map(Type => {
    const column = new Type(buffer.slice(at, at + count * Type.BYTES_PER_ELEMENT));
    at += count * Type.BYTES_PER_ELEMENT;
    return column;
  });
}

async function parse(bytes) {
  const view = new DataView(bytes.buffer);
  const sections = {};
  let at = 16;
  for (let n = view.getUint32(12, true); n > 0; n--) {
    const name = String.fromCharCode(...bytes.subarray(at, at + 4));
    const size = Number(view.getBigUint64(at + 8, true));
    at += 24;
    sections[name] = await inflate(bytes.subarray(at, at + size));
    at += size;
  }
  const json = name => JSON.parse(new TextDecoder().decode(sections[name]));
  const U = Uint32Array;
  const strings = json("STRS");
  const [names, files, lines, kinds, dsos] = columns(sections.FRMS, [U, U, U, U, U]);
  const [parents, nodeFrames] = columns(sections.NODS, [U, U]);
  const [times, sampleThreads, nodes, weights] = columns(sections.SMPL, [Float64Array, U, U, U]);
  return { meta: json("META"), threads: json("THRD"), sources: json("SRCS"), strings,
           names, files, lines, kinds, dsos, parents, nodeFrames, times, sampleThreads, nodes, weights };
}

/* ---- the recording, prepared once ---- */

let R;                       // the recording
let functionOf, functions;   // a frame's function; functions are {name, file, kind, python}
let lineOf, lineKeys;        // a Python frame's place in a file; lineKeys are {file, line}
let firstChild, nextSibling; // of raw nodes
const isPython = kind => kind === PYTHON || kind === COMPILED;

function prepare() {
  const seen = new Map(), lines = new Map(), count = R.names.length;
  functionOf = new Uint32Array(count);
  lineOf = new Int32Array(count).fill(-1);
  functions = []; lineKeys = [];
  for (let f = 0; f < count; f++) {
    const kind = R.kinds[f], python = isPython(kind);
    const key = R.names[f] + "/" + (python ? "p" + R.files[f] : "c" + R.dsos[f]);
    let n = seen.get(key);
    if (n === undefined) {
      seen.set(key, n = functions.length);
      functions.push({ name: R.strings[R.names[f]], file: R.strings[R.files[f]], kind, python,
                       dso: R.strings[R.dsos[f]] });
    }
    functionOf[f] = n;
    if (python && R.lines[f]) {
      const place = R.files[f] + ":" + R.lines[f];
      let l = lines.get(place);
      if (l === undefined) {
        lines.set(place, l = lineKeys.length);
        lineKeys.push({ file: R.strings[R.files[f]], line: R.lines[f], function: n });
      }
      lineOf[f] = l;
    }
  }
  const nodes = R.parents.length;
  firstChild = new Uint32Array(nodes);
  nextSibling = new Uint32Array(nodes);
  for (let n = nodes - 1; n > 0; n--) {
    nextSibling[n] = firstChild[R.parents[n]];
    firstChild[R.parents[n]] = n;
  }
}

/* ---- state, and the weights of what is selected ---- */

const state = { icicle: true, inverted: false, byLines: false,
                shown: [true, true, false, true, true], threads: null, span: null,
                search: "", zoom: [], table: "functions", sort: "own", descending: true, chosen: null };
let B, A;                    // weight of each raw node by itself; A only of a comparison
let totalB, totalA, wholeB;  // of the selection; of the recording

function select() {
  const nodes = R.parents.length, diff = R.meta.diff;
  B = new Float64Array(nodes); A = diff ? new Float64Array(nodes) : null;
  totalB = totalA = 0;
  const [from, to] = state.span || [-1, Infinity];
  for (let s = 0; s < R.times.length; s++) {
    const thread = R.sampleThreads[s];
    if (state.threads && !state.threads.has(thread)) continue;
    if (R.times[s] < from || R.times[s] > to) continue;
    if (diff && R.threads[thread].side === 0) { A[R.nodes[s]] += R.weights[s]; totalA += R.weights[s]; }
    else { B[R.nodes[s]] += R.weights[s]; totalB += R.weights[s]; }
  }
  if (diff) {                /* shares: parts of one million */
    for (let n = 0; n < nodes; n++) {
      A[n] *= totalA ? 1e6 / totalA : 0;
      B[n] *= totalB ? 1e6 / totalB : 0;
    }
    totalA = totalA ? 1e6 : 0; totalB = totalB ? 1e6 : 0;
  }
}

const whole = () => A ? (totalA + totalB) / 2 || 1 : totalB || 1;

/* ---- tree: what is drawn ----
   Columns by tree node; node 0 is the root. `frame` is one of the raw frames that it stands for.
   Trees are made lazily below a node when they are inverted: see Inverted. */

class Tree {
  /* Callers first. */
  constructor() {
    const raw = R.parents.length, at = new Uint32Array(raw), live = this.liveNodes();
    const parent = new Uint32Array(raw), frame = new Int32Array(raw), keys = new Int32Array(raw);
    let size = 16, count = 1;            /* a hash table of (caller, key) with open addressing */
    while (size < raw * 2) size *= 2;
    const slots = new Uint32Array(size), mask = size - 1;
    frame[0] = -1;
    for (let n = 1; n < raw; n++) {
      if (!live[n]) continue;
      const f = R.nodeFrames[n], up = at[R.parents[n]];
      if (!state.shown[R.kinds[f]]) { at[n] = up; continue; }
      const key = state.byLines ? f : functionOf[f];
      let slot = (Math.imul(up, 0x9E3779B1) ^ Math.imul(key + 1, 0x85EBCA6B)) >>> 0;
      slot = (slot ^ slot >>> 15) & mask;
      let node;
      while ((node = slots[slot]) && (parent[node] !== up || keys[node] !== key)) slot = slot + 1 & mask;
      if (!node) {
        slots[slot] = node = count++;
        parent[node] = up; frame[node] = f; keys[node] = key;
      }
      at[n] = node;
    }
    this.parent = parent.subarray(0, count); this.frame = frame.subarray(0, count);
    this.own = new Float64Array(count); this.total = new Float64Array(count);
    this.ownA = A && new Float64Array(count); this.totalA = A && new Float64Array(count);
    for (let n = 0; n < raw; n++) {
      this.own[at[n]] += B[n];
      if (A) this.ownA[at[n]] += A[n];
    }
    this.total.set(this.own); if (A) this.totalA.set(this.ownA);
    for (let n = count - 1; n > 0; n--) {
      this.total[parent[n]] += this.total[n];
      if (A) this.totalA[parent[n]] += this.totalA[n];
    }
    this.kids = new Map();
  }
  liveNodes() {              /* raw nodes that the selection has something in */
    const live = new Uint8Array(R.parents.length);
    for (let n = live.length - 1; n > 0; n--) {
      if (B[n] || (A && A[n])) live[n] = 1;
      if (live[n]) live[R.parents[n]] = 1;
    }
    return live;
  }
  width(n) { return A ? (this.total[n] + this.totalA[n]) / 2 : this.total[n]; }
  links() {
    const count = this.parent.length, start = new Uint32Array(count + 2);
    for (let n = 1; n < count; n++) start[this.parent[n] + 2]++;
    for (let n = 2; n < start.length; n++) start[n] += start[n - 1];
    this.list = new Uint32Array(count);
    for (let n = 1; n < count; n++) this.list[start[this.parent[n] + 1]++] = n;
    this.start = start;
  }
  children(n) {              /* widest first */
    let kids = this.kids.get(n);
    if (!kids) {
      if (!this.list) this.links();
      kids = Array.from(this.list.subarray(this.start[n], this.start[n + 1]));
      if (n === 0) kids = kids.filter(k => k !== 0);
      kids.sort((x, y) => this.width(y) - this.width(x));
      this.kids.set(n, kids);
    }
    return kids;
  }
}

class Inverted {
  /* From what runs to its callers. A node has the places in `base`, the tree that is not inverted,
     that it stands for, each with the weight that ends in it; children group the places one
     caller further up, when somebody looks. */
  constructor(base) {
    this.base = base; this.parent = [0]; this.frame = [-1]; this.total = [0]; this.totalA = A && [0];
    const places = [], weights = [], before = [];
    for (let n = 1; n < base.parent.length; n++) {
      if (!base.own[n] && !(A && base.ownA[n])) continue;
      places.push(n); weights.push(base.own[n]); if (A) before.push(base.ownA[n]);
    }
    this.groups = new Map([[0, { places, weights, before }]]);
    this.total[0] = base.total[0]; if (A) this.totalA[0] = base.totalA[0];
    this.kids = new Map();
  }
  width(n) { return A ? (this.total[n] + this.totalA[n]) / 2 : this.total[n]; }
  children(n) {
    let kids = this.kids.get(n);
    if (kids) return kids;
    const group = this.groups.get(n), base = this.base, found = new Map();
    for (let i = 0; i < group.places.length; i++) {
      const place = group.places[i];
      if (!place) continue;
      const f = base.frame[place], key = state.byLines ? f : functionOf[f];
      let kid = found.get(key);
      if (!kid) found.set(key, kid = { frame: f, places: [], weights: [], before: [], b: 0, a: 0 });
      kid.places.push(base.parent[place]); kid.weights.push(group.weights[i]); kid.b += group.weights[i];
      if (A) { kid.before.push(group.before[i]); kid.a += group.before[i]; }
    }
    kids = [];
    for (const kid of found.values()) {
      const number = this.parent.length;
      this.parent.push(n); this.frame.push(kid.frame); this.total.push(kid.b);
      if (A) this.totalA.push(kid.a);
      this.groups.set(number, kid);
      kids.push(number);
    }
    this.groups.delete(n);
    kids.sort((x, y) => this.width(y) - this.width(x));
    this.kids.set(n, kids);
    return kids;
  }
}

/* ---- tables: own and total time ----
   Own time of a Python function or line has the C code that runs for it; a C function's is its
   own. A function that calls itself counts once. */

let tables;

function makeTables() {
  const count = functions.length, lines = lineKeys.length;
  const make = n => ({ own: new Float64Array(n), total: new Float64Array(n),
                       ownA: A && new Float64Array(n), totalA: A && new Float64Array(n) });
  const byFunction = make(count), byLine = make(lines);
  const sub = Float64Array.from(B), subA = A && Float64Array.from(A);
  for (let n = R.parents.length - 1; n > 0; n--) {
    sub[R.parents[n]] += sub[n];
    if (A) subA[R.parents[n]] += subA[n];
  }
  const active = new Uint32Array(count), activeLine = new Uint32Array(lines);
  const stack = [], python = [];            /* nodes, and the innermost Python node of each */
  let node = firstChild[0], down = true;
  while (node || stack.length) {
    if (node && (sub[node] || (A && subA[node]))) {
      const f = R.nodeFrames[node], fn = functionOf[f], line = lineOf[f];
      const inner = isPython(R.kinds[f]) ? node : python.length ? python[python.length - 1] : 0;
      if (!active[fn]++) { byFunction.total[fn] += sub[node]; if (A) byFunction.totalA[fn] += subA[node]; }
      if (line >= 0 && !activeLine[line]++) { byLine.total[line] += sub[node]; if (A) byLine.totalA[line] += subA[node]; }
      if (inner) {
        const g = R.nodeFrames[inner], l = lineOf[g];
        byFunction.own[functionOf[g]] += B[node]; if (A) byFunction.ownA[functionOf[g]] += A[node];
        if (l >= 0) { byLine.own[l] += B[node]; if (A) byLine.ownA[l] += A[node]; }
      }
      if (inner !== node) { byFunction.own[fn] += B[node]; if (A) byFunction.ownA[fn] += A[node]; }
      stack.push(node); python.push(inner);
      node = firstChild[node];
    } else if (node) {
      node = nextSibling[node];
    } else {
      const done = stack.pop(); python.pop();
      const f = R.nodeFrames[done];
      active[functionOf[f]]--;
      if (lineOf[f] >= 0) activeLine[lineOf[f]]--;
      node = nextSibling[done];
    }
  }
  tables = { functions: byFunction, lines: byLine };
}

/* ---- search ---- */

let matches = null, foundB = 0, foundA = 0;   // by raw frame

function matcher(text) {
  const place = /^(.*?):(\d+)$/.exec(text);
  const wanted = text.toLowerCase();
  return f => {
    const file = R.strings[R.files[f]] || R.strings[R.dsos[f]];
    if (place && R.lines[f] === +place[2] && file.toLowerCase().endsWith(place[1].toLowerCase())) return true;
    return R.strings[R.names[f]].toLowerCase().includes(wanted) || file.toLowerCase().includes(wanted);
  };
}

function search() {
  const text = state.search.trim();
  matches = null; foundB = foundA = 0;
  if (!text) return;
  const test = matcher(text);
  matches = new Uint8Array(R.names.length);
  for (let f = 0; f < matches.length; f++) matches[f] = test(f) ? 1 : 0;
  const inside = new Uint8Array(R.parents.length);
  for (let n = 1; n < inside.length; n++) {
    inside[n] = inside[R.parents[n]] | matches[R.nodeFrames[n]];
    if (inside[n]) { foundB += B[n]; if (A) foundA += A[n]; }
  }
}

let marked = null;           // functions with a matching frame, for boxes that merge lines
function markFunctions() {
  marked = null;
  if (!matches) return;
  marked = new Uint8Array(functions.length);
  for (let f = 0; f < matches.length; f++) if (matches[f]) marked[functionOf[f]] = 1;
}
const isMarked = f => matches && (state.byLines ? matches[f] : marked[functionOf[f]]);

/* ---- words and numbers ---- */

const percent = (part, all) => all ? (100 * part / all).toFixed(part / all < 0.0995 ? 2 : 1) + " %" : "–";
function duration(ns) {
  if (ns >= 1e9) return (ns / 1e9).toFixed(2) + " s";
  if (ns >= 1e6) return (ns / 1e6).toFixed(1) + " ms";
  return Math.round(ns / 1e3) + " µs";
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
  return `${duration(b)}, ${percent(b, totalB)}`;
}

/* ---- drawing ---- */

const ROW = 19;
let tree, inverse, boxes = [], focus = 0, hover = 0, ratio = 1, colorCache = new Map();
const current = () => state.inverted ? inverse : tree;
const zoomed = () => state.zoom.length ? state.zoom[state.zoom.length - 1] : 0;
const dark = matchMedia("(prefers-color-scheme: dark)");

function mix(hex, other, share) {
  const p = i => Math.round(parseInt(hex.slice(i, i + 2), 16) * (1 - share)
                            + parseInt(other.slice(i, i + 2), 16) * share);
  return `rgb(${p(1)},${p(3)},${p(5)})`;
}
function boxColor(n, t) {
  const f = t.frame[n];
  if (f < 0) return dark.matches ? "#3a3f48" : "#d9d5cd";
  if (A) {
    const a = t.totalA[n], b = t.total[n], d = (b - a) / 1e6;
    const strength = Math.min(1, Math.sqrt(Math.abs(d) * 4));
    return mix(dark.matches ? "#3a3f48" : "#e9e6e0", d > 0 ? "#d7443b" : "#3b7fc4", d ? strength : 0);
  }
  const fn = functions[functionOf[f]], key = functionOf[f] * 8 + R.kinds[f];
  let color = colorCache.get(key);
  if (!color) {                              /* neighbours differ a little, a file's are alike */
    let hash = 7;
    for (const c of fn.file || fn.dso) hash = (hash * 31 + c.charCodeAt(0)) >>> 0;
    for (const c of fn.name) hash = (hash * 33 + c.charCodeAt(0)) >>> 0;
    const share = (hash % 100) / 100 * 0.30;
    color = mix(COLORS[R.kinds[f]], R.kinds[f] === PYTHON ? "#ffdf8e" : "#ffffff", share);
    if (dark.matches) color = mix("#" + color.match(/\d+/g).map(x => (+x).toString(16).padStart(2, "0")).join(""), "#16181c", 0.2);
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
    canvas.width = Math.round(width * ratio); canvas.height = Math.round(h * ratio);
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
  for (let n = zoom; ; n = t.parent[n]) { path.unshift(n); if (!n) break; }
  path.forEach((n, d) => { if (n !== zoom) found.push({ n, x: 0, w: width, d, above: true }); });
  const scale = width / (t.width(zoom) || 1), work = [[zoom, 0, path.length - 1]];
  while (work.length) {
    const [n, x, d] = work.pop(), w = t.width(n) * scale;
    found.push({ n, x, w, d, above: false });
    if (d > deepest) deepest = d;
    let at = x;
    for (const kid of t.children(n)) {
      const kw = t.width(kid) * scale;
      if (kw < 0.6) break;                   /* the others are narrower */
      work.push([kid, at, d + 1]);
      at += kw;
    }
  }
  return [found, Math.max(deepest, path.length - 1)];
}

let frameRequest = 0;
function drawSoon() { if (!frameRequest) frameRequest = requestAnimationFrame(() => { frameRequest = 0; draw(); }); }

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
    const { n, x, y, w } = box, f = t.frame[n], mark = f >= 0 && isMarked(f);
    c.globalAlpha = box.above ? 0.45 : matches && !mark ? 0.42 : 1;
    c.fillStyle = mark ? "#a06bff" : boxColor(n, t);
    c.fillRect(x, y, Math.max(w - (w > 2 ? 1 : 0), 0.5), ROW - 1);
    c.globalAlpha = 1;
    if (n && (n === focus || n === hover)) {
      c.strokeStyle = n === focus ? getComputedStyle(document.body).getPropertyValue("--accent") : "rgba(0,0,0,.45)";
      c.lineWidth = n === focus ? 2 : 1;
      c.strokeRect(x + 1, y + 1, Math.max(w - 3, 1), ROW - 3);
    }
    if (w > 24) {
      let text = f < 0 ? "all" : frameLabel(f);
      const room = Math.floor((w - 8) / letter);
      if (text.length > room) text = room > 3 ? text.slice(0, room - 1) + "…" : "";
      c.fillStyle = mark ? "#fff" : A || f < 0 ? getComputedStyle(document.body).color : ink;
      if (box.above) c.fillStyle = getComputedStyle(document.body).color;
      if (text) c.fillText(text, x + 4, y + ROW / 2 - 0.5);
    }
  }
}

function boxAt(event) {
  const area = $("flames").getBoundingClientRect(), x = event.clientX - area.left, y = event.clientY - area.top;
  for (const box of boxes) if (y >= box.y && y < box.y + ROW && x >= box.x && x < box.x + box.w) return box;
  return null;
}

/* ---- the time line ---- */

function drawTime() {
  const canvas = $("time");
  if (R.meta.diff) { $("time-box").hidden = true; $("time-box").style.display = "none"; return; }
  const [c, width, height] = fit(canvas, 0);
  const length = timeLength(), bins = Math.max(1, Math.floor(width / 3)), kinds = KINDS.length;
  const sums = new Float64Array(bins * kinds), nodeKind = new Uint8Array(R.parents.length).fill(LIBRARY);
  for (let n = 1; n < nodeKind.length; n++) {      /* the innermost frame that is shown counts */
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
    c.fillRect(0, 0, x, height); c.fillRect(to, 0, width - to, height);
    c.strokeStyle = getComputedStyle(document.body).getPropertyValue("--accent"); c.lineWidth = 1.5;
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
    rows.push({ i, key, own: table.own[i], total: table.total[i],
                ownA: A ? table.ownA[i] : 0, totalA: A ? table.totalA[i] : 0 });
  }
  const value = { own: r => A ? Math.abs(r.own - r.ownA) : r.own,
                  total: r => A ? Math.abs(r.total - r.totalA) : r.total }[state.sort];
  const name = r => r.key.name || r.key.file + String(r.key.line).padStart(8, "0");
  rows.sort(value ? (x, y) => value(y) - value(x) : (x, y) => name(x) < name(y) ? -1 : 1);
  if (!state.descending) rows.reverse();
  return rows;
}

function rowText(row) {
  if (state.table === "lines") return [`${base(row.key.file)}:${row.key.line}`, functions[row.key.function].name];
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
  const columnsShown = [["own", "Own"], ["total", "Total"], ["name", state.table === "lines" ? "Line" : "Function"]];
  head.replaceChildren(element("tr", {}, ...columnsShown.flatMap(([key, text]) => {
    const th = element("th", { textContent: text });
    if (state.sort === key) th.setAttribute("aria-sort", state.descending ? "descending" : "ascending");
    th.onclick = () => { state.descending = state.sort === key ? !state.descending : true; state.sort = key; drawTable(); };
    if (key === "name") return [th];
    if (!A) { th.colSpan = 2; return [th]; }
    return [element("th", { textContent: text + " before" }), element("th", { textContent: "after" }), th];
  })));
  const cell = (b, a) => {
    if (A) {
      const d = element("td", { textContent: change(a, b), className: b > a ? "grown" : b < a ? "shrunk" : "" });
      return [element("td", { textContent: percent(a, 1e6) }), element("td", { textContent: percent(b, 1e6) }), d];
    }
    const share = element("td", { textContent: percent(b, totalB), className: "bar" });
    share.style.setProperty("--share", (100 * b / whole()).toFixed(1) + "%");
    return [element("td", { textContent: duration(b) }), share];
  };
  body.replaceChildren(...rows.slice(0, MOST_ROWS).map(row => {
    const [name, place] = rowText(row);
    const last = element("td", { title: name + "\n" + place }, element("code", { textContent: name }),
                         element("small", { textContent: place }));
    const tr = element("tr", {}, ...cell(row.own, row.ownA), ...cell(row.total, row.totalA), last);
    tr.dataset.name = name; tr.dataset.own = row.own; tr.dataset.total = row.total;
    tr.dataset.place = place;
    const chosen = state.chosen;
    if (chosen && (state.table === "lines" ? chosen.file === row.key.file && chosen.line === row.key.line
                                           : chosen.function === row.i)) tr.className = "chosen";
    tr.onclick = () => {
      if (state.table === "lines") choose({ file: row.key.file, line: row.key.line, function: row.key.function });
      else choose({ function: row.i, file: row.key.file, line: hottestLine(row.i) });
      const place = state.table === "lines" ? base(row.key.file) + ":" + row.key.line : row.key.name;
      setSearch(place);
    };
    return tr;
  }));
  $("rows").textContent = rows.length > MOST_ROWS ? `${MOST_ROWS} of ${rows.length}` : `${rows.length}`;
  for (const tab of document.querySelectorAll("[data-table]"))
    tab.setAttribute("aria-selected", tab.dataset.table === state.table);
}

function hottestLine(fn) {
  let best = 0, most = -1;
  for (let f = 0; f < functionOf.length; f++) {
    if (functionOf[f] !== fn || lineOf[f] < 0) continue;
    const weight = tables.lines.total[lineOf[f]];
    if (weight > most) { most = weight; best = R.lines[f]; }
  }
  return best;
}

function choose(place) { state.chosen = place; drawTable(); drawSource(true); }

let sourceShown = null;
function drawSource(scroll) {
  const box = $("source"), chosen = state.chosen, file = chosen && chosen.file;
  $("source-name").textContent = file ? "\u200e" + file : "Source";
  $("source-share").textContent = "";
  const none = text => { box.replaceChildren(element("div", { className: "none", textContent: text })); sourceShown = null; };
  if (!chosen) return none("Choose a Python function: in the graph, or in the table.");
  if (!file) return none(`${functions[chosen.function].name} is not Python: there is no source here.`);
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
  $("source-share").textContent = heat.size ? `own time ${percent(sum, A ? 1e6 : totalB)}` : "recorded without lines";
  const wholeTotal = A ? 1e6 : totalB;
  box.replaceChildren(...text.replace(/\n$/, "").split("\n").map((code, i) => {
    const l = heat.get(i + 1), row = element("div", { className: "row" });
    let own = "", total = "";
    if (l !== undefined) {
      const o = tables.lines.own[l], t = tables.lines.total[l];
      if (A) {
        const d = o - tables.lines.ownA[l];
        own = change(tables.lines.ownA[l], o); total = percent(t, 1e6);
        row.style.background = d ? `rgba(${d > 0 ? "215,68,59" : "59,127,196"}, ${Math.min(.6, Math.sqrt(Math.abs(d) / 1e6))})` : "";
      } else {
        own = o ? percent(o, wholeTotal) : ""; total = t ? percent(t, wholeTotal) : "";
        row.style.background = o ? `rgba(var(--heat), ${(0.08 + 0.5 * o / (most || 1)).toFixed(3)})` : "";
      }
      row.dataset.own = o; row.dataset.total = t;
    }
    row.dataset.line = i + 1;
    if (i + 1 === chosen.line) row.classList.add("here");
    row.append(element("span", { className: "own", textContent: own }), element("span", { className: "total", textContent: total }),
               element("span", { className: "number", textContent: i + 1 }), element("span", { textContent: code.replace(/\r$/, "") }));
    return row;
  }));
  sourceShown = file;
  if (scroll && chosen.line) box.scrollTop = Math.max(0, (chosen.line - 1) * 18 - box.clientHeight / 2);
}

/* ---- what the page says about the place that is looked at ---- */

function drawPath() {
  const n = hover || focus || zoomed(), t = current(), f = t.frame[n];
  const path = $("path");
  if (f === undefined || f < 0) {
    path.textContent = A ? "Boxes: red has grown, blue has shrunk; width is the mean of both shares."
                         : "Click a box to zoom, / to search, ? for keys.";
    return;
  }
  path.replaceChildren(element("b", { textContent: frameLabel(f) }), `  ${framePlace(f)}  —  ${amount(t.total[n], A ? t.totalA[n] : 0)}`);
}

function showTip(event, box) {
  const tip = $("tip");
  if (!box) { tip.hidden = true; return; }
  const t = current(), f = t.frame[box.n];
  const lines = f < 0 ? [] : [element("div", { textContent: framePlace(f) }),
                              element("div", { textContent: KINDS[R.kinds[f]].toLowerCase() })];
  tip.replaceChildren(element("b", { textContent: f < 0 ? "all" : frameLabel(f) }), ...lines,
                      element("div", { textContent: amount(t.total[box.n], A ? t.totalA[box.n] : 0) }));
  tip.hidden = false;
  const x = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
  const y = event.clientY + 18 + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 10 : event.clientY + 18;
  tip.style.left = Math.max(4, x) + "px"; tip.style.top = Math.max(4, y) + "px";
}

/* ---- changes ---- */

function rebuild() {           /* what is shown has changed */
  tree = new Tree();
  inverse = state.inverted ? new Inverted(tree) : null;
  fromTheStart();
}
function fromTheStart() {
  state.zoom = []; focus = hover = 0;
  refresh();
}
function reselect() {          /* which samples count has changed */
  select(); makeTables(); search(); markFunctions(); rebuild(); drawTable(); drawSource(false); drawTime(); summary();
}
function refresh() { drawFound(); drawPath(); drawSoon(); buttons(); }

function drawFound() {
  $("found").textContent = !matches ? "" : A ? `${percent(foundA, 1e6)} → ${percent(foundB, 1e6)}`
                                             : `${percent(foundB, totalB)}  (${duration(foundB)})`;
  $("found").dataset.time = matches ? foundB : "";
}
function setSearch(text) {
  state.search = text;
  if ($("search").value !== text) $("search").value = text;
  search(); markFunctions(); refresh();
}
function buttons() {
  const press = (id, on) => $(id).setAttribute("aria-pressed", on);
  press("flame", !state.icicle); press("icicle", state.icicle);
  press("inverted", state.inverted); press("bylines", state.byLines);
  document.querySelectorAll(".kinds button").forEach(b => b.setAttribute("aria-pressed", state.shown[+b.dataset.kind]));
}
function summary() {
  const meta = R.meta;
  if (meta.diff) {
    $("title").textContent = "Comparison";
    $("summary").textContent = `${meta.diff[0]}  →  ${meta.diff[1]}`;
    return;
  }
  const command = (meta.command || []).map(base).filter((w, i, all) => !(w === "-X" || all[i - 1] === "-X"));
  $("title").textContent = command.slice(0, 6).join(" ").slice(0, 90) || "process";
  const part = totalB === wholeB ? "" : ` (${percent(totalB, wholeB)} selected)`;
  $("summary").textContent = `${duration(totalB)} of ${meta.mode === "cpu" ? "processor time" : "time"}${part}, `
    + `${R.times.length.toLocaleString("en")} samples at ${meta.frequency} Hz`
    + (meta.lost ? `, ${meta.lost} lost` : "");
  $("summary").dataset.total = totalB;
}

function toggleKind(kind) { state.shown[kind] = !state.shown[kind]; rebuild(); drawTime(); }
function setDirection(icicle) {
  state.icicle = icicle; refresh();
  draw(); $("graph").scrollTop = icicle ? 0 : $("graph").scrollHeight;
}
function invert() {
  state.inverted = !state.inverted;
  if (state.inverted && !inverse) inverse = new Inverted(tree);
  fromTheStart();
}
function byLines() { state.byLines = !state.byLines; rebuild(); }
function zoomTo(n) {
  const t = current();
  if (n === zoomed()) return;
  const path = [];
  for (let m = n; m; m = t.parent[m]) path.unshift(m);
  state.zoom = path; focus = n; hover = 0; refresh();
}
function back() {
  if (state.zoom.length) { focus = state.zoom[state.zoom.length - 1]; state.zoom.pop(); refresh(); }
  else if (state.search) setSearch("");
  else if (state.span) { state.span = null; reselect(); }
}
function reset() {
  state.span = null; state.threads = null; $("thread").value = "all"; state.search = ""; $("search").value = "";
  reselect();
}
function look(n) {
  focus = n;
  const f = current().frame[n];
  if (f >= 0) choose({ function: functionOf[f], file: R.strings[R.files[f]],
                       line: state.byLines ? R.lines[f] : isPython(R.kinds[f]) ? hottestLine(functionOf[f]) : 0 });
  refresh();
}

function fillThreads() {
  const byThread = new Float64Array(R.threads.length), order = [...R.threads.keys()];
  let all = 0;
  for (let s = 0; s < R.weights.length; s++) { byThread[R.sampleThreads[s]] += R.weights[s]; all += R.weights[s]; }
  order.sort((x, y) => byThread[y] - byThread[x]);
  const pids = [...new Set(order.map(t => R.threads[t].pid))];
  const box = $("thread");
  box.append(element("option", { value: "all", textContent: `all (${R.threads.length})` }));
  for (const pid of pids) {
    const own = order.filter(t => R.threads[t].pid === pid);
    const sum = own.reduce((x, t) => x + byThread[t], 0);
    if (pids.length > 1 || own.length > 1)
      box.append(element("option", { value: "p" + pid,
        textContent: `process ${pid} ${R.threads[own[0]].name}: ${percent(sum, all)}` }));
    if (own.length > 1 || pids.length === 1) for (const t of own)
      box.append(element("option", { value: "t" + t,
        textContent: `\u2003thread ${R.threads[t].tid} ${R.threads[t].name}: ${percent(byThread[t], all)}` }));
  }
  box.onchange = () => {
    const value = box.value;
    state.threads = value === "all" ? null
      : new Set([...R.threads.keys()].filter(t => value[0] === "t" ? t === +value.slice(1) : R.threads[t].pid === +value.slice(1)));
    reselect();
  };
  if (R.meta.diff) box.parentNode.hidden = true;
}

/* ---- hands ---- */

function move(key) {
  const t = current(), root = zoomed();
  if (!focus) { look(root || (t.children(0)[0] || 0)); return; }
  const outward = state.icicle ? "ArrowUp" : "ArrowDown";
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const row = t.children(t.parent[focus]), i = row.indexOf(focus) + (key === "ArrowRight" ? 1 : -1);
    if (focus !== root && row[i]) look(row[i]);
  } else if (key === outward) { if (focus !== root) look(t.parent[focus]); else back(); }
  else { const kid = t.children(focus)[0]; if (kid) look(kid); }
  const box = boxes.find(b => b.n === focus);
  if (box) {
    const area = $("graph");
    if (box.y < area.scrollTop) area.scrollTop = box.y - ROW;
    else if (box.y + ROW > area.scrollTop + area.clientHeight) area.scrollTop = box.y + 2 * ROW - area.clientHeight;
  }
}

function keys(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || $("help").open) return;
  const typing = event.target.matches("input, select");
  if (event.key === "Escape" && typing) { event.target.blur(); $("flames").focus(); event.preventDefault(); return; }
  if (typing) return;
  if (event.target === $("time") && event.key.startsWith("Arrow")) return;
  const inScroll = event.target === $("source");
  const actions = {
    "/": () => { $("search").focus(); $("search").select(); }, "?": () => $("help").showModal(),
    f: () => setDirection(!state.icicle), i: invert, l: byLines, "0": reset,
    Escape: back, Backspace: back,
    Enter: event.target.matches("button") ? null : () => focus && zoomTo(focus),
    t: () => nextThread(1), T: () => nextThread(-1),
  };
  let action = actions[event.key];
  if (/^[1-5]$/.test(event.key)) action = () => toggleKind(event.key - 1);
  if (event.key.startsWith("Arrow") && !inScroll) action = () => move(event.key);
  if (action) { action(); event.preventDefault(); }
}
function nextThread(step) {
  const box = $("thread");
  box.selectedIndex = (box.selectedIndex + step + box.options.length) % box.options.length;
  box.onchange();
}

function connect() {
  const kinds = document.querySelector(".kinds");
  KINDS.forEach((name, kind) => {
    if (!R.kinds.includes(kind)) return;
    const button = element("button", { textContent: name, title: `Show or hide (${kind + 1})`, onclick: () => toggleKind(kind) });
    button.dataset.kind = kind; button.id = "kind-" + kind; button.style.setProperty("--kind", COLORS[kind]);
    kinds.append(button);
  });
  $("flame").onclick = () => setDirection(false); $("icicle").onclick = () => setDirection(true);
  $("inverted").onclick = invert; $("bylines").onclick = byLines; $("reset").onclick = reset;
  let typed = 0;
  $("search").oninput = () => { clearTimeout(typed); typed = setTimeout(() => setSearch($("search").value), 60); };
  $("search").onkeydown = e => { if (e.key === "Enter") { clearTimeout(typed); setSearch($("search").value); } };
  document.querySelectorAll("[data-table]").forEach(tab => tab.onclick = () => { state.table = tab.dataset.table; drawTable(); });
  $("help-button").onclick = () => $("help").showModal(); $("help-close").onclick = () => $("help").close();
  const flames = $("flames");
  flames.onmousemove = e => {
    const box = boxAt(e), n = box ? box.n : 0;
    showTip(e, box);
    if (n !== hover) { hover = n; drawPath(); drawSoon(); }
  };
  flames.onmouseleave = () => { hover = 0; $("tip").hidden = true; drawPath(); drawSoon(); };
  flames.onclick = e => { const box = boxAt(e); if (!box) return; look(box.n); zoomTo(box.n); if (!box.n) { state.zoom = []; refresh(); } };
  const time = $("time");
  let from = null;
  const at = e => {          /* near an end means the end */
    const a = time.getBoundingClientRect(), x = e.clientX - a.left;
    return (x < 4 ? 0 : x > a.width - 4 ? 1 : x / a.width) * timeLength();
  };
  time.onpointerdown = e => { from = at(e); time.setPointerCapture(e.pointerId); };
  time.onpointermove = e => { if (from === null) return; const to = at(e); state.span = from < to ? [from, to] : [to, from]; drawTime(); };
  time.onpointerup = e => {
    if (from === null) return;
    const moved = Math.abs(at(e) - from) > timeLength() / 200;
    if (!moved) state.span = null;
    from = null; reselect();
  };
  time.onkeydown = e => {
    if (e.key !== "ArrowLeft" && e.key !== "ArrowRight") return;
    const step = timeLength() / 50 * (e.key === "ArrowRight" ? 1 : -1), limit = t => Math.min(timeLength(), Math.max(0, t));
    const [a, b] = state.span || [0, timeLength() / 10];
    state.span = e.shiftKey ? [a, limit(Math.max(a, b + step))] : [limit(a + step), limit(b + step)];
    reselect(); e.preventDefault();
  };
  let drag = null;
  const divider = $("divider");
  divider.onpointerdown = e => { drag = [e.clientY, $("graph").offsetHeight]; divider.setPointerCapture(e.pointerId); };
  divider.onpointermove = e => {
    if (!drag) return;
    $("graph").style.flex = `0 0 ${Math.max(60, drag[1] + e.clientY - drag[0])}px`; drawSoon();
  };
  divider.onpointerup = () => { drag = null; drawSoon(); };
  addEventListener("keydown", keys);
  addEventListener("resize", () => { drawTime(); drawSoon(); });
  dark.onchange = () => { colorCache.clear(); drawTime(); drawSoon(); };
}

async function start() {
  try {
    R = await parse(decodeBase64($("recording").textContent));
  } catch (error) {
    document.body.replaceChildren(element("p", { className: "fatal", textContent: "This page can't be shown: " + error }));
    throw error;
  }
  $("recording").remove();
  prepare();
  wholeB = R.weights.reduce((x, y) => x + y, 0);
  connect(); fillThreads();
  reselect();
  const first = tableRows()[0];
  if (first && first.key.python) choose({ function: first.i, file: first.key.file, line: hottestLine(first.i) });
  $("flames").focus({ preventScroll: true, focusVisible: false });
  document.body.dataset.ready = "yes";
}
start();
