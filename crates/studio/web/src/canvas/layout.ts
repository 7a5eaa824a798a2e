import type { ElkExtendedEdge, ElkNode, ElkPoint } from 'elkjs/lib/elk-api';

import { diagramOf } from '../model';
import type { Diagram, Edit, Point } from '../protocol';
import type { Studio } from '../studio';
import { guardSize } from './draw';

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

function pointsOf({ sections }: ElkExtendedEdge): Point[] {
  const [section] = sections ?? [];
  if (!section) return [];
  const places: ElkPoint[] = [section.startPoint, ...(section.bendPoints ?? []), section.endPoint];
  return places.map(({ x, y }): Point => [Math.round(x), Math.round(y)]);
}

/** Gives all nodes and flows of the shown diagram new places, as one step of undo. */
export async function layOut({ document, view, drawing }: Studio): Promise<void> {
  const diagram = diagramOf(document.state.value, view.diagram);
  if (!diagram || diagram.nodes.length === 0) return;
  const elk = await engine();
  try {
    const { children = [], edges = [] } = await elk.layout(graphOf(diagram));
    const moves = children.map(({ id, x = 0, y = 0, width = 0, height = 0 }): Edit => {
      return { do: 'move', element: id, x: Math.round(x), y: Math.round(y), width, height };
    });
    const routes = edges.map((edge): Edit => {
      return { do: 'points', flow: edge.id, points: pointsOf(edge as ElkExtendedEdge) };
    });
    await document.edit('Lay out', [...moves, ...routes]);
  } finally {
    elk.terminateWorker();
  }
  requestAnimationFrame(() => drawing?.fit());
}
