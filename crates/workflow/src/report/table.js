// Tables of rows of cells: texts, and numbers by the format of their column.

const formatPlain = (value) => significant(value);

/** A table; a column is `[title, format]`, and text without a format. */
function rowsTable(id, caption, columns, rows) {
  const numeric = (format) => (format ? "number" : undefined);
  const heads = columns.map(([title, format]) =>
    html("th", { scope: "col", class: numeric(format) }, title),
  );
  const cell = ([, format], value, index) => {
    const text = format ? format(value) : value;
    if (index === 0) return html("th", { scope: "row" }, text);
    return html("td", { class: numeric(format) }, text);
  };
  const row = (values) =>
    html("tr", {}, columns.map((column, index) => cell(column, values[index], index)));
  const table = html(
    "table",
    { id },
    html("caption", {}, caption),
    html("thead", {}, html("tr", {}, heads)),
    html("tbody", {}, rows.map(row)),
  );
  const region = { class: "table", role: "region", "aria-label": caption, tabindex: 0 };
  return html("div", region, table);
}
