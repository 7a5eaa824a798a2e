/** State as it will be: edits that only move or rename are seen before the server has answered. */

import type { Diagram, Edit, Flow, Id, Node, State } from './protocol';

interface Changes {
  nodes: Map<Id, Partial<Node>>;
  flows: Map<Id, Partial<Flow>>;
}

function changesOf(edits: Edit[]): Changes {
  const nodes: Changes['nodes'] = new Map();
  const flows: Changes['flows'] = new Map();
  for (const edit of edits) {
    if (edit.do === 'move') {
      const { x, y, width, height } = edit;
      nodes.set(edit.element, { ...nodes.get(edit.element), x, y, width, height });
    } else if (edit.do === 'rename') {
      nodes.set(edit.element, { ...nodes.get(edit.element), name: edit.name });
    } else if (edit.do === 'points') {
      flows.set(edit.flow, { ...flows.get(edit.flow), points: edit.points });
    } else if (edit.do === 'guard') {
      flows.set(edit.flow, { ...flows.get(edit.flow), guard: edit.text });
    }
  }
  return { nodes, flows };
}

function changed(diagram: Diagram, { nodes, flows }: Changes): Diagram {
  const isChanged =
    diagram.nodes.some(({ id }) => nodes.has(id)) || diagram.flows.some(({ id }) => flows.has(id));
  if (!isChanged) return diagram;
  return {
    ...diagram,
    nodes: diagram.nodes.map((node) => ({ ...node, ...nodes.get(node.id) })),
    flows: diagram.flows.map((flow) => ({ ...flow, ...flows.get(flow.id) })),
  };
}

/** State after edits, as far as the page can tell. */
export function preview(state: State, edits: Edit[]): State {
  const changes = changesOf(edits);
  if (changes.nodes.size === 0 && changes.flows.size === 0) return state;
  return { ...state, diagrams: state.diagrams.map((diagram) => changed(diagram, changes)) };
}
