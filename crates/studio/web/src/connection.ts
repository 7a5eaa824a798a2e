/** Watches the connection to the studio, which may end before the page does. */

import { api, Refused } from './api';
import { host } from './host';
import { Store } from './store';

/** Whether the studio answers, doesn't answer, or was replaced by one with another address. */
export type Connected = 'here' | 'gone' | 'moved';

/** Time between two attempts to reach a studio that doesn't answer. */
const LOOK_MS = 1000;
/** Time until a closed event source is opened again. */
const AGAIN_MS = 500;

/** Watches whether the studio is running. */
export class Connection {
  readonly state = new Store<Connected>('here');
  #timer = 0;
  readonly #changed: (revision?: number) => void;

  /** Calls `changed` for each revision from elsewhere, and when the studio is back. */
  constructor(changed: (revision?: number) => void) {
    this.#changed = changed;
    this.#listen();
  }

  /** Checks whether the studio is running, after something has failed. */
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
      // If a studio refuses, the browser doesn't ask it again.
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
