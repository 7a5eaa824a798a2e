import type { ElkExtendedEdge, ElkNode, ElkPoint } from 'elkjs/lib/elk-api';

import { diagramOf } from '../model';
import type { Diagram, Edit, Point } from '../protocol';
import type { Studio } from '../studio';
import { guardSize } from './draw';
import { formOf } from './notation';

const OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.spacing.nodeNodeBetweenLayers': '44',
  'elk.spacing.nodeNode': '44',
  'elk.spacing.edgeLabel': '4',
  'elk.padding': '[top=40,left=40,bottom=40,right=40]',
};

/** The layout is large, so it is fetched when one first asks for it, and has its own thread. */
async function engine() {
  const [{ default: Elk }, { default: address }] = await Promise.all([
    import('elkjs/lib/elk-api.js'),
    import('elkjs/lib/elk-worker.min.js?url'),
  ]);
  return new Elk({ workerFactory: () => new Worker(new URL(address, import.meta.url)) });
}

function graphOf({ nodes, flows }: Diagram): ElkNode {
  return {
    id: 'diagram',
    layoutOptions: OPTIONS,
    children: nodes.map(({ id, width, height }) => ({ id, width, height })),
    edges: flows.map(({ id, source, target, guard }) => {
      const labels = guard ? [{ text: guard, ...guardSize(guard) }] : [];
      return { id, sources: [source], targets: [target], labels };
    }),
  };
}

/** The place on the outline of a node above or below a place on its box. */
function onOutline({ x, y }: ElkPoint, node: ElkNode, kind: string): ElkPoint {
  const { outline } = formOf(kind);
  const [width, height] = [node.width ?? 0, node.height ?? 0];
  const aside = Math.abs(x - (node.x ?? 0) - width / 2) / (width / 2);
  if (outline === 'rounded' || outline === 'bar' || !(aside < 1)) return { x, y };
  const out = outline === 'diamond' ? 1 - aside : Math.sqrt(1 - aside * aside);
  const middle = (node.y ?? 0) + height / 2;
  return { x, y: middle + (y < middle ? -out : out) * (height / 2) };
}

function pointsOf({ sections }: ElkExtendedEdge, end: (at: ElkPoint) => ElkPoint): Point[] {
  const [section] = sections ?? [];
  if (!section) return [];
  const { startPoint, bendPoints = [], endPoint } = section;
  const places = [end(startPoint), ...bendPoints, end(endPoint)];
  return places.map(({ x, y }): Point => [Math.round(x), Math.round(y)]);
}

/** Edits that bring a diagram into a layout. */
function editsOf(diagram: Diagram, { children = [], edges = [] }: ElkNode): Edit[] {
  const kinds = new Map(diagram.nodes.map(({ id, kind }) => [id, kind]));
  const moves = children.map(({ id, x = 0, y = 0, width = 0, height = 0 }): Edit => {
    return { do: 'move', element: id, x: Math.round(x), y: Math.round(y), width, height };
  });
  const routes = edges.map((edge): Edit => {
    const ids = [...edge.sources, ...edge.targets];
    const ends = children.filter(({ id }) => ids.includes(id));
    const end = (at: ElkPoint): ElkPoint => {
      const node = ends.find((one) => isAt(at, one));
      return node ? onOutline(at, node, kinds.get(node.id) ?? '') : at;
    };
    return { do: 'points', flow: edge.id, points: pointsOf(edge as ElkExtendedEdge, end) };
  });
  return [...moves, ...routes];
}

function isAt({ x, y }: ElkPoint, { x: left = 0, y: top = 0, width = 0, height = 0 }: ElkNode) {
  const [right, bottom] = [left + width, top + height];
  return x >= left - 1 && x <= right + 1 && y >= top - 1 && y <= bottom + 1;
}

/** Gives all nodes and flows of the shown diagram new places, as one step of undo. */
export async function layOut({ document, view, drawing }: Studio): Promise<void> {
  const diagram = diagramOf(document.state.value, view.diagram);
  if (!diagram || diagram.nodes.length === 0) return;
  const elk = await engine();
  try {
    const layout = await elk.layout(graphOf(diagram));
    await document.edit('Lay out', editsOf(diagram, layout));
  } finally {
    elk.terminateWorker();
  }
  requestAnimationFrame(() => drawing?.fit());
}
