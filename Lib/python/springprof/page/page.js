/* What the user does, and the start. */

/* ---- changes ---- */

function rebuild() { /* what is shown has changed */
  tree = new Tree();
  inverse = state.inverted ? new Inverted(tree) : null;
  fromTheStart();
}
function fromTheStart() {
  state.zoom = [];
  focus = hover = 0;
  refresh();
}
function reselect() { /* which samples count has changed */
  select();
  makeTables();
  search();
  markFunctions();
  rebuild();
  drawTable();
  drawSource(false);
  drawTime();
  summary();
}
function refresh() {
  drawFound();
  drawPath();
  drawSoon();
  buttons();
}

function drawFound() {
  $("found").textContent = !matches ? ""
      : A                           ? `${percent(foundA, 1e6)} → ${percent(foundB, 1e6)}`
                                    : `${percent(foundB, totalB)}  (${quantity(foundB)})`;
  $("found").dataset.time = matches ? foundB : "";
}
function setSearch(text) {
  state.search = text;
  if ($("search").value !== text) $("search").value = text;
  search();
  markFunctions();
  refresh();
}
function buttons() {
  const press = (id, on) => $(id).setAttribute("aria-pressed", on);
  press("flame", !state.icicle);
  press("icicle", state.icicle);
  press("inverted", state.inverted);
  press("bylines", state.byLines);
  document.querySelectorAll(".kinds button")
      .forEach(b => b.setAttribute("aria-pressed", state.shown[+b.dataset.kind]));
}
function measure(meta) {
  if (meta.unit !== undefined && meta.unit !== "ns") return meta.unit;
  return meta.mode === "cpu" ? "of processor time" : "of time";
}
function summary() {
  const meta = R.meta;
  if (meta.diff) {
    $("title").textContent = "Comparison";
    $("summary").textContent = `${meta.diff[0]}  →  ${meta.diff[1]}`;
    return;
  }
  const command =
      (meta.command || []).map(base).filter((w, i, all) => !(w === "-X" || all[i - 1] === "-X"));
  $("title").textContent = command.slice(0, 6).join(" ").slice(0, 90) || "process";
  const part = totalB === wholeB ? "" : ` (${percent(totalB, wholeB)} selected)`;
  $("summary").textContent =
      `${quantity(totalB)} ${measure(meta)}${part}, ` +
      `${R.times.length.toLocaleString("en")} samples at ${meta.frequency} Hz` +
      (meta.lost ? `, ${meta.lost} lost` : "");
  $("summary").dataset.total = totalB;
}

function toggleKind(kind) {
  state.shown[kind] = !state.shown[kind];
  rebuild();
  drawTime();
}
function setDirection(icicle) {
  state.icicle = icicle;
  refresh();
  draw();
  $("graph").scrollTop = icicle ? 0 : $("graph").scrollHeight;
}
function invert() {
  state.inverted = !state.inverted;
  if (state.inverted && !inverse) inverse = new Inverted(tree);
  fromTheStart();
}
function byLines() {
  state.byLines = !state.byLines;
  rebuild();
}
function zoomTo(n) {
  const t = current();
  if (n === zoomed()) return;
  const path = [];
  for (let m = n; m; m = t.parent[m]) path.unshift(m);
  state.zoom = path;
  focus = n;
  hover = 0;
  refresh();
}
function back() {
  if (state.zoom.length) {
    focus = state.zoom[state.zoom.length - 1];
    state.zoom.pop();
    refresh();
  } else if (state.search)
    setSearch("");
  else if (state.span) {
    state.span = null;
    reselect();
  }
}
function reset() {
  state.span = null;
  state.threads = null;
  $("thread").value = "all";
  state.search = "";
  $("search").value = "";
  reselect();
}
function look(n) {
  focus = n;
  const f = current().frame[n];
  if (f >= 0)
    choose({
      function: functionOf[f],
      file: R.strings[R.files[f]],
      line: state.byLines        ? R.lines[f]
          : isPython(R.kinds[f]) ? hottestLine(functionOf[f])
                                 : 0
    });
  refresh();
}

function fillThreads() {
  const byThread = new Float64Array(R.threads.length), order = [...R.threads.keys()];
  let all = 0;
  for (let s = 0; s < R.weights.length; s++) {
    byThread[R.sampleThreads[s]] += R.weights[s];
    all += R.weights[s];
  }
  order.sort((x, y) => byThread[y] - byThread[x]);
  const pids = [...new Set(order.map(t => R.threads[t].pid))];
  const box = $("thread");
  box.append(element("option", {value: "all", textContent: `all (${R.threads.length})`}));
  for (const pid of pids) {
    const own = order.filter(t => R.threads[t].pid === pid);
    const sum = own.reduce((x, t) => x + byThread[t], 0);
    if (pids.length > 1 || own.length > 1)
      box.append(element("option", {
        value: "p" + pid,
        textContent: `process ${pid} ${R.threads[own[0]].name}: ${percent(sum, all)}`
      }));
    if (own.length > 1 || pids.length === 1)
      for (const t of own)
        box.append(element("option", {
          value: "t" + t,
          textContent:
              `\u2003thread ${R.threads[t].tid} ${R.threads[t].name}: ${percent(byThread[t], all)}`
        }));
  }
  box.onchange = () => {
    const value = box.value;
    state.threads = value === "all" ? null : new Set([
      ...R.threads.keys()
    ].filter(t => value[0] === "t" ? t === +value.slice(1) : R.threads[t].pid === +value.slice(1)));
    reselect();
  };
  if (R.meta.diff) box.parentNode.hidden = true;
}

/* ---- hands ---- */

function move(key) {
  const t = current(), root = zoomed();
  if (!focus) {
    look(root || (t.children(0)[0] || 0));
    return;
  }
  const outward = state.icicle ? "ArrowUp" : "ArrowDown";
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const row = t.children(t.parent[focus]),
          i = row.indexOf(focus) + (key === "ArrowRight" ? 1 : -1);
    if (focus !== root && row[i]) look(row[i]);
  } else if (key === outward) {
    if (focus !== root)
      look(t.parent[focus]);
    else
      back();
  } else {
    const kid = t.children(focus)[0];
    if (kid) look(kid);
  }
  const box = boxes.find(b => b.n === focus);
  if (box) {
    const area = $("graph");
    if (box.y < area.scrollTop)
      area.scrollTop = box.y - ROW;
    else if (box.y + ROW > area.scrollTop + area.clientHeight)
      area.scrollTop = box.y + 2 * ROW - area.clientHeight;
  }
}

function keys(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || $("help").open) return;
  const typing = event.target.matches("input, select");
  if (event.key === "Escape" && typing) {
    event.target.blur();
    $("flames").focus();
    event.preventDefault();
    return;
  }
  if (typing) return;
  if (event.target === $("time") && event.key.startsWith("Arrow")) return;
  const inScroll = event.target === $("source");
  const actions = {
    "/": () => {
      $("search").focus();
      $("search").select();
    },
    "?": () => $("help").showModal(),
    f: () => setDirection(!state.icicle),
    i: invert,
    l: byLines,
    "0": reset,
    Escape: back,
    Backspace: back,
    Enter: event.target.matches("button") ? null : () => focus && zoomTo(focus),
    t: () => nextThread(1),
    T: () => nextThread(-1),
  };
  let action = actions[event.key];
  if (/^[1-5]$/.test(event.key)) action = () => toggleKind(event.key - 1);
  if (event.key.startsWith("Arrow") && !inScroll) action = () => move(event.key);
  if (action) {
    action();
    event.preventDefault();
  }
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
    const button = element(
        "button",
        {textContent: name, title: `Show or hide (${kind + 1})`, onclick: () => toggleKind(kind)});
    button.dataset.kind = kind;
    button.id = "kind-" + kind;
    button.style.setProperty("--kind", COLORS[kind]);
    kinds.append(button);
  });
  $("flame").onclick = () => setDirection(false);
  $("icicle").onclick = () => setDirection(true);
  $("inverted").onclick = invert;
  $("bylines").onclick = byLines;
  $("reset").onclick = reset;
  let typed = 0;
  $("search").oninput = () => {
    clearTimeout(typed);
    typed = setTimeout(() => setSearch($("search").value), 60);
  };
  $("search").onkeydown = e => {
    if (e.key === "Enter") {
      clearTimeout(typed);
      setSearch($("search").value);
    }
  };
  document.querySelectorAll("[data-table]").forEach(tab => tab.onclick = () => {
    state.table = tab.dataset.table;
    drawTable();
  });
  $("help-button").onclick = () => $("help").showModal();
  $("help-close").onclick = () => $("help").close();
  const flames = $("flames");
  flames.onmousemove = e => {
    const box = boxAt(e), n = box ? box.n : 0;
    showTip(e, box);
    if (n !== hover) {
      hover = n;
      drawPath();
      drawSoon();
    }
  };
  flames.onmouseleave = () => {
    hover = 0;
    $("tip").hidden = true;
    drawPath();
    drawSoon();
  };
  flames.onclick = e => {
    const box = boxAt(e);
    if (!box) return;
    look(box.n);
    zoomTo(box.n);
    if (!box.n) {
      state.zoom = [];
      refresh();
    }
  };
  const time = $("time");
  let from = null;
  const at = e => { /* near an end means the end */
                    const a = time.getBoundingClientRect(), x = e.clientX - a.left;
                    return (x < 4 ? 0 : x > a.width - 4 ? 1 : x / a.width) * timeLength();
  };
  time.onpointerdown = e => {
    from = at(e);
    time.setPointerCapture(e.pointerId);
  };
  time.onpointermove = e => {
    if (from === null) return;
    const to = at(e);
    state.span = from < to ? [from, to] : [to, from];
    drawTime();
  };
  time.onpointerup = e => {
    if (from === null) return;
    const moved = Math.abs(at(e) - from) > timeLength() / 200;
    if (!moved) state.span = null;
    from = null;
    reselect();
  };
  time.onkeydown = e => {
    if (e.key !== "ArrowLeft" && e.key !== "ArrowRight") return;
    const step = timeLength() / 50 * (e.key === "ArrowRight" ? 1 : -1),
          limit = t => Math.min(timeLength(), Math.max(0, t));
    const [a, b] = state.span || [0, timeLength() / 10];
    state.span =
        e.shiftKey ? [a, limit(Math.max(a, b + step))] : [limit(a + step), limit(b + step)];
    reselect();
    e.preventDefault();
  };
  let drag = null;
  const divider = $("divider");
  divider.onpointerdown = e => {
    drag = [e.clientY, $("graph").offsetHeight];
    divider.setPointerCapture(e.pointerId);
  };
  divider.onpointermove = e => {
    if (!drag) return;
    $("graph").style.flex = `0 0 ${Math.max(60, drag[1] + e.clientY - drag[0])}px`;
    drawSoon();
  };
  divider.onpointerup = () => {
    drag = null;
    drawSoon();
  };
  addEventListener("keydown", keys);
  addEventListener("resize", () => {
    drawTime();
    drawSoon();
  });
  dark.onchange = () => {
    colorCache.clear();
    drawTime();
    drawSoon();
  };
}

async function start() {
  try {
    R = await parse(decodeBase64($("recording").textContent));
  } catch (error) {
    document.body.replaceChildren(
        element("p", {className: "fatal", textContent: "This page can't be shown: " + error}));
    throw error;
  }
  $("recording").remove();
  prepare();
  wholeB = R.weights.reduce((x, y) => x + y, 0);
  connect();
  fillThreads();
  reselect();
  const first = tableRows()[0];
  if (first && first.key.python)
    choose({function: first.i, file: first.key.file, line: hottestLine(first.i)});
  $("flames").focus({preventScroll: true, focusVisible: false});
  document.body.dataset.ready = "yes";
}
start();
