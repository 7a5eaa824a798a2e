import AutoScroll from 'diagram-js/lib/features/auto-scroll/AutoScroll';
import type Canvas from 'diagram-js/lib/core/Canvas';
import type EventBus from 'diagram-js/lib/core/EventBus';

/** Width of the border where a drag scrolls. */
const BORDER_PX = 20;

/** Scrolls at the borders, unless a drag from the palette just enters over one. */
export class Scroll extends AutoScroll {
  static override $inject = ['config.autoScroll', 'eventBus', 'canvas'];

  #isInside = false;
  readonly #place: Canvas;

  constructor(config: object, eventBus: EventBus, canvas: Canvas) {
    super(config, eventBus, canvas);
    this.#place = canvas;
    eventBus.on('drag.cleanup', () => {
      this.#isInside = false;
    });
  }

  override startScroll(point: { x: number; y: number }): void {
    const { width, height } = this.#place.getContainer().getBoundingClientRect();
    const edge = Math.min(point.x, point.y, width - point.x, height - point.y);
    if (edge >= BORDER_PX) this.#isInside = true;
    if (this.#isInside) super.startScroll(point);
  }
}
