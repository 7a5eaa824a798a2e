// The space-time diagram with its controls.

const TIMELINE_HELP =
  "Drag to move, double-click to come closer, click and turn the wheel to zoom (with Shift: " +
  "processes); drag with Shift to choose a range of time. Keys: arrows move, + and \u2212 zoom, " +
  "Page Up and Page Down zoom processes, " +
  "0 shows all, comma and period step through the records of the chosen process; S chooses what " +
  "is seen as the range, Shift with left and right moves its end, Escape goes back to the whole " +
  "run.";
const TIMELINE_HEIGHT_MAX = 600;
const TIMELINE_FRAME = { left: lanes.length > 0 ? 110 : 52, right: 14, top: 8, bottom: 30 };

/** Which process and record keys stand on: the first that ends after what was shown last. */
function timelineStepper(range, options) {
  return (by) => {
    const uid = data.processes.pid[selectedProcess.get()] * threads;
    const row = rowOfUnit(uid);
    if (row < 0) return;
    const { offsets, start_s: starts, end_s: ends } = data.records;
    const [first, last] = [offsets[row], offsets[row + 1] - 1];
    const at = options.hovered?.row === row ? options.hovered.record + by : first;
    const record = Math.min(Math.max(at, first), last);
    options.hovered = { row, record };
    const { t0, t1, r0, r1 } = range.view;
    const middle = (starts[record] + ends[record]) / 2;
    if (middle < t0 || middle > t1)
      range.show(middle - (t1 - t0) / 2, middle + (t1 - t0) / 2, r0, r1);
    if (row < r0 || row + 1 > r1) {
      const half = (r1 - r0) / 2;
      range.show(range.view.t0, range.view.t1, row - half, row + half);
    }
    const { title, rows } = describeRecord(row, record);
    announce(`${title}. ${rows.map((entry) => entry.join(" ")).join(", ")}`);
  };
}

function timelineStatus(shown, range) {
  const { view } = range;
  const text = [
    `${formatTime(view.t0, 6)} to ${formatTime(view.t1, 6)}`,
    plural(shown.seen, "record"),
  ];
  if (shown.messagesSeen > shown.messages) {
    text.push(`${formatCount(shown.messages)} of ${plural(shown.messagesSeen, "message line")}`);
  } else if (shown.messages > 0) {
    text.push(plural(shown.messages, "message line"));
  }
  if (marked.get()) text.push(describeMarked());
  return text.join(" · ");
}

function timelineChart(options, status) {
  const { records } = data;
  const range = timelineView(records.units.length, data.run.predicted_time_s);
  const shown = { seen: 0, messages: 0, messagesSeen: 0, hatched: 0, raster_ms: 0 };
  const picture = document.createElement("canvas");
  let plot = { left: 0, top: 0, width: 1, height: 1 };
  const tall = () =>
    Math.min(
      TIMELINE_HEIGHT_MAX,
      TIMELINE_FRAME.top + TIMELINE_FRAME.bottom + Math.max(60, records.units.length * 22),
    );

  const find = (x, y) => {
    const { view } = range;
    const row = Math.floor(view.r0 + ((y - plot.top) / plot.height) * (view.r1 - view.r0));
    const time = view.t0 + ((x - plot.left) / plot.width) * (view.t1 - view.t0);
    if (x < plot.left || row < 0 || row >= records.units.length || y < plot.top) return null;
    const record = recordAt(row, time);
    return record < 0 ? null : { row, record, time };
  };
  const step = timelineStepper(range, options);
  const redraw = () => chart.redraw();
  const chart = canvasChart({
    id: "timeline",
    label:
      "Space-time diagram. Arrow keys move, plus and minus zoom in time, Page Up and " +
      "Page Down zoom in processes, 0 shows all, comma and period step through records, S " +
      "chooses what is seen as the range of the numbers, Escape the whole run.",
    height: tall,
    draw(context, width, height) {
      plot = {
        left: TIMELINE_FRAME.left,
        top: TIMELINE_FRAME.top,
        width: width - TIMELINE_FRAME.left - TIMELINE_FRAME.right,
        height: height - TIMELINE_FRAME.top - TIMELINE_FRAME.bottom,
      };
      const { view, end } = range;
      const palette = colors();
      drawTimeline({ context, plot, view, end, palette, options, shown, picture });
      status.textContent = timelineStatus(shown, range);
    },
    hover(x, y) {
      const found = find(x, y);
      if (found?.record !== options.hovered?.record) {
        options.hovered = found;
        redraw();
      }
      return found ? describeRecord(found.row, found.record) : null;
    },
    leave() {
      options.hovered = null;
      redraw();
    },
    click(x, y) {
      const found = gestures.dragged() ? null : find(x, y);
      if (!found) return;
      const process = data.processes.pid.indexOf(Math.floor(records.units[found.row] / threads));
      if (process >= 0) selectedProcess.set(process);
      simulatedTime.set(found.time);
      showInDrawing(data.elements[records.element[found.record]]);
    },
    keys: timelineKeys(range, redraw, step),
    read: () => ({ ...range.view, ...shown }),
  });
  const gestures = timelineGestures(chart.canvas, range, () => plot, redraw, {
    begins: (event) => event.shiftKey || options.choosing,
    draw(from, to) {
      options.draft = rangeWithin(from, to);
      redraw();
    },
    end(from, to) {
      options.draft = null;
      chooseRange(rangeWithin(from, to));
      redraw();
    },
  });
  chart.box.append(
    canvasExports("timeline", "Space-time diagram", chart, () => timelineNumbers(range.view)),
  );
  shareTimeline(range, redraw);
  return { chart, range };
}

/** The records that are seen, whole. */
function timelineNumbers(view) {
  const { element, state, start_s: starts, end_s: ends } = data.records;
  const rows = [];
  eachSeen({ view }, (row, record) => {
    rows.push([
      rowName(row),
      elementName(element[record]),
      STATES[state[record]],
      starts[record],
      ends[record],
    ]);
  });
  return { heads: ["unit", "element", "state", "start_s", "end_s"], rows };
}

/** What is seen, and which range is chosen, in the page's address. */
function shareTimeline(range, redraw) {
  const { view, end } = range;
  const rows = data.records.units.length;
  inAddress("view", {
    write: () => [view.t0, view.t1, view.r0, view.r1].join(","),
    read(text) {
      const seen = readNumbers(text, [end, end, rows, rows]);
      if (seen) range.show(...seen);
      redraw();
    },
  });
  inAddress("range", {
    write() {
      const chosen = selectedRange.get();
      return chosen ? `${chosen.from},${chosen.to}` : "";
    },
    read(text) {
      const ends = readNumbers(text, [end, end]);
      selectedRange.set(ends ? rangeWithin(...ends) : null);
    },
  });
}

function checkbox(id, title, checked, change) {
  const input = html("input", {
    id,
    type: "checkbox",
    checked,
    onchange: (event) => change(event.target.checked),
  });
  inAddress(id, {
    write: () => (input.checked ? "1" : "0"),
    read(text) {
      if (text !== "0" && text !== "1") return;
      input.checked = text === "1";
      change(input.checked);
    },
  });
  return html("label", { class: "control" }, input, html("span", {}, title));
}

function button(title, label, onclick) {
  return html("button", { type: "button", "aria-label": label, title: label, onclick }, title);
}

/** The controls of the diagram; each changes what is drawn and draws it. */
function timelineControls(options, range, redraw) {
  const key = html("div", {}, legend(options.coloring.legend));
  const then = (action) => (value) => {
    action(value);
    redraw();
  };
  const colorings = Object.entries(COLORINGS).map(([value, [title]]) => [value, title]);
  const colorBy = then((value) => {
    options.coloring = COLORINGS[value][1]();
    key.replaceChildren(legend(options.coloring.legend));
  });
  const set = (name) =>
    then((checked) => {
      options[name] = checked;
    });
  const nearer = then(() => range.zoom(0.5, 1));
  const farther = then(() => range.zoom(2, 1));
  const all = then(() => range.all());
  return html(
    "div",
    { class: "controls" },
    key,
    control("Color by", select("timeline-color", colorings, colorBy)),
    data.messages ? checkbox("timeline-messages", "Messages", true, set("messages")) : null,
    data.critical_path ? checkbox("timeline-path", "Critical path", true, set("path")) : null,
    checkbox("timeline-choosing", "Drag chooses a range", false, set("choosing")),
    html(
      "span",
      { class: "buttons" },
      button("+", "Zoom in", nearer),
      button("\u2212", "Zoom out", farther),
      button("All", "Show all", all),
    ),
  );
}

function timelineSection() {
  if (!data.records || data.records.units.length === 0) return null;
  const options = {
    messages: true,
    path: Boolean(data.critical_path),
    coloring: stateClasses(),
    hovered: null,
    choosing: false,
    draft: null,
  };
  const status = html("p", { class: "status", id: "timeline-status" });
  const { chart, range } = timelineChart(options, status);
  selectedProcess.follow(chart.redraw);
  simulatedTime.follow(chart.redraw);
  selectedRange.follow(chart.redraw);
  wanted.follow(chart.redraw);
  marked.follow(chart.redraw);
  const zoom = ({ from, to }) => {
    range.show(from, to, range.view.r0, range.view.r1);
    chart.redraw();
    chart.canvas.focus();
  };
  return section(
    "timeline-section",
    "Space-time diagram",
    lanes.length > 0
      ? "Each row is a process, a stream or a copy engine; time goes to the right."
      : "Each row is a process, time goes to the right.",
    timelineControls(options, range, chart.redraw),
    chart.box,
    status,
    html("p", { class: "status help" }, TIMELINE_HELP),
    rangePanel(zoom),
  );
}
