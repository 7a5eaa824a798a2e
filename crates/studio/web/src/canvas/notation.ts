/** Maps UML's activity nodes to their forms. */

import type { Node } from '../protocol';

export type Outline = 'circle' | 'diamond' | 'bar' | 'rounded';

export interface Form {
  outline: Outline;
  width: number;
  height: number;
}

const ACTION: Form = { outline: 'rounded', width: 160, height: 64 };

const FORMS: Record<string, Form> = {
  InitialNode: { outline: 'circle', width: 24, height: 24 },
  ActivityFinalNode: { outline: 'circle', width: 28, height: 28 },
  FlowFinalNode: { outline: 'circle', width: 28, height: 28 },
  DecisionNode: { outline: 'diamond', width: 36, height: 36 },
  MergeNode: { outline: 'diamond', width: 36, height: 36 },
  ForkNode: { outline: 'bar', width: 160, height: 8 },
  JoinNode: { outline: 'bar', width: 160, height: 8 },
};

/** All other kinds are actions. */
export function formOf(kind: string): Form {
  return FORMS[kind] ?? ACTION;
}

export function isAction(kind: string): boolean {
  return formOf(kind).outline === 'rounded';
}

export function canStart(kind: string): boolean {
  return kind !== 'ActivityFinalNode' && kind !== 'FlowFinalNode';
}

export function canEnd(kind: string): boolean {
  return kind !== 'InitialNode';
}

export function canResize(kind: string): boolean {
  const { outline } = formOf(kind);
  return outline === 'rounded' || outline === 'bar';
}

/** Nodes with content are dashed, like structured nodes in UML. */
export function isStructured(kind: string): boolean {
  return /^(Structured|Loop|Conditional|Sequence|Expansion)/.test(kind);
}

const PLAIN_NAMES =
  /^(|Initial|Final|Activity ?Final|Flow ?Final|Decision|Merge|Fork|Join)(Node)?\d*$/;

/** Returns the name of a node without room inside, if it says more than the node's form. */
export function caption(node: Node): string {
  return PLAIN_NAMES.test(node.name) ? '' : node.name;
}

/** Returns a node's price, otherwise its other tags, as one line. */
export function summary(node: Node): string {
  const tags = node.stereotype?.tags ?? {};
  const price = tags['cost'] ?? (tags['time'] === undefined ? undefined : `${tags['time']} s`);
  if (price !== undefined) return price;
  const shown = Object.entries(tags).filter(([name]) => name !== 'id' && name !== 'code');
  return shown.map(([name, value]) => `${name} ${value}`).join(', ');
}

/** Returns true for elements that only wait for others, such as an accelerator's kernels. */
export function isIdle(stereotype: string | undefined): boolean {
  return stereotype === 'synchronize';
}
