import type { ElkExtendedEdge, ElkNode, ElkPoint } from 'elkjs/lib/elk-api';

import { diagramOf } from '../model';
import type { Diagram, Edit, Id, Node, Point } from '../protocol';
import type { Studio } from '../studio';
import { guardSize } from './draw';
import { formOf } from './notation';

const OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.edgeRouting': 'ORTHOGONAL',
  // Of ELK's ways, these take a time that grows with the diagram, and no deep recursion.
  'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
  'elk.layered.layering.strategy': 'LONGEST_PATH_SOURCE',
  'elk.separateConnectedComponents': 'false',
  // Flows lead back as `inOrder` finds it, and branches stay in their drawn order.
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
  'elk.layered.crossingMinimization.semiInteractive': 'true',
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

/** Nodes of a diagram in the order of its flows, apart from flows that close a loop. */
function inOrder({ nodes, flows }: Diagram): Node[] {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const targets = new Map<Id, Id[]>();
  for (const { source, target } of flows) {
    const list = targets.get(source);
    if (list) list.push(target);
    else targets.set(source, [target]);
  }
  const starts = nodes.toSorted((a, b) => startRank(a) - startRank(b));
  const left: Node[] = [];
  const seen = new Set<Id>();
  for (const start of starts) {
    // A long chain is too deep for a function that calls itself.
    const path: { node: Node; next: number }[] = [];
    const enter = (node: Node | undefined) => {
      if (!node || seen.has(node.id)) return;
      seen.add(node.id);
      path.push({ node, next: 0 });
    };
    enter(start);
    for (let at = path.at(-1); at; at = path.at(-1)) {
      const target = targets.get(at.node.id)?.[at.next];
      at.next += 1;
      if (target !== undefined) enter(known.get(target));
      else left.push((path.pop() ?? at).node);
    }
  }
  return left.toReversed();
}

function startRank({ kind }: Node): number {
  return kind === 'InitialNode' ? 0 : 1;
}

function graphOf(diagram: Diagram): ElkNode {
  const { flows } = diagram;
  return {
    id: 'diagram',
    layoutOptions: OPTIONS,
    children: inOrder(diagram).map(({ id, x, y, width, height }) => {
      // Branches of a diagram that leads to the right lie one below the other.
      const place = `(${x + y / 1000},${y})`;
      return { id, width, height, layoutOptions: { 'elk.position': place } };
    }),
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
  const places = new Map(children.map((node) => [node.id, node]));
  const routes = edges.map((edge): Edit => {
    const ends = [...edge.sources, ...edge.targets].flatMap((id) => places.get(id) ?? []);
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

/** Most nodes that are laid out: more take a browser minutes, and more memory than it gives. */
const LAID_OUT_MAX = 6000;

/** The diagram that is being laid out, for which a second request changes nothing. */
let busy: Id | null = null;

/** Gives all nodes and flows of the shown diagram new places, as one step of undo. */
export async function layOut({ document, view, drawing }: Studio): Promise<void> {
  const diagram = diagramOf(document.state.value, view.diagram);
  if (!diagram || diagram.nodes.length === 0 || busy !== null) return;
  const nodes = `${diagram.nodes.length.toLocaleString('en-US')} nodes`;
  if (diagram.nodes.length > LAID_OUT_MAX) {
    const most = LAID_OUT_MAX.toLocaleString('en-US');
    document.notice.set(`A layout has at most ${most} nodes; this diagram has ${nodes}.`);
    return;
  }
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

async function placed(diagram: Diagram): Promise<Edit[]> {
  const elk = await engine();
  try {
    return editsOf(diagram, await elk.layout(graphOf(diagram)));
  } finally {
    elk.terminateWorker();
  }
}
