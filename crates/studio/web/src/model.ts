/** Answers questions about a state. */

import type { Diagram, Edit, Flow, Id, Node } from './protocol';
import type { Problem, State, Stereotype, Vocabulary } from './protocol';

export type Element =
  | { type: 'node'; diagram: Diagram; node: Node }
  | { type: 'flow'; diagram: Diagram; flow: Flow };

export function diagramOf(state: State, id: Id | null): Diagram | undefined {
  return state.diagrams.find((diagram) => diagram.id === id);
}

export function elementOf(state: State, id: Id): Element | undefined {
  for (const diagram of state.diagrams) {
    const node = diagram.nodes.find((one) => one.id === id);
    if (node) return { type: 'node', diagram, node };
    const flow = diagram.flows.find((one) => one.id === id);
    if (flow) return { type: 'flow', diagram, flow };
  }
  return undefined;
}

/** Returns the node that a prediction identifies by a number. */
export function nodeOfElement(state: State, element: number): Id | null {
  for (const { nodes } of state.diagrams) {
    const found = nodes.find((node) => node.element === element);
    if (found) return found.id;
  }
  return null;
}

/** Returns the diagrams that a node calls or contains. */
export function inside(node: Node): Id[] {
  return node.calls === null ? node.contents : [node.calls, ...node.contents];
}

/** Returns the diagrams from the main one to this one, along calls and contents. */
export function pathTo(state: State, id: Id): Id[] {
  const start = diagramOf(state, state.main) ?? state.diagrams[0];
  if (!start) return [];
  const from = new Map<Id, Id | null>([[start.id, null]]);
  const queue = [start.id];
  for (let next = queue.shift(); next !== undefined && next !== id; next = queue.shift()) {
    for (const node of diagramOf(state, next)?.nodes ?? []) {
      for (const inner of inside(node)) {
        if (!from.has(inner)) {
          from.set(inner, next);
          queue.push(inner);
        }
      }
    }
  }
  if (!from.has(id)) return [id];
  const path: Id[] = [];
  for (let at: Id | null = id; at !== null; at = from.get(at) ?? null) path.unshift(at);
  return path;
}

/** Returns true if the main activity is a workflow of tasks instead of a program of processes. */
export function isWorkflow(state: State): boolean {
  return diagramOf(state, state.main)?.stereotype?.name === 'workflow';
}

/** Returns the edits that turn the main activity into a workflow, or back into a program. */
export function kindOfMain({ main }: State, workflow: boolean): Edit[] {
  return main === null
    ? []
    : [{ do: 'stereotype', element: main, name: workflow ? 'workflow' : null }];
}

/** Returns a stereotype's side effects: a drawing's first task turns it into a workflow. */
export function begunBy(state: State, stereotype: string | null): Edit[] {
  const hasElements = state.diagrams.some((diagram) =>
    [diagram, ...diagram.nodes].some((one) => one.stereotype !== null),
  );
  return stereotype === 'task' && !hasElements ? kindOfMain(state, true) : [];
}

/** Returns a node's title for lists and screen readers. */
export function title(node: Node): string {
  return node.name || node.kind.replace(/Node$|Action$/, '').replace(/(?<=.)[A-Z]/g, ' $&');
}

export function describe(diagram: Diagram, node: Node): string {
  const inputs = diagram.flows.filter((flow) => flow.target === node.id).length;
  const outputs = diagram.flows.filter((flow) => flow.source === node.id).length;
  const what = node.stereotype?.name ?? node.kind;
  return `${title(node)}, ${what}, ${inputs} in, ${outputs} out`;
}

export function stereotypeOf(
  vocabulary: Vocabulary,
  name: string | undefined,
): Stereotype | undefined {
  return vocabulary.stereotypes.find((stereotype) => stereotype.name === name);
}

/** Problems of an unfinished drawing: no nodes, or nodes without flows. */
const UNFINISHED = new Set(['PM0308', 'PM0802', 'PM0803', 'PM0827']);

/**
 * Returns problems that aren't mistakes yet: while nothing follows the initial node, nodes wait for
 * their flows.
 */
export function unfinished(state: State): Problem[] {
  const main = diagramOf(state, state.main);
  const begins = (main?.flows.length ?? 0) > 0;
  if (begins && !state.problems.some(({ code }) => code === 'PM0802')) return [];
  return state.problems.filter(({ code }) => UNFINISHED.has(code));
}

/** Returns the worst problem at each element. */
export function marks(state: State): Map<Id, Problem> {
  const rank = { error: 0, warning: 1, note: 2 };
  const worst = new Map<Id, Problem>();
  const waiting = new Set(unfinished(state));
  for (const problem of state.problems.filter((one) => !waiting.has(one))) {
    if (problem.owner === null) continue;
    const known = worst.get(problem.owner);
    if (!known || rank[problem.severity] < rank[known.severity]) {
      worst.set(problem.owner, problem);
    }
  }
  return worst;
}

/** Returns the stem with the first number that makes a new name. */
export function freshNumbered(taken: string[], stem: string): string {
  const names = new Set(taken);
  let number = 1;
  while (names.has(`${stem}${number}`)) number += 1;
  return `${stem}${number}`;
}
