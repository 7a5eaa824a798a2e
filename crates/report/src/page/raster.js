// The space-time diagram as a picture, whatever the number of records.
//
// Each pixel is the mean color of what its units do in its time, as when a large picture is
// scaled down: a record shorter than a pixel still counts with its share. A record adds four
// numbers to the row of differences of its class, however many pixels it covers, so that a
// picture costs time in proportion to the visible records plus the pixels.

/** The first row in `low..high` whose value in an ascending column is above `bound`. */
function firstAbove(column, low, high, bound) {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle] > bound) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Adds the fraction of each pixel that lies left of `x`, times `sign`, as differences. */
function addEdge(line, base, x, sign) {
  const pixel = Math.floor(x);
  const part = x - pixel;
  line[base + pixel] += sign * (part - 1);
  line[base + pixel + 1] -= sign * part;
}

/**
 * Paints the rows `r0..r1` (fractions allowed) and times `t0..t1` of `records` on `image`, whose
 * rows are bins of one or more units. `classes` has a class below `palette.length` for each
 * record; `palette` and `ground` are colors as three numbers. Returns how many records are seen.
 */
function rasterize(image, records, { r0, r1, t0, t1 }, classes, palette, ground) {
  const { width, height: bins } = image;
  const { offsets, start_s: starts, end_s: ends } = records;
  const stride = width + 2;
  const line = new Float64Array(palette.length * stride);
  const used = new Uint8Array(palette.length);
  const pixels = new Uint32Array(image.data.buffer);
  const perTime = width / (t1 - t0);
  const rows = records.units.length;
  let seen = 0;
  for (let bin = 0; bin < bins; bin++) {
    const from = Math.max(0, Math.round(r0 + ((r1 - r0) * bin) / bins));
    const to = Math.min(rows, Math.max(from + 1, Math.round(r0 + ((r1 - r0) * (bin + 1)) / bins)));
    for (let row = from; row < to; row++) {
      const last = offsets[row + 1];
      for (let record = firstAbove(ends, offsets[row], last, t0); record < last; record++) {
        if (starts[record] >= t1) break;
        const base = classes[record] * stride;
        addEdge(line, base, Math.max(0, (starts[record] - t0) * perTime), -1);
        addEdge(line, base, Math.min(width, (ends[record] - t0) * perTime), 1);
        used[classes[record]] = 1;
        seen++;
      }
    }
    const weight = 1 / Math.max(1, to - from);
    paintBin(pixels.subarray(bin * width, (bin + 1) * width), line, used, palette, ground, weight);
    used.fill(0);
  }
  return seen;
}

/** Adds up the differences of the classes that are used to one row of pixels, and clears them. */
function paintBin(pixels, line, used, palette, ground, weight) {
  const width = pixels.length;
  const stride = width + 2;
  const sums = new Float64Array(3 * width);
  for (let index = 0; index < palette.length; index++) {
    if (used[index] === 0) continue;
    const [red, green, blue] = palette[index].map((value, part) => (value - ground[part]) * weight);
    const base = index * stride;
    let cover = 0;
    for (let x = 0; x < width; x++) {
      cover += line[base + x];
      sums[3 * x] += cover * red;
      sums[3 * x + 1] += cover * green;
      sums[3 * x + 2] += cover * blue;
    }
    line.fill(0, base, base + stride);
  }
  const [red, green, blue] = ground.map((value) => value + 0.5);
  for (let x = 0; x < width; x++) {
    pixels[x] =
      0xff000000 |
      ((blue + sums[3 * x + 2]) << 16) |
      ((green + sums[3 * x + 1]) << 8) |
      (red + sums[3 * x]);
  }
}
