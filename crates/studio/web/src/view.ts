import { diagramOf, elementOf, pathTo } from './model';
import type { Document } from './document';
import type { Id } from './protocol';
import { Store } from './store';
import { newVisit } from './visit';

/** A wish for the keyboard; each is an object of its own, so that the same can be wished again. */
export interface Wish {
  property: string;
}

export type Tab = 'element' | 'program' | 'prediction' | 'animation' | 'report';

/** What of the document is shown, and what is selected in it. */
export class View {
  /** Diagrams from the outermost to the one that is shown. */
  readonly path: Store<Id[]>;
  readonly selection = new Store<Id[]>([]);
  readonly tab = new Store<Tab>('prediction');
  /** The property that asks for the keyboard. */
  readonly focus = new Store<Wish | null>(null);

  /** The new node that was just named: the next Enter asks for what it costs. */
  named: Id | null = null;

  /** The time with this selection: moves of it by keys are one step of undo. */
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
    // What another element was asked for is no matter of this one.
    this.focus.set(null);
    this.visit = newVisit();
    this.named = null;
    this.selection.set(ids);
  }

  /** Enters a diagram from the one that is shown. */
  enter(diagram: Id): void {
    if (diagram === this.diagram || !diagramOf(this.#document.state.value, diagram)) return;
    this.go([...this.path.value, diagram]);
  }

  /** Shows the diagram around this one. */
  leave(): void {
    if (this.path.value.length > 1) this.go(this.path.value.slice(0, -1));
  }

  /** Shows the last of these diagrams, which lie one in the other. */
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

  /** Opens the editor of a property of what is selected. */
  edit(property: string): void {
    this.tab.set('element');
    this.focus.set({ property });
  }

  /** Opens the editor of a variable or a function. */
  declare(name: string): void {
    this.tab.set('program');
    this.focus.set({ property: `declaration of ${name}` });
  }

  /** Leaves what the document has no more. */
  #forget(): void {
    const state = this.#document.state.value;
    if (this.path.value.length === 0) this.path.set(pathTo(state, state.main ?? ''));
    const gone = this.path.value.findIndex((id) => !diagramOf(state, id));
    if (gone === 0) this.path.set(pathTo(state, state.main ?? ''));
    else if (gone > 0) this.path.set(this.path.value.slice(0, gone));
    this.select(this.selection.value.filter((id) => elementOf(state, id)));
  }
}
