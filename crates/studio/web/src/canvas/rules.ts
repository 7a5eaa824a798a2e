import type EventBus from 'diagram-js/lib/core/EventBus';
import RuleProvider from 'diagram-js/lib/features/rules/RuleProvider';

import { isFlowConnection, isNodeShape } from './element';
import { canEnd, canResize, canStart } from './notation';

/**
 * Lists the gestures that activity diagrams allow; the server's checks report what is wrong with
 * the model.
 */
export class ActivityRules extends RuleProvider {
  static override $inject = ['eventBus', 'editable'];

  readonly editable: () => boolean;

  constructor(eventBus: EventBus, editable: () => boolean) {
    super(eventBus);
    this.editable = editable;
  }

  override init(): void {
    const rule = (name: string, allows: (context: Record<string, unknown>) => boolean) =>
      this.addRule(name, (context) => this.editable() && allows(context));
    const connects = ({ source, target }: Record<string, unknown>) =>
      isNodeShape(source) &&
      isNodeShape(target) &&
      canStart(source.node.kind) &&
      canEnd(target.node.kind);
    // An element dropped onto a node is moved to a free place next to it.
    for (const name of ['elements.move', 'shape.create', 'elements.create']) rule(name, () => true);
    rule('shape.resize', ({ shape }) => isNodeShape(shape) && canResize(shape.node.kind));
    rule('connection.start', ({ source }) => isNodeShape(source) && canStart(source.node.kind));
    rule('connection.create', connects);
    rule('connection.reconnect', connects);
    rule('connection.updateWaypoints', ({ connection }) => isFlowConnection(connection));
  }
}
