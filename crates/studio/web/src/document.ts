import { api, Refused, reasonOf } from './api';
import { Connection } from './connection';
import { preview } from './preview';
import type { Given } from './given';
import type { Edit, Edited, FitRequest, Keys, State } from './protocol';
import { Store } from './store';
import { keepUnsent, keptUnsent, type Unsent, whenTaken } from './unsent';

/** Maximum length of a text that the page copies, and the pause in typing before it does. */
const COPY_MAX = 8 << 20;
const COPY_MS = 1000;

/** The server's document: its state, and the edits that are on the way to it. */
export class Document {
  readonly state: Store<State>;
  /** A message for the user about the last request. */
  readonly notice = new Store<string | null>(null);

  /** The current visit; its edits are a single undo step. */
  visit: string | null = null;

  /** Whether the studio answers. */
  readonly connection = new Connection((revision) => void this.reload(revision));
  /** Edits that another page couldn't send because its studio had ended. */
  readonly kept: Store<Unsent[]>;
  /** Number of edits that haven't reached the studio yet. */
  readonly waiting = new Store(0);
  /** Whether another page has made or discarded the edits that wait in this one. */
  readonly gaveAway = new Store(false);
  /** The file as it would have been saved last, for a copy if the studio ends. */
  #copy: string | null = null;
  #copying = 0;

  /** The state without the edits on the way. */
  #confirmed: State;
  #pending: Unsent[] = [];
  /**
   * Requests are sent one after another, because each names the revision that the previous one
   * made.
   */
  #last: Promise<unknown> = Promise.resolve();

  constructor(state: State) {
    this.#confirmed = state;
    this.state = new Store(state);
    this.kept = new Store(keptUnsent(state.place));
    whenTaken(state.place, () => this.#taken());
    this.connection.state.watch(() => this.#keep());
    this.#copyLater();
  }

  /** The file without the edits on the way, if known. */
  get copy(): string | null {
    return this.#copy;
  }

  /** Makes or discards the edits that another page couldn't send. */
  async takeKept(wanted: boolean): Promise<void> {
    const kept = this.kept.value;
    this.kept.set([]);
    keepUnsent(this.#confirmed.place, []);
    for (const { label, edits, table } of wanted ? kept : []) {
      await (table ? this.writeTable(table.name, table.text) : this.edit(label, edits));
    }
  }

  /** Handles that another page has made or discarded the edits that this one couldn't send. */
  #taken(): void {
    if (this.connection.state.value === 'here') this.kept.set([]);
    else {
      this.#pending = [];
      this.gaveAway.set(true);
    }
  }

  /** Sends edits as a single undo step. Returns the ids of added elements, or null if rejected. */
  async edit(label: string, edits: Edit[]): Promise<Keys | null> {
    if (edits.length === 0) return {};
    if (!this.#confirmed.editable) {
      this.notice.set(this.#confirmed.why ?? 'This model cannot be edited here.');
      return null;
    }
    const pending = this.#begin({ label, edits });
    const { visit } = this;
    const send = (revision: number) => api.edit(revision, label, edits, visit);
    const edited = await this.#request(send, pending);
    return edited === null ? null : (edited.keys ?? {});
  }

  /** Shows edits that are on the way. */
  #begin(edits: Unsent): Unsent {
    this.#pending.push(edits);
    this.gaveAway.set(false);
    this.#keep();
    this.#show();
    return edits;
  }

  undo(): Promise<unknown> {
    return this.#step('undo');
  }

  redo(): Promise<unknown> {
    return this.#step('redo');
  }

  /** Undoes or redoes a step once all earlier edits have arrived, if there is one then. */
  #step(way: 'undo' | 'redo'): Promise<unknown> {
    return this.#request((revision) => {
      return this.#confirmed[way] === null ? null : api[way](revision);
    });
  }

  /** Fixes a problem, by its number in the state, as the checks suggest. */
  fix(problem: number): Promise<unknown> {
    return this.#request((revision) => api.fix(revision, problem));
  }

  /** Writes the file. Overwrites another program's changes only if `over` is set. */
  async save(over = false): Promise<void> {
    const saved = await this.#request((revision) => api.save(revision, over));
    if (saved) this.notice.set(`Saved ${saved.state.file}.`);
  }

  /** Writes a table without waiting for a save, because it has its own file. */
  writeTable(name: string, text: string): Promise<unknown> {
    const { visit } = this;
    const pending = this.#begin({ label: `Write ${name}`, edits: [], table: { name, text } });
    return this.#request((revision) => api.table(revision, name, text, visit), pending);
  }

  /** Uses a fitted cost function as an element's cost. */
  fit(files: Given[], ask: Omit<FitRequest, 'revision'>): Promise<Edited | null> {
    return this.#request((revision) => api.fitInto(files, { ...ask, revision }));
  }

  /** Discards unsaved changes in favor of the file as another program has changed it. */
  takeFile(): Promise<unknown> {
    return this.#request((revision) => api.takeFile(revision));
  }

  /** Fetches the state, unless it already has that revision. */
  async reload(revision?: number): Promise<void> {
    await this.#last;
    if (revision !== undefined && revision <= this.#confirmed.revision) return;
    const state = await api.state().catch(() => null);
    if (state) this.#confirm(state);
  }

  #request(
    send: (revision: number) => Promise<Edited> | null,
    edits: Unsent | null = null,
  ): Promise<Edited | null> {
    const turn = this.#last.then(async () => {
      try {
        const edited = await this.#sent(send, edits);
        if (edited === null) return null;
        this.notice.set(null);
        this.#confirm(edited.state, edits);
        return edited;
      } catch (error) {
        await this.#failed(error, edits);
        return null;
      }
    });
    this.#last = turn;
    return turn;
  }

  /** Sends until it succeeds; while the studio is gone, edits wait here. */
  async #sent(
    send: (revision: number) => Promise<Edited> | null,
    edits: Unsent | null,
  ): Promise<Edited | null> {
    for (;;) {
      // Another page has made the edits.
      if (edits !== null && !this.#pending.includes(edits)) return null;
      try {
        return await send(this.#confirmed.revision);
      } catch (error) {
        if (error instanceof Refused) throw error;
        await this.connection.back();
      }
    }
  }

  /** Keeps edits that the studio doesn't receive for a page of the next studio. */
  #keep(): void {
    this.waiting.set(this.#pending.length);
    const gone = this.connection.state.value !== 'here';
    const { place } = this.#confirmed;
    if (gone && this.#pending.length > 0) keepUnsent(place, this.#pending);
    else if (!gone && this.kept.value.length === 0) keepUnsent(place, []);
  }

  /** Fetches a copy of the file once nothing has been typed for a while. */
  #copyLater(): void {
    window.clearTimeout(this.#copying);
    this.#copying = window.setTimeout(() => {
      const fetched = api.text();
      fetched.then((text) => (this.#copy = text.length > COPY_MAX ? null : text)).catch(() => null);
    }, COPY_MS);
  }

  async #failed(error: unknown, edits: Unsent | null): Promise<void> {
    const outdated = error instanceof Refused && error.status === 409;
    const text = reasonOf(error);
    this.notice.set(outdated ? `${text} The page shows the model as it is now.` : text);
    const state = outdated ? await api.state().catch(() => this.#confirmed) : this.#confirmed;
    this.#confirm(state, edits);
  }

  #confirm(state: State, edits: Unsent | null = null): void {
    if (state.revision !== this.#confirmed.revision) this.#copyLater();
    this.#confirmed = state;
    this.#pending = this.#pending.filter((pending) => pending !== edits);
    this.#keep();
    this.#show();
  }

  #show(): void {
    const after = (state: State, { edits }: Unsent) => preview(state, edits);
    this.state.set(this.#pending.reduce(after, this.#confirmed));
  }
}
