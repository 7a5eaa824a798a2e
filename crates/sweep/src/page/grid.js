// The table of all points: only the rows that are seen are in the document.

const ROW_TALL = 29;
const ROWS_AROUND = 12;
const GRID_ROWS = 16;
/** Paper cannot be scrolled: it has the first points, and says how many more there are. */
const PRINTED_ROWS = 200;

/** The order of the shown rows. */
const order = observable({ column: null, descending: false });

function sortedRows() {
  const { column, descending } = order.get();
  const rows = Array.from(shownRows.get());
  if (!column) return descending ? rows.reverse() : rows;
  const sign = descending ? -1 : 1;
  // Points without a value are last in both orders.
  return rows.sort((a, b) => {
    const [one, other] = [column.value(a), column.value(b)];
    if (Number.isNaN(one) || Number.isNaN(other)) {
      return Number.isNaN(one) - Number.isNaN(other) || a - b;
    }
    return sign * (one - other) || a - b;
  });
}

function gridHead(column, heads) {
  const sort = () => {
    const now = order.get();
    const same = now.column === column;
    order.set({ column, descending: same ? !now.descending : false });
    const way = order.get().descending ? "descending" : "ascending";
    announce(`Sorted by ${column?.name ?? "point"}, ${way}.`);
  };
  const button = html("button", { type: "button", onclick: sort }, column?.title ?? "Point");
  const cell = html("th", { scope: "col", class: column?.numeric ? "number" : undefined }, button);
  heads.push([column, cell]);
  return cell;
}

function filterField(column) {
  const input = html("input", {
    type: "search",
    id: `filter-${column.id}`,
    maxlength: FILTER_LENGTH_MAX,
    placeholder: column.numeric ? ">4, 4..8" : "text",
    "aria-label": `Only points with ${column.name}`,
    autocomplete: "off",
    spellcheck: "false",
    oninput: () => setFilter(column, input.value),
  });
  filters.follow((texts) => {
    const text = texts.get(column.id) ?? "";
    if (input.value.trim() !== text) input.value = text;
    const bad = column.measure && text !== "" && filterOf(column, text) === null;
    input.setAttribute("aria-invalid", bad ? "true" : "false");
  });
  return html("td", {}, input);
}

function gridRow(row, place) {
  const failure = table.failure[row];
  const choose = () => choosePoint(row);
  const attributes = { "aria-rowindex": place + 3, onclick: choose };
  if (row === selectedRow.get()) attributes.class = "chosen";
  const values = COLUMNS.map((column) =>
    html("td", { class: column.numeric ? "number" : undefined }, column.text(row)),
  );
  const reason = failure > 0 ? table.failures[failure - 1] : "";
  return html(
    "tr",
    attributes,
    html("th", { scope: "row" }, pointLink(row)),
    values,
    HAS_FAILURES ? html("td", { class: "reason", title: reason }, reason) : null,
    html("td", {}, copyButton(row)),
  );
}

const HAS_FAILURES = table.failures.length > 0;

/** The whole table as numbers. */
function gridNumbers(rows) {
  const heads = ["point", ...COLUMNS.map((column) => column.name), "failure", "command"];
  return {
    heads,
    rows: rows.map((row) => [
      table.index[row],
      ...COLUMNS.map((column) => (column.numeric ? column.value(row) : column.text(row))),
      table.failure[row] > 0 ? table.failures[table.failure[row] - 1] : "",
      commandLine(row),
    ]),
  };
}

function spacer(rows) {
  const row = html("tr", { class: "spacer", "aria-hidden": "true" }, html("td", {}));
  row.firstChild.style.height = `${rows * ROW_TALL}px`;
  return row;
}

/** Tells on paper of the points that only the screen and the saved numbers have. */
function unprinted(rows) {
  if (rows === 0) return [];
  const words = `${plural(rows, "more point")}: the button CSV on the page saves all`;
  return [html("tr", {}, html("td", { class: "unprinted", colspan: COLUMNS.length + 1 }, words))];
}

function gridTable(heads) {
  const titles = [null, ...COLUMNS].map((column) => gridHead(column, heads));
  const end = [
    ...(HAS_FAILURES ? [html("th", { scope: "col" }, "Failure")] : []),
    html("th", { scope: "col" }, "Command"),
  ];
  const fields = [html("td", {}), ...COLUMNS.map(filterField), ...end.map(() => html("td", {}))];
  const head = html(
    "thead",
    {},
    html("tr", { "aria-rowindex": 1 }, titles, end),
    html("tr", { "aria-rowindex": 2, class: "filters" }, fields),
  );
  const body = html("tbody", {});
  const caption = html("caption", { class: "hidden" }, "Points");
  return { body, node: html("table", { id: "points-table", class: "grid" }, caption, head, body) };
}

function gridView() {
  if (ROWS === 0) return null;
  const heads = [];
  const { body, node } = gridTable(heads);
  const region = html(
    "div",
    { class: "table points", role: "region", "aria-label": "Points", tabindex: 0 },
    node,
  );
  let rows = [];
  let [from, to] = [-1, -1];
  const paint = () => {
    if (printing) {
      const seen = rows.slice(0, PRINTED_ROWS).map((row, at) => gridRow(row, at));
      body.replaceChildren(...seen, ...unprinted(rows.length - seen.length));
      return;
    }
    const first = Math.max(0, Math.floor(region.scrollTop / ROW_TALL) - ROWS_AROUND);
    const last = Math.min(rows.length, first + GRID_ROWS + 2 * ROWS_AROUND + 4);
    if (first === from && last === to) return;
    [from, to] = [first, last];
    const seen = rows.slice(first, last).map((row, at) => gridRow(row, first + at));
    body.replaceChildren(spacer(first), ...seen, spacer(rows.length - last));
  };
  const show = () => {
    rows = sortedRows();
    from = -1;
    node.setAttribute("aria-rowcount", rows.length + 2);
    for (const [column, cell] of heads) {
      const { column: chosen, descending } = order.get();
      const way = descending ? "descending" : "ascending";
      cell.setAttribute("aria-sort", column === chosen ? way : "none");
    }
    paint();
  };
  shownRows.follow(() => {
    region.scrollTop = 0;
    show();
  });
  order.follow(show);
  selectedRow.follow(() => {
    from = -1;
    paint();
  });
  region.addEventListener("scroll", paint, { passive: true });
  onRepaint(() => {
    from = -1;
    paint();
  });
  inAddress("sort", {
    write: () => `${order.get().column?.id ?? ""}${order.get().descending ? "-" : ""}`,
    read(text) {
      const [, id, end] = text.match(/^([pr]\d{1,4})?(-?)$/) ?? [];
      if (end === undefined) return;
      order.set({ column: columnOf(id) ?? null, descending: end === "-" });
    },
  });
  grid.rows = () => rows;
  const csv = {
    type: "button",
    id: "points-csv",
    "aria-label": "Save the points as CSV",
    onclick: () => saveNumbers("points", gridNumbers(rows)),
  };
  return section(
    "points",
    "Points",
    "A head sorts; the field below it keeps some points: >4, <=0.5, 4..8 for numbers, a part of " +
      "the text for others, with | between several. A click on a point shows it above.",
    filterStatus(),
    region,
    html("div", { class: "exports" }, html("button", csv, "CSV")),
  );
}

const grid = { rows: () => [] };
