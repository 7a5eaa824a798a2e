/** Routes flows orthogonally. */

import type CroppingConnectionDocking from 'diagram-js/lib/layout/CroppingConnectionDocking';
import { connectRectangles, repairConnection } from 'diagram-js/lib/layout/ManhattanLayout';
import type { Point as Place } from 'diagram-js/lib/util/Types';

import type { Bounds, Point } from '../protocol';
import { detour } from './detour';
import type { FlowConnection, NodeShape } from './element';

export function center({ x, y, width, height }: Bounds): Place {
  return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
}

function preferred(source: Bounds, target: Bounds): string[] {
  if (source === target) return ['r:b'];
  const below = target.y >= source.y + source.height;
  const above = source.y >= target.y + target.height;
  return below || above ? ['v:v', 'v:h', 'h:v', 'h:h'] : ['h:h', 'h:v', 'v:h', 'v:v'];
}

export class Routes {
  static $inject = ['connectionDocking'];

  readonly #docking: CroppingConnectionDocking;

  constructor(docking: CroppingConnectionDocking) {
    this.#docking = docking;
  }

  /** Returns a new route between two shapes, which may be off the canvas, around other shapes. */
  between(source: NodeShape, target: NodeShape, others: Bounds[] = []): Point[] {
    const hints = { preferredLayouts: preferred(source, target) };
    const route = connectRectangles(source, target, center(source), center(target), hints);
    return this.#crop(detour(route, source, target, others), source, target);
  }

  /** Returns a flow's route after its ends have moved, as similar to the old one as possible. */
  repaired(
    connection: FlowConnection,
    source: NodeShape,
    target: NodeShape,
    moved: { source: boolean; target: boolean },
  ): Point[] {
    if (connection.waypoints.length < 2) return this.between(source, target);
    const hints = {
      preferredLayouts: preferred(source, target),
      connectionStart: moved.source,
      connectionEnd: moved.target,
    };
    const route = repairConnection(
      source,
      target,
      center(source),
      center(target),
      connection.waypoints.map(({ x, y }) => ({ x, y })),
      hints,
    );
    return this.#crop(route, source, target);
  }

  #crop(waypoints: Place[], source: NodeShape, target: NodeShape): Point[] {
    const connection = { id: 'route', waypoints, source, target };
    const cropped = this.#docking.getCroppedWaypoints(connection as never, source, target);
    return cropped.map(({ x, y }: Place): Point => [Math.round(x), Math.round(y)]);
  }
}
