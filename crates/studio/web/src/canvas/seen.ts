import type Canvas from 'diagram-js/lib/core/Canvas';
import type ElementRegistry from 'diagram-js/lib/core/ElementRegistry';
import type EventBus from 'diagram-js/lib/core/EventBus';
import type Selection from 'diagram-js/lib/features/selection/Selection';
import { getBBox } from 'diagram-js/lib/util/Elements';
import { append, attr, create } from 'tiny-svg';

import type { Bounds } from '../protocol';
import { type FlowConnection, isFlowConnection, isNodeShape, type NodeShape } from './element';

/** Number of elements up to which all are drawn, visible or not. */
const FEW = 400;
/** Maximum distance that names and marks extend from their elements. */
const REACH = 200;

type Drawn = NodeShape | FlowConnection;

/**
 * Removes a large diagram's elements from the drawing as they leave the view, because each drawn
 * element costs time in each frame.
 */
export class Seen {
  static $inject = ['canvas', 'elementRegistry', 'eventBus', 'selection'];

  /** Keeps the size of the drawing as if all elements were drawn. */
  readonly #extent = create('rect');
  readonly #out = new Set<Drawn>();
  #elements: [Drawn, Bounds][] = [];

  constructor(
    private readonly canvas: Canvas,
    private readonly registry: ElementRegistry,
    eventBus: EventBus,
    private readonly selection: Selection,
  ) {
    attr(this.#extent, { visibility: 'hidden', 'pointer-events': 'none' });
    eventBus.on(['canvas.viewbox.changed', 'selection.changed'], () => this.#look());
  }

  /** Adopts the diagram's elements and their places. */
  update(): void {
    const drawn = this.registry.filter((one) => isNodeShape(one) || isFlowConnection(one));
    const elements = new Set(drawn.length > FEW ? (drawn as Drawn[]) : []);
    for (const element of this.#out) if (!elements.has(element)) this.#show(element, true);
    this.#elements = [...elements].map((element) => [element, getBBox(element)]);
    if (elements.size > 0) {
      attr(this.#extent, { ...getBBox([...elements]) });
      append(this.canvas.getActiveLayer() as never, this.#extent);
    } else this.#extent.remove();
    this.#look();
  }

  #look(): void {
    const { x, y, width, height } = this.canvas.viewbox();
    const selected = new Set(this.selection.get());
    for (const [element, box] of this.#elements) {
      const isSeen =
        box.x < x + width + REACH &&
        box.y < y + height + REACH &&
        box.x + box.width > x - REACH &&
        box.y + box.height > y - REACH;
      // The buttons next to the selection ask where the selected element is drawn.
      const isShown = isSeen || selected.has(element);
      if (isShown === this.#out.has(element)) this.#show(element, isShown);
    }
  }

  #show(element: Drawn, isShown: boolean): void {
    if (isShown) this.#out.delete(element);
    else this.#out.add(element);
    const group = this.registry.getGraphics(element)?.parentElement;
    if (group) group.style.display = isShown ? '' : 'none';
  }
}
