/** Navigates a diagram with arrow keys. */

import { center } from './canvas/routes';
import type { Diagram, Id } from './protocol';

export type Direction = 'up' | 'down' | 'left' | 'right';

const UNIT: Record<Direction, [number, number]> = {
  up: [0, -1],
  down: [0, 1],
  left: [-1, 0],
  right: [1, 0],
};

/** Returns the node or flow end in a direction, along a flow if one leads there. */
export function next(diagram: Diagram, from: Id | null, direction: Direction): Id | null {
  const flow = diagram.flows.find((one) => one.id === from);
  if (flow) return direction === 'down' || direction === 'right' ? flow.target : flow.source;
  const node = diagram.nodes.find((one) => one.id === from);
  if (!node) {
    const initial = diagram.nodes.find((one) => one.kind === 'InitialNode');
    return initial?.id ?? diagram.nodes[0]?.id ?? null;
  }
  const origin = center(node);
  const [right, down] = UNIT[direction];
  const joined = new Set<Id>();
  for (const { source, target } of diagram.flows) {
    if (source === node.id) joined.add(target);
    if (target === node.id) joined.add(source);
  }
  let best: { id: Id; cost: number } | null = null;
  for (const other of diagram.nodes) {
    if (other.id === node.id) continue;
    const place = center(other);
    const ahead = (place.x - origin.x) * right + (place.y - origin.y) * down;
    const aside = Math.abs((place.x - origin.x) * down) + Math.abs((place.y - origin.y) * right);
    // A neighbor along a flow may be diagonal; any other node must be mostly ahead.
    const along = joined.has(other.id);
    if (ahead <= 0 || (!along && aside > 2 * ahead)) continue;
    const cost = (ahead + aside) * (along ? 1 : 1000);
    if (!best || cost < best.cost) best = { id: other.id, cost };
  }
  return best?.id ?? null;
}

/** Cycles through a node's outgoing flows, starting after `from`. */
export function nextFlow(diagram: Diagram, from: Id): Id | null {
  const known = diagram.flows.find((flow) => flow.id === from);
  const source = known?.source ?? from;
  const flows = diagram.flows.filter((flow) => flow.source === source);
  const at = known ? flows.indexOf(known) : -1;
  return flows[(at + 1) % flows.length]?.id ?? null;
}
