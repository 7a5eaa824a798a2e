import { diagramOf, elementOf, pathTo } from './model';
import type { Document } from './document';
import type { Id } from './protocol';
import { Store } from './store';
import { newVisit } from './visit';

/** A request to take the focus; each is a separate object, so that it can be repeated. */
export interface Wish {
  property: string;
}

export type Tab = 'element' | 'program' | 'prediction' | 'animation' | 'report';

/** Which part of the document is displayed, and what is selected in it. */
export class View {
  /** The diagrams from the outermost to the displayed one. */
  readonly path: Store<Id[]>;
  readonly selection = new Store<Id[]>([]);
  readonly tab = new Store<Tab>('prediction');
  /** The property that wants the focus. */
  readonly focus = new Store<Wish | null>(null);

  /** The new node that was just named; the next Enter asks for its cost. */
  named: Id | null = null;

  /** The visit of this selection; moving it by keys is a single undo step. */
  visit = newVisit();

  readonly #document: Document;

  constructor(document: Document) {
    this.#document = document;
    const state = document.state.value;
    const first = diagramOf(state, state.main) ?? state.diagrams[0];
    this.path = new Store(first ? [first.id] : []);
    document.state.watch(() => this.#forget());
  }

  get diagram(): Id | null {
    return this.path.value.at(-1) ?? null;
  }

  select(ids: Id[]): void {
    const now = this.selection.value;
    if (ids.length === now.length && ids.every((id, at) => id === now[at])) return;
    // A request for another element's property doesn't apply to this one.
    this.focus.set(null);
    this.visit = newVisit();
    this.named = null;
    this.selection.set(ids);
  }

  /** Enters a diagram from the displayed one. */
  enter(diagram: Id): void {
    if (diagram === this.diagram || !diagramOf(this.#document.state.value, diagram)) return;
    this.go([...this.path.value, diagram]);
  }

  /** Shows the diagram around this one. */
  leave(): void {
    if (this.path.value.length > 1) this.go(this.path.value.slice(0, -1));
  }

  /** Shows the last of these nested diagrams. */
  go(path: Id[]): void {
    this.focus.set(null);
    this.selection.set([]);
    this.path.set(path);
  }

  /** Shows any diagram. */
  open(diagram: Id): void {
    if (diagram === this.diagram) return;
    this.go(pathTo(this.#document.state.value, diagram));
  }

  /** Shows and selects a node or a flow, wherever it is. */
  reveal(id: Id): void {
    const found = elementOf(this.#document.state.value, id);
    if (!found) {
      if (diagramOf(this.#document.state.value, id)) this.open(id);
      return;
    }
    this.open(found.diagram.id);
    this.select([id]);
  }

  /** Opens the editor for a property of the selection. */
  edit(property: string): void {
    this.tab.set('element');
    this.focus.set({ property });
  }

  /** Opens the editor for a variable or a function. */
  declare(name: string): void {
    this.tab.set('program');
    this.focus.set({ property: `declaration of ${name}` });
  }

  /** Leaves elements that no longer exist in the document. */
  #forget(): void {
    const state = this.#document.state.value;
    if (this.path.value.length === 0) this.path.set(pathTo(state, state.main ?? ''));
    const gone = this.path.value.findIndex((id) => !diagramOf(state, id));
    if (gone === 0) this.path.set(pathTo(state, state.main ?? ''));
    else if (gone > 0) this.path.set(this.path.value.slice(0, gone));
    this.select(this.selection.value.filter((id) => elementOf(state, id)));
  }
}
