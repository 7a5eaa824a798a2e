/** Free places: nodes are not put onto each other. */

import type { Point as Place } from 'diagram-js/lib/util/Types';

import type { Bounds } from '../protocol';

/** Distance that a node keeps from others. */
const GAP = 10;
const STEP = 10;
const RINGS = 60;
/** Most pairs of nodes that are compared at each place. */
const PAIRS_MAX = 4000;

function overlap(one: Bounds, other: Bounds, shift: Place): boolean {
  return (
    one.x + shift.x < other.x + other.width + GAP &&
    other.x < one.x + shift.x + one.width + GAP &&
    one.y + shift.y < other.y + other.height + GAP &&
    other.y < one.y + shift.y + one.height + GAP
  );
}

/** Places at a distance, with those straight aside first. */
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

/** The least shift with which nodes lie on no others. */
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
