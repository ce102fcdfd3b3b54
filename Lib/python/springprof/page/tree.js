/* What is selected, and the tree of frames that are shown. */

/* ---- state, and the weights of what is selected ---- */

const state = {
  icicle: true,
  inverted: false,
  byLines: false,
  shown: [true, true, false, true, true],
  threads: null,
  span: null,
  search: "",
  zoom: [],
  table: "functions",
  sort: "own",
  descending: true,
  chosen: null
};
let B, A;                     // weight of each raw node by itself; A only of a comparison
let totalB, totalA, wholeB;   // of the selection; of the recording

function select() {
  const nodes = R.parents.length, diff = R.meta.diff;
  B = new Float64Array(nodes);
  A = diff ? new Float64Array(nodes) : null;
  totalB = totalA = 0;
  const [from, to] = state.span || [-1, Infinity];
  for (let s = 0; s < R.times.length; s++) {
    const thread = R.sampleThreads[s];
    if (state.threads && !state.threads.has(thread)) continue;
    if (R.times[s] < from || R.times[s] > to) continue;
    if (diff && R.threads[thread].side === 0) {
      A[R.nodes[s]] += R.weights[s];
      totalA += R.weights[s];
    } else {
      B[R.nodes[s]] += R.weights[s];
      totalB += R.weights[s];
    }
  }
  if (diff) { /* shares: parts of one million */
    for (let n = 0; n < nodes; n++) {
      A[n] *= totalA ? 1e6 / totalA : 0;
      B[n] *= totalB ? 1e6 / totalB : 0;
    }
    totalA = totalA ? 1e6 : 0;
    totalB = totalB ? 1e6 : 0;
  }
}

const compiledPart = (n, t) => t.total[n] ? t.compiled[n] / t.total[n] : 0;
const whole = () => A ? (totalA + totalB) / 2 || 1 : totalB || 1;

/* ---- tree: what is drawn ----
   Columns by tree node; node 0 is the root. `frame` is one of the raw frames that it stands for;
   `compiled` is the part of `total` in which the function was compiled, for a node stands for both.
   Trees are made lazily below a node when they are inverted: see Inverted. */

class Tree {
  /* Callers first. */
  constructor() {
    const raw = R.parents.length, at = new Uint32Array(raw), live = this.liveNodes();
    const parent = new Uint32Array(raw), frame = new Int32Array(raw), keys = new Int32Array(raw);
    let size = 16, count = 1; /* a hash table of (caller, key) with open addressing */
    while (size < raw * 2) size *= 2;
    const slots = new Uint32Array(size), mask = size - 1;
    frame[0] = -1;
    for (let n = 1; n < raw; n++) {
      if (!live[n]) continue;
      const f = R.nodeFrames[n], up = at[R.parents[n]];
      if (!state.shown[R.kinds[f]]) {
        at[n] = up;
        continue;
      }
      const key = state.byLines ? f : functionOf[f];
      let slot = (Math.imul(up, 0x9E3779B1) ^ Math.imul(key + 1, 0x85EBCA6B)) >>> 0;
      slot = (slot ^ slot >>> 15) & mask;
      let node;
      while ((node = slots[slot]) && (parent[node] !== up || keys[node] !== key))
        slot = slot + 1 & mask;
      if (!node) {
        slots[slot] = node = count++;
        parent[node] = up;
        frame[node] = f;
        keys[node] = key;
      }
      at[n] = node;
    }
    this.parent = parent.subarray(0, count);
    this.frame = frame.subarray(0, count);
    this.own = new Float64Array(count);
    this.total = new Float64Array(count);
    this.ownA = A && new Float64Array(count);
    this.totalA = A && new Float64Array(count);
    this.compiled = new Float64Array(count);
    this.sumCompiled(at);
    for (let n = 0; n < raw; n++) {
      this.own[at[n]] += B[n];
      if (A) this.ownA[at[n]] += A[n];
    }
    this.total.set(this.own);
    if (A) this.totalA.set(this.ownA);
    for (let n = count - 1; n > 0; n--) {
      this.total[parent[n]] += this.total[n];
      if (A) this.totalA[parent[n]] += this.totalA[n];
    }
    this.kids = new Map();
  }
  sumCompiled(at) {
    if (!state.shown[COMPILED]) return;
    const sub = Float64Array.from(B);
    for (let n = sub.length - 1; n > 0; n--) {
      sub[R.parents[n]] += sub[n];
      if (R.kinds[R.nodeFrames[n]] === COMPILED) this.compiled[at[n]] += sub[n];
    }
  }
  liveNodes() { /* raw nodes that the selection has something in */
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
  children(n) { /* widest first */
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
    this.base = base;
    this.parent = [0];
    this.frame = [-1];
    this.total = [0];
    this.compiled = [0];
    this.totalA = A && [0];
    const places = [], weights = [], before = [];
    for (let n = 1; n < base.parent.length; n++) {
      if (!base.own[n] && !(A && base.ownA[n])) continue;
      places.push(n);
      weights.push(base.own[n]);
      if (A) before.push(base.ownA[n]);
    }
    this.groups = new Map([[0, {places, weights, before}]]);
    this.total[0] = base.total[0];
    if (A) this.totalA[0] = base.totalA[0];
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
      if (!kid) {
        kid = {frame: f, places: [], weights: [], before: [], b: 0, a: 0, compiled: 0};
        found.set(key, kid);
      }
      kid.places.push(base.parent[place]);
      kid.weights.push(group.weights[i]);
      kid.b += group.weights[i];
      /* As much as of all that runs in this place. */
      kid.compiled += group.weights[i] * compiledPart(place, base);
      if (A) {
        kid.before.push(group.before[i]);
        kid.a += group.before[i];
      }
    }
    kids = [];
    for (const kid of found.values()) {
      const number = this.parent.length;
      this.parent.push(n);
      this.frame.push(kid.frame);
      this.total.push(kid.b);
      this.compiled.push(kid.compiled);
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
