/** The connection with the studio, which may end before the page does. */

import { api, Refused } from './api';
import { host } from './host';
import { Store } from './store';

/**
 * Whether the studio answers: it does; it does not; or one runs at its place that knows another
 * address.
 */
export type Connected = 'here' | 'gone' | 'moved';

/** Time between two looks for a studio that does not answer. */
const LOOK_MS = 1000;
/** Time after which a source of events that has ended is opened again. */
const AGAIN_MS = 500;

/** Watches whether the studio is there. */
export class Connection {
  readonly state = new Store<Connected>('here');
  #timer = 0;
  readonly #changed: (revision?: number) => void;

  /** Calls `changed` for each revision that others make, and when the studio is back. */
  constructor(changed: (revision?: number) => void) {
    this.#changed = changed;
    this.#listen();
  }

  /** Looks whether the studio is there: something has failed. */
  lost(): void {
    if (this.#timer !== 0) return;
    this.#timer = window.setTimeout(() => void this.#look(), 0);
  }

  /** Waits until the studio answers. */
  async back(): Promise<void> {
    this.lost();
    await this.#look();
    if (this.state.value === 'here') return;
    await new Promise<void>((resolve) => {
      const forget = this.state.watch((state) => {
        if (state !== 'here') return;
        forget();
        resolve();
      });
    });
  }

  #listen(): void {
    const events = host().events();
    if (events === null) return;
    events.onmessage = (event) => {
      const { revision } = JSON.parse(String(event.data)) as { revision: number };
      this.#changed(revision);
    };
    events.onerror = () => {
      this.lost();
      // A studio that refuses is not asked again by the browser.
      if (events.readyState === EventSource.CLOSED) {
        window.setTimeout(() => void this.back().then(() => this.#listen()), AGAIN_MS);
      }
    };
  }

  async #look(): Promise<void> {
    window.clearTimeout(this.#timer);
    this.#timer = 0;
    const was = this.state.value;
    const now = await look();
    if (now !== 'here') {
      window.clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => void this.#look(), LOOK_MS);
    }
    this.state.set(now);
    if (was !== 'here' && now === 'here') this.#changed();
  }
}

async function look(): Promise<Connected> {
  try {
    await api.here();
    return 'here';
  } catch (error) {
    return error instanceof Refused ? 'moved' : 'gone';
  }
}
