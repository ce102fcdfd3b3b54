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
  return {
    meta: json("META"),
    threads: json("THRD"),
    sources: json("SRCS"),
    strings,
    names,
    files,
    lines,
    kinds,
    dsos,
    parents,
    nodeFrames,
    times,
    sampleThreads,
    nodes,
    weights
  };
}

/* ---- the recording, prepared once ---- */

let R;                         // the recording
let functionOf, functions;     // a frame's function; functions are {name, file, kind, python}
let lineOf, lineKeys;          // a Python frame's place in a file; lineKeys are {file, line}
let firstChild, nextSibling;   // of raw nodes
const isPython = kind => kind === PYTHON || kind === COMPILED;

function prepare() {
  const seen = new Map(), lines = new Map(), count = R.names.length;
  functionOf = new Uint32Array(count);
  lineOf = new Int32Array(count).fill(-1);
  functions = [];
  lineKeys = [];
  for (let f = 0; f < count; f++) {
    const kind = R.kinds[f], python = isPython(kind);
    const key = R.names[f] + "/" + (python ? "p" + R.files[f] : "c" + R.dsos[f]);
    let n = seen.get(key);
    if (n === undefined) {
      seen.set(key, n = functions.length);
      functions.push({
        name: R.strings[R.names[f]],
        file: R.strings[R.files[f]],
        kind,
        python,
        dso: R.strings[R.dsos[f]]
      });
    }
    functionOf[f] = n;
    if (python && R.lines[f]) {
      const place = R.files[f] + ":" + R.lines[f];
      let l = lines.get(place);
      if (l === undefined) {
        lines.set(place, l = lineKeys.length);
        lineKeys.push({file: R.strings[R.files[f]], line: R.lines[f], function: n});
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
