// Numbers as people read them. Units stay outside of the digits, so that columns align.

const NARROW_SPACE = "\u202f";
const TIME_UNITS = [
  [1, "s"],
  [1e-3, "ms"],
  [1e-6, "\u00b5s"],
  [1e-9, "ns"],
];
const BYTE_UNITS = [
  [1e12, "TB"],
  [1e9, "GB"],
  [1e6, "MB"],
  [1e3, "kB"],
  [1, "B"],
];

/** The largest unit in which a magnitude is at least 1. */
function unitFor(magnitude, units) {
  const fits = units.find(([factor]) => Math.abs(magnitude) >= factor * 0.99995);
  return fits ?? (magnitude === 0 ? units.find(([factor]) => factor === 1) : units.at(-1));
}

/** A number with some significant digits, thousands separated, never with an exponent. */
function significant(value, digits = 4) {
  return value.toLocaleString("en-US", { maximumSignificantDigits: digits });
}

function withUnit(value, units, digits) {
  const [factor, name] = unitFor(value, units);
  return significant(value / factor, digits) + NARROW_SPACE + name;
}

function formatTime(seconds, digits = 4) {
  return withUnit(seconds, TIME_UNITS, digits);
}

function formatBytes(bytes, digits = 3) {
  return withUnit(bytes, BYTE_UNITS, digits);
}

function formatCount(count) {
  return count.toLocaleString("en-US", { maximumFractionDigits: 0 });
}

function formatPercent(share, decimals = 1) {
  return (share * 100).toFixed(decimals) + NARROW_SPACE + "%";
}

/** A share that may be far below a percent. */
function formatShare(share) {
  if (share >= 0.1 || share === 0) return formatPercent(share);
  const percent = share * 100;
  const text = percent < 1e-3 ? percent.toExponential(1) : significant(percent, 2);
  return text + NARROW_SPACE + "%";
}

function plural(count, noun, nouns = `${noun}s`) {
  return `${formatCount(count)}${NARROW_SPACE}${count === 1 ? noun : nouns}`;
}

/** One unit for a whole column of times: its name, and the function that writes a cell. */
function timeColumn(maximum) {
  const [factor, name] = unitFor(maximum, TIME_UNITS);
  const scaled = maximum / factor;
  const decimals = Math.max(0, 5 - Math.max(0, Math.floor(Math.log10(scaled || 1))));
  const least = 0.5 * 10 ** -decimals;
  const format = (seconds) => {
    const value = seconds / factor;
    if (value !== 0 && Math.abs(value) < least) return `<${(2 * least).toFixed(decimals)}`;
    return value.toLocaleString("en-US", {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
  };
  return { name, format };
}

/** Round positions for an axis from `low` to `high`, about `wanted` of them. */
function ticks(low, high, wanted) {
  const span = high - low;
  if (!(span > 0) || !(wanted >= 1)) return [low];
  const rough = span / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough * 0.999);
  // Adding 0 makes 0 of -0.
  const first = Math.ceil(low / step - 1e-9) + 0;
  const last = Math.floor(high / step + 1e-9);
  const places = [];
  for (let index = first; index <= last && places.length < 1000; index++) places.push(index * step);
  return places;
}

/** A whole step of at least `least`: 1, 2 or 5 times a power of ten. */
function roundStep(least) {
  if (!(least > 1)) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * 0.999);
}

/** The labels of times on an axis: one unit, and as many digits as tell the ticks apart. */
function timeTicks(low, high, wanted) {
  const places = ticks(low, high, wanted);
  const [factor, name] = unitFor(Math.max(Math.abs(low), Math.abs(high)), TIME_UNITS);
  const step = places.length > 1 ? (places[1] - places[0]) / factor : 1;
  const decimals = Math.min(12, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  const label = (place) =>
    (place / factor).toLocaleString("en-US", {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
  return { unit: name, places: places.map((at) => ({ at, label: label(at) })) };
}
