import { api, Refused } from './api';
import type { Document } from './document';
import { type Flags, withFlag } from './flags';
import type { Id, Result, State } from './protocol';
import { Store } from './store';

/**
 * The next prediction waits while one runs, because a slider sends more values than can be
 * predicted.
 */
const DELAY_MS = 30;

export interface Prediction {
  result: Result | null;
  /** The time before the last change to the model or its flags. */
  before: number | null;
  error: string | null;
  /** Whether a newer one is on the way. */
  running: boolean;
}

/** Predicts the time of the current document, on the system that the user chose. */
export class Predictor {
  readonly prediction = new Store<Prediction>({
    result: null,
    before: null,
    error: null,
    running: false,
  });
  /** Flags and parameters set by the user. */
  readonly flags: Store<Flags>;
  /** An earlier prediction to compare with. */
  readonly pinned = new Store<Result | null>(null);

  readonly #document: Document;
  #timer = 0;
  #request: AbortController | null = null;
  #asked = '';

  constructor(document: Document) {
    this.#document = document;
    const { file } = document.state.value;
    this.flags = new Store(remembered(file));
    this.flags.watch((flags) => remember(file, flags));
    document.state.watch(() => this.#schedule());
    this.flags.watch(() => this.#schedule());
    document.connection.state.watch((connected) => {
      if (connected !== 'here') return;
      this.#asked = '';
      this.#schedule();
    });
    this.#schedule();
  }

  set(flag: string, value: string | null): void {
    this.flags.set(withFlag(this.flags.value, flag, value));
  }

  stop(): void {
    this.#request?.abort();
    this.prediction.set({ ...this.prediction.value, running: false });
  }

  #schedule(): void {
    const asked = JSON.stringify([this.#document.state.value.revision, this.flags.value]);
    if (asked === this.#asked) return;
    this.#asked = asked;
    window.clearTimeout(this.#timer);
    const delay = this.prediction.value.running ? DELAY_MS : 0;
    this.#timer = window.setTimeout(() => void this.#predict(), delay);
  }

  async #predict(): Promise<void> {
    this.#request?.abort();
    const request = new AbortController();
    this.#request = request;
    this.prediction.set({ ...this.prediction.value, running: true });
    try {
      const { result, error } = await api.predict(this.flags.value, request.signal);
      if (request.signal.aborted) return;
      // The last result stays while a cost is half typed.
      const { result: last, before: known } = this.prediction.value;
      const changed = result && last && result.predicted_time_s !== last.predicted_time_s;
      const before = changed ? last.predicted_time_s : known;
      this.prediction.set({ result: result ?? last, before, error: error ?? null, running: false });
    } catch (failure) {
      if (request.signal.aborted) return;
      if (!(failure instanceof Refused)) this.#document.connection.lost();
      const error = failure instanceof Refused ? failure.message : null;
      this.prediction.set({ ...this.prediction.value, error, running: false });
    }
  }
}

/** Returns the tab's flags from before it was reloaded. */
function remembered(file: string): Flags {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(file)) ?? '{}') as Flags;
  } catch {
    return {};
  }
}

/** Remembers a file's flags for this tab. */
export function remember(file: string, flags: Flags): void {
  sessionStorage.setItem(keyOf(file), JSON.stringify(flags));
}

function keyOf(file: string): string {
  return `flags of ${file}`;
}

/** Returns shares of the time of all processes, by node id. */
export function shares(state: State, result: Result | null): Map<Id, number> {
  const byElement = new Map(result?.elements.map((one) => [one.id, one.share ?? 0]));
  const found = new Map<Id, number>();
  for (const diagram of state.diagrams) {
    for (const node of diagram.nodes) {
      const share = node.element === null ? undefined : byElement.get(node.element);
      if (share !== undefined) found.set(node.id, share);
    }
  }
  return found;
}
