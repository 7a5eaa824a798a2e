/** Places tokens: their box, where they stand, and how they move from one node to another. */

import type ElementRegistry from 'diagram-js/lib/core/ElementRegistry';
import type { Point } from 'diagram-js/lib/util/Types';

import { flowsBetween } from '../animation/places';
import type { Diagram, Id } from '../protocol';
import type { Drawing } from './drawing';
import { isFlowConnection } from './element';
import { center } from './routes';

/** Half the height of a token. */
export const RADIUS = 11;

/** Returns a token's rounded box around its label's place. */
export function boxOf(label: string) {
  const half = Math.max(RADIUS, 4 + label.length * 3.8);
  return { x: -half, y: -RADIUS, width: 2 * half, height: 2 * RADIUS, rx: RADIUS };
}

/** Returns the place of a node's tokens: at its lower left, or in the middle of a small node. */
export function stand(drawing: Drawing, node: Id): Point | null {
  const shape = drawing.shape(node);
  if (!shape) return null;
  const x = shape.width >= 60 ? shape.x + 18 : center(shape).x;
  return { x, y: shape.y + shape.height };
}

/**
 * Returns the way along flows between the places of two nodes' tokens; empty if a node has none.
 */
export function wayOf(drawing: Drawing, diagram: Diagram, from: Id, to: Id): Point[] {
  const [first, last] = [stand(drawing, from), stand(drawing, to)];
  if (!first || !last) return [];
  const registry = drawing.get<ElementRegistry>('elementRegistry');
  const corners = flowsBetween(diagram, from, to).flatMap((flow) => {
    const connection = registry.get(flow);
    return isFlowConnection(connection) ? connection.waypoints : [];
  });
  return [first, ...corners, last];
}
