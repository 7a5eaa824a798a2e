/** Copy and paste as text, so that both work between diagrams, windows and browsers. */

import { diagramOf } from '../model';
import type { Diagram, Edit, Flow, Id, Node } from '../protocol';
import type { Studio } from '../studio';

/** Says what a text is; another number is another layout of it. */
const FORMAT = 'prophet-studio-1';

/** Distance of a copy from its original. */
const OFFSET = 24;

interface Clip {
  format: typeof FORMAT;
  nodes: Node[];
  flows: Flow[];
}

function clipOf(diagram: Diagram, selection: Id[]): Clip {
  const nodes = diagram.nodes.filter(({ id }) => selection.includes(id));
  const ids = new Set(nodes.map(({ id }) => id));
  const flows = diagram.flows.filter(({ source, target }) => ids.has(source) && ids.has(target));
  return { format: FORMAT, nodes, flows };
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

/** The contents of nodes are drawn in other diagrams, which a copy does not bring along. */
function pasted(clip: Clip, diagram: Diagram): Edit[] {
  const taken = new Set(diagram.nodes.map(({ x, y }) => `${x} ${y}`));
  let shift = 0;
  while (clip.nodes.some(({ x, y }) => taken.has(`${x + shift} ${y + shift}`))) shift += OFFSET;
  const keys = new Map(clip.nodes.map(({ id }, at) => [id, `n${at}`]));
  const nodes = clip.nodes.flatMap((node): Edit[] => {
    const { kind, name, stereotype, width, height, body, comment, calls } = node;
    const key = keys.get(node.id) ?? '';
    const element = `$${key}`;
    const place = { x: node.x + shift, y: node.y + shift, width, height };
    const applied = stereotype?.name ?? null;
    // Two elements with one number would be one element of the prediction.
    const tags = Object.entries(stereotype?.tags ?? {}).filter(([tag]) => tag !== 'id');
    return [
      { do: 'add-node', diagram: diagram.id, kind, name, stereotype: applied, ...place, key },
      ...tags.map(([tag, value]): Edit => ({ do: 'tag', element, tag, value })),
      ...(body === null ? [] : [{ do: 'body', element, text: body } as const]),
      ...(comment === null ? [] : [{ do: 'comment', element, text: comment } as const]),
      ...(calls === null ? [] : [{ do: 'calls', element, diagram: calls } as const]),
    ];
  });
  const flows = clip.flows.flatMap(({ source, target, guard, points }, at): Edit[] => {
    const [from, to] = [keys.get(source), keys.get(target)];
    if (from === undefined || to === undefined) return [];
    const ends = { source: `$${from}`, target: `$${to}` };
    const moved = points.map(([x, y]): [number, number] => [x + shift, y + shift]);
    return [
      { do: 'add-flow', diagram: diagram.id, ...ends, guard, key: `f${at}` },
      ...(moved.length > 1 ? [{ do: 'points', flow: `$f${at}`, points: moved } as const] : []),
    ];
  });
  return [...nodes, ...flows];
}

async function paste({ document: model, view }: Studio, clip: Clip): Promise<void> {
  const diagram = diagramOf(model.state.value, view.diagram);
  if (!diagram || clip.nodes.length === 0) return;
  const keys = await model.edit('Paste', pasted(clip, diagram));
  if (!keys) return;
  view.select(clip.nodes.flatMap((_, at) => keys[`n${at}`] ?? []));
}

/** True if the page, and no field in it, has the keyboard. */
function ours(studio: Studio): boolean {
  const active = document.activeElement;
  return studio.dialog.value === null && !active?.matches('input, textarea, select, .code-host');
}

/** Answers the clipboard keys of the browser, which need no permission. */
export function copying(studio: Studio): void {
  const { document: model, view } = studio;
  const copy = (event: ClipboardEvent): boolean => {
    const diagram = diagramOf(model.state.value, view.diagram);
    const clip = diagram && ours(studio) ? clipOf(diagram, view.selection.value) : null;
    if (!clip || clip.nodes.length === 0) return false;
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
