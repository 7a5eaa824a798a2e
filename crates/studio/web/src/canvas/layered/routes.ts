/** Places the ends of flows on their nodes, and tracks between layers for flows that turn there. */

import { type Box, type Chain, grouped, type Vertex } from './graph';

/** Distances of tracks from the layers, and from each other, with room for a guard. */
const [OUT, APART] = [22, 20];
/** Maximum height of all tracks between two layers; more tracks are closer together. */
const TRACKS_MAX = 1600;
/** A turn that is too small to draw. */
const NEAR = 8;

/**
 * The part of a flow between two layers: where it leaves the upper one and enters the lower one.
 */
export interface Part {
  upper: Vertex;
  lower: Vertex;
  from: number;
  to: number;
  /** Position of its track below the upper layer. */
  track: number;
}

/** The parts of each chain, and the height below each layer. */
export interface Routed {
  parts: Part[][];
  heights: number[];
}

export function routed(chains: Chain[], middles: Map<Vertex, number>, boxes: Box[]): Routed {
  const middle = (one: Vertex) => middles.get(one) ?? 0;
  const parts = chains.map(({ vertices }) =>
    vertices.slice(1).map((lower, at): Part => {
      const upper = vertices[at] ?? lower;
      return { upper, lower, from: middle(upper), to: middle(lower), track: 0 };
    }),
  );
  const all = parts.flat();
  for (const [{ box }, leaving] of grouped(all, ({ upper }) => upper)) {
    share(leaving, 'from', 'to', boxes[box]?.width ?? 0);
  }
  for (const [{ box }, entering] of grouped(all, ({ lower }) => lower)) {
    share(entering, 'to', 'from', boxes[box]?.width ?? 0);
  }
  const heights: number[] = [];
  for (const [layer, between] of grouped(all, ({ upper }) => upper.layer)) {
    heights[layer] = giveTracks(between.filter(({ from, to }) => from !== to));
  }
  return { parts, heights };
}

/** Distributes a node's flows along one side; the flow that leads straight on gets the middle. */
function share(parts: Part[], own: 'from' | 'to', other: 'from' | 'to', width: number): void {
  const middle = parts[0]?.[own] ?? 0;
  const near = Math.min(NEAR, width / 4);
  const straight = parts.find((part) => Math.abs(part[other] - middle) <= near);
  if (straight) straight[own] = straight[other];
  else if (parts.length === 1) return;
  const rest = parts.filter((part) => part !== straight).sort((a, b) => a[other] - b[other]);
  const left = rest.filter((part) => part[other] < middle);
  const right = rest.slice(left.length);
  const spread = (side: Part[], start: number) => {
    const step = width / 2 / (side.length + 1);
    side.forEach((part, at) => (part[own] = Math.round(start + step * (at + 1))));
  };
  spread(left, middle - width / 2);
  spread(right, middle);
}

/**
 * Assigns tracks to all parts that turn between two layers, and returns the height that they need.
 */
function giveTracks(parts: Part[]): number {
  const rights = parts.filter(({ from, to }) => from < to).sort((a, b) => b.from - a.from);
  const lefts = parts.filter(({ from, to }) => from > to).sort((a, b) => a.from - b.from);
  // A flow that leaves where another one enters is above it.
  const leaves = new Set(lefts.map(({ from }) => from));
  const order = rights.some(({ to }) => leaves.has(to)) ? [lefts, rights] : [rights, lefts];
  const given: Part[] = [];
  let last = 0;
  for (const part of order.flat()) {
    const above = given.filter((other) => overlap(part, other));
    part.track = above.reduce((most, { track }) => Math.max(most, track + 1), 0);
    last = Math.max(last, part.track);
    given.push(part);
  }
  const apart = Math.min(APART, TRACKS_MAX / Math.max(1, last));
  for (const part of parts) part.track = Math.round(OUT + apart * part.track);
  return Math.round(2 * OUT + apart * last);
}

function overlap(one: Part, other: Part): boolean {
  const [least, most] = [Math.min(one.from, one.to), Math.max(one.from, one.to)];
  return Math.min(other.from, other.to) <= most + 4 && Math.max(other.from, other.to) >= least - 4;
}
