/** Orders the vertices in each layer for few crossings, keeping nodes in their drawn order. */

import type { Box, Layered, Vertex } from './graph';

/** Maximum number of sweeps, and of sweeps without improvement. */
const [SWEEPS, IDLE] = [12, 4];

/** Moves each vertex close to its neighbors; a layer's nodes keep their order. */
export function reduceCrossings({ layers }: Layered, boxes: Box[]): void {
  for (const layer of layers) put(layer, inRanks(layer, boxes));
  const copied = () => layers.map((layer) => [...layer]);
  let best = copied();
  let least = crossings(layers);
  let idle = 0;
  for (let sweep = 0; sweep < SWEEPS && idle < IDLE && least > 0; sweep += 1) {
    const isDown = sweep % 2 === 0;
    for (const layer of isDown ? layers : layers.toReversed()) {
      put(layer, near(layer, isDown ? 'above' : 'below', boxes));
    }
    const now = crossings(layers);
    idle = now < least ? 0 : idle + 1;
    if (idle > 0) continue;
    least = now;
    best = copied();
  }
  layers.forEach((layer, at) => put(layer, best[at] ?? layer));
}

function put(layer: Vertex[], order: Vertex[]): void {
  [...order].forEach((one, at) => {
    one.at = at;
    layer[at] = one;
  });
}

/** Returns the vertices, with the nodes among them in their drawn order. */
function inRanks(layer: Vertex[], boxes: Box[]): Vertex[] {
  const rank = ({ box }: Vertex) => boxes[box]?.rank ?? 0;
  const nodes = layer.filter(({ box }) => box >= 0).sort((a, b) => rank(a) - rank(b));
  let next = 0;
  return layer.map((one) => (one.box < 0 ? one : (nodes[next++] ?? one)));
}

/** Sorts the vertices by the average position of their neighbors. */
function near(layer: Vertex[], side: 'above' | 'below', boxes: Box[]): Vertex[] {
  const wish = new Map<Vertex, number>();
  for (const one of layer) {
    const places = one[side].map(({ at }) => at);
    const sum = places.reduce((all, at) => all + at, 0);
    wish.set(one, places.length > 0 ? sum / places.length : one.at);
  }
  const nodes = inRanks(layer, boxes).filter(({ box }) => box >= 0);
  const values = rising(nodes.map((one) => wish.get(one) ?? 0));
  nodes.forEach((one, at) => wish.set(one, values[at] ?? 0));
  const sorted = layer.toSorted((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0) || a.at - b.at);
  return inRanks(sorted, boxes);
}

/** Returns the closest increasing values: isotonic regression by pooling neighbors. */
function rising(values: number[]): number[] {
  const pools: { sum: number; count: number }[] = [];
  for (const value of values) {
    let pool = { sum: value, count: 1 };
    for (let last = pools.at(-1); last; last = pools.at(-1)) {
      if (last.sum / last.count <= pool.sum / pool.count) break;
      pool = { sum: pool.sum + last.sum, count: pool.count + last.count };
      pools.pop();
    }
    pools.push(pool);
  }
  return pools.flatMap(({ sum, count }) => Array<number>(count).fill(sum / count));
}

/** Counts pairs of crossing flows between all layers. */
function crossings(layers: Vertex[][]): number {
  return layers.reduce((sum, layer) => {
    const ends = layer.flatMap(({ below }) => below.map(({ at }) => at).sort((a, b) => a - b));
    return sum + inversions(ends);
  }, 0);
}

/** Counts pairs with a larger first value, by merging sorted halves. */
function inversions(values: number[]): number {
  let [from, to] = [[...values], [...values]];
  let count = 0;
  for (let width = 1; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) {
      const middle = Math.min(start + width, values.length);
      const end = Math.min(start + 2 * width, values.length);
      for (let left = start, right = middle, at = start; at < end; at += 1) {
        const [a, b] = [from[left] ?? 0, from[right] ?? 0];
        const isLeft = left < middle && (right >= end || a <= b);
        to[at] = isLeft ? a : b;
        if (isLeft) left += 1;
        else {
          count += middle - left;
          right += 1;
        }
      }
    }
    [from, to] = [to, from];
  }
  return count;
}
