/* Own and total time, and what a search has found. */

/* ---- tables: own and total time ----
   Own time of a Python function or line has the C code that runs for it; a C function's is its
   own. A function that calls itself counts once. */

let tables;

function makeTables() {
  const count = functions.length, lines = lineKeys.length;
  const make = n => ({
    own: new Float64Array(n),
    total: new Float64Array(n),
    ownA: A && new Float64Array(n),
    totalA: A && new Float64Array(n)
  });
  const byFunction = make(count), byLine = make(lines);
  const sub = Float64Array.from(B), subA = A && Float64Array.from(A);
  for (let n = R.parents.length - 1; n > 0; n--) {
    sub[R.parents[n]] += sub[n];
    if (A) subA[R.parents[n]] += subA[n];
  }
  const active = new Uint32Array(count), activeLine = new Uint32Array(lines);
  const stack = [], python = []; /* nodes, and the innermost Python node of each */
  let node = firstChild[0], down = true;
  while (node || stack.length) {
    if (node && (sub[node] || (A && subA[node]))) {
      const f = R.nodeFrames[node], fn = functionOf[f], line = lineOf[f];
      const inner = isPython(R.kinds[f]) ? node : python.length ? python[python.length - 1] : 0;
      if (!active[fn]++) {
        byFunction.total[fn] += sub[node];
        if (A) byFunction.totalA[fn] += subA[node];
      }
      if (line >= 0 && !activeLine[line]++) {
        byLine.total[line] += sub[node];
        if (A) byLine.totalA[line] += subA[node];
      }
      if (inner) {
        const g = R.nodeFrames[inner], l = lineOf[g];
        byFunction.own[functionOf[g]] += B[node];
        if (A) byFunction.ownA[functionOf[g]] += A[node];
        if (l >= 0) {
          byLine.own[l] += B[node];
          if (A) byLine.ownA[l] += A[node];
        }
      }
      if (inner !== node) {
        byFunction.own[fn] += B[node];
        if (A) byFunction.ownA[fn] += A[node];
      }
      stack.push(node);
      python.push(inner);
      node = firstChild[node];
    } else if (node) {
      node = nextSibling[node];
    } else {
      const done = stack.pop();
      python.pop();
      const f = R.nodeFrames[done];
      active[functionOf[f]]--;
      if (lineOf[f] >= 0) activeLine[lineOf[f]]--;
      node = nextSibling[done];
    }
  }
  tables = {functions: byFunction, lines: byLine};
}

/* ---- search ---- */

let matches = null, foundB = 0, foundA = 0;   // by raw frame

function matcher(text) {
  const place = /^(.*?):(\d+)$/.exec(text);
  const wanted = text.toLowerCase();
  return f => {
    const file = R.strings[R.files[f]] || R.strings[R.dsos[f]];
    if (place && R.lines[f] === +place[2] && file.toLowerCase().endsWith(place[1].toLowerCase()))
      return true;
    return R.strings[R.names[f]].toLowerCase().includes(wanted) ||
        file.toLowerCase().includes(wanted);
  };
}

function search() {
  const text = state.search.trim();
  matches = null;
  foundB = foundA = 0;
  if (!text) return;
  const test = matcher(text);
  matches = new Uint8Array(R.names.length);
  for (let f = 0; f < matches.length; f++) matches[f] = test(f) ? 1 : 0;
  const inside = new Uint8Array(R.parents.length);
  for (let n = 1; n < inside.length; n++) {
    inside[n] = inside[R.parents[n]] | matches[R.nodeFrames[n]];
    if (inside[n]) {
      foundB += B[n];
      if (A) foundA += A[n];
    }
  }
}

let marked = null;   // functions with a matching frame, for boxes that merge lines
function markFunctions() {
  marked = null;
  if (!matches) return;
  marked = new Uint8Array(functions.length);
  for (let f = 0; f < matches.length; f++)
    if (matches[f]) marked[functionOf[f]] = 1;
}
const isMarked = f => matches && (state.byLines ? matches[f] : marked[functionOf[f]]);
