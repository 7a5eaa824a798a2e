import ContextPad from 'diagram-js/lib/features/context-pad/ContextPad';
import type Canvas from 'diagram-js/lib/core/Canvas';
import type ElementRegistry from 'diagram-js/lib/core/ElementRegistry';
import type { Point as Place } from 'diagram-js/lib/util/Types';

import type { Bounds } from '../protocol';
import { isFlowConnection, isNodeShape } from './element';

/** Size of the buttons next to a flow, and their distance from it, in screen pixels. */
const WIDTH = 64;
const HEIGHT = 36;
const AWAY = 10;

function overlap(one: Bounds, other: Bounds): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

/** Returns places next to a flow, starting with its end. */
function beside(waypoints: Place[]): Place[] {
  const places = waypoints.flatMap((from, at) => {
    const to = waypoints[at + 1];
    if (to === undefined) return [];
    return [0.25, 0.5, 0.75].map((part) => ({
      x: from.x + (to.x - from.x) * part,
      y: from.y + (to.y - from.y) * part,
    }));
  });
  return places.toReversed();
}

/** The buttons next to the selection; buttons of a flow cover no node. */
export class Pad extends ContextPad {
  _getPosition(target: unknown): { left: number; top: number } {
    const inherited = ContextPad.prototype as unknown as {
      _getPosition(target: unknown): { left: number; top: number };
    };
    if (!isFlowConnection(target)) return inherited._getPosition.call(this, target);
    const own = this as unknown as { _canvas: Canvas; _elementRegistry: ElementRegistry };
    const { x, y, scale } = own._canvas.viewbox();
    const [width, height, away] = [WIDTH / scale, HEIGHT / scale, AWAY / scale];
    const nodes = own._elementRegistry.filter((one) => isNodeShape(one)) as unknown as Bounds[];
    const free = beside(target.waypoints)
      .flatMap((at) => [
        { x: at.x + away, y: at.y - height / 2, width, height },
        { x: at.x - away - width, y: at.y - height / 2, width, height },
        { x: at.x - width / 2, y: at.y - away - height, width, height },
        { x: at.x - width / 2, y: at.y + away, width, height },
      ])
      .find((place) => !nodes.some((node) => overlap(node, place)));
    if (!free) return inherited._getPosition.call(this, target);
    return { left: (free.x - x) * scale, top: (free.y - y) * scale };
  }
}
