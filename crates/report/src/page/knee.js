// Knee capacity: the bandwidth that messages found, in packets a second, over time.

/** The knee capacity in each step: packets a second that the bandwidth is. */
function kneeSteps() {
  const { packet_bytes: packet, availability } = data.network;
  return Array.from(availability.mean_bytes_per_s, (mean, step) => ({
    start: step * availability.step_s,
    mean: mean / packet,
    least: availability.least_bytes_per_s[step] / packet,
    clear: availability.clear_bytes_per_s[step] / packet,
  }));
}

/** A stair through the steps in which there are messages. */
function drawKnee(context, steps, { x, y }, pick) {
  const step = data.network.availability.step_s;
  let before = false;
  context.beginPath();
  for (const entry of steps) {
    const value = pick(entry);
    if (!Number.isNaN(value)) {
      if (before) context.lineTo(x(entry.start), y(value));
      else context.moveTo(x(entry.start), y(value));
      context.lineTo(x(entry.start + step), y(value));
    }
    before = !Number.isNaN(value);
  }
  context.stroke();
}

function describeKnee({ start, mean, least, clear }) {
  const { step_s: step } = data.network.availability;
  const title = `Knee capacity, ${formatTime(start)} to ${formatTime(start + step)}`;
  if (Number.isNaN(mean)) return { title, rows: [["No message is on a link", ""]] };
  return {
    title,
    rows: [
      ["With background", formatPackets(mean)],
      ["Without", formatPackets(clear)],
      ["Least of a message", formatPackets(least)],
    ],
  };
}

/** The mean knee capacity of the messages on their way: solid with background, dashed without. */
function kneeChart() {
  const steps = kneeSteps();
  const high = maximum(steps.map(({ clear, mean }) => Math.max(clear || 0, mean || 0))) || 1;
  let layout = networkLayout(high, 1, 1);
  let chosen = -1;
  const stepTo = (by) => () => {
    chosen = Math.min(Math.max(chosen + by, 0), steps.length - 1);
    chart.redraw();
    const { title, rows } = describeKnee(steps[chosen]);
    announce(`${title}. ${rows.map((row) => row.join(" ")).join(", ")}`);
  };
  const chart = canvasChart({
    id: "knee",
    label:
      "Knee capacity over time, with background load as a solid line and without it as a dashed " +
      "one. Arrow keys step through time.",
    height: 180,
    draw(context, width, height) {
      layout = networkLayout(high, width, height);
      drawNetworkAxes(context, layout, (value) => `${significant(value, 3)}/s`);
      const { accent, receive, text } = colors();
      context.lineWidth = 2;
      context.strokeStyle = accent;
      drawKnee(context, steps, layout, ({ mean }) => mean);
      context.strokeStyle = receive;
      context.setLineDash([7, 4]);
      drawKnee(context, steps, layout, ({ clear }) => clear);
      context.setLineDash([]);
      context.lineWidth = 1;
      if (chosen < 0) return;
      context.fillStyle = text;
      const middle = steps[chosen].start + data.network.availability.step_s / 2;
      context.fillRect(layout.x(middle) - 0.5, NETWORK_FRAME.top, 1, layout.tall);
    },
    hover(x) {
      const step = steps[Math.floor((layout.time(x) / data.run.predicted_time_s) * steps.length)];
      return step ? describeKnee(step) : null;
    },
    keys: { ArrowRight: stepTo(1), ArrowLeft: stepTo(-1) },
    read: () => steps,
  });
  chart.box.append(
    canvasExports("knee", "Knee capacity", chart, () => ({
      heads: ["start_s", "packets_per_s", "clear_packets_per_s", "least_packets_per_s"],
      rows: steps.map(({ start, mean, clear, least }) => [start, mean, clear, least]),
    })),
  );
  return chart.box;
}
