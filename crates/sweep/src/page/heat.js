// A map of two parameters, colored by a result.

const CELL_TEXT_WIDTH = 44;
const CELL_TEXT_HEIGHT = 16;

/** The means of a result by the levels of two columns; not a number where there is no row. */
function mapOf({ x, y, result }) {
  const [across, up] = [levelsOf(x), levelsOf(y)];
  const sums = new Float64Array(across.count * up.count);
  const counts = new Uint32Array(sums.length);
  const last = new Int32Array(sums.length).fill(-1);
  for (const row of sliceRows([x, y])) {
    const value = result.value(row);
    const [column, line] = [across.of(row), up.of(row)];
    if (Number.isNaN(value) || column < 0 || line < 0) continue;
    const cell = line * across.count + column;
    sums[cell] += value;
    counts[cell]++;
    last[cell] = row;
  }
  const means = sums.map((sum, cell) => (counts[cell] === 0 ? NaN : sum / counts[cell]));
  const range = extent(means);
  return { across, up, means, counts, last, range, shade: scaleOf(range, 0, 1) };
}

function describeCell({ across, up, means, counts, last }, cell, { x, y, result }) {
  const [column, line] = [cell % across.count, Math.floor(cell / across.count)];
  const value = Number.isNaN(means[cell]) ? "no point" : result.format(means[cell]);
  const several = counts[cell] === 0 ? "No point" : `Mean of ${plural(counts[cell], "point")}`;
  return {
    title: counts[cell] === 1 ? pointName(last[cell]) : several,
    rows: [
      [x.name, across.label(column)],
      [y.name, up.label(line)],
      [result.name, value],
    ],
  };
}

function drawMap(root, width, map, chosen, cursor) {
  const { x, y, result } = chosen;
  const { across, up, means } = map;
  const [tickX, tickY] = [across.tick ?? across.label, up.tick ?? up.label];
  const longest = Math.max(...Array.from({ length: up.count }, (_, at) => tickY(at).length));
  const left = Math.min(Math.max(40, longest * 7 + 12), width / 3);
  const wide = (width - left - 8) / across.count;
  const tall = Math.min(Math.max(14, wide * 0.6), 34);
  const bottom = 8 + tall * up.count;
  const place = (cell) => [
    left + (cell % across.count) * wide,
    bottom - (Math.floor(cell / across.count) + 1) * tall,
  ];
  const nodes = Array.from(means, (mean, cell) => {
    const [cx, cy] = place(cell);
    const empty = Number.isNaN(mean);
    const rgb = empty ? [0, 0, 0] : rampChannels(map.shade.at(mean));
    const fill = empty ? "none" : `rgb(${rgb.map(Math.round).join(" ")})`;
    const box = { x: cx, y: cy, width: wide, height: tall, fill, stroke: colors().background };
    const cellNode = svg("rect", box);
    const pick = () => map.last[cell] >= 0 && choosePoint(map.last[cell]);
    hoverable(cellNode, () => describeCell(map, cell, chosen), pick);
    const fits = !empty && wide >= CELL_TEXT_WIDTH && tall >= CELL_TEXT_HEIGHT;
    if (!fits) return cellNode;
    const middle = { x: cx + wide / 2, y: cy + tall / 2, fill: inkOn(rgb), class: "cell" };
    const text = fitText(result.format(mean), wide);
    return [
      cellNode,
      svg("text", { ...middle, "text-anchor": "middle", "dominant-baseline": "central" }, text),
    ];
  });
  if (cursor >= 0) {
    const [cx, cy] = place(cursor);
    const look = { fill: "none", stroke: colors().text, "stroke-width": 2.5 };
    nodes.push(svg("rect", { x: cx, y: cy, width: wide, height: tall, ...look }));
  }
  const lines = Array.from({ length: up.count }, (_, line) => line);
  const every = Math.ceil(15 / tall);
  nodes.push(
    lines
      .filter((line) => line % every === 0)
      .map((line) => {
        const at = { x: left - 6, y: bottom - (line + 0.5) * tall };
        const text = fitText(tickY(line), left - 10);
        return svg("text", { ...at, "text-anchor": "end", "dominant-baseline": "central" }, text);
      }),
    horizontalAxis(
      Array.from({ length: across.count }, (_, at) => [at, left + (at + 0.5) * wide]),
      bottom,
      (at) => fitText(tickX(at), Math.max(wide, 60)),
    ),
    svg(
      "text",
      { x: left + (width - left) / 2, y: bottom + 38, "text-anchor": "middle" },
      `${x.title} (across), ${y.title} (up)`,
    ),
  );
  root.append(...nodes.flat(Infinity));
  return bottom + MARGIN.bottom;
}

function heatControls(choice) {
  const change = (part) => choice.set({ ...choice.get(), ...part });
  const named = (columns) => columns.map((column) => [column.id, column.name]);
  const { x, y, result } = choice.get();
  const inputs = [
    ["map-x", "Across", VARIED, x, (id) => change({ x: columnOf(id) })],
    ["map-y", "Up", VARIED, y, (id) => change({ y: columnOf(id) })],
    ["map-result", "Result", MEASURES, result, (id) => change({ result: columnOf(id) })],
  ];
  return inputs.map(([id, title, columns, chosen, set]) => {
    const input = select(id, named(columns), set);
    input.value = chosen.id;
    return control(title, input);
  });
}

function heatChart(choice, mapNow) {
  let cursor = -1;
  const chart = plot({
    id: "heat-map",
    title: "Map of two parameters",
    active: true,
    label() {
      const { x, y, result } = choice.get();
      return (
        `${result.name} by ${x.name} and ${y.name}. Arrow keys step through the cells, Enter ` +
        "chooses a point."
      );
    },
    draw: (root, width) => drawMap(root, width, mapNow(), choice.get(), cursor),
    numbers() {
      const { x, y, result } = choice.get();
      const { across, up, means, counts } = mapNow();
      const rows = Array.from(means, (mean, cell) => [
        across.label(cell % across.count),
        up.label(Math.floor(cell / across.count)),
        mean,
        counts[cell],
      ]);
      return { heads: [x.name, y.name, result.name, "points"], rows };
    },
  });
  const move = (column, line) => {
    const map = mapNow();
    const { across, up } = map;
    const [x, y] = [cursor % across.count, Math.floor(cursor / across.count)];
    const inside = (value, count) => Math.min(Math.max(value, 0), count - 1);
    const next = inside(y + line, up.count) * across.count + inside(x + column, across.count);
    cursor = cursor < 0 ? 0 : next;
    chart.redraw();
    const { title, rows } = describeCell(map, cursor, choice.get());
    announce(`${title}. ${rows.map((row) => row.join(" ")).join(", ")}`);
  };
  const keys = {
    ArrowRight: () => move(1, 0),
    ArrowLeft: () => move(-1, 0),
    ArrowUp: () => move(0, 1),
    ArrowDown: () => move(0, -1),
    Enter: () => cursor >= 0 && mapNow().last[cursor] >= 0 && choosePoint(mapNow().last[cursor]),
  };
  chart.root.setAttribute("tabindex", 0);
  chart.root.addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  chart.forget = () => {
    cursor = -1;
  };
  return chart;
}

function heatView() {
  if (VARIED.length < 2 || MEASURES.length === 0) return null;
  const many = [...VARIED].sort((a, b) => b.count - a.count);
  const choice = observable({ x: many[0], y: many[1], result: MEASURES[0] });
  let known = null;
  const mapNow = () => (known ??= mapOf(choice.get()));
  const chart = heatChart(choice, mapNow);
  const key = html("span", {});
  const note = html("p", { class: "meaning" });
  const show = () => {
    known = null;
    chart.forget();
    const { x, y, result } = choice.get();
    const { across, up, range, shade } = mapNow();
    const least = result.format(range.low);
    const most = result.format(range.high) + (shade.powers ? " (log)" : "");
    key.replaceChildren(rampLegend(least, most));
    note.textContent = [describeSlice([x, y]), across.cut, up.cut].filter(Boolean).join(" ");
    chart.redraw();
  };
  choice.follow(show);
  slice.follow(show);
  return section(
    "map",
    "Map of two parameters",
    "Each cell is the mean of the points there; stronger is more.",
    html("div", { class: "controls" }, heatControls(choice), key),
    chart.box,
    note,
  );
}
