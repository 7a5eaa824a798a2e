/** Nodes that can be added, and where they go. */

import type { NodeShape } from './canvas/element';
import { formOf } from './canvas/notation';
import { center } from './canvas/routes';
import { diagramOf, elementOf, freshNumbered } from './model';
import type { Bounds, Diagram, Edit, Id, Vocabulary } from './protocol';
import type { Studio } from './studio';

/** Kind of node with or without a stereotype: an entry of the palette. */
export interface Template {
  key: string;
  kind: string;
  stereotype: string | null;
  label: string;
  about: string;
}

/** Kinds that a stereotype is put on first: one without a diagram, then one that has its own. */
const PREFERRED = ['OpaqueAction', 'StructuredActivityNode'];

/** Entries of the palette: all kinds, then all stereotypes on the first kind they are for. */
export function templates(vocabulary: Vocabulary): Template[] {
  const kinds = new Set(vocabulary.nodes.map(({ kind }) => kind));
  const plain = vocabulary.nodes.map(({ kind, label }) => {
    return { key: kind, kind, stereotype: null, label, about: '' };
  });
  const applied = vocabulary.stereotypes.flatMap(({ name, on, about }): Template[] => {
    const possible = PREFERRED.filter((one) => kinds.has(one) && on.includes(one));
    const kind = possible[0] ?? on.find((one) => kinds.has(one));
    if (kind === undefined) return [];
    return [{ key: `${kind} ${name}`, kind, stereotype: name, label: name, about }];
  });
  return [...plain, ...applied];
}

const GAP = 44;

/** A shape of a template that is not on the canvas yet. */
export function shapeOf(diagram: Diagram, { kind, stereotype, label }: Template): NodeShape {
  const { width, height, outline } = formOf(kind);
  const stem = (stereotype ?? label).replace(/[^A-Za-z0-9]/g, '');
  const taken = diagram.nodes.map((node) => node.name);
  const name = outline === 'rounded' ? freshNumbered(taken, capitalized(stem)) : '';
  const applied = stereotype === null ? null : { name: stereotype, tags: {} };
  const node = {
    id: '$n1',
    kind,
    name,
    stereotype: applied,
    body: null,
    calls: null,
    contents: [],
    comment: null,
    x: 0,
    y: 0,
    width,
    height,
    element: null,
  };
  const shape = { id: '$n1', node, share: null, problem: null, x: 0, y: 0, width, height };
  return shape as unknown as NodeShape;
}

/** Edits that give a call a new activity. */
export function newActivity(element: Id, name: string): Edit[] {
  return [
    { do: 'add-activity', name: name || 'Activity', key: 'd1' },
    { do: 'calls', element, diagram: '$d1' },
  ];
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function overlaps(one: Bounds, other: Bounds): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

/** The free place of a size that is nearest to the right. */
function free(diagram: Diagram, wanted: Bounds): Bounds {
  const place = { ...wanted };
  for (let hit; (hit = diagram.nodes.find((node) => overlaps(node, place))); ) {
    place.x = hit.x + hit.width + GAP;
  }
  return place;
}

/** The place behind a node: where the flow through it leads on. */
function behind(diagram: Diagram, node: Bounds & { id: Id }, size: NodeShape): Bounds {
  const { width, height } = size;
  const middle = center(node);
  const before = diagram.flows.find((flow) => flow.target === node.id)?.source;
  const source = diagram.nodes.find((one) => one.id === before);
  const fromLeft =
    source !== undefined &&
    source.x + source.width <= node.x &&
    Math.abs(center(source).y - middle.y) < node.height;
  if (fromLeft) {
    const x = node.x + node.width + GAP;
    return free(diagram, { x, y: middle.y - height / 2, width, height });
  }
  const y = node.y + node.height + GAP;
  return free(diagram, { x: middle.x - width / 2, y, width, height });
}

/** Adds a node behind another, or where one looks; gives its id. */
export async function append(
  studio: Studio,
  template: Template,
  after: Id | null,
): Promise<Id | null> {
  const { drawing, document, view } = studio;
  const diagram = diagramOf(document.state.value, view.diagram);
  if (!drawing || !diagram) return null;
  const shape = shapeOf(diagram, template);
  const found = after === null ? undefined : elementOf(document.state.value, after);
  if (after !== null && found?.type === 'node') {
    const place = behind(diagram, found.node, shape);
    return drawing.modeling.add(shape, center(place), null, drawing.shape(after));
  }
  const box = drawing.canvas.viewbox();
  const at = center({ x: box.x, y: box.y, width: box.width, height: box.height / 2 });
  const { width, height } = shape;
  const wanted = { x: at.x - width / 2, y: at.y - height / 2, width, height };
  return drawing.modeling.add(shape, center(free(diagram, wanted)));
}

/** Adds a node as [`append`] does, and asks for its name if it has one. */
export async function appendNamed(
  studio: Studio,
  template: Template,
  after: Id | null,
): Promise<void> {
  const id = await append(studio, template, after);
  const found = id === null ? undefined : elementOf(studio.document.state.value, id);
  if (found?.type === 'node' && found.node.name !== '') {
    studio.dialog.set({ type: 'rename', node: found.node.id, isNew: true });
  } else studio.drawing?.focus();
}
