// Charts as pictures and their numbers as CSV: files that the page makes and the browser saves.

const CSV_ROWS_EACH = 10000;
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const PRESENTATION = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linejoin",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "font-style",
  "text-anchor",
  "dominant-baseline",
  "paint-order",
];

/**
 * A cell of CSV (RFC 4180). What a spreadsheet would take for a formula has an apostrophe before
 * it; numbers are no texts and are written as they are.
 */
function csvCell(value) {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[,;"\n\r\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The lines of CSV, in pieces: one text of a million lines is too long. */
function csvPieces({ heads, rows }) {
  const pieces = [`${heads.map(csvCell).join(",")}\n`];
  let lines = "";
  let count = 0;
  for (const row of rows) {
    lines += `${row.map(csvCell).join(",")}\n`;
    if (++count % CSV_ROWS_EACH === 0) {
      pieces.push(lines);
      lines = "";
    }
  }
  pieces.push(lines);
  return pieces;
}

/** A name that every system takes, whatever the model is called. */
function fileName(id, ending) {
  const model = modelName.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 60);
  return `${model || "model"}-${id}.${ending}`;
}

function saveFile(name, blob) {
  const address = URL.createObjectURL(blob);
  const link = html("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60000);
  announce(`Saved ${name}.`);
}

function saveNumbers(id, numbers) {
  saveFile(fileName(id, "csv"), new Blob(csvPieces(numbers), { type: "text/csv;charset=utf-8" }));
}

/** A canvas as it is seen, on the page's ground. */
function savePng(id, chart) {
  chart.paintNow();
  const copy = document.createElement("canvas");
  copy.width = chart.canvas.width;
  copy.height = chart.canvas.height;
  const context = copy.getContext("2d");
  context.fillStyle = colors().background;
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(chart.canvas, 0, 0);
  copy.toBlob((blob) => saveFile(fileName(id, "png"), blob), "image/png");
}

/** A node of a drawing with the looks that the page's style sheet gives it. */
function copyLooks(node) {
  const looks = getComputedStyle(node);
  if (looks.display === "none") return null;
  const copy = svg(node.localName, {});
  for (const { name, value } of node.attributes) {
    if (name !== "style" && name !== "class" && name !== "tabindex") copy.setAttribute(name, value);
  }
  for (const name of PRESENTATION) copy.setAttribute(name, looks.getPropertyValue(name));
  return copy;
}

/** A drawing as a file of its own, which no style sheet reaches. */
function standaloneDrawing(drawing) {
  const box = drawing.getBBox();
  const [x, y, width, height] = [box.x - 8, box.y - 8, box.width + 16, box.height + 16];
  const size = { viewBox: `${x} ${y} ${width} ${height}`, width, height };
  const root = svg("svg", size);
  root.append(svg("rect", { x, y, width, height, fill: colors().background }));
  const work = [[drawing, root]];
  while (work.length > 0) {
    const [from, to] = work.pop();
    for (const child of from.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) to.append(child.data);
      if (child.nodeType !== Node.ELEMENT_NODE) continue;
      const copy = copyLooks(child);
      if (!copy) continue;
      to.append(copy);
      work.push([child, copy]);
    }
  }
  return new XMLSerializer().serializeToString(root);
}

function saveSvg(id, drawing) {
  const type = "image/svg+xml;charset=utf-8";
  saveFile(fileName(id, "svg"), new Blob([standaloneDrawing(drawing)], { type }));
}

/** Two buttons at a chart: its picture, and its numbers as `{ heads, rows }`. */
function exportButtons({ id, title, kind, picture, numbers }) {
  const save = (format, action) =>
    html(
      "button",
      {
        type: "button",
        id: `${id}-${format.toLowerCase()}`,
        "aria-label": `Save ${title} as ${format}`,
        title: `Save ${title} as ${format}`,
        onclick: action,
      },
      format,
    );
  return html(
    "div",
    { class: "exports" },
    save(kind, picture),
    save("CSV", () => saveNumbers(id, numbers())),
  );
}

function canvasExports(id, title, chart, numbers) {
  return exportButtons({ id, title, kind: "PNG", picture: () => savePng(id, chart), numbers });
}

function drawingExports(id, title, drawing, numbers) {
  return exportButtons({ id, title, kind: "SVG", picture: () => saveSvg(id, drawing), numbers });
}
