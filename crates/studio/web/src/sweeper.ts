/** Sweeps the displayed model, one sweep at a time. */

import { api, reasonOf } from './api';
import type { Flags } from './flags';
import type { Swept } from './protocol';
import { Store } from './store';

/** A sweep as entered in its fields: texts of the command's flags. */
export interface Wanted {
  /** Axes, one per line. */
  vary: string;
  minimize: string;
  /** Conditions, one per line. */
  subjectTo: string;
}

export interface Sweeping {
  swept: Swept | null;
  error: string | null;
  running: boolean;
}

export class Sweeper {
  readonly wanted = new Store<Wanted>({ vary: '', minimize: '', subjectTo: '' });
  readonly sweeping = new Store<Sweeping>({ swept: null, error: null, running: false });
  #request: AbortController | null = null;

  async sweep(flags: Flags): Promise<void> {
    this.stop();
    const request = new AbortController();
    this.#request = request;
    const { vary, minimize, subjectTo } = this.wanted.value;
    const wanted = {
      flags,
      vary: linesOf(vary),
      minimize: minimize.trim() || null,
      subject_to: linesOf(subjectTo),
    };
    const { swept } = this.sweeping.value;
    this.sweeping.set({ swept, error: null, running: true });
    try {
      const { result, error } = await api.sweep(wanted, request.signal);
      if (request.signal.aborted) return;
      this.sweeping.set({ swept: result ?? null, error: error ?? null, running: false });
    } catch (failure) {
      if (request.signal.aborted) return;
      const error = reasonOf(failure);
      this.sweeping.set({ swept, error, running: false });
    }
  }

  stop(): void {
    this.#request?.abort();
    this.sweeping.set({ ...this.sweeping.value, running: false });
  }
}

function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => line.trim() || []);
}
