import type { Connection, Shape } from 'diagram-js/lib/model/Types';

import type { Flow, Node, Problem } from '../protocol';

/** A node on the canvas, with all that its drawing shows. */
export type NodeShape = Shape & {
  node: Node;
  share: number | null;
  /** Share of the critical path, if that passes. */
  critical: number | null;
  problem: Problem | null;
};

export type FlowConnection = Connection & {
  flow: Flow;
  /** Number of times that the critical path passes, if it does. */
  critical: number | null;
  problem: Problem | null;
};

export function isNodeShape(element: unknown): element is NodeShape {
  return typeof element === 'object' && element !== null && 'node' in element;
}

export function isFlowConnection(element: unknown): element is FlowConnection {
  return typeof element === 'object' && element !== null && 'flow' in element;
}
