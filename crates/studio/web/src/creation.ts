/** Creates nodes, and finds places for them. */

import type { NodeShape } from './canvas/element';
import { formOf } from './canvas/notation';
import { center } from './canvas/routes';
import { diagramOf, elementOf, freshNumbered } from './model';
import type { Bounds, Diagram, Edit, Id, Vocabulary } from './protocol';
import type { Studio } from './studio';

/** A palette entry: a kind of node, with or without a stereotype. */
export interface Template {
  key: string;
  kind: string;
  stereotype: string | null;
  label: string;
  about: string;
}

/** Preferred kinds for a stereotype: first one without a diagram, then one with its own diagram. */
const PREFERRED = ['OpaqueAction', 'StructuredActivityNode'];

/** Returns the palette's entries: all kinds, then all stereotypes, each on its preferred kind. */
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

/** Makes a template's shape, which isn't on the canvas yet. */
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

/** Returns edits that give a call a new activity. */
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

/** Returns the nearest free place with this size to the right. */
function free(diagram: Diagram, wanted: Bounds): Bounds {
  const place = { ...wanted };
  for (let hit; (hit = diagram.nodes.find((node) => overlaps(node, place))); ) {
    place.x = hit.x + hit.width + GAP;
  }
  return place;
}

/** Returns the place after a node, where the flow through it continues. */
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

/** Adds a node after another, or in the visible part; returns its id. */
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

/** Adds a node like [`append`], and asks for its name if it has one. */
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
