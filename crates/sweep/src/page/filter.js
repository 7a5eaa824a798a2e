// Which rows are shown: those that pass the filter of each column.

const FILTER_LENGTH_MAX = 200;
const COMPARISON = /^(<=|>=|<|>|=)?\s*(-?[\d.]+(?:e[-+]?\d+)?)$/i;
const RANGE = /^(-?[\d.]+(?:e[-+]?\d+)?)\s*\.\.\s*(-?[\d.]+(?:e[-+]?\d+)?)$/i;

/** The texts of the filters by column, without empty ones. */
const filters = observable(new Map());

/** The rows that pass all filters. */
const shownRows = observable(Uint32Array.from({ length: ROWS }, (_, row) => row));

/** The range that a filter of numbers lets through: `4`, `>4`, `<=4`, `4..8`; or null. */
function filterRange(text) {
  const [, from, to] = text.match(RANGE) ?? [];
  if (from !== undefined) return { from: Number(from), to: Number(to) };
  const [, sign = "=", digits] = text.match(COMPARISON) ?? [];
  const value = Number(digits);
  if (digits === undefined || Number.isNaN(value)) return null;
  if (sign === "=") return { from: value, to: value };
  if (sign[0] === "<") return { from: -Infinity, to: value, open: sign === "<" };
  return { from: value, to: Infinity, open: sign === ">" };
}

function rangeTest({ from, to, open }) {
  if (open) return (value) => value > from && value < to;
  return (value) => value >= from && value <= to;
}

/** Texts in which one of the words between `|` is; a word after `=` must be all of it. */
function wordsTest(text) {
  const words = text
    .toLowerCase()
    .split("|")
    .map((word) => word.trim())
    .filter((word) => word !== "" && word !== "=");
  return (value) => {
    const found = value.toLowerCase();
    return words.some((word) => (word[0] === "=" ? found === word.slice(1) : found.includes(word)));
  };
}

/** What tells of each row whether it passes; null if the text is no filter of this column. */
function filterOf(column, text) {
  const range = column.numeric ? filterRange(text) : null;
  if (range) {
    const test = rangeTest(range);
    return (row) => test(column.value(row));
  }
  if (column.measure) return null;
  const test = wordsTest(text);
  const passing = column.parameter.values.map(test);
  return (row) => passing[column.place(row)];
}

filters.follow((texts) => {
  const tests = [];
  for (const [id, text] of texts) {
    const test = filterOf(columnOf(id), text);
    if (test) tests.push(test);
  }
  if (tests.length === 0 && shownRows.get().length === ROWS) return;
  const rows = [];
  for (let row = 0; row < ROWS; row++) if (tests.every((test) => test(row))) rows.push(row);
  shownRows.set(Uint32Array.from(rows));
});

function setFilter(column, text) {
  const next = new Map(filters.get());
  const kept = text.trim().slice(0, FILTER_LENGTH_MAX);
  if (kept === "") next.delete(column.id);
  else next.set(column.id, kept);
  filters.set(next);
}

for (const column of COLUMNS) {
  inAddress(`only-${column.id}`, {
    write: () => filters.get().get(column.id) ?? "",
    read: (text) => setFilter(column, text),
  });
}

/** What is shown, in words, and a button that shows all again. */
function filterStatus() {
  const words = html("output", {});
  const clear = { type: "button", onclick: () => filters.set(new Map()) };
  const button = html("button", clear, "Show all");
  shownRows.follow((rows) => {
    const all = rows.length === ROWS;
    words.textContent = all
      ? `All ${plural(ROWS, "point")}`
      : `${formatCount(rows.length)} of ${plural(ROWS, "point")} pass the filters`;
    button.hidden = all;
  });
  return html("div", { class: "controls" }, words, button);
}
