// Scales of axes, and levels: the values of a column, or ranges of them where there are many.

const LEVELS_MAX = 40;
const BINS = 24;
/** Numbers that are as many times apart are drawn by powers. */
const FAR = 16;

/** The least and the most of numbers, without what is no number. */
function extent(numbers) {
  let [low, high] = [Infinity, -Infinity];
  for (const number of numbers) {
    if (number < low) low = number;
    if (number > high) high = number;
  }
  return low <= high ? { low, high } : { low: 0, high: 1 };
}

/** A scale from a range of numbers to a range of places; `kind` is auto, log or linear. */
function scaleOf({ low, high }, from, to, kind = "auto") {
  const far = low > 0 && high / low >= FAR;
  const powers = low > 0 && high > low && (kind === "log" || (kind === "auto" && far));
  const share = (value) => {
    if (high === low) return 0.5;
    return powers ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  };
  const back = (part) => (powers ? low * (high / low) ** part : low + (high - low) * part);
  const at = (value) => from + (to - from) * share(value);
  return {
    at,
    powers,
    low,
    high,
    invert: (place) => back(Math.min(Math.max((place - from) / (to - from), 0), 1)),
    ticks: (wanted) => (powers ? powerTicks(low, high, wanted) : ticks(low, high, wanted)),
  };
}

/** Round numbers between two, by powers: of two where they are near, of ten where not. */
function powerTicks(low, high, wanted) {
  const base = high / low > 2 ** 12 ? 10 : 2;
  const log = (value) => Math.log(value) / Math.log(base);
  const [first, last] = [Math.ceil(log(low) - 1e-9), Math.floor(log(high) + 1e-9)];
  const step = Math.max(1, Math.ceil((last - first + 1) / Math.max(wanted, 2)));
  const places = [];
  for (let power = first; power <= last; power += step) places.push(base ** power);
  return places;
}

/**
 * The levels of a column: each of its values, or ranges of equal size. `of(row)` is the place of a
 * row's level, `value` what stands for it, `label` names it, and `tick` does so
 * in short where that is long.
 */
function levelsOf(column, most = LEVELS_MAX) {
  const distinct = column.parameter ? column.values : null;
  if (distinct && distinct.length <= most) {
    return {
      count: distinct.length,
      of: column.place,
      value: (level) => distinct[level],
      label: (level) => column.parameter.values[level],
      whole: true,
    };
  }
  if (!column.numeric) {
    return {
      count: most,
      of: (row) => (column.place(row) < most ? column.place(row) : -1),
      value: (level) => level,
      label: (level) => column.parameter.values[level],
      whole: false,
      cut: `The first ${most} of ${formatCount(column.count)} values of ${column.name} are drawn.`,
    };
  }
  return binsOf(column);
}

function binsOf(column) {
  const range = extent(distinctOf(column));
  const scale = scaleOf(range, 0, BINS);
  const edge = (place) => scale.invert(place);
  return {
    count: BINS,
    of(row) {
      const value = column.value(row);
      return Number.isNaN(value) ? -1 : Math.min(Math.floor(scale.at(value)), BINS - 1);
    },
    value: (level) => scale.invert(level + 0.5),
    label: (level) => `${significant(edge(level))} to ${significant(edge(level + 1))}`,
    tick: (level) => significant(scale.invert(level + 0.5), 3),
    whole: false,
    cut: `The values of ${column.name} are drawn as means of ${BINS} ranges.`,
  };
}

function distinctOf(column) {
  return column.parameter ? column.values : column.measure.mean;
}
