/** Makes room for a node that is inserted into a flow. */

import type { Bounds, Diagram, Id } from '../protocol';

/** Distance between a node on a flow and the flow's ends. */
const GAP = 30;

type Axis = 'x' | 'y';

const SIZE = { x: 'width', y: 'height' } as const;

/** Returns places for a node between two others, and for all nodes that must make way. */
export function makeRoom(
  diagram: Diagram,
  source: Bounds,
  target: Bounds,
  node: Bounds,
): { node: Bounds; moved: Map<Id, Bounds> } {
  const axis = axisOf(source, target);
  const moved = new Map<Id, Bounds>();
  if (axis === null) return { node, moved };
  const size = SIZE[axis];
  const start = Math.max(node[axis], source[axis] + source[size] + GAP);
  const missing = start + node[size] + GAP - target[axis];
  const shift = Math.max(0, missing);
  for (const { id, x, y, width, height } of shift > 0 ? diagram.nodes : []) {
    const bounds = { x, y, width, height };
    if (bounds[axis] >= target[axis]) moved.set(id, { ...bounds, [axis]: bounds[axis] + shift });
  }
  return { node: { ...node, [axis]: start }, moved };
}

/** Returns the direction in which a flow leads forward; null if it leads back. */
function axisOf(source: Bounds, target: Bounds): Axis | null {
  if (target.y >= source.y + source.height) return 'y';
  if (target.x >= source.x + source.width) return 'x';
  return null;
}
