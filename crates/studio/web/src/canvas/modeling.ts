import type ElementRegistry from 'diagram-js/lib/core/ElementRegistry';
import type { Point as Place } from 'diagram-js/lib/util/Types';

import type { Document } from '../document';
import { begunBy, diagramOf } from '../model';
import type { Bounds, Diagram, Edit, Id, Point } from '../protocol';
import type { View } from '../view';
import type { Requests } from './drawing';
import { type FlowConnection, isFlowConnection, isNodeShape, type NodeShape } from './element';
import { freeShift } from './free';
import { makeRoom } from './room';
import { Routes } from './routes';

function boundsOf({ x, y, width, height }: Bounds): Bounds {
  return { x, y, width, height };
}

/** Selectors of text inputs. */
const FIELDS = 'input, textarea, .code-host';

function pointsOf(places: Place[]): Point[] {
  return places.map(({ x, y }): Point => [Math.round(x), Math.round(y)]);
}

function added(diagram: Id, source: Id, target: Id): Edit {
  return { do: 'add-flow', diagram, source, target, guard: null, key: 'f1' };
}

/** A flow with new ends must forget its drawn route. */
function forgotten({ id, flow }: FlowConnection): Edit[] {
  return flow.points.length === 0 ? [] : [{ do: 'points', flow: id, points: [] }];
}

/** Converts gestures to edits; the library's tools call these methods by name. */
export class Modeling {
  static $inject = ['document', 'view', 'routes', 'elementRegistry', 'requests'];

  constructor(
    private readonly document: Document,
    private readonly view: View,
    private readonly routes: Routes,
    private readonly registry: ElementRegistry,
    private readonly requests: Requests,
  ) {}

  /** Drops nodes. If they would overlap others, they are shifted to the nearest free place. */
  moveElements(elements: unknown[], delta: Place): void {
    const shapes = elements.filter(isNodeShape);
    if (shapes.length === 0 || (delta.x === 0 && delta.y === 0)) return;
    const moved = shapes.map((shape) => {
      return { ...boundsOf(shape), x: shape.x + delta.x, y: shape.y + delta.y };
    });
    const { x, y } = freeShift(moved, this.#others(shapes));
    this.shift(shapes, { x: delta.x + x, y: delta.y + y });
  }

  /** Returns the places of all nodes except these. */
  #others(shapes: NodeShape[]): Bounds[] {
    const all = this.registry.filter((one) => isNodeShape(one)) as NodeShape[];
    return all.filter((one) => !shapes.includes(one));
  }

  /** Moves nodes step by step; they may pass over others. */
  shift(elements: unknown[], delta: Place): void {
    const shapes = elements.filter(isNodeShape);
    if (shapes.length === 0 || (delta.x === 0 && delta.y === 0)) return;
    const placed = new Map(
      shapes.map((shape): [Id, Bounds] => [
        shape.id,
        { ...boundsOf(shape), x: Math.round(shape.x + delta.x), y: Math.round(shape.y + delta.y) },
      ]),
    );
    this.#place('Move', placed, delta);
  }

  resizeShape(shape: NodeShape, bounds: Bounds): void {
    // A click on a handle only rounds the bounds.
    const sides = ['x', 'y', 'width', 'height'] as const;
    if (sides.every((side) => Math.round(shape[side]) === bounds[side])) return;
    this.#place('Resize', new Map([[shape.id, boundsOf(bounds)]]));
  }

  /** Moves shapes apart; shapes across the line stay unchanged. */
  createSpace(moving: NodeShape[], _resizing: NodeShape[], delta: Place): void {
    this.shift(moving, delta);
  }

  /** Moves nodes to new places, and reroutes their flows. */
  place(label: string, placed: Map<Id, Bounds>): void {
    this.#place(label, placed);
  }

  #place(label: string, placed: Map<Id, Bounds>, delta?: Place): void {
    void this.document.edit(label, this.#moves(placed, delta));
  }

  #moves(placed: Map<Id, Bounds>, delta?: Place): Edit[] {
    const edits: Edit[] = [];
    for (const [element, bounds] of placed) edits.push({ do: 'move', element, ...bounds });
    for (const flow of this.registry.filter((one) => isFlowConnection(one))) {
      const points = this.#rerouted(flow as FlowConnection, placed, delta);
      if (points) edits.push({ do: 'points', flow: flow.id, points });
    }
    return edits;
  }

  #rerouted(flow: FlowConnection, placed: Map<Id, Bounds>, delta?: Place): Point[] | null {
    const { source, target } = flow as { source?: NodeShape; target?: NodeShape };
    // A route that no user has drawn is found again.
    if (!source || !target || flow.flow.points.length === 0) return null;
    const moved = { source: placed.has(source.id), target: placed.has(target.id) };
    if (!moved.source && !moved.target) return null;
    if (moved.source && moved.target && delta) {
      return pointsOf(flow.waypoints.map(({ x, y }) => ({ x: x + delta.x, y: y + delta.y })));
    }
    const start = this.#at(source, placed.get(source.id));
    const end = this.#at(target, placed.get(target.id));
    return this.routes.repaired(flow, start, end, moved);
  }

  #at(shape: NodeShape, bounds: Bounds | undefined): NodeShape {
    const { node, id } = shape;
    return { id, node, ...boundsOf(bounds ?? shape) } as NodeShape;
  }

  connect(source: NodeShape, target: NodeShape): void {
    const diagram = this.view.diagram;
    if (diagram === null) return;
    const edit = added(diagram, source.id, target.id);
    void this.document.edit('Connect', [edit]).then((keys) => {
      const flow = keys?.['f1'];
      // A user who has moved on by then isn't called back.
      const isElsewhere = this.view.selection.value.some((id) => id !== source.id);
      if (isElsewhere || window.document.activeElement?.matches(FIELDS)) return;
      if (flow !== undefined && source.node.kind === 'DecisionNode') this.view.select([flow]);
    });
  }

  reconnect(flow: FlowConnection, source: NodeShape, target: NodeShape): void {
    const ends = { source: source.id, target: target.id };
    void this.document.edit('Reconnect', [
      { do: 'reconnect', flow: flow.id, ...ends },
      ...forgotten(flow),
    ]);
  }

  updateWaypoints(flow: FlowConnection, waypoints: Place[]): void {
    const points = pointsOf(waypoints);
    void this.document.edit('Route', [{ do: 'points', flow: flow.id, points }]);
  }

  /** Creates a node at a place; if that is on a flow, inserts the node between the flow's ends. */
  createElements(elements: NodeShape[], position: Place, parent: unknown): NodeShape[] {
    const [shape] = elements;
    if (!shape) return elements;
    const added = this.add(shape, position, isFlowConnection(parent) ? parent : null);
    void added.then((id) => id !== null && shape.node.name !== '' && this.requests.named(id));
    return elements;
  }

  async add(
    shape: NodeShape,
    position: Place,
    into: FlowConnection | null = null,
    behind: NodeShape | null = null,
  ): Promise<Id | null> {
    const diagram = diagramOf(this.document.state.value, this.view.diagram);
    if (!diagram) return null;
    const wanted = {
      x: Math.round(position.x - shape.width / 2),
      y: Math.round(position.y - shape.height / 2),
      width: shape.width,
      height: shape.height,
    };
    const away = into ? { x: 0, y: 0 } : freeShift([wanted], this.#others([]));
    wanted.x += away.x;
    wanted.y += away.y;
    const edits = into
      ? this.#split(diagram, into, shape, wanted)
      : this.#added(diagram.id, shape, wanted);
    if (behind) edits.push(added(diagram.id, behind.id, '$n1'));
    const { kind, name, stereotype } = shape.node;
    edits.push(...begunBy(this.document.state.value, stereotype?.name ?? null));
    const keys = await this.document.edit(`Add ${name || kind}`, edits);
    const id = keys?.['n1'] ?? null;
    if (id !== null) this.view.select([id]);
    return id;
  }

  #added(diagram: Id, { node }: NodeShape, bounds: Bounds): Edit[] {
    const { kind, name, stereotype } = node;
    const applied = stereotype?.name ?? null;
    return [{ do: 'add-node', diagram, kind, name, stereotype: applied, ...bounds, key: 'n1' }];
  }

  /** Inserts a node between the ends of a flow. */
  #split(diagram: Diagram, flow: FlowConnection, shape: NodeShape, wanted: Bounds): Edit[] {
    const { source, target } = flow as { source?: NodeShape; target?: NodeShape };
    if (!source || !target) return this.#added(diagram.id, shape, wanted);
    const { node: bounds, moved } = makeRoom(diagram, source, target, wanted);
    return [
      ...this.#added(diagram.id, shape, bounds),
      ...this.#moves(moved),
      { do: 'reconnect', flow: flow.id, source: source.id, target: '$n1' },
      ...forgotten(flow),
      added(diagram.id, '$n1', target.id),
    ];
  }

  removeElements(elements: { id: Id }[]): void {
    const ids = elements.map(({ id }) => id);
    void this.document.edit('Delete', [{ do: 'remove', elements: ids }]);
  }
}
