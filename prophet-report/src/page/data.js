// The data of the page, with its columns as typed arrays.

const NO_ELEMENT = 0xffffffff;
const STATES = ["compute", "send", "receive", "wait", "collective", "synchronize", "network"];
const STATE_TITLES = [
  "computes",
  "sends",
  "receives",
  "waits",
  "takes part in a collective",
  "synchronizes",
  "message under way",
];
const COLUMN_TYPES = { u8: Uint8Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array };

function decodeBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** The typed array of `"f64:…"`; bytes are in the order of all computers with browsers today. */
function decodeColumn(text) {
  const colon = text.indexOf(":");
  return new COLUMN_TYPES[text.slice(0, colon)](decodeBase64(text.slice(colon + 1)).buffer);
}

const COLUMNS = {
  processes: ["pid", "nid", "end_s", "compute_s", "communication_s", "wait_s"],
  totals: [
    "offsets",
    "element",
    "count",
    "total_s",
    "max_s",
    "compute_s",
    "communication_s",
    "wait_s",
  ],
  records: ["units", "offsets", "element", "state", "start_s", "end_s"],
  messages: ["from", "to", "sent_s", "received_s", "bytes"],
  matrix: ["from", "to", "bytes", "messages"],
  critical_path: ["unit", "element", "state", "start_s", "end_s"],
};

function decodeColumns(table, names) {
  for (const name of names) table[name] = decodeColumn(table[name]);
}

function loadData() {
  const source = document.getElementById("data");
  const data = JSON.parse(source.textContent);
  // The text is not needed twice.
  source.remove();
  for (const [table, names] of Object.entries(COLUMNS)) {
    if (data[table]) decodeColumns(data[table], names);
  }
  for (const series of data.utilization) series.values = decodeColumn(series.values);
  return data;
}

const data = loadData();
const threads = Math.max(1, data.run.threads);

function elementName(index) {
  return index === NO_ELEMENT ? "(none)" : data.elements[index].name;
}

/** `5`, or `5.1` for thread 1 where processes have threads. */
function unitName(uid) {
  const pid = Math.floor(uid / threads);
  return threads === 1 ? `${pid}` : `${pid}.${uid % threads}`;
}

function sum(column) {
  let total = 0;
  for (const value of column) total += value;
  return total;
}

function maximum(column) {
  let largest = 0;
  for (const value of column) if (value > largest) largest = value;
  return largest;
}
