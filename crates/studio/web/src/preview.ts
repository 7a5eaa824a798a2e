/** State as it will be: edits that only move or rename are seen before the server has answered. */

import type { Diagram, Edit, Flow, Node, State } from './protocol';

function inNodes(diagram: Diagram, id: string, change: (node: Node) => Node): Diagram {
  if (!diagram.nodes.some((node) => node.id === id)) return diagram;
  return {
    ...diagram,
    nodes: diagram.nodes.map((node) => (node.id === id ? change(node) : node)),
  };
}

function inFlows(diagram: Diagram, id: string, change: (flow: Flow) => Flow): Diagram {
  if (!diagram.flows.some((flow) => flow.id === id)) return diagram;
  return {
    ...diagram,
    flows: diagram.flows.map((flow) => (flow.id === id ? change(flow) : flow)),
  };
}

function inDiagram(diagram: Diagram, edit: Edit): Diagram {
  switch (edit.do) {
    case 'move': {
      const { x, y, width, height } = edit;
      return inNodes(diagram, edit.element, (node) => ({ ...node, x, y, width, height }));
    }
    case 'rename':
      return inNodes(diagram, edit.element, (node) => ({ ...node, name: edit.name }));
    case 'points':
      return inFlows(diagram, edit.flow, (flow) => ({ ...flow, points: edit.points }));
    case 'guard':
      return inFlows(diagram, edit.flow, (flow) => ({ ...flow, guard: edit.text }));
    default:
      return diagram;
  }
}

/** State after edits, as far as the page can tell. */
export function preview(state: State, edits: Edit[]): State {
  let diagrams = state.diagrams;
  for (const edit of edits) {
    diagrams = diagrams.map((diagram) => inDiagram(diagram, edit));
  }
  return { ...state, diagrams };
}
