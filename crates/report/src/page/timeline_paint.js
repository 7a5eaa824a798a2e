// The space-time diagram: how it is drawn. A scene is all that drawing needs: the context, the
// plot's rectangle, the view, the colors, and what the controls are set to.

const MESSAGE_LINES_MAX = 3000;
const PATH_SEGMENTS_BOLD = 400;
const CRISP_RECORDS_MAX = 4000;
const RASTER_PIXELS_MAX = 1.5e6;
const HATCHED_LEAST = 6;

const xOf = ({ plot, view }, time) =>
  plot.left + ((time - view.t0) / (view.t1 - view.t0)) * plot.width;
const yOf = ({ plot, view }, row) =>
  plot.top + ((row - view.r0) / (view.r1 - view.r0)) * plot.height;
const rowHeight = ({ plot, view }) => plot.height / (view.r1 - view.r0);

/** How much is left of the color of what does not stand out. */
const PALE = 0.15;

/**
 * The classes of records with their colors. Where an element is looked for or marked, the
 * records of others have a paler class.
 */
function shades(options, palette) {
  const { classes, names } = options.coloring;
  const rgb = names.map((name) => channels(palette[name]));
  const [needle, chosen] = [wanted.get(), marked.get()];
  if (needle === "" && chosen === null) return { classes, rgb };
  const known = options.shaded;
  const isSame = known && known.needle === needle && known.chosen === chosen;
  if (!isSame || known.of !== classes) {
    const lit = data.elements.map((_, index) => isLit(index));
    const { element } = data.records;
    const paler = classes.map((name, record) =>
      lit[element[record]] ? name : name + names.length,
    );
    options.shaded = { needle, chosen, of: classes, classes: paler };
  }
  const ground = channels(palette.background);
  const pale = rgb.map((color) =>
    color.map((value, part) => ground[part] + (value - ground[part]) * PALE),
  );
  return { classes: options.shaded.classes, rgb: [...rgb, ...pale] };
}

/** Rows are whole in the picture; those that are seen in part reach beyond the plot. */
function drawPicture(scene) {
  const { context, plot, view, palette, options, shown, picture } = scene;
  const began = performance.now();
  const tall = Math.round(plot.height * pixelRatio());
  const whole = { ...view, r0: Math.floor(view.r0), r1: Math.ceil(view.r1) };
  const rows = whole.r1 - whole.r0;
  const bins = Math.min(rows, tall);
  const bound = rows <= tall ? whole : view;
  const wide = Math.min(
    Math.round(plot.width * pixelRatio()),
    Math.floor(RASTER_PIXELS_MAX / bins),
  );
  if (picture.width !== wide || picture.height !== bins) {
    picture.width = wide;
    picture.height = bins;
  }
  const target = picture.getContext("2d");
  const image = target.createImageData(wide, bins);
  const { classes, rgb } = shades(options, palette);
  shown.seen = rasterize(image, data.records, bound, classes, rgb, channels(palette.background));
  target.putImageData(image, 0, 0);
  context.imageSmoothingEnabled = false;
  const [top, bottom] = [yOf(scene, bound.r0), yOf(scene, bound.r1)];
  context.drawImage(picture, plot.left, top, plot.width, bottom - top);
  shown.raster_ms = performance.now() - began;
}

function drawGaps(scene) {
  const { context, plot, view, palette } = scene;
  const each = rowHeight(scene);
  if (each < 4) return;
  context.fillStyle = palette.background;
  const gap = Math.min(each * 0.16, 5);
  for (let row = Math.floor(view.r0); row <= Math.ceil(view.r1); row++) {
    context.fillRect(plot.left, yOf(scene, row) - gap / 2, plot.width, gap);
  }
}

function eachSeen({ view }, visit) {
  const { units, offsets, start_s: starts, end_s: ends } = data.records;
  const below = Math.min(Math.ceil(view.r1), units.length);
  for (let row = Math.floor(view.r0); row < below; row++) {
    const last = offsets[row + 1];
    for (let record = firstAbove(ends, offsets[row], last, view.t0); record < last; record++) {
      if (starts[record] >= view.t1) break;
      visit(row, record);
    }
  }
}

/** Hatchings of the colors that have one, in records that have room for them. */
function drawHatchings(scene) {
  const { context, plot, palette, options, shown } = scene;
  const { names, classes, hatchings } = options.coloring;
  if (!hatchings || shown.seen > CRISP_RECORDS_MAX) return;
  const { start_s: starts, end_s: ends } = data.records;
  const patterns = names.map((name) => hatching(context, hatchings[name], palette[name]));
  eachSeen(scene, (row, record) => {
    const pattern = patterns[classes[record]];
    if (!pattern || !isLit(data.records.element[record])) return;
    const left = Math.max(plot.left, xOf(scene, starts[record]));
    const right = Math.min(plot.left + plot.width, xOf(scene, ends[record]));
    if (right - left < HATCHED_LEAST) return;
    context.fillStyle = pattern;
    context.fillRect(left, yOf(scene, row), right - left, rowHeight(scene));
    shown.hatched++;
  });
}

/** Names in records that have room for them, and hairlines between records. */
function drawLabels(scene) {
  const { context, plot, palette, options, shown } = scene;
  const { element, start_s: starts, end_s: ends } = data.records;
  const each = rowHeight(scene);
  if (shown.seen > CRISP_RECORDS_MAX || each < 12) return;
  context.textAlign = "left";
  context.textBaseline = "middle";
  eachSeen(scene, (row, record) => {
    const left = Math.max(plot.left, xOf(scene, starts[record]));
    const right = Math.min(plot.left + plot.width, xOf(scene, ends[record]));
    if (right - left > 3) {
      context.fillStyle = palette.background;
      context.fillRect(right - 0.5, yOf(scene, row), 0.5, each);
    }
    const text = options.coloring.labels?.(record) ?? elementName(element[record]);
    if (!isLit(element[record])) return;
    if (right - left < 26 || context.measureText(text).width > right - left - 8) return;
    const name = options.coloring.names[options.coloring.classes[record]];
    context.fillStyle = inkOn(channels(palette[name]));
    context.fillText(text, left + 4, yOf(scene, row + 0.5) + 0.5);
  });
}

/** Lines from senders to receivers; of too many, every second, fourth, … by number. */
function drawMessages(scene) {
  const { context, view, palette, options, shown } = scene;
  shown.messages = shown.messagesSeen = 0;
  if (!data.messages || !options.messages) return;
  const { from, to, sent_s: sent, received_s: received } = data.messages;
  const last = firstAbove(sent, 0, sent.length, view.t1);
  const seen = (message) => {
    if (received[message] <= view.t0) return false;
    const [a, b] = [rowOfUnit(from[message]), rowOfUnit(to[message])];
    return a >= 0 && b >= 0 && Math.max(a, b) + 1 > view.r0 && Math.min(a, b) < view.r1;
  };
  for (let message = 0; message < last; message++) if (seen(message)) shown.messagesSeen++;
  let step = 1;
  while (shown.messagesSeen / step > MESSAGE_LINES_MAX) step *= 2;
  context.beginPath();
  for (let message = 0; message < last; message += step) {
    if (!seen(message)) continue;
    context.moveTo(xOf(scene, sent[message]), yOf(scene, rowOfUnit(from[message]) + 0.5));
    context.lineTo(xOf(scene, received[message]), yOf(scene, rowOfUnit(to[message]) + 0.5));
    shown.messages++;
  }
  context.strokeStyle = palette.text;
  context.globalAlpha = Math.max(0.15, Math.min(0.75, 20 / Math.sqrt(shown.messages + 1)));
  context.lineWidth = 1;
  context.stroke();
  context.globalAlpha = 1;
}

function drawPath(scene) {
  const { context, view, palette, options } = scene;
  const path = data.critical_path;
  if (!path || !options.path) return;
  const network = STATES.indexOf("network");
  context.beginPath();
  let [lastX, lastY] = [NaN, NaN];
  const first = firstAbove(path.end_s, 0, path.end_s.length, view.t0);
  for (let index = first; index < path.unit.length && path.start_s[index] <= view.t1; index++) {
    const row = rowOfUnit(path.unit[index]);
    // Of very many units, some are not drawn.
    if (row < 0) continue;
    const y = yOf(scene, row + 0.5);
    const [x0, x1] = [xOf(scene, path.start_s[index]), xOf(scene, path.end_s[index])];
    if (Math.abs(x1 - lastX) < 0.5 && y === lastY) continue;
    if (Number.isNaN(lastX)) context.moveTo(x0, y);
    else context.lineTo(x0, y);
    if (path.state[index] !== network) context.lineTo(x1, y);
    [lastX, lastY] = [x1, y];
  }
  context.lineJoin = "round";
  // A path that goes to and fro in each pixel must not hide all else.
  const below = firstAbove(path.end_s, 0, path.end_s.length, view.t1);
  const dense = below - first > PATH_SEGMENTS_BOLD;
  context.globalAlpha = dense ? 0.6 : 1;
  const strokes = [
    [5, palette.background],
    [2.5, palette.path],
  ];
  for (const [width, color] of dense ? [[1, palette.path]] : strokes) {
    context.lineWidth = width;
    context.strokeStyle = color;
    context.stroke();
  }
  context.lineWidth = 1;
  context.globalAlpha = 1;
}

function drawRowLabels(scene) {
  const { context, plot, view, palette } = scene;
  const { units } = data.records;
  context.textAlign = "right";
  context.textBaseline = "middle";
  const chosen = data.processes.pid[selectedProcess.get()];
  const step = roundStep(15 / rowHeight(scene));
  const first = Math.ceil(view.r0 / step) * step;
  for (let row = first; row < view.r1 && row < units.length; row += step) {
    const y = yOf(scene, row + 0.5);
    if (y < plot.top - 1 || y > plot.top + plot.height + 1) continue;
    const mine = Math.floor(units[row] / threads) === chosen;
    context.fillStyle = mine ? palette.text : palette.muted;
    context.font = mine ? chartFont("bold") : chartFont();
    const name = lanes[row - unitRows]?.label ?? unitName(units[row]);
    context.fillText(name, plot.left - 6, y);
  }
  context.font = chartFont();
}

/** Which part of the whole is seen, as bars at the right and below. */
function drawExtent({ context, plot, view, palette, end }) {
  const rows = data.records.units.length;
  context.fillStyle = palette.line;
  if (view.t1 - view.t0 < end) {
    const x = plot.left + (view.t0 / end) * plot.width;
    const wide = ((view.t1 - view.t0) / end) * plot.width;
    context.fillRect(x, plot.top + plot.height + 1, Math.max(4, wide), 3);
  }
  if (view.r1 - view.r0 < rows) {
    const y = plot.top + (view.r0 / rows) * plot.height;
    const tall = ((view.r1 - view.r0) / rows) * plot.height;
    context.fillRect(plot.left + plot.width + 2, y, 3, Math.max(4, tall));
  }
}

/** The chosen range: what is outside of it is dimmed. */
function drawRange(scene) {
  const { context, plot, palette, options } = scene;
  const range = options.draft ?? selectedRange.get();
  if (!range) return;
  const right = plot.left + plot.width;
  const keep = (x) => Math.min(Math.max(x, plot.left), right);
  const [from, to] = [keep(xOf(scene, range.from)), keep(xOf(scene, range.to))];
  context.fillStyle = palette.background;
  context.globalAlpha = 0.6;
  context.fillRect(plot.left, plot.top, from - plot.left, plot.height);
  context.fillRect(to, plot.top, right - to, plot.height);
  context.globalAlpha = 1;
  context.fillStyle = palette.accent;
  for (const x of [from, to]) context.fillRect(x - 1, plot.top, 2, plot.height);
}

/** What is under the pointer, and where the animator stands. */
function drawMarks(scene) {
  const { context, plot, view, palette, options } = scene;
  const { start_s: starts, end_s: ends } = data.records;
  if (options.hovered) {
    const { row, record } = options.hovered;
    const [x0, x1] = [xOf(scene, starts[record]), xOf(scene, ends[record])];
    context.strokeStyle = palette.text;
    context.lineWidth = 1.5;
    context.strokeRect(x0, yOf(scene, row), x1 - x0, rowHeight(scene));
    context.lineWidth = 1;
  }
  drawRange(scene);
  const time = simulatedTime.get();
  if (time > view.t0 && time <= view.t1) {
    context.fillStyle = palette.text;
    context.fillRect(xOf(scene, time) - 0.5, plot.top, 1, plot.height);
  }
}

function drawTimeline(scene) {
  const { context, plot, view, shown } = scene;
  context.save();
  context.beginPath();
  context.rect(plot.left, plot.top, plot.width, plot.height);
  context.clip();
  drawPicture(scene);
  shown.hatched = 0;
  drawHatchings(scene);
  drawGaps(scene);
  drawLabels(scene);
  drawMessages(scene);
  drawPath(scene);
  drawMarks(scene);
  context.restore();
  drawRowLabels(scene);
  drawExtent(scene);
  drawTimeAxis(context, {
    x: plot.left,
    y: plot.top + plot.height + 5,
    width: plot.width,
    low: view.t0,
    high: view.t1,
  });
}
