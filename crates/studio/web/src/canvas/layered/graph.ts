/** Represents diagrams as numbers, and as layers of vertices. */

import type { Point } from '../../protocol';

/** A node: its size, and its position among the nodes in its layer. */
export interface Box {
  width: number;
  height: number;
  rank: number;
  isStart: boolean;
}

/** A flow between nodes, given by number, with the width of its guard. */
export interface Link {
  source: number;
  target: number;
  room: number;
}

export interface Graph {
  boxes: Box[];
  links: Link[];
}

/**
 * Left and top of each node, and the route of each flow; the route from a node to itself is empty.
 */
export interface Layout {
  places: Point[];
  routes: Point[][];
}

/** A node, or a bend of a flow that passes a layer. */
export interface Vertex {
  /** Number of the node; -1 for a bend. */
  box: number;
  layer: number;
  /** Position in its layer. */
  at: number;
  width: number;
  above: Vertex[];
  below: Vertex[];
}

/** A flow as a chain of vertices, from top to bottom. */
export interface Chain {
  link: number;
  vertices: Vertex[];
  /** Whether the flow leads from bottom to top. */
  isBack: boolean;
}

export interface Layered {
  layers: Vertex[][];
  chains: Chain[];
}

/** Groups items by key; items keep their order. */
export function grouped<T, Key>(items: T[], keyOf: (item: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** Maximum number of vertices; more would exhaust a browser's memory. */
const VERTICES_MAX = 500_000;

/** Sorts nodes by their flows, ignoring flows that close a loop. */
function inOrder({ boxes, links }: Graph): number[] {
  const targets: number[][] = boxes.map(() => []);
  for (const { source, target } of links) targets[source]?.push(target);
  const all = boxes.map((_, at) => at);
  const starts = [...all.filter((at) => boxes[at]?.isStart), ...all];
  const left: number[] = [];
  const seen = new Set<number>();
  for (const start of starts) {
    // A long chain is too deep for a recursive function.
    const path: { node: number; next: number }[] = [];
    const enter = (node: number) => {
      if (seen.has(node)) return;
      seen.add(node);
      path.push({ node, next: 0 });
    };
    enter(start);
    for (let at = path.at(-1); at; at = path.at(-1)) {
      const target = targets[at.node]?.[at.next];
      at.next += 1;
      if (target !== undefined) enter(target);
      else left.push((path.pop() ?? at).node);
    }
  }
  return left.toReversed();
}

/**
 * Assigns layers: each node is below all nodes with flows to it, ignoring flows that close a loop.
 */
export function layered(graph: Graph): Layered {
  const order = inOrder(graph);
  const time: number[] = [];
  order.forEach((box, at) => (time[box] = at));
  const vertices = graph.boxes.map(({ width }, box): Vertex => {
    return { box, layer: 0, at: 0, width, above: [], below: [] };
  });
  const ends = graph.links.flatMap(({ source, target, room }, link) => {
    const [from, to] = [vertices[source], vertices[target]];
    if (!from || !to || from === to) return [];
    const isBack = (time[source] ?? 0) > (time[target] ?? 0);
    return [{ link, room, isBack, upper: isBack ? to : from, lower: isBack ? from : to }];
  });
  const byUpper = grouped(ends, ({ upper }) => upper.box);
  for (const box of order) {
    for (const { upper, lower } of byUpper.get(box) ?? []) {
      lower.layer = Math.max(lower.layer, upper.layer + 1);
    }
  }
  let count = vertices.length;
  const chains = ends.map(({ link, room, isBack, upper, lower }): Chain => {
    const chain = [upper];
    for (let layer = upper.layer + 1; layer < lower.layer; layer += 1) {
      chain.push({ box: -1, layer, at: 0, width: 0, above: [], below: [] });
    }
    chain.push(lower);
    count += chain.length - 2;
    if (count > VERTICES_MAX) throw new Error('its flows pass too many nodes');
    const guarded = isBack ? chain.at(-2) : chain[1];
    if (guarded && guarded !== upper) guarded.width = Math.max(guarded.width, room);
    chain.forEach((one, at) => {
      const next = chain[at + 1];
      if (!next) return;
      one.below.push(next);
      next.above.push(one);
    });
    return { link, vertices: chain, isBack };
  });
  return { layers: firstOrder(graph, vertices), chains };
}

/** Orders vertices in layers so that connected ones are close together. */
function firstOrder({ boxes }: Graph, vertices: Vertex[]): Vertex[][] {
  const layers: Vertex[][] = [];
  const rank = ({ box }: Vertex) => boxes[box]?.rank ?? 0;
  const starts = vertices.filter(({ layer }) => layer === 0);
  const left = starts.sort((a, b) => rank(b) - rank(a));
  const seen = new Set<Vertex>();
  for (let one = left.pop(); one; one = left.pop()) {
    if (seen.has(one)) continue;
    seen.add(one);
    const layer = (layers[one.layer] ??= []);
    one.at = layer.length;
    layer.push(one);
    left.push(...one.below.toReversed());
  }
  return layers;
}
