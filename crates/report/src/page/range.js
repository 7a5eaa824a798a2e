// A range of the simulated time, and what was spent in it: records are cut at its ends.

/** The part of the time each state counts as. */
const STATE_COLUMNS = {
  compute: "compute_s",
  send: "communication_s",
  receive: "communication_s",
  collective: "communication_s",
  wait: "wait_s",
  synchronize: "wait_s",
  hold: "hold_s",
};

/** A range in the run, in order, or null for the whole run. */
function rangeWithin(from, to) {
  if (!Number.isFinite(from) || !Number.isFinite(to)) return null;
  const end = data.run.predicted_time_s;
  const [low, high] = [Math.max(0, Math.min(from, to)), Math.min(end, Math.max(from, to))];
  return high > low && (low > 0 || high < end) ? { from: low, to: high } : null;
}

/** Visits what of each record of a row is in a range: the record and its seconds. */
function eachInRange(row, { from, to }, visit) {
  const { offsets, start_s: starts, end_s: ends } = data.records;
  const last = offsets[row + 1];
  for (let record = firstAbove(ends, offsets[row], last, from); record < last; record++) {
    if (starts[record] >= to) break;
    visit(record, Math.min(ends[record], to) - Math.max(starts[record], from));
  }
}

/** What a record's second is of its process's time, which threads of a region share. */
function partOf(record) {
  const { parts } = data.records;
  if (parts.length === 0) return 1;
  return parts[record] === 0 ? 0 : 1 / parts[record];
}

/** The places of processes by pid. */
const placeOfPid = new Map(Array.from(data.processes.pid, (pid, place) => [pid, place]));

function placeOfRow(row) {
  return placeOfPid.get(Math.floor(data.records.units[row] / threads)) ?? -1;
}

/** The processes in a range, in the columns that the whole run has. */
function processesInRange(range) {
  const { pid, nid, end_s: ends } = data.processes;
  const columns = { pid, nid };
  for (const column of new Set(Object.values(STATE_COLUMNS))) {
    columns[column] = new Float64Array(pid.length);
  }
  // The range may begin behind the end of a process.
  columns.end_s = ends.map((end) => Math.max(0, Math.min(end, range.to) - range.from));
  for (let row = 0; row < unitRows; row++) {
    const place = placeOfRow(row);
    if (place < 0) continue;
    eachInRange(row, range, (record, seconds) => {
      const column = columns[STATE_COLUMNS[STATES[data.records.state[record]]]];
      column[place] += seconds * partOf(record);
    });
  }
  return columns;
}

/**
 * What the elements of some rows take in a range, each without its content: how many records, how
 * long they are, the longest, and what they take of the time of processes, by part.
 */
function elementsInRange(range, rows) {
  const found = new Map();
  for (const row of rows) {
    eachInRange(row, range, (record, seconds) => {
      const index = data.records.element[record];
      if (index === NO_ELEMENT) return;
      const entry = found.get(index) ?? {
        element: data.elements[index],
        count: 0,
        total: 0,
        max: 0,
        taken: 0,
        byColumn: {},
      };
      const [taken, column] = [
        seconds * partOf(record),
        STATE_COLUMNS[STATES[data.records.state[record]]],
      ];
      entry.count++;
      entry.total += seconds;
      entry.max = Math.max(entry.max, seconds);
      entry.taken += taken;
      entry.byColumn[column] = (entry.byColumn[column] ?? 0) + taken;
      found.set(index, entry);
    });
  }
  return [...found.values()].map(({ byColumn, ...entry }) => ({
    ...entry,
    parts: PARTS.map(([name, , column]) => [name, byColumn[column] ?? 0]),
  }));
}

/** The rows of a process in the diagram. */
function rowsOfProcess(place) {
  const { units } = data.records;
  const first = data.processes.pid[place] * threads;
  const begin = firstAbove(units, 0, units.length, first - 1);
  const end = firstAbove(units, begin, units.length, first + threads - 1);
  return Array.from({ length: end - begin }, (_, index) => begin + index);
}

/** What is spent in each state in a range, of the time of all processes. */
function statesInRange(range) {
  const times = STATES.map((name, state) => ({ name, state, records: 0, total: 0 }));
  for (let row = 0; row < unitRows; row++) {
    eachInRange(row, range, (record, seconds) => {
      const entry = times[data.records.state[record]];
      entry.records++;
      entry.total += seconds * partOf(record);
    });
  }
  return times.filter((entry) => entry.records > 0);
}

/** The chosen range; null is the whole run. */
const selectedRange = observable(null);

/** The processes as they are shown: in the chosen range. */
const shownProcesses = observable(data.processes);
selectedRange.follow((range) => {
  shownProcesses.set(range ? processesInRange(range) : data.processes);
});

function nameOfRange({ from, to }) {
  return `${formatTime(from, 6)} to ${formatTime(to, 6)}`;
}

/** What a reader must know of the numbers of a range. */
const RANGE_MEANING =
  "The numbers of processes, elements and states above and below belong to this range: " +
  "records are cut at its ends. An element counts without its content, by its records. All else " +
  "on this page is of the whole run.";
const JOINED_MEANING =
  "Too many records were made to keep all of them, so the numbers of a range are near, not " +
  "exact: they are of what the diagram draws, in which short records are joined with their " +
  "neighbors as the longest of them, and processes that are not drawn count as 0.";

/** The ends of the range as two numbers that can be typed, in seconds. */
function rangeInputs() {
  const end = data.run.predicted_time_s;
  const input = (id) =>
    html("input", {
      id,
      type: "number",
      min: 0,
      max: end,
      step: "any",
      onchange: () => {
        const [low, high] = [from, to].map((field) => parseFloat(field.value));
        selectedRange.set(rangeWithin(low, high));
        show(selectedRange.get());
      },
    });
  const [from, to] = [input("range-from"), input("range-to")];
  const show = (range) => {
    from.value = String(range?.from ?? 0);
    to.value = String(range?.to ?? end);
  };
  selectedRange.follow(show);
  return [control("From (s)", from), control("to (s)", to)];
}

function rangeStatesTable() {
  let unit = timeColumn(0);
  let whole = 1;
  const columns = [
    { title: "State", value: (row) => row.name },
    {
      title: "Records",
      numeric: true,
      value: (row) => row.records,
      cell: (row) => formatCount(row.records),
    },
    {
      title: "Time",
      numeric: true,
      value: (row) => row.total,
      cell: (row) => unit.format(row.total),
    },
    {
      title: "Share",
      numeric: true,
      value: (row) => row.total / whole,
      cell: (row) => [formatPercent(row.total / whole), bar(row.total / whole, row.name)],
    },
  ];
  const caption = "States of all processes in the range";
  const table = sortableTable({ id: "range-states", caption, columns, rows: [], sort: 2 });
  return {
    node: table.node,
    show(range) {
      const rows = statesInRange(range);
      whole = sum(shownProcesses.get().end_s) || 1;
      unit = timeColumn(maximum(rows.map((row) => row.total)));
      table.setRows(rows, { 2: `Time (${unit.name})` });
    },
  };
}

function rangeElementsTable() {
  let unit = timeColumn(0);
  let whole = 1;
  const columns = [
    { title: "Element", value: (row) => row.element.name, element: (row) => row.element },
    {
      title: "Records",
      numeric: true,
      value: (row) => row.count,
      cell: (row) => formatCount(row.count),
    },
    {
      title: "Time",
      numeric: true,
      value: (row) => row.taken,
      cell: (row) => unit.format(row.taken),
    },
    {
      title: "Share",
      numeric: true,
      value: (row) => row.taken / whole,
      cell: (row) => [
        formatPercent(row.taken / whole),
        stackedBar(row.parts.map(([name, value]) => [name, value / whole])),
      ],
    },
    ...placeColumns((row) => row.element),
  ];
  const caption = "Elements of all processes in the range";
  const table = sortableTable({ id: "range-elements", caption, columns, rows: [], sort: 2 });
  return {
    node: table.node,
    show(range) {
      const rows = elementsInRange(range, Array(unitRows).keys());
      whole = sum(shownProcesses.get().end_s) || 1;
      unit = timeColumn(maximum(rows.map((row) => row.taken)));
      table.setRows(rows, { 2: `Time (${unit.name})` });
    },
  };
}

/** What is said of the range below the diagram; `zoom` shows it there. */
function rangePanel(zoom) {
  const [states, elements] = [rangeStatesTable(), rangeElementsTable()];
  const title = html("h3", { id: "range-title" });
  const nearer = html(
    "button",
    { type: "button", onclick: () => zoom(selectedRange.get()) },
    "Zoom to it",
  );
  const whole = html(
    "button",
    { type: "button", id: "range-whole", onclick: () => selectedRange.set(null) },
    "Whole run",
  );
  const details = html(
    "div",
    {},
    html("p", { class: "meaning" }, RANGE_MEANING),
    data.records.joined ? html("p", { class: "note" }, JOINED_MEANING) : null,
    html("div", { class: "split even" }, states.node, elements.node),
  );
  selectedRange.follow((range) => {
    title.textContent = range ? `Range: ${nameOfRange(range)}` : "Range: the whole run";
    for (const part of [nearer, whole, details]) part.hidden = !range;
    if (!range) return;
    states.show(range);
    elements.show(range);
  });
  return html(
    "div",
    { class: "chosen-range", role: "region", "aria-labelledby": "range-title" },
    html("div", { class: "controls" }, title, rangeInputs(), nearer, whole),
    details,
  );
}
