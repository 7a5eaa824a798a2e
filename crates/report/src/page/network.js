// The links that messages share: how much bandwidth messages found on them.

const NETWORK_FRAME = { left: 14, right: 92, top: 10, bottom: 28 };
const UNLISTED = 0xffffffff;

function formatBandwidth(bytesPerSecond) {
  return `${formatBytes(bytesPerSecond)}/s`;
}

function formatPackets(packetsPerSecond) {
  return `${significant(packetsPerSecond, 4)}${NARROW_SPACE}packets/s`;
}

function linkName(place) {
  return place === UNLISTED ? "(not listed)" : data.network.links.name[place];
}

/** The name of a load, which may be above all that messages can take where links change. */
function formatLoad(load) {
  return Number.isNaN(load) ? "\u2013" : formatShare(load);
}

/** Where times and values from 0 to `high` are in a chart of the network. */
function networkLayout(high, width, height) {
  const wide = width - NETWORK_FRAME.left - NETWORK_FRAME.right;
  const tall = height - NETWORK_FRAME.top - NETWORK_FRAME.bottom;
  const end = data.run.predicted_time_s;
  return {
    wide,
    tall,
    high,
    x: (time) => NETWORK_FRAME.left + (time / end) * wide,
    y: (value) => NETWORK_FRAME.top + tall - (value / high) * tall,
    time: (x) => ((x - NETWORK_FRAME.left) / wide) * end,
  };
}

function drawNetworkAxes(context, { wide, tall, high, y }, format) {
  const palette = colors();
  context.strokeStyle = palette.line;
  context.fillStyle = palette.muted;
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (const value of [0, high / 2, high]) {
    context.strokeRect(NETWORK_FRAME.left, Math.round(y(value)) + 0.5, wide + 4, 0);
    context.fillText(format(value), NETWORK_FRAME.left + wide + 8, y(value));
  }
  drawTimeAxis(context, {
    x: NETWORK_FRAME.left,
    y: NETWORK_FRAME.top + tall + 2,
    width: wide,
    low: 0,
    high: data.run.predicted_time_s,
  });
}

/** What messages found on each link that was the most loaded on their routes. */
function linkRows() {
  const { links, flows } = data.network;
  const rows = links.name.map((name, place) => ({
    name,
    mean: links.mean_load[place],
    most: links.most_load[place],
    messages: 0,
    least: Infinity,
    available: 0,
    clear: 0,
  }));
  flows.link.forEach((place, flow) => {
    const row = rows[place];
    if (!row) return;
    const available = flows.available_bytes_per_s[flow];
    row.messages++;
    row.least = Math.min(row.least, available);
    row.available += available;
    row.clear += flows.clear_bytes_per_s[flow];
  });
  for (const row of rows) {
    const none = row.messages === 0;
    row.least = none ? -1 : row.least;
    row.available = none ? -1 : row.available / row.messages;
    row.clear = none ? -1 : row.clear / row.messages;
  }
  return rows;
}

function linkTable() {
  const bandwidth = (title, value) => ({
    title,
    numeric: true,
    value,
    cell: (row) => (row.messages === 0 ? "\u2013" : formatBandwidth(value(row))),
  });
  const columns = [
    { title: "Link", value: (row) => row.name },
    {
      title: "Load, mean",
      numeric: true,
      value: (row) => row.mean,
      cell: (row) => [formatLoad(row.mean), bar(row.mean)],
    },
    { title: "most", numeric: true, value: (row) => row.most, cell: (row) => formatLoad(row.most) },
    {
      title: "Messages it limits",
      numeric: true,
      value: (row) => row.messages,
      cell: (row) => formatCount(row.messages),
    },
    bandwidth("Available to them, mean", (row) => row.available),
    bandwidth("least", (row) => row.least),
    bandwidth("without background", (row) => row.clear),
  ];
  const caption = "Links, their loads, and the messages for which they are the most loaded one";
  return sortableTable({ id: "network-links", caption, columns, rows: linkRows(), sort: 1 }).node;
}

function flowsStatus() {
  const { flows } = data.network;
  const listed = flows.from.length;
  const all = plural(flows.count, "message");
  if (listed === flows.count) return `${all} with bytes on shared links.`;
  return `${formatCount(listed)} of ${all} with bytes on shared links, evenly chosen.`;
}

function networkView() {
  const { network } = data;
  if (!network || network.flows.from.length === 0) return null;
  const { packet_bytes: packet } = network;
  const key = html(
    "ul",
    { class: "legend" },
    html("li", {}, html("span", { class: "stroke", "aria-hidden": "true" }), "with background"),
    html(
      "li",
      {},
      html("span", { class: "stroke dashed", "aria-hidden": "true" }),
      "without background",
    ),
  );
  return section(
    "network",
    "Network",
    "How much bandwidth messages found on the links that they share.",
    figure(
      "Bandwidth availability",
      html(
        "p",
        { class: "meaning" },
        "Each line is a message, from its start to its end, at the bandwidth of the most loaded " +
          "link on its route: what background load leaves of it, divided by the messages on it.",
      ),
      availabilityChart(),
      html("p", { class: "status", id: "network-status" }, flowsStatus()),
    ),
    figure(
      "Knee capacity",
      html(
        "p",
        { class: "meaning" },
        `That bandwidth in packets of ${formatCount(packet)} B a second: the mean over the ` +
          "messages that are on their way.",
      ),
      key,
      kneeChart(),
    ),
    topologyFigure(),
    linkTable(),
  );
}
