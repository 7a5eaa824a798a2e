// Two or more runs side by side.

const CURVE = { width: 460, height: 280, left: 46, right: 86, top: 14, bottom: 40 };

const mean = (values) => sum(values) / values.length;

/** Runs with speed-up and efficiency against the first one, as `runs compare` has them. */
function scaledRuns() {
  const runs = data.runs.map((entry, index) => ({ ...entry, index }));
  const [first] = runs;
  const units = ({ run }) => run.processes * run.threads;
  for (const entry of runs) {
    entry.speedup = first.run.predicted_time_s / entry.run.predicted_time_s;
    entry.efficiency = entry.speedup / (units(entry) / units(first));
  }
  return { runs, base: { processes: first.run.processes, label: first.label } };
}

/** Runs that differ in their seeds, and in what comes with the number of processes. */
function seriesOf(runs) {
  const series = new Map();
  for (const entry of runs) {
    const { model, parameters, threads, machine } = entry.run;
    const key = JSON.stringify([model, parameters, threads, machine]);
    series.set(key, [...(series.get(key) ?? []), entry]);
  }
  return [...series.values()];
}

/** A point for each number of processes: the mean of its runs, and their range. */
function pointsOf(runs, value) {
  const groups = new Map();
  for (const entry of runs) {
    const { processes } = entry.run;
    groups.set(processes, [...(groups.get(processes) ?? []), entry]);
  }
  const points = [...groups].map(([processes, entries]) => {
    const values = entries.map(value);
    const label = entries.length === 1 ? entries[0].label : plural(entries.length, "run");
    return {
      processes,
      label,
      value: mean(values),
      low: Math.min(...values),
      high: Math.max(...values),
    };
  });
  return points.sort((a, b) => a.processes - b.processes);
}

/** The line of a series, its points, and how far the runs of a point lie apart. */
function curveOfSeries(points, x, y, path, format) {
  const dots = points.map(({ processes, label, value, low, high }) => {
    const [cx, range] = [x(processes), low === high ? "" : ` (${format(low)} to ${format(high)})`];
    return [
      low === high
        ? null
        : svg("line", { class: "range", x1: cx, x2: cx, y1: y(low), y2: y(high) }),
      svg(
        "circle",
        { class: "dot", cx, cy: y(value), r: 4 },
        svg("title", {}, `${label}: ${format(value)}${range}`),
      ),
    ];
  });
  const line = path(points.map(({ processes, value }) => [processes, value]));
  return [svg("path", { class: "curve-line", d: line }), dots];
}

function runsTable(runs) {
  const unit = timeColumn(maximum(runs.map((entry) => entry.run.predicted_time_s)));
  const parts = (entry) => {
    const values = PARTS.map(([name, , column]) => [name, entry[column]]);
    const whole = values.reduce((total, [, value]) => total + value, 0) || 1;
    return stackedBar(values.map(([name, value]) => [name, value / whole]));
  };
  const columns = [
    { title: "Run", value: (entry) => entry.label },
    {
      title: "Processes",
      numeric: true,
      value: (entry) => entry.run.processes,
      cell: (entry) => formatCount(entry.run.processes),
    },
    {
      title: `Predicted (${unit.name})`,
      numeric: true,
      value: (entry) => entry.run.predicted_time_s,
      cell: (entry) => unit.format(entry.run.predicted_time_s),
    },
    {
      title: "Speed-up",
      numeric: true,
      value: (entry) => entry.speedup,
      cell: (entry) => significant(entry.speedup),
    },
    {
      title: "Efficiency",
      numeric: true,
      value: (entry) => entry.efficiency,
      cell: (entry) => formatPercent(entry.efficiency),
    },
    {
      title: PARTS.map(([, title]) => title).join(", "),
      value: (entry) => entry.compute_s,
      cell: parts,
    },
  ];
  return sortableTable({
    id: "runs-table",
    caption: "Runs",
    columns,
    rows: runs,
    sort: 1,
    descending: false,
  }).node;
}

/** A scale from the lowest to the highest place; by powers where `logarithmic`. */
function curveScale(low, high, from, to, logarithmic) {
  const share = (value) => {
    if (high === low) return 0.5;
    return logarithmic
      ? Math.log(value / low) / Math.log(high / low)
      : (value - low) / (high - low);
  };
  return (value) => from + (to - from) * share(value);
}

/** The powers of two from `low` to `high`, at most about six of them. */
function powerTicks(low, high) {
  const [first, last] = [Math.ceil(Math.log2(low) - 1e-9), Math.floor(Math.log2(high) + 1e-9)];
  const step = Math.max(1, Math.ceil((last - first) / 6));
  const places = [];
  for (let power = first; power <= last; power += step) places.push(2 ** power);
  return places;
}

/** Thin lines across, with their values at the left. */
function curveGuides(places, y, format) {
  const [x1, x2] = [CURVE.left, CURVE.width - CURVE.right];
  const text = { class: "axis", x: x1 - 6, "text-anchor": "end", "dominant-baseline": "central" };
  return places.map((at) => [
    svg("line", { class: "guide", x1, x2, y1: y(at), y2: y(at) }),
    svg("text", { ...text, y: y(at) }, format(at)),
  ]);
}

/** Texts under an axis, without those that would touch the one before. */
function curveLabels(points, x, y) {
  let free = -Infinity;
  return [...new Set(points.map(({ processes }) => processes))].map((processes) => {
    const at = x(processes);
    if (at - free < 34) return null;
    free = at;
    return svg(
      "text",
      { class: "axis", x: at, y, "text-anchor": "middle" },
      formatCount(processes),
    );
  });
}

/**
 * A curve over the number of processes for each series of runs, with the ideal as a thin line.
 * Where the numbers of processes are far apart, these are drawn by powers, and with `powers` the
 * values are, too.
 */
function scalingCurve({ id, title, runs, base, value, ideal, format, powers }) {
  const series = seriesOf(runs).map((entries) => pointsOf(entries, value));
  const points = series.flat().sort((a, b) => a.processes - b.processes);
  const [low, high] = [base.processes, points.at(-1).processes];
  const far = high / low >= 8;
  const values = points.flatMap((point) => [point.low, point.high]);
  const top = Math.max(...values, ideal(high), ideal(low));
  const least = far && powers ? Math.min(...values, ideal(low)) : 0;
  const [right, bottom] = [CURVE.width - CURVE.right, CURVE.height - CURVE.bottom];
  const x = curveScale(low, high, CURVE.left, right, far);
  const y = curveScale(least, top, bottom, CURVE.top, far && powers);
  const path = (pairs) =>
    pairs
      .map(([a, b], index) => `${index === 0 ? "M" : "L"}${x(a).toFixed(2)} ${y(b).toFixed(2)}`)
      .join("");
  // The ideal is a curve where one axis goes by powers.
  const between = Array.from({ length: 41 }, (_, index) =>
    far ? low * (high / low) ** (index / 40) : low + (high - low) * (index / 40),
  );
  const guides = curveGuides(least > 0 ? powerTicks(least, top) : ticks(0, top, 4), y, format);
  const [end, goal] = [y(points.at(-1).value), y(ideal(high))];
  const note = (name, at, text) =>
    svg("text", { class: name, x: right + 8, y: at, "dominant-baseline": "central" }, text);
  const drawing = svg(
    "svg",
    {
      id,
      class: "curve",
      viewBox: `0 0 ${CURVE.width} ${CURVE.height}`,
      role: "img",
      "aria-label": `${title}: ${points
        .map((point) => `${point.processes} processes ${format(point.value)}`)
        .join(", ")}`,
    },
    guides,
    curveLabels(points, x, bottom + 18),
    svg(
      "text",
      {
        class: "axis",
        x: (CURVE.left + right) / 2,
        y: CURVE.height - 4,
        "text-anchor": "middle",
      },
      far ? "processes (log)" : "processes",
    ),
    svg("path", { class: "ideal", d: path(between.map((at) => [at, ideal(at)])) }),
    note("axis", goal, "ideal"),
    series.map((entries) => curveOfSeries(entries, x, y, path, format)),
    series.length === 1
      ? note("value", Math.abs(end - goal) < 14 ? goal + 15 : end, format(points.at(-1).value))
      : null,
  );
  const numbers = () => ({
    heads: ["runs", "processes", "mean", "least", "most"],
    rows: points.map((point) => [
      point.label,
      point.processes,
      point.value,
      point.low,
      point.high,
    ]),
  });
  return figure(title, drawing, drawingExports(id, title, drawing, numbers));
}

/** The elements of two runs, by id, and what they take more or less. */
function differences(one, other) {
  const rows = new Map();
  const add = (entry, side) => {
    for (const element of entry.elements) {
      const row = rows.get(element.id) ?? { element, one: 0, other: 0 };
      row[side] += element.total_s;
      rows.set(element.id, row);
    }
  };
  add(one, "one");
  add(other, "other");
  return [...rows.values()];
}

function differencesTable(runs) {
  const chosen = { one: 0, other: 1 };
  let unit = timeColumn(1);
  let most = 1;
  // What is left of rounding is no change.
  const change = ({ one, other }) =>
    Math.abs(other - one) > 1e-12 * Math.max(one, other) ? other - one : 0;
  const share = (row) => (change(row) === 0 ? 0 : change(row) / row.one);
  const columns = [
    { title: "Element", value: (row) => row.element.name, element: (row) => row.element },
    { title: "Type", value: (row) => row.element.type },
    { title: "First", numeric: true, value: (row) => row.one, cell: (row) => unit.format(row.one) },
    {
      title: "Second",
      numeric: true,
      value: (row) => row.other,
      cell: (row) => unit.format(row.other),
    },
    {
      title: "Change",
      numeric: true,
      value: change,
      cell: (row) => [
        (change(row) > 0 ? "+" : "") + unit.format(change(row)),
        bar(Math.abs(change(row)) / most, change(row) > 0 ? "longer" : "shorter"),
      ],
    },
    {
      title: "Change (%)",
      numeric: true,
      value: share,
      cell: (row) => (Number.isFinite(share(row)) ? formatPercent(share(row)) : "from 0"),
    },
  ];
  const table = sortableTable({
    id: "difference-table",
    caption: "Differences by element, summed over all processes",
    columns,
    rows: [],
    sort: 4,
  });
  const show = () => {
    const rows = differences(runs[chosen.one], runs[chosen.other]);
    unit = timeColumn(maximum(rows.flatMap((row) => [row.one, row.other])));
    most = maximum(rows.map((row) => Math.abs(change(row)))) || 1;
    table.setRows(rows, {
      2: `${runs[chosen.one].label} (${unit.name})`,
      3: `${runs[chosen.other].label} (${unit.name})`,
      4: `Change (${unit.name})`,
    });
  };
  const options = runs.map((entry, index) => [index, entry.label]);
  const chooser = (id, side) => {
    const input = select(id, options, (value) => {
      chosen[side] = Number(value);
      show();
    });
    input.value = String(chosen[side]);
    return input;
  };
  show();
  return [
    html(
      "div",
      { class: "controls" },
      control("From", chooser("compare-one", "one")),
      control("to", chooser("compare-other", "other")),
    ),
    table.node,
  ];
}

function compareView() {
  if (data.runs.length < 2) return null;
  const { runs, base } = scaledRuns();
  const several = runs.some((entry) => entry.run.processes !== base.processes);
  const curves = several
    ? html(
        "div",
        { class: "curves" },
        scalingCurve({
          id: "speedup",
          title: `Speed-up against ${base.label}`,
          runs,
          base,
          value: (entry) => entry.speedup,
          ideal: (processes) => processes / base.processes,
          format: (number) => significant(number, 3),
          powers: true,
        }),
        scalingCurve({
          id: "efficiency",
          title: "Efficiency",
          runs,
          base,
          value: (entry) => entry.efficiency,
          ideal: () => 1,
          format: (number) => formatPercent(number, 0),
        }),
      )
    : null;
  return section(
    "compare",
    "Comparison",
    "The views above show the first of these runs.",
    runsTable(runs),
    curves,
    differencesTable(runs),
  );
}
