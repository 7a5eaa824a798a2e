// The space-time diagram: what its colors tell.
//
// A coloring has a class for each record, the name of the color of each class, and entries of a
// legend. Where colors alone would be too little, it has hatchings, too, and texts for records.

const KINDS_COLORED = 8;

/** Classes of records by state: the state itself. */
function stateClasses() {
  return {
    classes: data.records.state,
    names: STATES,
    legend: STATES.filter((_, state) => data.records.state.includes(state)).map((name) => [
      name,
      // Of records, only copies of accelerators are in that state.
      name === "network" ? "copy" : name,
    ]),
  };
}

/** Classes of records by element: a color for each of those that take the longest. */
function elementClasses() {
  const order = data.elements
    .map((_, index) => index)
    .sort((a, b) => data.elements[b].total_s - data.elements[a].total_s);
  const colored = order.slice(0, KINDS_COLORED);
  const classOf = new Map(colored.map((element, index) => [element, index]));
  const classes = Uint8Array.from(
    data.records.element,
    (element) => classOf.get(element) ?? KINDS_COLORED,
  );
  const names = [...colored.keys()].map((index) => `kind${index}`);
  while (names.length < KINDS_COLORED) names.push("other");
  names.push("other");
  const entries = colored.map((element, index) => [`kind${index}`, data.elements[element].name]);
  if (order.length > colored.length) entries.push(["other", "others"]);
  return { classes, names, legend: entries };
}

/** PTI's four states, and all others. */
const ACTIVITIES = ["processing", "sending", "receiving", "waiting", "remaining"];
const ACTIVITY_TITLES = ["processing", "send", "receive", "wait", "other"];
const ACTIVITY_OF_STATE = {
  compute: 0,
  send: 1,
  receive: 2,
  wait: 3,
  synchronize: 3,
  network: 4,
  collective: 4,
  hold: 4,
};
/** Directions of lines, in degrees from the horizontal. */
const HATCHINGS = { sending: 45, receiving: -45, waiting: 0 };

/** PTI's state of a record: a collective sends and receives, as far as it has messages. */
function activityOf(record) {
  const { state, role } = data.records;
  const part = role.length > 0 ? role[record] : 0;
  const name = STATES[state[record]];
  return name === "collective" && part > 0 ? part : ACTIVITY_OF_STATE[name];
}

/** Classes of records by PTI's states, each with its share of the time of all processes. */
function activityClasses() {
  const { state, start_s: starts, end_s: ends } = data.records;
  const classes = Uint8Array.from(state, (_, record) => activityOf(record));
  const seconds = ACTIVITIES.map(() => 0);
  classes.subarray(0, data.records.offsets[unitRows]).forEach((activity, record) => {
    seconds[activity] += (ends[record] - starts[record]) * partOf(record);
  });
  const all = sum(seconds) || 1;
  const legend = ACTIVITIES.map((name, activity) => {
    const swatch = name in HATCHINGS ? `${name} hatched` : name;
    return [swatch, ACTIVITY_TITLES[activity], formatShare(seconds[activity] / all)];
  });
  return {
    classes,
    names: ACTIVITIES,
    hatchings: HATCHINGS,
    labels: (record) => ACTIVITY_TITLES[classes[record]],
    legend: legend.filter((_, activity) => activity < 4 || seconds[activity] > 0),
  };
}

const COLORINGS = {
  state: ["state", stateClasses],
  activity: ["PTI's four states", activityClasses],
  element: ["element", elementClasses],
};

/** A pattern of lines on a color, or null without a direction. */
function hatching(context, direction, color) {
  if (direction === undefined) return null;
  const size = 8;
  const tile = document.createElement("canvas");
  tile.width = tile.height = size;
  const pen = tile.getContext("2d");
  pen.strokeStyle = inkOn(channels(color));
  pen.globalAlpha = 0.45;
  pen.beginPath();
  // Lines go on in the next tile, whatever their direction.
  const rise = Math.sign(direction) * size;
  for (const shift of rise === 0 ? [size / 2] : [-size, 0, size, 2 * size]) {
    pen.moveTo(-size, shift + rise);
    pen.lineTo(2 * size, shift - 2 * rise);
  }
  pen.stroke();
  return context.createPattern(tile, "repeat");
}
