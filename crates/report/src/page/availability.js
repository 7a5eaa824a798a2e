// Bandwidth availability: each message at the bandwidth that it found on shared links.

const FLOW_NEAR = 8;
const FLOW_STROKES = 64;

/** What is known of a message, in words. */
function describeFlow(flow) {
  const { flows } = data.network;
  const rows = [
    ["Most loaded link", linkName(flows.link[flow])],
    ["Available", formatBandwidth(flows.available_bytes_per_s[flow])],
    ["Without background", formatBandwidth(flows.clear_bytes_per_s[flow])],
    ["Size", formatBytes(flows.bytes[flow])],
    ["Left", formatTime(flows.start_s[flow], 6)],
    ["Took", formatTime(flows.end_s[flow] - flows.start_s[flow])],
  ];
  return { title: `Message from ${flows.from[flow]} to ${flows.to[flow]}`, rows };
}

/** The message that is drawn nearest to a place, or -1. */
function flowAt({ x, y }, left, top) {
  const { flows } = data.network;
  let [found, least] = [-1, FLOW_NEAR];
  for (let flow = 0; flow < flows.from.length; flow++) {
    const outside = Math.max(x(flows.start_s[flow]) - left, left - x(flows.end_s[flow]), 0);
    const away = Math.abs(y(flows.available_bytes_per_s[flow]) - top) + outside;
    if (away < least) [found, least] = [flow, away];
  }
  return found;
}

function drawFlows(context, { x, y }, chosen) {
  const { flows } = data.network;
  const palette = colors();
  const count = flows.from.length;
  context.strokeStyle = palette.accent;
  context.globalAlpha = Math.max(0.2, Math.min(0.9, 12 / Math.sqrt(count)));
  context.lineWidth = 2;
  // Lines of one stroke do not add up where they cross, and a stroke for each takes long.
  for (let first = 0; first < Math.min(count, FLOW_STROKES); first++) {
    context.beginPath();
    for (let flow = first; flow < count; flow += FLOW_STROKES) {
      const [left, right] = [x(flows.start_s[flow]), x(flows.end_s[flow])];
      const height = y(flows.available_bytes_per_s[flow]);
      context.moveTo(left, height);
      context.lineTo(Math.max(right, left + 1), height);
    }
    context.stroke();
  }
  context.globalAlpha = 1;
  if (chosen >= 0) {
    const height = y(flows.available_bytes_per_s[chosen]);
    const [left, right] = [x(flows.start_s[chosen]), x(flows.end_s[chosen])];
    context.strokeStyle = palette.text;
    context.strokeRect(left - 2, height - 3, Math.max(right - left, 1) + 4, 6);
  }
  context.lineWidth = 1;
}

/** Each message as a line, from its start to its end, at the bandwidth that it found. */
function availabilityChart() {
  const { flows } = data.network;
  const high = maximum(flows.available_bytes_per_s) || 1;
  let layout = networkLayout(high, 1, 1);
  let chosen = -1;
  const choose = (flow, say) => {
    if (flow === chosen) return;
    chosen = flow;
    chart.redraw();
    if (flow < 0 || !say) return;
    const { title, rows } = describeFlow(flow);
    announce(`${title}. ${rows.map((row) => row.join(" ")).join(", ")}`);
  };
  const step = (by) => () =>
    choose(Math.min(Math.max(chosen + by, 0), flows.from.length - 1), true);
  const chart = canvasChart({
    id: "availability",
    label:
      "Bandwidth availability: each message at the bandwidth of the most loaded link on its " +
      "route. Arrow keys step through the messages.",
    height: 240,
    draw(context, width, height) {
      layout = networkLayout(high, width, height);
      drawNetworkAxes(context, layout, formatBandwidth);
      drawFlows(context, layout, chosen);
    },
    hover(x, y) {
      choose(flowAt(layout, x, y), false);
      return chosen < 0 ? null : describeFlow(chosen);
    },
    leave: () => choose(-1, false),
    keys: { ArrowRight: step(1), ArrowLeft: step(-1) },
    read: () => ({ chosen, high, messages: flows.from.length }),
  });
  chart.box.append(
    canvasExports("availability", "Bandwidth availability", chart, availabilityNumbers),
  );
  return chart.box;
}

function availabilityNumbers() {
  const { flows } = data.network;
  return {
    heads: [
      "from",
      "to",
      "start_s",
      "end_s",
      "bytes",
      "link",
      "available_bytes_per_s",
      "clear_bytes_per_s",
    ],
    rows: Array.from(flows.from, (from, flow) => [
      from,
      flows.to[flow],
      flows.start_s[flow],
      flows.end_s[flow],
      flows.bytes[flow],
      linkName(flows.link[flow]),
      flows.available_bytes_per_s[flow],
      flows.clear_bytes_per_s[flow],
    ]),
  };
}
