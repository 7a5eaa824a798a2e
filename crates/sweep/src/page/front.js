// The front of two columns: points that no other point beats in both.

const SCATTER_MAX = 1500;
const FRONT_LISTED_MAX = 200;
/** Sizes of the rings around what each goal has found. */
const RINGS = [13, 8];

/** Whether less of a column is better, before a reader says otherwise. */
function wantsLess(column) {
  return !column.measure?.more_is_better;
}

/** The rows that no other row beats: better in one column and not worse in the other. */
function frontOf(rows, { x, y, lessX, lessY }) {
  const cost = (column, less, row) => (less ? column.value(row) : -column.value(row));
  const known = Array.from(rows)
    .map((row) => ({ row, a: cost(x, lessX, row), b: cost(y, lessY, row) }))
    .filter(({ a, b }) => !Number.isNaN(a) && !Number.isNaN(b));
  known.sort((one, other) => one.a - other.a || one.b - other.b || one.row - other.row);
  const front = [];
  let least = Infinity;
  for (const entry of known) {
    const equal = front.length > 0 && front.at(-1).a === entry.a && front.at(-1).b === entry.b;
    if (entry.b < least || equal) front.push(entry);
    least = Math.min(least, entry.b);
  }
  return front.map(({ row }) => row);
}

function frontChoice() {
  const numeric = COLUMNS.filter((column) => column.numeric && isVaried(column));
  if (numeric.length < 2 || MEASURES.length === 0) return null;
  const found = MARKED.map(({ columns }) => columns.filter((it) => numeric.includes(it)));
  const [goal] = found.filter((columns) => columns.length > 1);
  if (goal) {
    const [y, x] = goal;
    return { numeric, start: { x, y, lessX: true, lessY: true } };
  }
  const y = isVaried(MEASURES[0]) ? MEASURES[0] : numeric.at(-1);
  const others = numeric.filter((column) => column !== y);
  const x = others.find((column) => column.parameter?.is_resource) ?? others.at(-1);
  return { numeric, start: { x, y, lessX: wantsLess(x), lessY: wantsLess(y) } };
}

/** Whether a column has more than one value. */
function isVaried(column) {
  if (column.parameter) return column.count > 1;
  const { low, high } = extent(column.measure.mean);
  return low < high && column.measure.mean.some((value) => !Number.isNaN(value));
}

function frontControls(choice, numeric) {
  const change = (part) => choice.set({ ...choice.get(), ...part });
  const named = numeric.map((column) => [column.id, column.name]);
  const goals = [
    ["least", "the least"],
    ["most", "the most"],
  ];
  const { x, y, lessX, lessY } = choice.get();
  const goal = (less) => (less ? "least" : "most");
  const parts = [
    ["front-x", "Across", named, x.id, (id) => change({ x: columnOf(id) })],
    ["front-goal-x", "wanted", goals, goal(lessX), (it) => change({ lessX: it === "least" })],
    ["front-y", "Up", named, y.id, (id) => change({ y: columnOf(id) })],
    ["front-goal-y", "wanted", goals, goal(lessY), (it) => change({ lessY: it === "least" })],
  ];
  return parts.map(([id, title, options, value, set]) => {
    const input = select(id, options, set);
    input.value = value;
    return control(title, input);
  });
}

/** The front as stairs: what lies behind it is beaten. */
function stairs(front, across, up, { x, y }) {
  const points = [];
  for (const row of front) {
    const [cx, cy] = [across.at(x.value(row)), up.at(y.value(row))];
    if (points.length > 0) points.push([cx, points.at(-1)[1]]);
    points.push([cx, cy]);
  }
  return linePath(points);
}

function drawFront(root, width, { x, y, front, rows, ranges }) {
  const [top, bottom] = [12, 292];
  const across = scaleOf(ranges.x, MARGIN.left, width - MARGIN.right);
  const up = scaleOf(ranges.y, bottom, top);
  const sign = (row, size, color, kind) => {
    const node = marker(kind, across.at(x.value(row)), up.at(y.value(row)), color, size);
    const describe = () => ({ title: pointName(row), rows: describeRow(row) });
    return hoverable(node, describe, () => choosePoint(row));
  };
  const { accent, other, receive } = colors();
  const known = (row) => !Number.isNaN(x.value(row)) && !Number.isNaN(y.value(row));
  root.append(
    ...[
      verticalAxis(
        up.ticks(5).map((value) => [value, up.at(value)]),
        MARGIN.left,
        width - MARGIN.right,
        y.format,
      ),
      horizontalAxis(
        across.ticks(Math.max(3, width / 90)).map((value) => [value, across.at(value)]),
        bottom,
        x.format,
      ),
      axisTitle(`${x.title}${across.powers ? " (log)" : ""}`, width, bottom),
      svg("text", { x: MARGIN.left + 4, y: top + 6 }, `${y.title}${up.powers ? " (log)" : ""}`),
      sampleRows(rows, SCATTER_MAX)
        .filter(known)
        .map((row) => sign(row, 2.5, other, 0)),
      svg("path", {
        d: stairs(front, across, up, { x, y }),
        fill: "none",
        stroke: accent,
        "stroke-width": 1.5,
      }),
      front.slice(0, SCATTER_MAX).map((row) => sign(row, 5, accent, 3)),
      MARKED.flatMap((mark, place) =>
        mark.rows.slice(0, SCATTER_MAX).filter(known).map((row) =>
          svg("circle", {
            cx: across.at(x.value(row)),
            cy: up.at(y.value(row)),
            r: RINGS[place] ?? RINGS.at(-1),
            fill: "none",
            stroke: receive,
            "stroke-width": 2,
          }),
        ),
      ),
    ].flat(Infinity),
  );
  return bottom + MARGIN.bottom;
}

/** Points as a small table, with these columns first. */
function pointsTable(id, rows, first) {
  const columns = [...first, ...VARIED.filter((column) => !first.includes(column))];
  const heads = ["Point", ...columns.map((column) => column.name), "Command"];
  const lines = rows.slice(0, FRONT_LISTED_MAX).map((row) =>
    html(
      "tr",
      {},
      html("th", { scope: "row" }, pointLink(row)),
      columns.map((it) => html("td", { class: it.numeric ? "number" : undefined }, it.text(row))),
      html("td", {}, copyButton(row)),
    ),
  );
  const cells = heads.map((head, at) =>
    html("th", { scope: "col", class: columns[at - 1]?.numeric ? "number" : undefined }, head),
  );
  const head = html("thead", {}, html("tr", {}, cells));
  return html("table", { id }, head, html("tbody", {}, lines));
}

/** What the rings of the chart are. */
function describeRings() {
  const titles = MARKED.map(({ title }, place) => {
    const size = MARKED.length === 1 ? "Rings" : place === 0 ? "Large rings" : "Small rings";
    return `${size}: ${title}.`;
  });
  return titles.slice(0, RINGS.length);
}

function frontView() {
  const possible = frontChoice();
  if (!possible) return null;
  const choice = observable(possible.start);
  let known = null;
  const state = () => {
    if (known) return known;
    const rows = shownRows.get();
    const chosen = choice.get();
    const values = (column) => extent(Array.from(rows, column.value));
    const ranges = { x: values(chosen.x), y: values(chosen.y) };
    known = { ...chosen, rows, ranges, front: frontOf(rows, chosen) };
    return known;
  };
  const chart = plot({
    id: "front-chart",
    title: "Front of two results",
    label: () =>
      `${state().y.name} and ${state().x.name}: ${plural(state().front.length, "point")} on the ` +
      "front, in the table below.",
    draw: (root, width) => drawFront(root, width, state()),
    numbers: () => ({
      heads: ["point", state().x.name, state().y.name],
      rows: state().front.map((row) => [
        table.index[row],
        state().x.value(row),
        state().y.value(row),
      ]),
    }),
  });
  const note = html("p", { class: "meaning" });
  const label = "Points on the front";
  const listed = html("div", { class: "table", role: "region", "aria-label": label, tabindex: 0 });
  const show = () => {
    known = null;
    const { front, rows, x, y } = state();
    const words = [`${plural(front.length, "point")} of ${formatCount(rows.length)} on the front.`];
    const most = formatCount(SCATTER_MAX);
    if (rows.length > SCATTER_MAX) words.push(`Of the others, ${most} are drawn, by chance.`);
    if (front.length > FRONT_LISTED_MAX) words.push(`The first ${FRONT_LISTED_MAX} are listed.`);
    words.push(...describeRings());
    note.textContent = words.join(" ");
    listed.replaceChildren(pointsTable("front-table", front, [x, y]));
    chart.redraw();
  };
  choice.follow(show);
  shownRows.follow(show);
  return section(
    "front",
    "Front",
    "Points that no other point beats in both. It is of the points that pass the filters below.",
    html("div", { class: "controls" }, frontControls(choice, possible.numeric)),
    chart.box,
    note,
    listed,
  );
}
