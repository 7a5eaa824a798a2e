import type Canvas from 'diagram-js/lib/core/Canvas';
import type ElementFactory from 'diagram-js/lib/core/ElementFactory';
import type ElementRegistry from 'diagram-js/lib/core/ElementRegistry';
import type EventBus from 'diagram-js/lib/core/EventBus';

import type { Bounds, Diagram, Flow, Id, Node, Problem } from '../protocol';
import type { CriticalPath } from '../report';
import { isFlowConnection, isNodeShape, type FlowConnection, type NodeShape } from './element';
import { Routes } from './routes';

/** Findings to show in addition to a diagram. */
export interface Findings {
  shares: Map<Id, number>;
  problems: Map<Id, Problem>;
  path: CriticalPath;
}

/** Maximum number of nodes to draw in a diagram, because each takes a browser a millisecond. */
export const DRAWN_MAX = 3000;
/**
 * Maximum number of nodes that flows are routed around, because each flow is compared with each
 * node.
 */
const AROUND_MAX = 400;

/** Updates the canvas to show a diagram, changing only elements that differ. */
export class Reconciler {
  static $inject = ['canvas', 'elementFactory', 'elementRegistry', 'eventBus', 'routes'];

  /** What each element was last drawn from. */
  readonly #drawn = new Map<Id, string>();
  /** The places of all nodes, which flows are routed around. */
  #obstacles: (Bounds & { id: Id })[] = [];
  #places = '';
  /** How often these places have changed. */
  #moves = 0;

  constructor(
    private readonly canvas: Canvas,
    private readonly factory: ElementFactory,
    private readonly registry: ElementRegistry,
    private readonly eventBus: EventBus,
    private readonly routes: Routes,
  ) {}

  show(diagram: Diagram, findings: Findings): void {
    // Elements in a file may lack ids; such elements can't be told apart.
    const drawn = diagram.nodes.slice(0, DRAWN_MAX);
    const nodes = new Map(drawn.map((node) => [node.id, node]));
    nodes.delete('');
    const flows = new Map(diagram.flows.map((flow) => [flow.id, flow]));
    flows.delete('');
    for (const { id, source, target } of diagram.flows) {
      if (nodes.has(id) || !nodes.has(source) || !nodes.has(target)) flows.delete(id);
    }
    this.#removeOthers(nodes, flows);
    this.#obstacles = drawn.length > AROUND_MAX ? [] : drawn;
    const places = JSON.stringify(this.#obstacles.map(boundsOf));
    if (places !== this.#places) this.#moves += 1;
    this.#places = places;
    const changed: (NodeShape | FlowConnection)[] = [];
    for (const node of nodes.values()) this.#node(node, findings, changed);
    for (const flow of flows.values()) this.#flow(flow, findings, changed);
    if (changed.length > 0) this.eventBus.fire('elements.changed', { elements: changed });
  }

  #removeOthers(nodes: Map<Id, Node>, flows: Map<Id, Flow>): void {
    const old = this.registry.filter((element) => {
      if (isFlowConnection(element)) return !flows.has(element.id);
      return isNodeShape(element) && !nodes.has(element.id);
    });
    for (const flow of old.filter(isFlowConnection)) this.canvas.removeConnection(flow);
    for (const shape of old.filter(isNodeShape)) this.canvas.removeShape(shape);
    for (const { id } of old) this.#drawn.delete(id);
  }

  /** Returns true if the element must be drawn again. */
  #differs(id: Id, source: unknown): boolean {
    const text = JSON.stringify(source);
    if (this.#drawn.get(id) === text) return false;
    this.#drawn.set(id, text);
    return true;
  }

  #node(node: Node, { shares, problems, path }: Findings, changed: unknown[]): void {
    const share = shares.get(node.id) ?? null;
    const problem = problems.get(node.id) ?? null;
    const critical = path.nodes.get(node.id) ?? null;
    // Smaller changes to a share are invisible.
    const seen = [share, critical].map((one) => (one === null ? null : Math.round(one * 1000)));
    if (!this.#differs(node.id, [node, seen, problem])) return;
    const { id, x, y, width, height } = node;
    const attributes = { node, share, critical, problem, x, y, width, height };
    const known = this.registry.get(id);
    if (known) changed.push(Object.assign(known, attributes));
    else this.canvas.addShape(this.factory.createShape({ id, ...attributes }));
  }

  #flow(flow: Flow, { problems, path }: Findings, changed: unknown[]): void {
    const problem = problems.get(flow.id) ?? null;
    const critical = path.flows.get(flow.id) ?? null;
    const source = this.registry.get(flow.source);
    const target = this.registry.get(flow.target);
    if (!isNodeShape(source) || !isNodeShape(target)) return;
    const isDrawn = flow.points.length > 1;
    const ends = isDrawn ? null : [boundsOf(source), boundsOf(target), this.#moves];
    if (!this.#differs(flow.id, [flow, ends, problem, critical])) return;
    const others = () => this.#obstacles.filter(({ id }) => id !== source.id && id !== target.id);
    const points = isDrawn ? flow.points : this.routes.between(source, target, others());
    const waypoints = points.map(([x, y]) => ({ x, y }));
    const attributes = { flow, problem, critical, waypoints, source, target };
    const known = this.registry.get(flow.id);
    if (known) changed.push(Object.assign(known, attributes));
    else {
      const created = this.factory.createConnection({ id: flow.id, ...attributes });
      this.canvas.addConnection(created);
    }
  }
}

function boundsOf({ x, y, width, height }: Bounds): Bounds {
  return { x, y, width, height };
}
