// The space-time diagram: what is seen of it, and what pointer and keys do to that.

const ROWS_LEAST = 1;
const SPAN_LEAST = 1e-9;

/** The part of the diagram that is seen; all changes keep it inside of the diagram. */
function timelineView(rows, end) {
  const view = { t0: 0, t1: end, r0: 0, r1: rows };
  const clampRange = (low, high, limit, least) => {
    const span = Math.min(Math.max(high - low, least), limit);
    const from = Math.min(Math.max(low, 0), limit - span);
    return [from, from + span];
  };
  return {
    view,
    end,
    show(t0, t1, r0, r1) {
      [view.t0, view.t1] = clampRange(t0, t1, end, end * SPAN_LEAST);
      [view.r0, view.r1] = clampRange(r0, r1, rows, Math.min(rows, ROWS_LEAST));
    },
    all() {
      this.show(0, end, 0, rows);
    },
    /** Moves by parts of what is seen. */
    pan(time, row) {
      const { t0, t1, r0, r1 } = view;
      const [dt, dr] = [(t1 - t0) * time, (r1 - r0) * row];
      const span = r1 - r0;
      this.show(t0 + dt, t1 + dt, r0 + dr, r1 + dr);
      if (span === rows) [view.r0, view.r1] = [0, rows];
    },
    /** Shows `factor` times as much around a place that is given in parts of what is seen. */
    zoom(timeFactor, rowFactor, atTime = 0.5, atRow = 0.5) {
      const { t0, t1, r0, r1 } = view;
      const time = t0 + (t1 - t0) * atTime;
      const row = r0 + (r1 - r0) * atRow;
      this.show(
        time - (time - t0) * timeFactor,
        time + (t1 - time) * timeFactor,
        row - (row - r0) * rowFactor,
        row + (r1 - row) * rowFactor,
      );
    },
  };
}

/**
 * Drags, pinches, wheels and double clicks. `plot()` gives the rectangle of the diagram; `choice`
 * takes drags that choose a range of time.
 */
function timelineGestures(canvas, range, plot, redraw, choice) {
  const pointers = new Map();
  const part = (x, y) => {
    const { left, top, width, height } = plot();
    return [(x - left) / width, (y - top) / height];
  };
  const at = (event) => {
    const frame = canvas.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
  const timeAt = ([x]) => {
    const { t0, t1 } = range.view;
    return t0 + (t1 - t0) * part(x, 0)[0];
  };
  let moved = false;
  let anchor = null;

  canvas.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, at(event));
    canvas.setPointerCapture(event.pointerId);
    moved = false;
    anchor = choice.begins(event) && pointers.size === 1 ? at(event) : null;
  });
  for (const end of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(end, (event) => {
      pointers.delete(event.pointerId);
      if (anchor && moved && end === "pointerup") choice.end(timeAt(anchor), timeAt(at(event)));
      anchor = null;
    });
  }
  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = at(event);
    const { width, height } = plot();
    if (pointers.size === 1) {
      if (!moved && Math.hypot(now[0] - before[0], now[1] - before[1]) < 4) return;
      if (anchor) {
        moved = true;
        choice.draw(timeAt(anchor), timeAt(now));
        return;
      }
      range.pan((before[0] - now[0]) / width, (before[1] - now[1]) / height);
    } else {
      anchor = null;
      const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
      const distance = (point) => Math.max(20, Math.abs(point[0] - other[0]));
      range.zoom(distance(before) / distance(now), 1, ...part(other[0], other[1]));
    }
    moved = true;
    pointers.set(event.pointerId, now);
    redraw();
  });
  canvas.addEventListener(
    "wheel",
    (event) => {
      // A page scrolls under a wheel until the diagram is clicked; a pinch comes with `ctrlKey`.
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) return;
      event.preventDefault();
      const factor = Math.exp(Math.max(-1, Math.min(1, event.deltaY / 300)));
      const place = part(...at(event));
      range.zoom(event.shiftKey ? 1 : factor, event.shiftKey ? factor : 1, ...place);
      redraw();
    },
    { passive: false },
  );
  canvas.addEventListener("dblclick", (event) => {
    range.zoom(0.5, range.view.r1 - range.view.r0 > 12 ? 0.5 : 1, ...part(...at(event)));
    redraw();
  });
  return { dragged: () => moved };
}

/** Says which range was chosen, or that it is the whole run again. */
function chooseRange(chosen) {
  selectedRange.set(chosen);
  announce(chosen ? `Range ${nameOfRange(chosen)}` : "The whole run");
}

/** Moves the end of the chosen range; the first time, it begins in the middle of what is seen. */
function stretchRange({ t0, t1 }, by) {
  const middle = (t0 + t1) / 2;
  const { from, to } = selectedRange.get() ?? { from: middle, to: middle };
  // A range that would end before its begin stays.
  const next = to + by * (t1 - t0);
  if (next > from) chooseRange(rangeWithin(from, next) ?? selectedRange.get());
  else if (from === to) chooseRange(rangeWithin(next, from));
}

function timelineKeys(range, redraw, step) {
  const then = (action) => (event) => {
    action(event);
    redraw();
  };
  const along = (by) => (event) => {
    if (event.shiftKey) stretchRange(range.view, by / 5);
    else range.pan(by, 0);
  };
  return {
    ArrowLeft: then(along(-0.1)),
    ArrowRight: then(along(0.1)),
    ArrowUp: then(() => range.pan(0, -0.1)),
    ArrowDown: then(() => range.pan(0, 0.1)),
    "+": then(() => range.zoom(0.7, 1)),
    "=": then(() => range.zoom(0.7, 1)),
    "-": then(() => range.zoom(1 / 0.7, 1)),
    PageUp: then(() => range.zoom(1, 0.5)),
    PageDown: then(() => range.zoom(1, 2)),
    Home: then(() => range.all()),
    0: then(() => range.all()),
    s: then(() => chooseRange(rangeWithin(range.view.t0, range.view.t1))),
    Escape: then(() => chooseRange(null)),
    ".": then(() => step(1)),
    ",": then(() => step(-1)),
  };
}

/** The record of a row at a time, or -1. */
function recordAt(row, time) {
  const { offsets, start_s: starts, end_s: ends } = data.records;
  const record = firstAbove(ends, offsets[row], offsets[row + 1], time);
  return record < offsets[row + 1] && starts[record] <= time ? record : -1;
}

function rowOfUnit(uid) {
  const { units } = data.records;
  if (units[uid] === uid) return uid;
  const row = firstAbove(units, 0, units.length, uid) - 1;
  return units[row] === uid ? row : -1;
}

/** The messages that a unit sends or gets during a record, in words. */
function messagesDuring(uid, start, end) {
  if (!data.messages) return [];
  const { from, to, sent_s: sent, received_s: received, bytes } = data.messages;
  const lines = [];
  for (let message = 0; message < from.length && lines.length < 4; message++) {
    if (sent[message] > end) break;
    if (from[message] === uid && sent[message] >= start && sent[message] < end) {
      lines.push([`To ${unitName(to[message])}`, formatBytes(bytes[message])]);
    } else if (to[message] === uid && received[message] > start && received[message] <= end) {
      lines.push([`From ${unitName(from[message])}`, formatBytes(bytes[message])]);
    }
  }
  return lines;
}

function describeRecord(row, record) {
  const { units, element, state, start_s: starts, end_s: ends } = data.records;
  const [start, end] = [starts[record], ends[record]];
  if (row >= unitRows) {
    const kind = STATES[state[record]] === "compute" ? "kernel" : "copy";
    return {
      title: `${elementName(element[record])}: ${kind}`,
      rows: [
        ["On", rowName(row)],
        ["From", formatTime(start, 7)],
        ["For", formatTime(end - start)],
      ],
    };
  }
  return {
    title: `${elementName(element[record])}: ${STATE_TITLES[state[record]]}`,
    rows: [
      [threads === 1 ? "Process" : "Process.thread", unitName(units[row])],
      ["From", formatTime(start, 7)],
      ["For", formatTime(end - start)],
      ...messagesDuring(units[row], start, end),
    ],
  };
}
