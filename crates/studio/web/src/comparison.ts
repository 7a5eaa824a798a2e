/**
 * Compares two predictions side by side: of the current and the saved model, or on two machines.
 */

import { api, newPage, reasonOf } from './api';
import { type Flags, withFlag } from './flags';
import type { ElementOutcome, Predicted, Result } from './protocol';
import { Store } from './store';

/** A slider sends more values than a server can handle. */
const DELAY_MS = 150;

/** One side: which text of the model, and on which system. */
export class Side {
  readonly saved: Store<boolean>;
  readonly flags: Store<Flags>;
  /** The prediction of one side must not stop the other's. */
  readonly #page = newPage();

  constructor(saved: boolean, flags: Flags) {
    this.saved = new Store(saved);
    this.flags = new Store(flags);
  }

  set(flag: string, value: string | null): void {
    this.flags.set(withFlag(this.flags.value, flag, value));
  }

  predict(signal: AbortSignal): Promise<Predicted> {
    return api.predict(this.flags.value, signal, { page: this.#page, saved: this.saved.value });
  }
}

export interface Predictions {
  results: (Result | null)[];
  error: string | null;
  running: boolean;
}

/** Predictions of both sides, repeated after each change to a side. */
export class Comparison {
  readonly predictions = new Store<Predictions>({
    results: [null, null],
    error: null,
    running: false,
  });
  readonly #sides: Side[];
  #timer = 0;
  #request: AbortController | null = null;

  constructor(sides: Side[]) {
    this.#sides = sides;
    for (const { saved, flags } of sides) {
      saved.watch(() => this.#schedule());
      flags.watch(() => this.#schedule());
    }
    this.#schedule();
  }

  end(): void {
    window.clearTimeout(this.#timer);
    this.#request?.abort();
  }

  #schedule(): void {
    this.end();
    this.#timer = window.setTimeout(() => void this.#predict(), DELAY_MS);
  }

  async #predict(): Promise<void> {
    const request = new AbortController();
    this.#request = request;
    const { signal } = request;
    this.predictions.set({ ...this.predictions.value, running: true });
    let results: (Result | null)[] = [];
    let error: string | null = null;
    try {
      const predicted = await Promise.all(this.#sides.map((side) => side.predict(signal)));
      results = predicted.map(({ result }) => result ?? null);
      error = predicted.find((one) => one.error)?.error ?? null;
    } catch (failure) {
      error = reasonOf(failure);
    }
    if (!signal.aborted) this.predictions.set({ results, error, running: false });
  }
}

export interface Row {
  key: string;
  name: string;
  type: string;
  /** Times in all processes, for both sides; null if the element doesn't exist. */
  times: (number | null)[];
}

/** Keys elements by name and kind, and by number among elements with the same name and kind. */
function keyed(elements: ElementOutcome[]): Map<string, ElementOutcome> {
  const found = new Map<string, ElementOutcome>();
  for (const element of elements) {
    let number = 1;
    const key = () => `${element.name} ${element.type} ${number}`;
    while (found.has(key())) number += 1;
    found.set(key(), element);
  }
  return found;
}

/** Returns the elements of both sides, those with the largest difference first. */
export function rowsOf(left: Result, right: Result): Row[] {
  const sides = [keyed(left.elements), keyed(right.elements)];
  const keys = new Set(sides.flatMap((side) => [...side.keys()]));
  const rows = [...keys].map((key): Row => {
    const both = sides.map((side) => side.get(key));
    const { name, type } = both[0] ?? both[1]!;
    return { key, name, type, times: both.map((one) => one?.total_s ?? null) };
  });
  const change = ({ times: [was, is] }: Row) => Math.abs((is ?? 0) - (was ?? 0));
  return rows.toSorted((a, b) => change(b) - change(a));
}
