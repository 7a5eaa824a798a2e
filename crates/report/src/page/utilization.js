// How busy CPUs and links were over time.

const BUSY_FRAME = { left: 8, right: 92, top: 8, bottom: 28 };

/** Of all devices, for each step: the mean, the least and the most. */
function busyBand({ names, steps, values }) {
  const band = [];
  for (let step = 0; step < steps; step++) {
    let [total, least, most] = [0, Infinity, 0];
    for (let device = 0; device < names.length; device++) {
      const value = values[device * steps + step];
      total += value;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    band.push({ mean: total / names.length, least, most });
  }
  return band;
}

/** The value at the upper edge: all of the capacity, unless hardly any of it was ever used. */
function busyScale({ unit, values }) {
  const most = maximum(values) || 1;
  return unit === "" && most > 0.1 ? Math.max(1, most) : most;
}

function busyFormat(series) {
  if (series.unit === "") return formatShare;
  if (series.unit === "B/s") return (value) => `${formatBytes(value)}/s`;
  return (value) => `${significant(value)}${NARROW_SPACE}${series.unit}`;
}

/** Where the curve of a series is; `high` is the value at the upper edge. */
function busyLayout(series, high, width, height) {
  const wide = width - BUSY_FRAME.left - BUSY_FRAME.right;
  const tall = height - BUSY_FRAME.top - BUSY_FRAME.bottom;
  const x = (step) => BUSY_FRAME.left + (step / series.steps) * wide;
  const y = (value) => BUSY_FRAME.top + tall - (value / high) * tall;
  return { wide, tall, high, x, y };
}

function drawBusyGuides(context, series, { wide, high, y }) {
  const format = busyFormat(series);
  const palette = colors();
  context.strokeStyle = palette.line;
  context.fillStyle = palette.muted;
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (const value of [0, high / 2, high]) {
    context.strokeRect(BUSY_FRAME.left, Math.round(y(value)) + 0.5, wide + 4, 0);
    context.fillText(format(value), BUSY_FRAME.left + wide + 8, y(value));
  }
}

/** The mean as a line, the range as a band around it. */
function drawBusyBand(context, band, { x, y }) {
  const { accent } = colors();
  const trace = (pick) => {
    band.forEach((step, at) => {
      context.lineTo(x(at), y(pick(step)));
      context.lineTo(x(at + 1), y(pick(step)));
    });
  };
  context.beginPath();
  trace((step) => step.most);
  for (let at = band.length - 1; at >= 0; at--) {
    context.lineTo(x(at + 1), y(band[at].least));
    context.lineTo(x(at), y(band[at].least));
  }
  context.fillStyle = accent;
  context.globalAlpha = 0.22;
  context.fill();
  context.globalAlpha = 1;
  context.beginPath();
  trace((step) => step.mean);
  context.strokeStyle = accent;
  context.lineWidth = 1.5;
  context.stroke();
  context.lineWidth = 1;
}

function busyCurve(series, index) {
  const band = busyBand(series);
  const format = busyFormat(series);
  const high = busyScale(series);
  let layout = busyLayout(series, high, 1, 1);
  const chart = canvasChart({
    id: `utilization-${index}`,
    label: `${series.title}: mean over time, and the range from the least to the most busy.`,
    height: 150,
    draw(context, width, height) {
      layout = busyLayout(series, high, width, height);
      drawBusyGuides(context, series, layout);
      drawBusyBand(context, band, layout);
      drawTimeAxis(context, {
        x: BUSY_FRAME.left,
        y: BUSY_FRAME.top + layout.tall + 2,
        width: layout.wide,
        low: 0,
        high: series.step_s * series.steps,
      });
    },
    hover(x) {
      const step = Math.floor(((x - BUSY_FRAME.left) / layout.wide) * series.steps);
      if (!band[step]) return null;
      const at = step * series.step_s;
      return {
        title: `${series.title}, ${formatTime(at)} to ${formatTime(at + series.step_s)}`,
        rows: [
          ["Mean", format(band[step].mean)],
          ["Least", format(band[step].least)],
          ["Most", format(band[step].most)],
        ],
      };
    },
    read: () => band,
  });
  chart.box.append(
    canvasExports(`utilization-${index}`, series.title, chart, () => ({
      heads: ["start_s", "end_s", "mean", "least", "most"],
      rows: band.map(({ mean, least, most }, step) => [
        step * series.step_s,
        (step + 1) * series.step_s,
        mean,
        least,
        most,
      ]),
    })),
  );
  return chart.box;
}

/** Each device as a row, time to the right, busier is stronger. */
function busyMap(series, index) {
  const rows = series.names.length;
  const format = busyFormat(series);
  const most = busyScale(series);
  const picture = document.createElement("canvas");
  const wideOf = (width) => width - BUSY_FRAME.left - BUSY_FRAME.right;
  const height = Math.min(360, Math.max(48, rows * 14));
  const chart = canvasChart({
    id: `utilization-map-${index}`,
    label: `${series.title}: a row for each, busier is stronger.`,
    height,
    draw(context, width) {
      const [columns, bins] = [series.steps, Math.min(rows, height)];
      picture.width = columns;
      picture.height = bins;
      const target = picture.getContext("2d");
      const image = target.createImageData(columns, bins);
      for (let bin = 0; bin < bins; bin++) {
        const from = Math.floor((bin * rows) / bins);
        const to = Math.max(from + 1, Math.floor(((bin + 1) * rows) / bins));
        for (let step = 0; step < columns; step++) {
          let total = 0;
          for (let row = from; row < to; row++) total += series.values[row * columns + step];
          image.data.set(
            [...rampChannels(total / (to - from) / most), 255],
            (bin * columns + step) * 4,
          );
        }
      }
      target.putImageData(image, 0, 0);
      context.imageSmoothingEnabled = false;
      context.drawImage(picture, BUSY_FRAME.left, 0, wideOf(width), height);
      context.fillStyle = colors().muted;
      context.textBaseline = "middle";
      context.textAlign = "left";
      const each = height / rows;
      for (let row = 0; row < rows; row += Math.max(1, Math.ceil(16 / each))) {
        context.fillText(
          shortName(series.names[row]),
          BUSY_FRAME.left + wideOf(width) + 8,
          Math.min(Math.max((row + 0.5) * each, 7), height - 7),
          BUSY_FRAME.right - 12,
        );
      }
    },
    hover(x, y) {
      const step = Math.floor(((x - BUSY_FRAME.left) / wideOf(chart.width)) * series.steps);
      const row = Math.floor((y / height) * rows);
      if (step < 0 || step >= series.steps || row < 0 || row >= rows) return null;
      return {
        title: series.names[row],
        rows: [
          ["At", formatTime(step * series.step_s)],
          ["Busy", format(series.values[row * series.steps + step])],
        ],
      };
    },
    read: () => ({ names: series.names.length, steps: series.steps }),
  });
  chart.box.append(
    canvasExports(`utilization-map-${index}`, `${series.title} of each`, chart, () => ({
      heads: ["name", "start_s", "end_s", "value"],
      rows: Array.from(series.values, (value, place) => {
        const [row, step] = [Math.floor(place / series.steps), place % series.steps];
        return [series.names[row], step * series.step_s, (step + 1) * series.step_s, value];
      }),
    })),
  );
  return chart.box;
}

/** What fits beside a row. */
function shortName(name) {
  return name.length > 14 ? `${name.slice(0, 13)}…` : name;
}

/** The mean and the most of a device of a series, over time. */
function busyOf({ steps, values }, device) {
  const own = values.subarray(device * steps, (device + 1) * steps);
  return { mean: sum(own) / steps, most: maximum(own) };
}

/** What is a share of a capacity, of each node: so all of it can be read, and sorted. */
function busyTable(present) {
  const shares = present.filter((series) => series.unit === "");
  if (shares.length === 0) return null;
  const nodes = shares[0].names.map((name, node) => ({
    name,
    busy: shares.map((series) => busyOf(series, node)),
  }));
  const columns = [
    { title: "Node", value: (row) => row.name },
    ...shares.flatMap((series, index) => [
      {
        title: `${series.title}, mean`,
        numeric: true,
        value: (row) => row.busy[index].mean,
        cell: (row) => [formatShare(row.busy[index].mean), bar(row.busy[index].mean)],
      },
      {
        title: "most",
        numeric: true,
        value: (row) => row.busy[index].most,
        cell: (row) => formatShare(row.busy[index].most),
      },
    ]),
  ];
  return sortableTable({
    id: "utilization-table",
    caption: "How busy each node was: over the whole run, and at most",
    columns,
    rows: nodes,
  }).node;
}

function utilizationView() {
  const present = data.utilization.filter((series) => series.steps > 0 && series.names.length > 0);
  if (present.length === 0) return null;
  const blocks = present.map((series, index) => {
    const count = series.names.length;
    return figure(
      count > 1 ? `${series.title}: mean, and range over ${formatCount(count)}` : series.title,
      html("p", { class: "meaning" }, series.meaning),
      busyCurve(series, index),
      count > 1 ? busyMap(series, index) : null,
    );
  });
  return section(
    "utilization",
    "Utilization",
    "How busy CPUs and links were over time.",
    blocks,
    busyTable(present),
  );
}
