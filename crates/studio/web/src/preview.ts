/** Previews the state after edits, so that what is typed is visible before the server answers. */

import type { Applied, Diagram, Edit, Flow, Id, Node, State } from './protocol';

/** Edits by the element that they change. */
type Changes = Map<Id, Edit[]>;

function changesOf(edits: Edit[]): Changes {
  const changes: Changes = new Map();
  for (const edit of edits) {
    const id = 'element' in edit ? edit.element : 'flow' in edit ? edit.flow : null;
    if (id === null) continue;
    const known = changes.get(id);
    if (known) known.push(edit);
    else changes.set(id, [edit]);
  }
  return changes;
}

function tagged(applied: Applied, tag: string, value: string | null): Applied {
  const others = Object.entries(applied.tags).filter(([name]) => name !== tag);
  const tags = value === null ? others : [...others, [tag, value]];
  return { ...applied, tags: Object.fromEntries(tags) as Applied['tags'] };
}

/** Returns a node or a diagram after an edit to a property that both have. */
function edited<T extends Node | Diagram>(one: T, edit: Edit): T {
  switch (edit.do) {
    case 'rename':
      return { ...one, name: edit.name };
    case 'comment':
      return { ...one, comment: edit.text };
    case 'tag': {
      const { stereotype } = one;
      if (stereotype === null) return one;
      return { ...one, stereotype: tagged(stereotype, edit.tag, edit.value) };
    }
    default:
      return one;
  }
}

function changedNode(node: Node, edit: Edit): Node {
  if (edit.do === 'move') {
    const { x, y, width, height } = edit;
    return { ...node, x, y, width, height };
  }
  return edit.do === 'body' ? { ...node, body: edit.text } : edited(node, edit);
}

function changedFlow(flow: Flow, edit: Edit): Flow {
  if (edit.do === 'points') return { ...flow, points: edit.points };
  return edit.do === 'guard' ? { ...flow, guard: edit.text } : flow;
}

function changed(diagram: Diagram, changes: Changes): Diagram {
  const has = ({ id }: { id: Id }) => changes.has(id);
  if (!has(diagram) && !diagram.nodes.some(has) && !diagram.flows.some(has)) return diagram;
  return {
    ...(changes.get(diagram.id) ?? []).reduce(edited<Diagram>, diagram),
    nodes: diagram.nodes.map((node) => (changes.get(node.id) ?? []).reduce(changedNode, node)),
    flows: diagram.flows.map((flow) => (changes.get(flow.id) ?? []).reduce(changedFlow, flow)),
  };
}

/** Returns the state after edits, as far as the page can predict it. */
export function preview(state: State, edits: Edit[]): State {
  const changes = changesOf(edits);
  if (changes.size === 0) return state;
  return { ...state, diagrams: state.diagrams.map((diagram) => changed(diagram, changes)) };
}
