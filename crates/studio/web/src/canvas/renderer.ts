import type EventBus from 'diagram-js/lib/core/EventBus';
import BaseRenderer from 'diagram-js/lib/draw/BaseRenderer';
import {
  componentsToPath,
  createLine,
} from 'diagram-js/lib/util/RenderUtil';

import { drawFlow, drawNode } from './draw';
import type { FlowConnection, NodeShape } from './element';
import { formOf } from './notation';

/** Takes precedence over the library's renderer. */
const PRIORITY = 1500;

/** Draws activity diagrams, and computes the outlines where flows end. */
export class Renderer extends BaseRenderer {
  static $inject = ['eventBus'];

  constructor(eventBus: EventBus) {
    super(eventBus, PRIORITY);
  }

  override canRender(element: object): boolean {
    return 'node' in element || 'flow' in element;
  }

  override drawShape(visuals: SVGElement, shape: NodeShape): SVGElement {
    return drawNode(visuals, shape);
  }

  override drawConnection(visuals: SVGElement, connection: FlowConnection): SVGElement {
    if (!('flow' in connection)) return createLine((connection as FlowConnection).waypoints, {});
    return drawFlow(visuals, connection);
  }

  override getShapePath(shape: NodeShape): string {
    const { x, y, width, height } = shape;
    const kind = shape.node.kind;
    switch (formOf(kind).outline) {
      case 'circle': {
        const radius = Math.min(width, height) / 2;
        return componentsToPath([
          ['M', x + width / 2 - radius, y + height / 2],
          ['a', radius, radius, 0, 1, 1, 2 * radius, 0],
          ['a', radius, radius, 0, 1, 1, -2 * radius, 0],
          ['z'],
        ]);
      }
      case 'diamond':
        return componentsToPath([
          ['M', x + width / 2, y],
          ['l', width / 2, height / 2],
          ['l', -width / 2, height / 2],
          ['l', -width / 2, -height / 2],
          ['z'],
        ]);
      default:
        return componentsToPath([
          ['M', x, y],
          ['l', width, 0],
          ['l', 0, height],
          ['l', -width, 0],
          ['z'],
        ]);
    }
  }

  override getConnectionPath(connection: FlowConnection): string {
    const steps = connection.waypoints.map(({ x, y }, at) => [at === 0 ? 'M' : 'L', x, y]);
    return componentsToPath(steps as [string, number, number][]);
  }
}
