import type Connect from 'diagram-js/lib/features/connect/Connect';
import ContextPadModule from 'diagram-js/lib/features/context-pad';
import type ContextPad from 'diagram-js/lib/features/context-pad/ContextPad';

import type { Document } from '../document';
import { type IconName, iconMarkup } from '../icons';
import { inside } from '../model';
import type { View } from '../view';
import type { Requests } from './drawing';
import { isFlowConnection, isNodeShape, type NodeShape } from './element';
import type { Modeling } from './modeling';
import { canStart, isAction } from './notation';

export { ContextPadModule };

type Action = (event: MouseEvent) => void;

function entry(icon: IconName, title: string, click: Action, dragstart?: Action) {
  const html = `<div class="entry pad-entry" draggable="true">${iconMarkup(icon)}</div>`;
  const action = dragstart ? { click, dragstart } : { click };
  return { group: 'edit', title, html, action };
}

/** The buttons next to the selection. */
export class ContextPadEntries {
  static $inject = ['contextPad', 'connect', 'modeling', 'document', 'view', 'requests'];

  constructor(
    contextPad: ContextPad,
    private readonly connect: Connect,
    private readonly modeling: Modeling,
    private readonly document: Document,
    private readonly view: View,
    private readonly requests: Requests,
  ) {
    contextPad.registerProvider(this as never);
  }

  getContextPadEntries(element: unknown): Record<string, object> {
    if (isNodeShape(element)) return this.#forNode(element);
    if (!isFlowConnection(element) || !this.document.state.value.editable) return {};
    return {
      guard: entry('rename', 'Edit the guard (Enter)', () => this.view.edit('guard')),
      remove: entry('remove', 'Delete (Delete)', () => this.modeling.removeElements([element])),
    };
  }

  getMultiElementContextPadEntries(elements: { id: string }[]): Record<string, object> {
    if (!this.document.state.value.editable) return {};
    const remove = () => this.modeling.removeElements(elements);
    return { remove: entry('remove', 'Delete (Delete)', remove) };
  }

  #forNode(shape: NodeShape): Record<string, object> {
    const entries: Record<string, object> = {};
    const [inner] = inside(shape.node);
    if (inner !== undefined) {
      entries['enter'] = entry('enter', 'Open its diagram (D)', () => this.view.enter(inner));
    }
    if (!this.document.state.value.editable) return entries;
    if (canStart(shape.node.kind)) {
      const connect: Action = (event) => this.connect.start(event, shape as never);
      entries['append'] = entry('plus', 'Append (A)', () => this.requests.append(shape.id));
      entries['connect'] = entry('connect', 'Connect (C)', connect, connect);
    }
    if (isAction(shape.node.kind)) {
      const rename = () => this.requests.rename(shape.id);
      entries['rename'] = entry('rename', 'Rename (Enter)', rename);
    }
    const remove = () => this.modeling.removeElements([shape]);
    entries['remove'] = entry('remove', 'Delete (Delete)', remove);
    return entries;
  }
}
