// The data of the report.

const NO_ELEMENT = 0xffffffff;
const STATES = [
  "compute",
  "send",
  "receive",
  "wait",
  "collective",
  "synchronize",
  "network",
  "hold",
];
const STATE_TITLES = [
  "computes",
  "sends",
  "receives",
  "waits",
  "takes part in a collective",
  "synchronizes",
  "message under way",
  "holds",
];

const data = loadData();
const modelName = data.run.model;
const threads = Math.max(1, data.run.units_of_process);

function elementName(index) {
  return index === NO_ELEMENT ? "(none)" : data.elements[index].name;
}

/** Rows of the space-time diagram that are units; lanes of accelerators are below. */
const lanes = data.records?.lanes ?? [];
const unitRows = (data.records?.units.length ?? 0) - lanes.length;

/** `5`, or `5.1` for thread 1 where processes have threads. */
function unitName(uid) {
  const pid = Math.floor(uid / threads);
  return threads === 1 ? `${pid}` : `${pid}.${uid % threads}`;
}

/** The name of a row of the space-time diagram. */
function rowName(row) {
  return lanes[row - unitRows]?.name ?? unitName(data.records.units[row]);
}
