// How each process spends its time: bars for all, a pie and a table for one.

// Few models have elements that hold.
const HOLDS = sum(data.processes.hold_s) > 0 || data.runs.some((run) => run.hold_s > 0);
const PARTS = [
  ["compute", "Compute", "compute_s"],
  ["communication", "Communication", "communication_s"],
  ["wait", "Waiting", "wait_s"],
  ...(HOLDS ? [["hold", "Holding", "hold_s"]] : []),
];
const PROCESSES_LISTED_MAX = 2000;

function processNumber(index) {
  return data.processes.pid[index];
}

/** The places of processes in the order of a column; by number without one. */
function orderProcesses(column) {
  const order = Uint32Array.from(data.processes.pid, (_, index) => index);
  const times = shownProcesses.get()[column];
  if (column) order.sort((a, b) => times[b] - times[a] || a - b);
  return order;
}

function describeProcess(index) {
  const processes = shownProcesses.get();
  const ends = data.processes.end_s[index];
  return {
    title: `Process ${processNumber(index)} on node ${processes.nid[index]}`,
    rows: [
      ...PARTS.map(([, title, column]) => [title, formatTime(processes[column][index])]),
      ["Ends at", formatTime(ends)],
    ],
  };
}

function slicePath(from, to, radius) {
  if (to - from >= 0.999999) {
    const half = (end) => `A${radius} ${radius} 0 1 1 ${end} 0`;
    return `M${radius} 0${half(-radius)}${half(radius)}Z`;
  }
  const at = (share) => {
    const angle = (share - 0.25) * 2 * Math.PI;
    return `${(radius * Math.cos(angle)).toFixed(3)} ${(radius * Math.sin(angle)).toFixed(3)}`;
  };
  return `M0 0L${at(from)}A${radius} ${radius} 0 ${to - from > 0.5 ? 1 : 0} 1 ${at(to)}Z`;
}

function processPie() {
  const drawing = svg("svg", { id: "process-pie", viewBox: "-102 -102 204 204", role: "img" });
  const list = html("ul", { class: "legend column" });
  const node = html("div", { class: "pie" }, drawing, list);
  const values = () => {
    const processes = shownProcesses.get();
    return PARTS.map(([, , column]) => processes[column][selectedProcess.get()]);
  };
  node.append(
    drawingExports("process-pie", "the parts of the process", drawing, () => ({
      heads: ["process", "part", "seconds"],
      rows: values().map((seconds, part) => [
        processNumber(selectedProcess.get()),
        PARTS[part][1],
        seconds,
      ]),
    })),
  );
  const show = () => {
    const index = selectedProcess.get();
    const processes = shownProcesses.get();
    const values = PARTS.map(([, , column]) => processes[column][index]);
    const total = sum(values) || 1;
    let from = 0;
    const slices = PARTS.map(([name, title], part) => {
      const share = values[part] / total;
      const slice = svg(
        "path",
        {
          class: `slice ${name}`,
          d: slicePath(from, from + share, 100),
          "data-part": name,
          "data-seconds": values[part],
        },
        svg("title", {}, `${title}: ${formatTime(values[part])}, ${formatPercent(share)}`),
      );
      from += share;
      return share > 0 ? slice : null;
    });
    drawing.replaceChildren(...slices.filter(Boolean));
    const words = PARTS.map(([, title], part) => `${title} ${formatPercent(values[part] / total)}`);
    drawing.setAttribute("aria-label", `Process ${processNumber(index)}: ${words.join(", ")}`);
    list.replaceChildren(
      ...legend(
        PARTS.map(([name, title], part) => [
          name,
          title,
          `${formatTime(values[part])} · ${formatPercent(values[part] / total)}`,
        ]),
      ).children,
    );
  };
  selectedProcess.follow(show);
  shownProcesses.follow(show);
  return node;
}

/** The rows of a process in the totals. */
function elementRows(index) {
  const { totals } = data;
  const rows = [];
  for (let row = totals.offsets[index]; row < totals.offsets[index + 1]; row++) {
    rows.push({
      element: data.elements[totals.element[row]],
      count: totals.count[row],
      total: totals.total_s[row],
      max: totals.max_s[row],
      taken: totals.taken_s[row],
      parts: PARTS.map(([name, , column]) => [name, totals[column][row]]),
    });
  }
  return rows;
}

function processTable() {
  const known = data.totals.offsets.length > 0;
  const rowsOf = (index) => {
    const range = selectedRange.get();
    if (range) return elementsInRange(range, rowsOfProcess(index));
    return known ? elementRows(index) : [];
  };
  let unit = timeColumn(0);
  let whole = 1;
  let longest = 1;
  const columns = [
    { title: "Element", value: (row) => row.element.name, element: (row) => row.element },
    { title: "Type", value: (row) => row.element.type },
    {
      title: "Count",
      numeric: true,
      value: (row) => row.count,
      cell: (row) => formatCount(row.count),
    },
    {
      title: "Total",
      numeric: true,
      value: (row) => row.total,
      cell: (row) => unit.format(row.total),
    },
    {
      title: "Mean",
      numeric: true,
      value: (row) => row.total / row.count,
      cell: (row) => unit.format(row.total / row.count),
    },
    {
      title: "Longest",
      numeric: true,
      value: (row) => row.max,
      cell: (row) => unit.format(row.max),
    },
    {
      title: "Share",
      numeric: true,
      value: (row) => row.taken / whole,
      cell: (row) => [
        formatPercent(row.taken / whole),
        stackedBar(row.parts.map(([name, value]) => [name, value / longest])),
      ],
    },
    ...placeColumns((row) => row.element),
  ];
  const table = sortableTable({
    id: "element-table",
    caption: "Elements of the process",
    columns,
    rows: [],
    sort: 3,
  });
  const show = () => {
    const [index, range] = [selectedProcess.get(), selectedRange.get()];
    const rows = rowsOf(index);
    longest = maximum(rows.map((row) => row.taken)) || 1;
    whole = shownProcesses.get().end_s[index] || 1;
    unit = timeColumn(maximum(rows.map((row) => row.total)));
    table.setRows(rows, {
      2: range ? "Records" : "Count",
      3: `Total (${unit.name})`,
      4: `Mean (${unit.name})`,
      5: `Longest (${unit.name})`,
    });
    const caption = table.table.querySelector("caption");
    const within = range ? `, ${nameOfRange(range)}` : "";
    caption.textContent =
      known || range
        ? `Elements of process ${processNumber(index)}${within}`
        : "Elements of each process are known with a trace only.";
  };
  selectedProcess.follow(show);
  shownProcesses.follow(show);
  return table.node;
}

function processChooser() {
  const { pid } = data.processes;
  let input;
  if (pid.length <= PROCESSES_LISTED_MAX) {
    input = select(
      "process",
      Array.from(pid, (number, index) => [index, String(number)]),
      (value) => selectedProcess.set(Number(value)),
    );
    selectedProcess.follow((index) => {
      input.value = String(index);
    });
  } else {
    const change = () => {
      const index = pid.indexOf(Number(input.value));
      if (index >= 0) selectedProcess.set(index);
    };
    input = html("input", {
      id: "process",
      type: "number",
      min: pid[0],
      max: pid.at(-1),
      onchange: change,
    });
    selectedProcess.follow((index) => {
      input.value = String(pid[index]);
    });
  }
  // A pid in place of what the control has: it means the same in all pages of a model.
  inAddress("process", {
    write: () => String(pid[selectedProcess.get()]),
    read(text) {
      const index = /^\d+$/.test(text) ? pid.indexOf(Number(text)) : -1;
      if (index >= 0) selectedProcess.set(index);
    },
  });
  return control("Process", input);
}

function processesView() {
  const { processes } = data;
  if (processes.pid.length === 0) return null;
  const key = html("div", {});
  const within = html("p", { class: "status", id: "processes-range" });
  shownProcesses.follow((shown) => {
    const whole = sum(shown.end_s) || 1;
    const shares = PARTS.map(([name, title, column]) => [
      name,
      title,
      formatPercent(sum(shown[column]) / whole),
    ]);
    key.replaceChildren(legend(shares));
    const range = selectedRange.get();
    within.textContent = range ? `Of ${nameOfRange(range)} alone.` : "";
  });
  const bars = processBars();
  return section(
    "processes",
    "Processes",
    "Each bar is a process: how long it computed, communicated" +
      (HOLDS ? ", waited and held." : " and waited.") +
      (threads === 1 ? "" : " What threads do at one time counts as their mean."),
    html("div", { class: "controls" }, key, bars.order),
    within,
    bars.node,
    html("div", { class: "controls" }, processChooser()),
    html("div", { class: "split" }, processPie(), processTable()),
  );
}
