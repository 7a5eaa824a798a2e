// Curves of a result over a parameter, one for each value of another.

const MARGIN = { left: 64, right: 18, bottom: 44 };

/** Levels that are drawn as series: all, or as many as there are signs. */
function seriesLevels(column) {
  if (!column) return { places: [0], label: () => "", of: () => 0, cut: "" };
  const levels = levelsOf(column, FIXED_MAX);
  const all = Array.from({ length: levels.count }, (_, level) => level);
  if (all.length <= KINDS) return { ...levels, places: all, cut: levels.cut ?? "" };
  const step = (all.length - 1) / (KINDS - 1);
  const places = column.numeric
    ? Array.from({ length: KINDS }, (_, index) => Math.round(index * step))
    : all.slice(0, KINDS);
  const count = formatCount(all.length);
  return { ...levels, places, cut: `${KINDS} of ${count} values of ${column.name} are drawn.` };
}

function addPoint(point, row, value, half) {
  point.sum += value;
  point.rows++;
  point.squares += half * half;
  point.row = row;
}

/** The series: each with its points by the parameter `x`, which are means over rows. */
function curvesOf({ x, by, y }) {
  const levels = levelsOf(x, FIXED_MAX);
  const series = seriesLevels(by);
  const points = new Map();
  for (const row of sliceRows([x, by])) {
    const value = y.value(row);
    const [place, level] = [series.of(row), levels.of(row)];
    if (Number.isNaN(value) || place < 0 || level < 0) continue;
    const key = place * levels.count + level;
    const point = points.get(key) ?? { level, sum: 0, rows: 0, squares: 0, row };
    addPoint(point, row, value, y.half?.(row) ?? NaN);
    points.set(key, point);
  }
  const drawn = series.places.map((place) => {
    const own = [];
    for (let level = 0; level < levels.count; level++) {
      const point = points.get(place * levels.count + level);
      if (!point) continue;
      own.push({
        x: levels.value(level),
        label: levels.label(level),
        value: point.sum / point.rows,
        half: Math.sqrt(point.squares) / point.rows,
        rows: point.rows,
        row: point.row,
      });
    }
    return { name: by ? `${by.name} = ${series.label(place)}` : "", points: own };
  });
  return {
    series: drawn.filter((entry) => entry.points.length > 0),
    label: levels.label,
    cuts: [levels.cut, series.cut].filter(Boolean),
  };
}

/** Points of one curve: the band of its intervals, the line, the signs. */
function drawSeries({ points }, place, x, y, format) {
  const color = seriesColor(place);
  const at = points.map((point) => [x(point.x), y(point.value)]);
  const banded = points.filter((point) => !Number.isNaN(point.half) && point.half > 0);
  const band = [
    ...banded.map((point) => [x(point.x), y(point.value + point.half)]),
    ...banded.toReversed().map((point) => [x(point.x), y(point.value - point.half)]),
  ];
  return [
    band.length > 3 ? svg("path", { d: `${linePath(band)}Z`, fill: color, opacity: 0.18 }) : null,
    svg("path", {
      d: linePath(at),
      fill: "none",
      stroke: color,
      "stroke-width": 2,
      "stroke-dasharray": DASHES[place % KINDS],
    }),
    points.map((point, index) => {
      const sign = marker(place, at[index][0], at[index][1], color);
      return hoverable(sign, () => describePoint(point, format), () => choosePoint(point.row));
    }),
  ];
}

function describePoint({ label, value, half, rows, row }, format) {
  const range = half > 0 ? ` ± ${format(half)}` : "";
  const title = rows === 1 ? pointName(row) : `Mean of ${plural(rows, "point")}`;
  return { title, rows: [["at", label], ["value", format(value) + range]] };
}

/** The range of the values with their bands; `extra` are values that must be seen, too. */
function valueRange(series, extra, fromZero) {
  const values = series.flatMap(({ points }) =>
    points.flatMap(({ value, half }) => (half > 0 ? [value - half, value + half] : [value])),
  );
  const range = extent([...values, ...extra]);
  const positive = extent(series.flatMap(({ points }) => points.map(({ value }) => value))).low;
  // A band that reaches below 0 is no reason to leave the powers.
  if (range.low <= 0 && positive > 0) range.low = positive / 2;
  return { range, low: fromZero && range.low > 0 ? 0 : range.low };
}

/**
 * A chart of curves. `state()` gives `{ curves, x, title, format, axes, ideal, marks, fromZero }`;
 * `ideal` is a function of x, drawn thin; `marks` are values of x to mark by series.
 */
function curveChart({ id, title, state }) {
  const chart = plot({
    id,
    title,
    label() {
      const { curves, x, format } = state();
      const told = curves.series.slice(0, KINDS).map(({ name, points }) => {
        const values = points.slice(0, 50).map(({ label, value }) => `${label}: ${format(value)}`);
        return `${name === "" ? "" : `${name}: `}${values.join(", ")}`;
      });
      return `${title} over ${x.name}. ${told.join("; ")}`;
    },
    draw: (root, width) => drawCurves(root, width, state()),
    numbers() {
      const { curves, x, by, y } = state();
      const heads = [...(by ? [by.name] : []), x.name, y, "half_width", "points"];
      const rows = curves.series.flatMap(({ name, points }) =>
        points.map((point) => [
          ...(by ? [name.slice(by.name.length + 3)] : []),
          point.label,
          point.value,
          point.half,
          point.rows,
        ]),
      );
      return { heads, rows };
    },
  });
  return chart;
}

/** Thin lines down from the marks, with the number of a series beside its sign. */
function drawMarks(series, marks, x, y, bottom) {
  return series.map((entry, place) => {
    const point = marks[place] && entry.points.find(({ x: at }) => at === marks[place].x);
    if (!point) return null;
    const [cx, cy] = [x(point.x), y(point.value)];
    const color = seriesColor(place);
    return [
      svg("line", {
        x1: cx,
        x2: cx,
        y1: cy,
        y2: bottom,
        stroke: color,
        "stroke-width": 1.5,
        "stroke-dasharray": "3 3",
      }),
      svg("circle", { cx, cy, r: 9, fill: "none", stroke: color, "stroke-width": 2 }),
    ];
  });
}

function drawCurves(root, width, { curves, x, format, axes, ideal, marks, fromZero }) {
  const { series } = curves;
  const names = series.map(({ name }) => name);
  const legends = series.length > 1 ? seriesLegend(names, width) : { nodes: [], height: 6 };
  const [top, bottom] = [legends.height + 8, legends.height + 258];
  const places = extent(series.flatMap(({ points }) => points.map((point) => point.x)));
  const across = scaleOf(places, MARGIN.left, width - MARGIN.right, axes);
  const steps = Array.from({ length: 41 }, (_, step) =>
    across.invert(across.at(places.low) + ((width - MARGIN.right - MARGIN.left) * step) / 40),
  );
  const wished = ideal ? steps.map(ideal) : [];
  const { range, low } = valueRange(series, wished, false);
  const powers = axes === "log" || (axes === "auto" && across.powers && !fromZero && range.low > 0);
  const shown = powers ? range : { low: Math.min(fromZero ? 0 : low, low), high: range.high };
  const up = scaleOf(shown, bottom, top, powers ? "log" : "linear");
  const wanted = Math.max(3, width / 80);
  const values = x.numeric ? across.ticks(wanted) : [...new Set(series.flatMap((entry) =>
    entry.points.map((point) => point.x)))];
  const name = (value) => (x.numeric ? x.format(value) : fitText(x.format(value), 90));
  root.append(
    ...[
      legends.nodes,
      verticalAxis(
        up.ticks(5).map((value) => [value, up.at(value)]),
        MARGIN.left,
        width - MARGIN.right,
        format,
      ),
      horizontalAxis(
        values.map((value) => [value, across.at(value)]),
        bottom,
        name,
      ),
      axisTitle(`${x.title}${across.powers ? " (log)" : ""}`, width, bottom),
      ideal
        ? svg("path", {
            d: linePath(steps.map((value, index) => [across.at(value), up.at(wished[index])])),
            fill: "none",
            stroke: colors().muted,
            "stroke-dasharray": "3 4",
          })
        : null,
      series.map((entry, place) => drawSeries(entry, place, across.at, up.at, format)),
      marks ? drawMarks(series, marks, across.at, up.at, bottom) : null,
    ]
      .flat(Infinity)
      .filter(Boolean),
  );
  return bottom + MARGIN.bottom;
}

function axisTitle(text, width, bottom) {
  const x = (MARGIN.left + width - MARGIN.right) / 2;
  return svg("text", { x, y: bottom + 38, "text-anchor": "middle" }, text);
}
