// Who sends how much to whom.

const MATRIX_FRAME = { left: 52, top: 30, right: 8, bottom: 8 };
const MATRIX_SIDE_MAX = 520;

/** `12`, or `12–15` where a cell stands for several processes. */
function matrixName(index) {
  const { block } = data.matrix;
  if (block <= 1) return String(index);
  const last = Math.min((index + 1) * block, data.run.processes) - 1;
  return `${index * block}\u2013${last}`;
}

/** The cells by place in a full matrix of at most `side` rows; cells that share one are added. */
function matrixBins(column, side) {
  const { size, from, to } = data.matrix;
  const bins = Math.min(size, side);
  const values = new Float64Array(bins * bins);
  for (let cell = 0; cell < from.length; cell++) {
    const row = Math.floor((from[cell] * bins) / size);
    values[row * bins + Math.floor((to[cell] * bins) / size)] += column[cell];
  }
  return { bins, values };
}

/** A scale from the least to the most; by powers where they are far apart. */
function matrixScale(values) {
  let [least, most] = [Infinity, 0];
  for (const value of values) {
    if (value > 0 && value < least) least = value;
    if (value > most) most = value;
  }
  if (most === 0) return { least: 0, most: 0, share: () => 0 };
  const logarithmic = most / least > 50;
  const share = (value) => {
    if (most === least) return 1;
    if (logarithmic) return 0.1 + 0.9 * (Math.log(value / least) / Math.log(most / least));
    return 0.1 + 0.9 * ((value - least) / (most - least));
  };
  return { least, most, logarithmic, share };
}

/** The cells of the matrix by row and column. */
function matrixCells() {
  const { matrix } = data;
  const cells = new Map();
  for (let cell = 0; cell < matrix.from.length; cell++) {
    cells.set(matrix.from[cell] * matrix.size + matrix.to[cell], cell);
  }
  return cells;
}

function describeCell(cells, { row, column }) {
  const { matrix } = data;
  const cell = cells.get(row * matrix.size + column);
  const amount = (name) => (cell === undefined ? 0 : matrix[name][cell]);
  return {
    title: `${matrixName(row)} \u2192 ${matrixName(column)}`,
    rows: [
      ["Bytes", formatBytes(amount("bytes"))],
      ["Messages", formatCount(amount("messages"))],
    ],
  };
}

function drawMatrixPicture(context, state) {
  const { bins, values } = matrixBins(data.matrix[state.measure], Math.floor(state.side));
  state.scale = matrixScale(values);
  const picture = document.createElement("canvas");
  picture.width = picture.height = bins;
  const target = picture.getContext("2d");
  const image = target.createImageData(bins, bins);
  for (let index = 0; index < values.length; index++) {
    if (values[index] === 0) continue;
    image.data.set([...rampChannels(state.scale.share(values[index])), 255], index * 4);
  }
  target.putImageData(image, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(picture, MATRIX_FRAME.left, MATRIX_FRAME.top, state.side, state.side);
  context.strokeStyle = colors().line;
  context.strokeRect(MATRIX_FRAME.left + 0.5, MATRIX_FRAME.top + 0.5, state.side, state.side);
}

function drawMatrixLabels(context, { side }) {
  const { size, block } = data.matrix;
  const each = side / size;
  context.fillStyle = colors().muted;
  context.textBaseline = "middle";
  for (let index = 0; index < size; index += roundStep(34 / each)) {
    const place = (index + 0.5) * each;
    const text = String(index * block);
    context.textAlign = "right";
    context.fillText(text, MATRIX_FRAME.left - 6, MATRIX_FRAME.top + place);
    context.textAlign = "center";
    context.fillText(text, MATRIX_FRAME.left + place, MATRIX_FRAME.top - 8);
  }
  context.textAlign = "left";
  context.fillText("to \u2192", 2, MATRIX_FRAME.top - 20);
  context.fillText("from \u2193", 2, MATRIX_FRAME.top - 6);
}

function drawMatrixCursor(context, { side, cursor }) {
  if (cursor.row < 0) return;
  const each = side / data.matrix.size;
  const [x, y] = [MATRIX_FRAME.left + cursor.column * each, MATRIX_FRAME.top + cursor.row * each];
  context.strokeStyle = colors().text;
  context.lineWidth = 2;
  context.strokeRect(x, y, Math.max(each, 2), Math.max(each, 2));
  context.lineWidth = 1;
}

function matrixChart(state) {
  const { matrix } = data;
  const { size } = matrix;
  const cells = matrixCells();
  const { left, top, right, bottom } = MATRIX_FRAME;
  const move = (down, along) => () => {
    const keep = (value) => Math.min(Math.max(value, 0), size - 1);
    const { row, column } = state.cursor;
    state.cursor =
      row < 0 ? { row: 0, column: 0 } : { row: keep(row + down), column: keep(column + along) };
    chart.redraw();
    const { title, rows } = describeCell(cells, state.cursor);
    announce(`${title}: ${rows.map((entry) => entry.join(" ")).join(", ")}`);
  };
  const chart = canvasChart({
    id: "matrix",
    label: "Communication matrix: rows send, columns receive. Arrow keys move from cell to cell.",
    height: (width) => Math.min(width - left - right, MATRIX_SIDE_MAX) + top + bottom,
    draw(context, width, height) {
      state.side = Math.min(width - left - right, height - top - bottom);
      drawMatrixPicture(context, state);
      drawMatrixLabels(context, state);
      drawMatrixCursor(context, state);
      state.scaled();
    },
    hover(x, y) {
      const column = Math.floor(((x - left) / state.side) * size);
      const row = Math.floor(((y - top) / state.side) * size);
      const inside = row >= 0 && row < size && column >= 0 && column < size;
      return inside ? describeCell(cells, { row, column }) : null;
    },
    keys: {
      ArrowUp: move(-1, 0),
      ArrowDown: move(1, 0),
      ArrowLeft: move(0, -1),
      ArrowRight: move(0, 1),
    },
    read: () => ({
      size,
      bytes: sum(matrix.bytes),
      messages: sum(matrix.messages),
      cells: Array.from(matrix.from.subarray(0, 10000), (from, cell) => ({
        from,
        to: matrix.to[cell],
        bytes: matrix.bytes[cell],
        messages: matrix.messages[cell],
      })),
    }),
  });
  chart.box.append(
    canvasExports("matrix", "Messages", chart, () => ({
      heads: ["from", "to", "bytes", "messages"],
      rows: Array.from(matrix.from, (from, cell) => [
        matrixName(from),
        matrixName(matrix.to[cell]),
        matrix.bytes[cell],
        matrix.messages[cell],
      ]),
    })),
  );
  return chart;
}

function matrixTable() {
  const { matrix } = data;
  const most = maximum(matrix.bytes) || 1;
  const order = Array.from(matrix.from, (_, cell) => cell)
    .sort((a, b) => matrix.bytes[b] - matrix.bytes[a] || matrix.messages[b] - matrix.messages[a])
    .slice(0, 500);
  const columns = [
    {
      title: "From",
      numeric: true,
      value: (cell) => matrix.from[cell],
      cell: (cell) => matrixName(matrix.from[cell]),
    },
    {
      title: "To",
      numeric: true,
      value: (cell) => matrix.to[cell],
      cell: (cell) => matrixName(matrix.to[cell]),
    },
    {
      title: "Messages",
      numeric: true,
      value: (cell) => matrix.messages[cell],
      cell: (cell) => formatCount(matrix.messages[cell]),
    },
    {
      title: "Bytes",
      numeric: true,
      value: (cell) => matrix.bytes[cell],
      cell: (cell) => [formatBytes(matrix.bytes[cell]), bar(matrix.bytes[cell] / most)],
    },
  ];
  return sortableTable({
    id: "matrix-table",
    caption: "Pairs that exchange the most",
    columns,
    rows: order,
    sort: 3,
  });
}

function matrixView() {
  const { matrix } = data;
  if (!matrix || matrix.size === 0) return null;
  const total = sum(matrix.messages);
  const lead =
    total === 0
      ? "No messages were sent."
      : `${plural(total, "message")} with ${formatBytes(sum(matrix.bytes))} in all. ` +
        "Rows send, columns receive.";
  if (total === 0) return section("messages", "Messages", lead);
  const state = {
    measure: "bytes",
    scale: null,
    side: 1,
    cursor: { row: -1, column: -1 },
    scaled: () => {},
  };
  const key = html("span", {});
  const chart = matrixChart(state);
  state.scaled = () => {
    const format = state.measure === "bytes" ? formatBytes : formatCount;
    const { least, most, logarithmic } = state.scale;
    key.replaceChildren(rampLegend(format(least), format(most) + (logarithmic ? " (log)" : "")));
  };
  const measure = select(
    "matrix-measure",
    [
      ["bytes", "bytes"],
      ["messages", "messages"],
    ],
    (value) => {
      state.measure = value;
      chart.redraw();
    },
  );
  return section(
    "messages",
    "Messages",
    lead,
    html("div", { class: "controls" }, control("Show", measure), key),
    html("div", { class: "split wide" }, chart.box, matrixTable().node),
  );
}
