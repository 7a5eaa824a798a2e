// How much each parameter matters: bars, the longest first.

const BAR_TALL = 30;

/** Of each parameter, the least and the most of a result's means over its levels. */
function rangesOfMeans(result) {
  const means = VARIED.map((column) => {
    const levels = levelsOf(column);
    const sums = new Float64Array(levels.count);
    const counts = new Uint32Array(levels.count);
    for (let row = 0; row < ROWS; row++) {
      const [value, level] = [result.value(row), levels.of(row)];
      if (Number.isNaN(value) || level < 0) continue;
      sums[level] += value;
      counts[level]++;
    }
    const known = Array.from(sums, (sum, level) => ({ level, mean: sum / counts[level] }));
    const sorted = known.filter(({ level }) => counts[level] > 0).sort((a, b) => a.mean - b.mean);
    if (sorted.length === 0) return null;
    const [least, most] = [sorted[0], sorted.at(-1)];
    return {
      name: column.name,
      low: least.mean,
      high: most.mean,
      lowLabel: levels.label(least.level),
      highLabel: levels.label(most.level),
    };
  });
  return means.filter(Boolean).sort((a, b) => b.high - b.low - (a.high - a.low));
}

/** Bars from `low` to `high`, named at the left and told at the right; `drawn` adds to a bar. */
function drawBars(root, width, { bars, range, format, drawn }) {
  const longest = Math.max(...bars.map(({ name }) => name.length));
  const left = Math.min(longest * 7 + 14, width / 3);
  const right = width - 14;
  const across = scaleOf(range, left, right, "linear");
  const bottom = 8 + bars.length * BAR_TALL;
  const nodes = bars.map((bar, place) => {
    const y = 8 + place * BAR_TALL;
    const middle = y + BAR_TALL / 2;
    const [from, to] = [across.at(bar.low), across.at(bar.high)];
    const box = { x: from, y: y + 6, width: Math.max(to - from, 1), height: BAR_TALL - 12 };
    const node = svg("rect", { ...box, fill: colors().accent });
    hoverable(node, () => bar.told);
    return [
      svg(
        "text",
        { x: left - 8, y: middle, "text-anchor": "end", "dominant-baseline": "central" },
        fitText(bar.name, left - 12),
      ),
      node,
      drawn?.(bar, across, middle) ?? null,
    ];
  });
  const ticksAt = across.ticks(Math.max(3, width / 120)).map((value) => [value, across.at(value)]);
  nodes.unshift(
    ticksAt.map(([, x]) => svg("line", { x1: x, x2: x, y1: 8, y2: bottom, stroke: colors().line })),
  );
  nodes.push(horizontalAxis(ticksAt, bottom, format));
  root.append(...nodes.flat(Infinity).filter(Boolean));
  return bottom + 26;
}

/** The chart of what can be read from the points alone. */
function rangesChart() {
  const result = observable(MEASURES[0]);
  const bars = () =>
    rangesOfMeans(result.get()).map((bar) => ({
      ...bar,
      told: {
        title: bar.name,
        rows: [
          [bar.lowLabel, result.get().format(bar.low)],
          [bar.highLabel, result.get().format(bar.high)],
        ],
      },
    }));
  const chart = plot({
    id: "tornado",
    title: "Ranges of the mean",
    label() {
      const ends = ({ rows }) => rows.map((row) => row.join(" ")).join(" to ");
      const range = ({ name, told }) => `${name}: ${ends(told)}`;
      const title = `Range of the mean of ${result.get().name} over each parameter`;
      return `${title}. ${bars().map(range).join("; ")}`;
    },
    draw(root, width) {
      const shown = bars();
      const range = extent(shown.flatMap(({ low, high }) => [low, high]));
      return drawBars(root, width, { bars: shown, range, format: result.get().format });
    },
    numbers: () => ({
      heads: ["parameter", "least_mean", "at", "most_mean", "at"],
      rows: bars().map(({ name, low, lowLabel, high, highLabel }) => [
        name,
        low,
        lowLabel,
        high,
        highLabel,
      ]),
    }),
  });
  const named = MEASURES.map((column) => [column.id, column.name]);
  const input = select("tornado-result", named, (id) => result.set(columnOf(id)));
  result.follow(() => chart.redraw());
  return figure(
    "Range of the mean over each parameter",
    html(
      "p",
      { class: "meaning" },
      "The least and the most of the result's mean over the values of a parameter, all others " +
        "averaged over the points.",
    ),
    html("div", { class: "controls" }, control("Result", input)),
    chart.box,
  );
}

/** A chart of shares of the variance: total as a bar, main as a mark. */
function indicesChart({ title, method, influences }, index) {
  const [totalTitle, mainTitle] = ["share of the variance, in all", "alone"];
  const format = (value) => significant(value, 3);
  const bars = influences
    .map((influence) => ({
      name: influence.parameter,
      low: 0,
      high: influence.total,
      influence,
      told: {
        title: influence.parameter,
        rows: [
          [totalTitle, format(influence.total)],
          [mainTitle, format(influence.main)],
        ],
      },
    }))
    .sort((a, b) => b.high - a.high);
  const drawn = ({ influence: { main } }, across, middle) =>
    svg("circle", {
      cx: across.at(main),
      cy: middle,
      r: 4.5,
      fill: colors().background,
      stroke: colors().text,
      "stroke-width": 1.5,
    });
  const high = Math.max(1e-12, ...influences.flatMap(({ main, total }) => [main, total]));
  const range = { low: 0, high };
  const chart = plot({
    id: `sensitivity-${index}`,
    title: `Sensitivity of ${title}`,
    label: () => `Sensitivity of ${title}. ${bars
      .map((bar) => `${bar.name}: ${bar.told.rows.map((row) => row.join(" ")).join(", ")}`)
      .join("; ")}`,
    draw: (root, width) => drawBars(root, width, { bars, range, format, drawn }),
    numbers: () => ({
      heads: ["parameter", totalTitle, mainTitle, "reason"],
      rows: bars.map(({ name, influence: { total, main, reason } }) => [name, total, main, reason]),
    }),
  });
  const reasons = bars
    .filter(({ influence }) => influence.reason !== "")
    .map(({ name, influence }) => html("li", {}, html("b", {}, name), `: ${influence.reason}`));
  return figure(
    `Sensitivity of ${title}`,
    html("p", { class: "meaning" }, `${method} Bars: ${totalTitle}; circles: ${mainTitle}.`),
    chart.box,
    reasons.length > 0 ? [html("h3", {}, "What did not matter"), html("ul", {}, reasons)] : null,
  );
}

function influenceView() {
  if (VARIED.length === 0 || MEASURES.length === 0) return null;
  return section(
    "influence",
    "What matters",
    null,
    data.sensitivity.map(indicesChart),
    rangesChart(),
  );
}
