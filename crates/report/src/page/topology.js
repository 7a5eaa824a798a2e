// A picture of the machine, its links colored by load.

/** Loads with numbers beside the lines, as long as there are few lines. */
const LINES_LABELED_MAX = 64;
/** Lines of no load must be seen, too. */
const RAMP_LEAST = 0.2;
const LINE_WIDTHS = [1.5, 6.5];

/** The loads of all links by place: over the run, at most, or at a time; NaN if not known. */
function loadsOf(kind, time) {
  const { links } = data.network;
  if (kind === "mean") return links.mean_load;
  if (kind === "most") return links.most_load;
  const loads = new Float64Array(links.name.length).fill(NaN);
  const step = Math.min(Math.floor(time / links.step_s), links.steps - 1);
  links.shown.forEach((place, row) => {
    loads[place] = links.load[row * links.steps + step];
  });
  return loads;
}

/** The lines of the picture, each with the places of its links. */
function topologyLines(drawing) {
  const { links } = data.network;
  const placeOf = new Map(Array.from(links.number, (number, place) => [number, place]));
  return [...drawing.querySelectorAll("path[data-links]")].map((line) => {
    if (!line.querySelector("title")) line.append(svg("title", {}));
    const numbers = line.getAttribute("data-links").split(" ").map(Number);
    const places = numbers.map((number) => placeOf.get(number));
    return { line, places: places.filter((place) => place !== undefined) };
  });
}

/** Colors a line by the most loaded of its links, and says the loads in words. */
function paintLine({ line, places, label }, loads) {
  const most = places.reduce((most, place) => Math.max(most, loads[place] || 0), 0);
  const [least, greatest] = LINE_WIDTHS;
  line.style.stroke = rampColor(RAMP_LEAST + (1 - RAMP_LEAST) * most);
  line.style.strokeWidth = least + (greatest - least) * Math.min(most, 1);
  line.classList.toggle("unused", places.length === 0);
  const words = places.map((place) => `${linkName(place)} ${formatLoad(loads[place])}`);
  line.querySelector("title").textContent = words.join(", ") || "no message took it";
  line.setAttribute("data-load", most);
  if (label) label.textContent = most > 0 ? formatPercent(most, 0) : "";
}

/** A place for the load of each line, at a third of its way; the drawing must be on the page. */
function labelLines(lines) {
  for (const entry of lines) {
    const length = entry.line.getTotalLength();
    if (!(length > 0)) continue;
    const { x, y } = entry.line.getPointAtLength(length / 3);
    entry.label = svg("text", { class: "load", x, y, "text-anchor": "middle" });
    entry.line.after(entry.label);
  }
}

function topologySlider(changed) {
  const { steps, step_s: step } = data.network.links;
  const slider = html("input", {
    id: "topology-time",
    type: "range",
    min: 0,
    max: Math.max(steps - 1, 0),
    value: 0,
    step: 1,
    "aria-label": "Time of the load",
    oninput: () => simulatedTime.set((Number(slider.value) + 0.5) * step),
  });
  const output = html("output", { for: "topology-time", id: "topology-now" });
  simulatedTime.follow((time) => {
    const at = Math.min(Math.floor(time / step), steps - 1);
    slider.value = String(at);
    output.textContent = `${formatTime(at * step)} to ${formatTime((at + 1) * step)}`;
    slider.setAttribute("aria-valuetext", output.textContent);
    changed();
  });
  return html("span", { class: "control" }, slider, output);
}

function topologyNumbers(loads) {
  const { links } = data.network;
  return {
    heads: ["link", "bytes_per_s", "background", "load"],
    rows: links.name.map((name, place) => [
      name,
      links.bytes_per_s[place],
      links.background[place],
      loads[place],
    ]),
  };
}

function topologyFigure() {
  const { picture, links } = data.network;
  const drawing = picture ? copyDrawing(picture, "machine-") : null;
  if (!drawing) return null;
  drawing.querySelector(".ground")?.remove();
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", "Nodes, switches and links of the machine; the table has all");
  const lines = topologyLines(drawing);
  const state = { kind: "mean" };
  const loads = () => loadsOf(state.kind, simulatedTime.get());
  const paint = () => {
    const now = loads();
    for (const entry of lines) paintLine(entry, now);
  };
  const kinds = [
    ["mean", "mean over the run"],
    ["most", "highest at any time"],
    ...(links.steps > 0 && links.shown.length > 0 ? [["time", "at a time"]] : []),
  ];
  const slider = topologySlider(() => state.kind === "time" && paint());
  slider.hidden = true;
  const kind = select("topology-load", kinds, (value) => {
    state.kind = value;
    slider.hidden = value !== "time";
    paint();
  });
  paint();
  onRepaint(paint);
  if (lines.length <= LINES_LABELED_MAX) {
    requestAnimationFrame(() => {
      labelLines(lines);
      paint();
    });
  }
  return figure(
    "Topology",
    html(
      "p",
      { class: "meaning" },
      "Nodes are circles, switches are squares. A line has the color and the width of the most " +
        "loaded of its links: the share of the bandwidth that messages take.",
    ),
    html(
      "div",
      { class: "controls" },
      control("Load", kind),
      slider,
      rampLegend("none", formatPercent(1, 0)),
    ),
    html("div", { class: "drawing", id: "topology", tabindex: 0 }, drawing),
    drawingExports("topology", "the topology", drawing, () => topologyNumbers(loads())),
  );
}
