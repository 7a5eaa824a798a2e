/** Finds free places, so that nodes don't overlap. */

import type { Point as Place } from 'diagram-js/lib/util/Types';

import type { Bounds } from '../protocol';

/** Minimum distance between nodes. */
const GAP = 10;
const STEP = 10;
const RINGS = 60;
/** Maximum number of pairs of nodes to compare at each place. */
const PAIRS_MAX = 4000;

function overlap(one: Bounds, other: Bounds, shift: Place): boolean {
  return (
    one.x + shift.x < other.x + other.width + GAP &&
    other.x < one.x + shift.x + one.width + GAP &&
    one.y + shift.y < other.y + other.height + GAP &&
    other.y < one.y + shift.y + one.height + GAP
  );
}

/** Yields places at a distance, with horizontal and vertical ones first. */
function* ring(radius: number): Iterable<Place> {
  if (radius === 0) yield { x: 0, y: 0 };
  for (let aside = 0; aside < radius; aside += STEP) {
    for (const way of aside === 0 ? [1] : [1, -1]) {
      const along = aside * way;
      yield { x: radius, y: along };
      yield { x: along, y: radius };
      yield { x: -radius, y: along };
      yield { x: along, y: -radius };
    }
  }
}

/** Returns the smallest shift at which nodes overlap no others. */
export function freeShift(moving: Bounds[], others: Bounds[]): Place {
  if (moving.length * others.length > PAIRS_MAX) return { x: 0, y: 0 };
  for (let radius = 0; radius <= RINGS * STEP; radius += STEP) {
    for (const shift of ring(radius)) {
      const isFree = !moving.some((one) => others.some((other) => overlap(one, other, shift)));
      if (isFree) return shift;
    }
  }
  return { x: 0, y: 0 };
}
