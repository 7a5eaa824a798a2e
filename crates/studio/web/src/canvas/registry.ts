import ElementRegistry from 'diagram-js/lib/core/ElementRegistry';
import type EventBus from 'diagram-js/lib/core/EventBus';

/** The id of the canvas itself: no file contains such a character. */
export const ROOT = '\u0001';

/** Elements by untrusted ids, such as `constructor`. */
export class Registry extends ElementRegistry {
  static override $inject = ['eventBus'];

  constructor(eventBus: EventBus) {
    super(eventBus);
    // An ordinary object has the properties of all objects.
    Object.assign(this, { _elements: Object.create(null) });
  }
}
