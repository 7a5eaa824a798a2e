// The slice of the space that charts of one or two parameters show: the others are fixed.

const FIXED_MAX = 200;
const ALL = "all";

/** By column, the place of the value at which it is fixed, or `all` for the mean over all. */
const slice = observable(
  new Map(
    VARIED.map((column) => {
      const row = selectedRow.get();
      const few = column.count <= FIXED_MAX && row >= 0;
      return [column.id, few ? String(column.place(row)) : ALL];
    }),
  ),
);

/** The rows of the slice, in which some columns are not fixed. */
function sliceRows(free) {
  const fixed = VARIED.filter((column) => !free.includes(column))
    .map((column) => [column, slice.get().get(column.id)])
    .filter(([, place]) => place !== ALL)
    .map(([column, place]) => [column, Number(place)]);
  const rows = [];
  for (let row = 0; row < ROWS; row++) {
    if (fixed.every(([column, place]) => column.place(row) === place)) rows.push(row);
  }
  return rows;
}

/** The slice in words. */
function describeSlice(free) {
  const parts = VARIED.filter((column) => !free.includes(column)).map((column) => {
    const place = slice.get().get(column.id);
    const value = place === ALL ? "the mean over all" : column.parameter.values[place];
    return `${column.name} = ${value}`;
  });
  return parts.length === 0 ? "" : `With ${parts.join(", ")}.`;
}

/** A control for each parameter that was varied. */
function sliceControls() {
  if (VARIED.length < 2) return null;
  const controls = VARIED.map((column) => {
    const few = column.count <= FIXED_MAX;
    const values = few ? column.parameter.values.map((text, place) => [place, text]) : [];
    const input = select(`at-${column.id}`, [...values, [ALL, "all (mean)"]], (place) => {
      slice.set(new Map(slice.get()).set(column.id, String(place)));
    });
    input.value = slice.get().get(column.id);
    return control(column.name, input);
  });
  return html(
    "details",
    { class: "slice" },
    html("summary", {}, "Values of the parameters that a chart does not show"),
    html("div", { class: "controls" }, controls),
  );
}
