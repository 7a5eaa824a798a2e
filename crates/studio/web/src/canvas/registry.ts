import ElementRegistry from 'diagram-js/lib/core/ElementRegistry';
import type EventBus from 'diagram-js/lib/core/EventBus';

/** The id of the canvas itself: no file has such a character. */
export const ROOT = '\u0001';

/** Elements by ids that strangers have chosen, such as `constructor`. */
export class Registry extends ElementRegistry {
  static override $inject = ['eventBus'];

  constructor(eventBus: EventBus) {
    super(eventBus);
    // An object of its own has properties of all objects.
    Object.assign(this, { _elements: Object.create(null) });
  }
}
