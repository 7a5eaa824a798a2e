/** Copies and pastes as text, so that both work between diagrams, windows and browsers. */

import { diagramOf } from '../model';
import type { Diagram, Edit, Flow, Id, Node, State, Variable } from '../protocol';
import type { Studio } from '../studio';

/** Identifies the text's format; another number means another format. */
const FORMAT = 'prophet-studio-1';

/** Distance of a copy from its original. */
const OFFSET = 24;

/** A part of a diagram, including its nodes' contents. */
interface Part {
  nodes: Node[];
  flows: Flow[];
  locals: Variable[];
  contents: Record<Id, Part>;
}

interface Clip extends Part {
  format: typeof FORMAT;
}

function partOf(state: State, diagram: Diagram, taken: (id: Id) => boolean): Part {
  const nodes = diagram.nodes.filter(({ id }) => taken(id));
  const ids = new Set(nodes.map(({ id }) => id));
  const flows = diagram.flows.filter(({ source, target }) => ids.has(source) && ids.has(target));
  const inner = nodes.flatMap(({ id, contents }): [Id, Part][] => {
    const content = diagramOf(state, contents[0] ?? null);
    return content ? [[id, { ...partOf(state, content, () => true), locals: content.locals }]] : [];
  });
  return { nodes, flows, locals: [], contents: Object.fromEntries(inner) };
}

function parse(text: string): Clip | null {
  if (!text.includes(FORMAT)) return null;
  try {
    const clip = JSON.parse(text) as Partial<Clip>;
    const right = clip.format === FORMAT && Array.isArray(clip.nodes) && Array.isArray(clip.flows);
    return right ? (clip as Clip) : null;
  } catch {
    return null;
  }
}

/** Returns the distance at which the copies overlap no node. */
function shiftOf(part: Part, diagram: Diagram): number {
  const taken = new Set(diagram.nodes.map(({ x, y }) => `${x} ${y}`));
  let shift = 0;
  while (part.nodes.some(({ x, y }) => taken.has(`${x + shift} ${y + shift}`))) shift += OFFSET;
  return shift;
}

/** Returns edits that add a part to a diagram; new nodes get keys that start with `prefix`. */
function pasted(state: State, part: Part, diagram: Id, shift: number, prefix: string): Edit[] {
  const keys = new Map(part.nodes.map(({ id }, at) => [id, `${prefix}${at}`]));
  const locals = part.locals.map((local): Edit => {
    return { do: 'variable', owner: diagram, ...local, id: null };
  });
  const nodes = part.nodes.flatMap((node): Edit[] => {
    const key = keys.get(node.id) ?? '';
    const content = part.contents[node.id];
    const inner = content ? pasted(state, content, `$${key}`, 0, `${key}_`) : [];
    // Another model may lack the called activity.
    const calls = diagramOf(state, node.calls)?.id ?? null;
    return [...pastedNode({ ...node, calls }, diagram, shift, key), ...inner];
  });
  const flows = part.flows.flatMap(({ source, target, guard, points }, at): Edit[] => {
    const [from, to] = [keys.get(source), keys.get(target)];
    if (from === undefined || to === undefined) return [];
    const ends = { source: `$${from}`, target: `$${to}` };
    const key = `${prefix}flow${at}`;
    const moved = points.map(([x, y]): [number, number] => [x + shift, y + shift]);
    return [
      { do: 'add-flow', diagram, ...ends, guard, key },
      ...(moved.length > 1 ? [{ do: 'points', flow: `$${key}`, points: moved } as const] : []),
    ];
  });
  return [...locals, ...nodes, ...flows];
}

function pastedNode(node: Node, diagram: Id, shift: number, key: string): Edit[] {
  const { kind, name, stereotype, width, height, body, comment, calls } = node;
  const element = `$${key}`;
  const place = { x: node.x + shift, y: node.y + shift, width, height };
  // Two elements with the same number would be a single element in the prediction.
  const tags = Object.entries(stereotype?.tags ?? {}).filter(([tag]) => tag !== 'id');
  return [
    { do: 'add-node', diagram, kind, name, stereotype: stereotype?.name ?? null, ...place, key },
    ...tags.map(([tag, value]): Edit => ({ do: 'tag', element, tag, value })),
    ...(body === null ? [] : [{ do: 'body', element, text: body } as const]),
    ...(comment === null ? [] : [{ do: 'comment', element, text: comment } as const]),
    ...(calls === null ? [] : [{ do: 'calls', element, diagram: calls } as const]),
  ];
}

async function paste({ document: model, view }: Studio, clip: Clip): Promise<void> {
  const diagram = diagramOf(model.state.value, view.diagram);
  if (!diagram || clip.nodes.length === 0) return;
  const edits = pasted(model.state.value, clip, diagram.id, shiftOf(clip, diagram), 'n');
  const keys = await model.edit('Paste', edits);
  if (!keys) return;
  view.select(clip.nodes.flatMap((_, at) => keys[`n${at}`] ?? []));
}

/** Returns true if the page has the focus, and no field in it does. */
function ours(studio: Studio): boolean {
  const active = document.activeElement;
  return studio.dialog.value === null && !active?.matches('input, textarea, select, .code-host');
}

/** Handles the browser's clipboard keys, which need no permission. */
export function copying(studio: Studio): void {
  const { document: model, view } = studio;
  const copy = (event: ClipboardEvent): boolean => {
    const diagram = diagramOf(model.state.value, view.diagram);
    if (!diagram || !ours(studio)) return false;
    const selection = new Set(view.selection.value);
    const part = partOf(model.state.value, diagram, (id) => selection.has(id));
    if (part.nodes.length === 0) return false;
    const clip: Clip = { format: FORMAT, ...part };
    event.clipboardData?.setData('text/plain', JSON.stringify(clip));
    event.preventDefault();
    return true;
  };
  document.addEventListener('copy', copy);
  document.addEventListener('cut', (event) => {
    if (!copy(event)) return;
    void model.edit('Cut', [{ do: 'remove', elements: [...view.selection.value] }]);
  });
  document.addEventListener('paste', (event) => {
    const clip = ours(studio) ? parse(event.clipboardData?.getData('text/plain') ?? '') : null;
    if (!clip) return;
    event.preventDefault();
    void paste(studio, clip);
  });
}
