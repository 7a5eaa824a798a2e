import type { Connection, Shape } from 'diagram-js/lib/model/Types';

import type { Flow, Node, Problem } from '../protocol';

/** A node on the canvas, with everything that its drawing shows. */
export type NodeShape = Shape & {
  node: Node;
  share: number | null;
  /** Its share of the critical path, if the path passes it. */
  critical: number | null;
  problem: Problem | null;
};

export type FlowConnection = Connection & {
  flow: Flow;
  /** How often the critical path passes it, if it does. */
  critical: number | null;
  problem: Problem | null;
};

export function isNodeShape(element: unknown): element is NodeShape {
  return typeof element === 'object' && element !== null && 'node' in element;
}

export function isFlowConnection(element: unknown): element is FlowConnection {
  return typeof element === 'object' && element !== null && 'flow' in element;
}
