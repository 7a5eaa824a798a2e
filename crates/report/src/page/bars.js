// The bars of all processes.

const BARS_FRAME = { left: 8, right: 56, top: 10, bottom: 26 };

/** Where bars are: `state.order` tells which process stands at which place. */
function barsLayout(state, width, height) {
  const count = state.order.length;
  const each = Math.min((width - BARS_FRAME.left - BARS_FRAME.right) / count, 56);
  const bottom = height - BARS_FRAME.bottom;
  return { count, each, width, bottom, tall: bottom - BARS_FRAME.top };
}

/** The means of the parts over the processes at places `from..to`. */
function meanParts(order, from, to) {
  return PARTS.map(([, , column]) => {
    let total = 0;
    const times = shownProcesses.get()[column];
    for (let place = from; place < to; place++) total += times[order[place]];
    return total / (to - from);
  });
}

/** Times on the right side, with thin lines across. */
function drawValueAxis(context, { width, bottom, tall }, high) {
  const palette = colors();
  const { unit, places } = timeTicks(0, high, 4);
  context.strokeStyle = palette.line;
  context.fillStyle = palette.muted;
  context.lineWidth = 1;
  context.textBaseline = "middle";
  context.textAlign = "left";
  const right = width - BARS_FRAME.right;
  for (const [index, { at, label }] of places.entries()) {
    const y = Math.round(bottom - (at / high) * tall) + 0.5;
    context.beginPath();
    context.moveTo(BARS_FRAME.left, y);
    context.lineTo(right + 4, y);
    context.stroke();
    const text = index === places.length - 1 ? `${label}${NARROW_SPACE}${unit}` : label;
    context.fillText(text, right + 8, y);
  }
}

/** Bars narrower than a pixel are drawn as means of those that share it. */
function drawBars(context, state, { count, each, bottom, tall }, high) {
  const palette = colors();
  const step = each >= 1 ? 1 : 1 / each;
  const gap = each >= 4 ? Math.min(each * 0.2, 6) : 0;
  // Without gaps, bars end where the next begins, at whole pixels: anything else makes stripes.
  const edge = (place) => {
    const x = BARS_FRAME.left + place * each;
    return gap > 0 ? x : Math.round(x);
  };
  for (let from = 0; from < count; from += step) {
    const first = Math.floor(from);
    const last = Math.max(first + 1, Math.min(count, Math.floor(from + step)));
    let y = bottom;
    meanParts(state.order, first, last).forEach((value, part) => {
      const height = (value / high) * tall;
      context.fillStyle = palette[PARTS[part][0]];
      const left = edge(first) + gap / 2;
      context.fillRect(left, y - height, Math.max(edge(last) - gap / 2 - left, 0), height);
      y -= height;
    });
  }
}

/** Numbers under bars, a mark under the chosen one, a frame around that under the pointer. */
function drawBarMarks(context, state, { count, each, bottom, tall }) {
  const palette = colors();
  const chosen = state.order.indexOf(selectedProcess.get());
  const middle = (place) => BARS_FRAME.left + (place + 0.5) * each;
  const at = middle(chosen);
  context.fillStyle = palette.text;
  context.beginPath();
  context.moveTo(at, bottom + 2);
  context.lineTo(at - 5, bottom + 9);
  context.lineTo(at + 5, bottom + 9);
  context.fill();
  context.textBaseline = "top";
  context.textAlign = "center";
  context.font = chartFont("bold");
  context.fillText(String(processNumber(state.order[chosen])), Math.max(at, 10), bottom + 11);
  context.font = chartFont();
  context.fillStyle = palette.muted;
  for (let place = 0; place < count; place += roundStep(36 / each)) {
    if (Math.abs(middle(place) - at) < 34) continue;
    context.fillText(String(processNumber(state.order[place])), middle(place), bottom + 11);
  }
  if (state.hovered >= 0) {
    context.strokeStyle = palette.text;
    const left = BARS_FRAME.left + state.hovered * each;
    context.strokeRect(left, BARS_FRAME.top, Math.max(each, 2), tall);
  }
}

/** Keys move the choice along the bars, whatever their order. */
function barKeys(state) {
  const move = (by) => () => {
    const place = state.order.indexOf(selectedProcess.get()) + by;
    const next = state.order[Math.min(Math.max(place, 0), state.order.length - 1)];
    selectedProcess.set(next);
    const { title, rows } = describeProcess(next);
    announce(`${title}. ${rows.map((row) => row.join(" ")).join(", ")}`);
  };
  return {
    ArrowLeft: move(-1),
    ArrowRight: move(1),
    PageUp: move(-10),
    PageDown: move(10),
    Home: move(-Infinity),
    End: move(Infinity),
  };
}

function barsChart(state) {
  const high = () => maximum(shownProcesses.get().end_s) || 1;
  let layout = barsLayout(state, 1, 1);
  const placeAt = (x) => {
    const place = Math.floor((x - BARS_FRAME.left) / layout.each);
    return place >= 0 && place < layout.count ? place : -1;
  };
  const chart = canvasChart({
    id: "process-bars",
    label:
      `${plural(layout.count, "bar")}, one for each process: time in ` +
      `${PARTS.map(([, title]) => title.toLowerCase()).join(", ")}. Arrow keys choose a process.`,
    height: 240,
    draw(context, width, height) {
      layout = barsLayout(state, width, height);
      const most = high();
      drawValueAxis(context, layout, most);
      drawBars(context, state, layout, most);
      drawBarMarks(context, state, layout);
    },
    hover(x) {
      const place = placeAt(x);
      if (place !== state.hovered) {
        state.hovered = place;
        chart.redraw();
      }
      return place < 0 ? null : describeProcess(state.order[place]);
    },
    leave() {
      state.hovered = -1;
      chart.redraw();
    },
    click(x) {
      const place = placeAt(x);
      if (place >= 0) selectedProcess.set(state.order[place]);
    },
    keys: barKeys(state),
    read: () => {
      const shown = shownProcesses.get();
      return Array.from(state.order, (index) => ({
        pid: shown.pid[index],
        compute_s: shown.compute_s[index],
        communication_s: shown.communication_s[index],
        wait_s: shown.wait_s[index],
        hold_s: shown.hold_s[index],
      }));
    },
  });
  return chart;
}

/** What the bars show, as a table. */
function barNumbers(state) {
  const shown = shownProcesses.get();
  const rows = Array.from(state.order, (index) => [
    shown.pid[index],
    shown.nid[index],
    ...PARTS.map(([, , column]) => shown[column][index]),
  ]);
  return { heads: ["process", "node", ...PARTS.map(([, , column]) => column)], rows };
}

/** The chart, and the control that orders its bars. */
function processBars() {
  const state = { order: orderProcesses(null), hovered: -1 };
  const chart = barsChart(state);
  chart.box.append(
    canvasExports("process-bars", "Processes", chart, () => barNumbers(state)),
  );
  let orderedBy = "";
  const reorder = () => {
    state.order = orderProcesses(orderedBy);
    chart.redraw();
  };
  selectedProcess.follow(() => chart.redraw());
  shownProcesses.follow(reorder);
  const orders = [
    ["", "number"],
    ["end_s", "end"],
    ...PARTS.map(([, title, column]) => [column, title.toLowerCase()]),
  ];
  const choose = select("process-order", orders, (column) => {
    orderedBy = column;
    reorder();
  });
  return { node: chart.box, order: control("Order by", choose) };
}
