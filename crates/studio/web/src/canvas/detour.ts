/** Routes flows around nodes that are in the direct way. */

import type { Point as Place } from 'diagram-js/lib/util/Types';

import type { Bounds } from '../protocol';

/** Distance between a flow and the nodes that it passes. */
const CLEAR = 24;
/** Distance between flows that pass the same nodes; the flow around more nodes is farther out. */
const LANE = 6;
const LANES_MAX = 8;

type Axis = 'x' | 'y';

const OTHER = { x: 'y', y: 'x' } as const;
const SIZE = { x: 'width', y: 'height' } as const;

/** Returns true if a line along an axis touches a node. */
function crosses(from: Place, to: Place, { x, y, width, height }: Bounds): boolean {
  return (
    Math.min(from.x, to.x) < x + width + 2 &&
    Math.max(from.x, to.x) > x - 2 &&
    Math.min(from.y, to.y) < y + height + 2 &&
    Math.max(from.y, to.y) > y - 2
  );
}

function isFree(route: Place[], nodes: Bounds[]): boolean {
  return route.every((from, at) => {
    const to = route[at + 1];
    return to === undefined || !nodes.some((node) => crosses(from, to, node));
  });
}

function lengthOf(route: Place[]): number {
  return route.reduce((sum, { x, y }, at) => {
    const to = route[at + 1];
    return to === undefined ? sum : sum + Math.abs(to.x - x) + Math.abs(to.y - y);
  }, 0);
}

function middle(bounds: Bounds, axis: Axis): number {
  return Math.round(bounds[axis] + bounds[SIZE[axis]] / 2);
}

/** Returns a route that passes all nodes between two others on one side of an axis. */
function around(source: Bounds, target: Bounds, nodes: Bounds[], axis: Axis, side: 1 | -1) {
  const along = OTHER[axis];
  const ends = [source, target];
  const first = Math.min(...ends.map((one) => one[along]));
  const last = Math.max(...ends.map((one) => one[along] + one[SIZE[along]]));
  const passed = nodes.filter(
    (one) => one[along] < last + CLEAR && one[along] + one[SIZE[along]] > first - CLEAR,
  );
  const edge = (one: Bounds) => (side > 0 ? one[axis] + one[SIZE[axis]] : -one[axis]);
  const lane = LANE * Math.min(LANES_MAX, passed.length);
  const out = Math.round(Math.max(...[...ends, ...passed].map(edge)) + CLEAR + lane) * side;
  const place = (across: number, at: number): Place => {
    return axis === 'x' ? { x: across, y: at } : { x: at, y: across };
  };
  const [from, to] = [middle(source, along), middle(target, along)];
  return [
    place(middle(source, axis), from),
    place(out, from),
    place(out, to),
    place(middle(target, axis), to),
  ];
}

/** Returns the route, or a short detour around all nodes that it would cross, if there is one. */
export function detour(
  route: Place[],
  source: Bounds,
  target: Bounds,
  nodes: Bounds[],
): Place[] {
  if (source === target || isFree(route, nodes)) return route;
  const ways = (['x', 'y'] as const).flatMap((axis) =>
    ([1, -1] as const).map((side) => around(source, target, nodes, axis, side)),
  );
  const free = ways.filter((way) => isFree(way, nodes));
  return free.sort((a, b) => lengthOf(a) - lengthOf(b))[0] ?? route;
}
