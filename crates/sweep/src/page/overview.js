// What was swept, and the best of it.

function overviewHeader() {
  const names = VARIED.map((column) => column.name).join(", ");
  const points = plural(table.points, "point");
  const nodes = [
    html("p", { class: "kicker" }, "Performance Prophet"),
    html("h1", {}, data.model),
    html("p", { class: "subtitle" }, names === "" ? points : `${points} over ${names}`),
  ];
  const best = overviewBest();
  if (!best) return nodes;
  const value = html("strong", { id: "best" }, best.text);
  const title = html("span", { class: "label" }, `${best.label}, at point `, pointLink(best.row));
  return [...nodes, html("p", { class: "prediction" }, title, " ", value)];
}

/** The least value that was asked for, or the best one of the first result; or null. */
function overviewBest() {
  const [found] = MARKED.filter(({ columns, rows }) => columns.length === 1 && rows.length > 0);
  if (found) {
    const [row] = found.rows;
    return { row, label: found.title, text: found.columns[0].text(row) };
  }
  const row = MEASURES.length > 0 ? bestRow(MEASURES[0]) : -1;
  if (row < 0) return null;
  const [measure] = MEASURES;
  const label = `${measure.measure.more_is_better ? "Most" : "Least"} ${measure.name}`;
  return { row, label, text: measure.text(row) };
}

/** What the reader must know of what is missing. */
function overviewNotes() {
  const notes = [...data.notes];
  if (ROWS < table.points) {
    notes.push(
      `This page has ${formatCount(ROWS)} of ${plural(table.points, "point")}, chosen by chance, ` +
        "and the best of each result: more would make it too large. Charts are of these points.",
    );
  }
  if (table.failed > 0) {
    notes.push(`${plural(table.failed, "point")} failed: the table of points has the reasons.`);
  }
  return notes.map((note) => html("p", { class: "note" }, note));
}

function describeValues(column) {
  const { values } = column.parameter;
  if (values.length <= 12) return values.join(", ");
  const count = formatCount(values.length);
  return `${values.slice(0, 3).join(", ")}, … ${values.at(-1)} (${count} values)`;
}

function overviewView() {
  const groups = [
    ["Parameters", PARAMETERS.map((column) => [column.name, describeValues(column)])],
    ["Results", MEASURES.map((column) => [column.name, column.measure.about])],
    ["Settings", data.facts.map(({ name, value }) => [name, value])],
  ].filter(([, facts]) => facts.length > 0);
  const blocks = groups.map(([title, facts]) =>
    html("div", { class: "facts" }, html("h3", {}, title), definitions(facts)),
  );
  const columns = html("div", { class: "columns" }, blocks);
  return section("sweep", "What was swept", null, overviewNotes(), columns);
}
