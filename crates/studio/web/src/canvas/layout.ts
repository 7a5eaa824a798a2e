import { diagramOf } from '../model';
import type { Diagram, Edit, Id, Node, Point } from '../protocol';
import type { Studio } from '../studio';
import { guardSize } from './draw';
import type { Graph, Layout } from './layered/graph';
import { formOf } from './notation';

function graphOf({ nodes, flows }: Diagram): Graph {
  // In a diagram that leads to the right, branches are below each other.
  const place = ({ x, y }: Node) => x + y / 1000;
  const numbers = new Map(nodes.map(({ id }, at) => [id, at]));
  return {
    boxes: nodes.map((node) => {
      const { kind, width, height } = node;
      return { width, height, rank: place(node), isStart: kind === 'InitialNode' };
    }),
    links: flows.map(({ source, target, guard }) => ({
      source: numbers.get(source) ?? -1,
      target: numbers.get(target) ?? -1,
      room: guard ? guardSize(guard).width : 0,
    })),
  };
}

/** Projects a place on a node's box to the outline above or below it. */
function onOutline([x, y]: Point, node: Node, left: number, top: number): Point {
  const { outline } = formOf(node.kind);
  const { width, height } = node;
  const aside = Math.abs(x - left - width / 2) / (width / 2);
  if (outline === 'rounded' || outline === 'bar' || !(aside < 1)) return [x, y];
  const out = outline === 'diamond' ? 1 - aside : Math.sqrt(1 - aside * aside);
  const middle = top + height / 2;
  return [x, Math.round(middle + (y < middle ? -out : out) * (height / 2))];
}

/** Returns edits that apply a layout to a diagram. */
function editsOf({ nodes, flows }: Diagram, { places, routes }: Layout): Edit[] {
  const placed = new Map(nodes.map((node, at) => [node.id, { node, place: places[at] }]));
  const moves = nodes.flatMap(({ id, width, height }, at): Edit[] => {
    const [x, y] = places[at] ?? [0, 0];
    return [{ do: 'move', element: id, x, y, width, height }];
  });
  const end = (at: Point, id: Id): Point => {
    const { node, place } = placed.get(id) ?? {};
    return node && place ? onOutline(at, node, ...place) : at;
  };
  const drawn = flows.map(({ id, source, target }, number): Edit => {
    const points = [...(routes[number] ?? [])];
    const [first, last] = [points[0], points.at(-1)];
    if (first && last) {
      points[0] = end(first, source);
      points[points.length - 1] = end(last, target);
    }
    return { do: 'points', flow: id, points };
  });
  return [...moves, ...drawn];
}

/** The diagram being laid out; a second request for it has no effect. */
let busy: Id | null = null;

/** Lays out all nodes and flows of the displayed diagram, in a single undo step. */
export async function layOut({ document, view, drawing }: Studio): Promise<void> {
  const diagram = diagramOf(document.state.value, view.diagram);
  if (!diagram || diagram.nodes.length === 0 || busy !== null) return;
  const nodes = `${diagram.nodes.length.toLocaleString('en-US')} nodes`;
  busy = diagram.id;
  const started = performance.now();
  const tell = (step: string) => {
    const seconds = Math.floor((performance.now() - started) / 1000);
    document.notice.set(`Laying out ${nodes}: ${step}${seconds > 0 ? `, ${seconds} s` : ''}`);
  };
  let step = 'finding places';
  tell(step);
  const clock = window.setInterval(() => tell(step), 1000);
  try {
    const edits = await placed(diagram);
    step = 'writing them';
    tell(step);
    const keys = await document.edit('Lay out', edits);
    if (keys !== null) document.notice.set(null);
    requestAnimationFrame(() => drawing?.fit());
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    document.notice.set(`The layout of ${nodes} failed: ${why}`);
  } finally {
    window.clearInterval(clock);
    busy = null;
  }
}

/** Computes edits that place a diagram, in a separate worker. */
async function placed(diagram: Diagram): Promise<Edit[]> {
  const worker = new Worker(new URL('./layered/worker.ts', import.meta.url), { type: 'module' });
  try {
    const found = await new Promise<Layout>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Layout>) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message.replace(/^.*Error: /, '')));
      worker.postMessage(graphOf(diagram));
    });
    return editsOf(diagram, found);
  } finally {
    worker.terminate();
  }
}
