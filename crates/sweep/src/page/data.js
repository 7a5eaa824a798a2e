// The data of a sweep: its columns, which are parameters first and results then.

const data = loadData();
const modelName = data.model;
const { table } = data;
const ROWS = table.index.length;

function formatNumber(unit) {
  if (unit === "s") return (value) => formatTime(value);
  if (unit === "B") return (value) => formatBytes(value);
  const end = unit === "" ? "" : NARROW_SPACE + unit;
  return (value) => {
    const size = Math.abs(value);
    const text = size !== 0 && size < 1e-4 ? value.toExponential(3) : significant(value);
    return text + end;
  };
}

/** A parameter: numbers are drawn by their size, texts by their order. */
function parameterColumn(parameter, index) {
  const { name, values, place, is_numeric: numeric, unit } = parameter;
  const numbers = Float64Array.from(values, (text, at) => (numeric ? Number.parseFloat(text) : at));
  return {
    id: `p${index}`,
    name,
    title: numeric && unit !== "" ? `${name} (${unit})` : name,
    parameter,
    numeric,
    values: numbers,
    count: values.length,
    value: (row) => numbers[place[row]],
    place: (row) => place[row],
    text: (row) => values[place[row]],
    format: (value) => (numeric ? `${significant(value, 6)}${unit}` : (values[value] ?? "")),
  };
}

function measureColumn(measure, index) {
  const { name, unit, mean, half_width: half } = measure;
  const format = formatNumber(unit);
  return {
    id: `r${index}`,
    name,
    title: name,
    measure,
    numeric: true,
    unit,
    value: (row) => mean[row],
    half: (row) => (half.length > 0 ? half[row] : NaN),
    text: (row) => (Number.isNaN(mean[row]) ? "" : format(mean[row])),
    format,
  };
}

const PARAMETERS = table.parameters.map(parameterColumn);
const MEASURES = table.measures.map(measureColumn);
const COLUMNS = [...PARAMETERS, ...MEASURES];
/** The parameters that were varied. */
const VARIED = PARAMETERS.filter((column) => column.count > 1);

function columnOf(id) {
  return COLUMNS.find((column) => column.id === id);
}

/** The better of two values of a measure is less. */
function cost({ measure }, value) {
  return measure?.more_is_better ? -value : value;
}

/** The row with the best value of a measure, or -1. */
function bestRow(column) {
  let best = -1;
  for (let row = 0; row < ROWS; row++) {
    const value = cost(column, column.value(row));
    if (!(value >= cost(column, column.value(best))) && !Number.isNaN(value)) best = row;
  }
  return best;
}

/** A number that looks random, by which rows are chosen where there are too many. */
function mixed(row) {
  let number = Math.imul(row ^ (row >>> 16), 0x85ebca6b);
  number = Math.imul(number ^ (number >>> 13), 0xc2b2ae35);
  return (number ^ (number >>> 16)) >>> 0;
}

/** At most this number of rows, in their order: always the same ones. */
function sampleRows(rows, most) {
  if (rows.length <= most) return Array.from(rows);
  const limit = Array.from(rows, mixed).sort((a, b) => a - b)[most];
  return Array.from(rows).filter((row) => mixed(row) < limit);
}

/** A row by the index of its point in the sweep, or -1: indices ascend. */
function rowOfPoint(point) {
  let [from, to] = [0, ROWS];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (table.index[middle] < point) from = middle + 1;
    else to = middle;
  }
  return table.index[from] === point ? from : -1;
}

/** What goals have found: the rows of the points, those nearly as good, and their columns. */
const MARKED = data.marked.map(({ title, about, columns, points, next }) => {
  const rows = (indices) => indices.map(rowOfPoint).filter((row) => row >= 0);
  const named = columns.map((name) => COLUMNS.find((column) => column.name === name));
  return { title, about, columns: named.filter(Boolean), rows: rows(points), next: rows(next) };
});

/** The values of a row, as `[name, text]`. */
function describeRow(row) {
  return COLUMNS.map((column) => [column.name, column.text(row)]);
}
