import type Canvas from 'diagram-js/lib/core/Canvas';
import type ElementRegistry from 'diagram-js/lib/core/ElementRegistry';
import type EventBus from 'diagram-js/lib/core/EventBus';
import type Dragging from 'diagram-js/lib/features/dragging/Dragging';
import Snapping from 'diagram-js/lib/features/snapping/Snapping';
import { append, attr, create } from 'tiny-svg';

/** Runs before the library makes a group for dragged elements. */
const PRIORITY = 600;

/**
 * An SVG above the drawing, in which nodes are dragged. A browser paints an SVG as a whole, and
 * searches all of it for the element under the pointer. In the drawing itself, each move would
 * therefore cost as much as all nodes.
 */
export class Glass {
  static $inject = ['canvas', 'dragging', 'elementRegistry', 'eventBus'];

  /** The dragged elements, in the drawing's coordinates. */
  readonly layer = create('g');
  readonly #svg = create('svg');
  #down = (): void => undefined;

  constructor(
    private readonly canvas: Canvas,
    private readonly dragging: Dragging,
    private readonly registry: ElementRegistry,
    eventBus: EventBus,
  ) {
    attr(this.#svg, { class: 'glass' });
    append(this.#svg, this.layer);
    append(canvas.getContainer(), this.#svg);
    const passed = { mouseover: 'element.hover', mouseout: 'element.out' };
    for (const [type, told] of Object.entries(passed)) {
      this.#svg.addEventListener(type, () => {
        eventBus.fire(told, { element: canvas.getRootElement(), gfx: this.#svg });
      });
    }
    eventBus.on('shape.move.start', PRIORITY, ({ context }: { context: object }) => {
      const dragGroup = create('g');
      attr(dragGroup, { class: 'djs-drag-group', 'pointer-events': 'none' });
      append(this.layer, dragGroup);
      Object.assign(context, { dragGroup });
      this.#raise();
    });
    eventBus.on(['shape.move.ended', 'shape.move.canceled'], () => this.#down());
    eventBus.on('canvas.viewbox.changed', () => this.#follow());
  }

  /** Receives pointer events instead of the drawing, by acting as its root's graphics. */
  #raise(): void {
    const root = this.canvas.getRootElement();
    const stand = (layer: SVGElement, svg: SVGElement) => {
      this.registry.updateGraphics(root, layer);
      this.registry.updateGraphics(root, svg, true);
    };
    const layer = this.registry.getGraphics(root);
    const svg = this.registry.getGraphics(root, true);
    stand(this.layer, this.#svg);
    attr(this.#svg, { class: 'glass raised' });
    // Like a class on the root, a page-wide cursor makes the browser restyle all nodes.
    Object.assign(this.dragging.context() ?? {}, { cursor: null });
    this.#down = () => {
      stand(layer, svg);
      attr(this.#svg, { class: 'glass' });
    };
  }

  #follow(): void {
    const { x, y, scale } = this.canvas.viewbox();
    attr(this.layer, { transform: `matrix(${scale} 0 0 ${scale} ${-x * scale} ${-y * scale})` });
  }
}

/** Shows the lines that nodes snap to on the glass. */
export class GlassSnapping extends Snapping {
  static override $inject = ['glass'];

  constructor({ layer }: Glass) {
    super({ getLayer: () => layer } as unknown as Canvas);
  }
}
