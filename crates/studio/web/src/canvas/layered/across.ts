/**
 * Places vertices horizontally with Brandes and Köpf's method: long flows straight, and nodes above
 * each other.
 */

import type { Layered, Vertex } from './graph';

/** Distances between nodes, between a node and a passing flow, and between flows. */
const [NODES, BESIDE, FLOWS] = [44, 24, 16];

type Places = Map<Vertex, number>;

/** Returns the centers of all vertices. Of four alignments, it averages the middle two. */
export function across({ layers }: Layered): Places {
  const crossed = conflicts(layers);
  const turned = layers.toReversed();
  const ways = [layers, turned].flatMap((rows) => {
    const side = rows === layers ? 'above' : 'below';
    const mirrored = rows.map((row) => row.toReversed());
    const right = aligned(mirrored, side, -1, crossed);
    for (const [one, at] of right) right.set(one, -at);
    return [aligned(rows, side, 1, crossed), right];
  });
  const ends = ways.map((way) => {
    let [least, most] = [Infinity, -Infinity];
    for (const [{ width }, at] of way) {
      least = Math.min(least, at - width / 2);
      most = Math.max(most, at + width / 2);
    }
    return { least, most };
  });
  const smallest = ends.toSorted((a, b) => a.most - a.least - (b.most - b.least))[0];
  const shifts = ends.map(({ least, most }, way) => {
    if (!smallest) return 0;
    return way % 2 === 0 ? smallest.least - least : smallest.most - most;
  });
  const places: Places = new Map();
  for (const one of layers.flat()) {
    const four = ways.map((way, at) => (way.get(one) ?? 0) + (shifts[at] ?? 0));
    const [, low = 0, high = 0] = four.sort((a, b) => a - b);
    places.set(one, Math.round((low + high) / 2));
  }
  return places;
}

function isBend({ box }: Vertex): boolean {
  return box < 0;
}

/** Returns connections that cross a long flow, by upper end; they yield to the flow. */
function conflicts(layers: Vertex[][]): Map<Vertex, Set<Vertex>> {
  const found = new Map<Vertex, Set<Vertex>>();
  layers.forEach((layer, number) => {
    const upper = layers[number - 1];
    if (!upper) return;
    let [from, done] = [0, 0];
    layer.forEach((one, at) => {
      const inner = isBend(one) ? one.above.find(isBend) : undefined;
      if (!inner && at < layer.length - 1) return;
      const to = inner ? inner.at : upper.length;
      for (; done <= at; done += 1) {
        const lower = layer[done];
        for (const end of lower?.above ?? []) {
          if (!lower || (isBend(end) && isBend(lower))) continue;
          if (end.at >= from && end.at <= to) continue;
          const others = found.get(end) ?? new Set();
          found.set(end, others.add(lower));
        }
      }
      from = to;
    });
  });
  return found;
}

/** Aligns vertices with their median neighbors on one side, and returns their places. */
function aligned(
  rows: Vertex[][],
  side: 'above' | 'below',
  way: 1 | -1,
  crossed: Map<Vertex, Set<Vertex>>,
): Places {
  const root = new Map(rows.flat().map((one) => [one, one]));
  const isCrossed = (one: Vertex, end: Vertex) => {
    const [upper, lower] = side === 'above' ? [end, one] : [one, end];
    return crossed.get(upper)?.has(lower) ?? false;
  };
  for (const row of rows) {
    let last = -Infinity;
    for (const one of row) {
      const ends = one[side].toSorted((a, b) => way * (a.at - b.at));
      const middles = [Math.floor((ends.length - 1) / 2), Math.ceil((ends.length - 1) / 2)];
      for (const at of middles) {
        const end = ends[at];
        if (!end || root.get(one) !== one) continue;
        if (way * end.at <= last || isCrossed(one, end)) continue;
        root.set(one, root.get(end) ?? end);
        last = way * end.at;
      }
    }
  }
  return compact(rows, root);
}

function distance(a: Vertex, b: Vertex): number {
  const bends = Number(isBend(a)) + Number(isBend(b));
  return (a.width + b.width) / 2 + ([NODES, BESIDE, FLOWS][bends] ?? NODES);
}

/** Places blocks (vertices with the same root) close to each other, in row order. */
function compact(rows: Vertex[][], root: Map<Vertex, Vertex>): Places {
  const right = new Map<Vertex, { block: Vertex; by: number }[]>();
  const waits = new Map<Vertex, number>();
  for (const block of new Set(root.values())) {
    right.set(block, []);
    waits.set(block, 0);
  }
  for (const row of rows) {
    row.forEach((one, at) => {
      const other = row[at + 1];
      const [block, beside] = [root.get(one), other && root.get(other)];
      if (!other || !block || !beside) return;
      right.get(block)?.push({ block: beside, by: distance(one, other) });
      waits.set(beside, (waits.get(beside) ?? 0) + 1);
    });
  }
  const order = [...waits].flatMap(([block, count]) => (count === 0 ? [block] : []));
  const place: Places = new Map(order.map((block) => [block, 0]));
  for (const block of order) {
    for (const { block: beside, by } of right.get(block) ?? []) {
      place.set(beside, Math.max(place.get(beside) ?? 0, (place.get(block) ?? 0) + by));
      const count = (waits.get(beside) ?? 0) - 1;
      waits.set(beside, count);
      if (count === 0) order.push(beside);
    }
  }
  for (const block of order.toReversed()) {
    const ends = (right.get(block) ?? []).map(({ block: it, by }) => (place.get(it) ?? 0) - by);
    if (ends.length > 0) place.set(block, Math.max(place.get(block) ?? 0, least(ends)));
  }
  return new Map([...root].map(([one, block]) => [one, place.get(block) ?? 0]));
}

function least(values: number[]): number {
  return values.reduce((a, b) => Math.min(a, b));
}
