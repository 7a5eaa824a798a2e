// Time, speed-up and efficiency over a parameter, and where more of it stops paying.

/** How much less time twice as many must take to pay: titles by shares. */
const PAYS = [
  ["0.05", "5 %"],
  ["0.1", "10 %"],
  ["0.2", "20 %"],
  ["0.2928932188134524", "29.3 % (knee)"],
  ["0.4", "40 %"],
];

/**
 * The point up to which more pays: the least of T · n^a, where twice as many that take a share s
 * less time just pay if 2^-a = 1 - s. Beyond it, no number n' takes less than (n / n')^a of the
 * time. For s = 29.3 % it is the knee of Eager, Zahorjan and Lazowska (Speedup versus Efficiency in
 * Parallel Systems, 1989), where efficiency by time is largest.
 */
function stopsPaying(points, share) {
  const power = -Math.log2(1 - share);
  let [best, least] = [null, Infinity];
  for (const point of points) {
    const price = point.value * point.x ** power;
    if (price < least) [best, least] = [point, price];
  }
  return points.length > 1 ? best : null;
}

/** Curves as ratios to the first point of each. */
function ratios(curves, ratio) {
  const series = curves.series.map(({ name, points }) => {
    const [first] = points;
    return {
      name,
      points: points.map((point) => {
        const value = ratio(first, point);
        return { ...point, value, half: (value * point.half) / point.value };
      }),
    };
  });
  return { ...curves, series };
}

function describeStops(curves, marks, { name }) {
  const lines = curves.series.map((entry, place) => {
    const { points } = entry;
    const mark = marks[place];
    if (!mark) return null;
    const share = points[0].value / mark.value / (mark.x / points[0].x);
    const last = mark === points.at(-1);
    const told = last
      ? `more ${name} pay up to the largest tried, ${mark.label}`
      : `more ${name} stop paying at ${mark.label}`;
    const found = `${formatTime(mark.value)}, efficiency ${formatPercent(share)}`;
    const text = `${entry.name === "" ? "" : `${entry.name}: `}${told} (${found})`;
    return html("li", {}, text);
  });
  return lines.filter(Boolean);
}

/** What the charts of this section show: the controls change it. */
function curveChoice() {
  const numeric = VARIED.filter((column) => column.numeric);
  const x = numeric.find((column) => column.parameter.is_resource) ?? numeric[0] ?? VARIED[0];
  const by = VARIED.find((column) => column !== x && column.count <= KINDS) ?? null;
  return observable({ x, by, y: MEASURES[0], axes: "auto", pays: Number(PAYS[3][0]) });
}

function curveControls(choice) {
  const change = (part) => choice.set({ ...choice.get(), ...part });
  const named = (columns) => columns.map((column) => [column.id, column.name]);
  const { x, by, y } = choice.get();
  const over = select("curve-x", named(VARIED), (id) => change({ x: columnOf(id) }));
  const groups = [["", "none"], ...named(VARIED)];
  const each = select("curve-by", groups, (id) => change({ by: columnOf(id) ?? null }));
  const result = select("curve-y", named(MEASURES), (id) => change({ y: columnOf(id) }));
  const kinds = [
    ["auto", "as the numbers ask"],
    ["log", "logarithmic"],
    ["linear", "linear"],
  ];
  const axes = select("curve-axes", kinds, (kind) => change({ axes: kind }));
  over.value = x.id;
  each.value = by?.id ?? "";
  result.value = y.id;
  const pays = select("curve-pays", PAYS, (share) => change({ pays: Number(share) }));
  pays.value = PAYS[3][0];
  return [
    control("Over", over),
    control("A curve for each", each),
    control("Result", result),
    control("Axes", axes),
    control("Twice as many pay if they save", pays),
  ];
}

/** What is drawn of a choice, computed once for all three charts. */
function scalingState(choice) {
  const { x, y, axes, pays } = choice;
  const by = choice.by === x ? null : choice.by;
  const curves = curvesOf({ x, by, y });
  const positive = curves.series.every(({ points }) =>
    points.every((point) => point.x > 0 && point.value > 0),
  );
  const isTime = y.unit === "s" && Boolean(x.parameter.is_resource) && x.numeric && positive;
  const marks = isTime ? curves.series.map(({ points }) => stopsPaying(points, pays)) : [];
  return { x, by, y, axes, curves, isTime, marks };
}

function scalingCharts(state) {
  const base = () => state().curves.series.map(({ points }) => points[0].x);
  const first = () => Math.min(...base());
  return [
    {
      id: "curve-time",
      title: "Result",
      state: () => ({ ...state(), y: state().y.name, format: state().y.format }),
    },
    {
      id: "curve-speedup",
      title: "Speed-up",
      state: () => ({
        ...state(),
        curves: ratios(state().curves, (one, point) => one.value / point.value),
        y: "speed-up",
        format: (value) => significant(value, 3),
        ideal: (value) => value / first(),
      }),
    },
    {
      id: "curve-efficiency",
      title: "Efficiency",
      state: () => ({
        ...state(),
        curves: ratios(
          state().curves,
          (one, point) => one.value / point.value / (point.x / one.x),
        ),
        y: "efficiency",
        format: (value) => formatPercent(value, 0),
        ideal: () => 1,
        fromZero: true,
      }),
    },
  ].map((chart) => ({ chart: curveChart(chart), ...chart }));
}

function scalingView() {
  if (VARIED.length === 0 || MEASURES.length === 0) return null;
  const choice = curveChoice();
  let known = null;
  const state = () => (known ??= scalingState(choice.get()));
  const charts = scalingCharts(state);
  const figures = charts.map(({ chart, title }) => figure(title, chart.box));
  const stops = html("ul", { class: "stops" });
  const note = html("p", { class: "meaning" });
  const show = () => {
    known = null;
    const { x, by, y, curves, isTime, marks } = state();
    figures[0].firstChild.textContent = y.name;
    for (const view of figures.slice(1)) view.hidden = !isTime;
    stops.replaceChildren(...(isTime ? describeStops(curves, marks, x) : []));
    const words = [describeSlice([x, by]), ...curves.cuts, bandNote(curves)];
    note.textContent = words.filter(Boolean).join(" ");
    for (const { chart } of charts) chart.redraw();
  };
  choice.follow(show);
  slice.follow(show);
  return section(
    "curves",
    "Curves",
    "A ring marks where more stops paying: beyond it, no number of them saves enough time. " +
      "Speed-up and efficiency are against the first point of each curve.",
    html("div", { class: "controls" }, curveControls(choice)),
    sliceControls(),
    stops,
    html("div", { class: "curves" }, figures),
    note,
  );
}

function bandNote({ series }) {
  const banded = series.some(({ points }) => points.some(({ half }) => half > 0));
  return banded ? "Bands are intervals of the means at 95 %." : "";
}
