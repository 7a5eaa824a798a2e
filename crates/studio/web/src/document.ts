import { api, Refused } from './api';
import { preview } from './preview';
import type { Edit, Edited, Keys, State } from './protocol';
import { Store } from './store';

/** The server's document: its state, and the edits that are on their way to it. */
export class Document {
  readonly state: Store<State>;
  /** What the user should know of the last request. */
  readonly notice = new Store<string | null>(null);

  /** The visit under way: its edits are one step of undo. */
  visit: string | null = null;

  /** The state without the edits on their way. */
  #confirmed: State;
  #pending: Edit[][] = [];
  /** Requests go out one after the other: each names the revision that the last one made. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(state: State) {
    this.#confirmed = state;
    this.state = new Store(state);
  }

  /** Sends edits as one step of undo; gives the ids of what they add, or null if refused. */
  async edit(label: string, edits: Edit[]): Promise<Keys | null> {
    if (edits.length === 0) return {};
    if (!this.#confirmed.editable) {
      this.notice.set(this.#confirmed.why ?? 'This model cannot be edited here.');
      return null;
    }
    this.#pending.push(edits);
    this.#show();
    const { visit } = this;
    const send = (revision: number) => api.edit(revision, label, edits, visit);
    const edited = await this.#request(send, edits);
    return edited === null ? null : (edited.keys ?? {});
  }

  undo(): Promise<unknown> | null {
    if (this.#confirmed.undo === null) return null;
    return this.#request((revision) => api.undo(revision));
  }

  redo(): Promise<unknown> | null {
    if (this.#confirmed.redo === null) return null;
    return this.#request((revision) => api.redo(revision));
  }

  /** Mends a problem, by its number in the state, as the checks propose. */
  fix(problem: number): Promise<unknown> {
    return this.#request((revision) => api.fix(revision, problem));
  }

  /** Writes the file; over the change of another program only if the user says so. */
  async save(over = false): Promise<void> {
    const saved = await this.#request((revision) => api.save(revision, over));
    if (saved) this.notice.set(`Saved ${saved.state.file}.`);
  }

  /** Writes a table, at once: it is a file of its own. */
  writeTable(name: string, text: string): Promise<unknown> {
    const { visit } = this;
    return this.#request((revision) => api.table(revision, name, text, visit));
  }

  /** Gives up what is not saved for the file as another program has changed it. */
  takeFile(): Promise<unknown> {
    return this.#request((revision) => api.takeFile(revision));
  }

  /** Fetches the state unless it has that revision. */
  async reload(revision?: number): Promise<void> {
    await this.#last;
    if (revision !== undefined && revision <= this.#confirmed.revision) return;
    this.#confirm(await api.state());
  }

  #request(
    send: (revision: number) => Promise<Edited>,
    edits: Edit[] | null = null,
  ): Promise<Edited | null> {
    const turn = this.#last.then(async () => {
      try {
        const edited = await send(this.#confirmed.revision);
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

  async #failed(error: unknown, edits: Edit[] | null): Promise<void> {
    const outdated = error instanceof Refused && error.status === 409;
    const text = error instanceof Refused ? error.message : 'The studio does not answer.';
    this.notice.set(outdated ? `${text} The page shows the model as it is now.` : text);
    const state = outdated ? await api.state().catch(() => this.#confirmed) : this.#confirmed;
    this.#confirm(state, edits);
  }

  #confirm(state: State, edits: Edit[] | null = null): void {
    this.#confirmed = state;
    this.#pending = this.#pending.filter((pending) => pending !== edits);
    this.#show();
  }

  #show(): void {
    this.state.set(this.#pending.reduce(preview, this.#confirmed));
  }
}
