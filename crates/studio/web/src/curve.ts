/** Predicts times over the values of one flag or parameter. */

import { api, newPage } from './api';
import { type Flags, withFlag } from './flags';
import type { Point } from './protocol';

/** The ends of an axis. */
export type Range = [number, number];

/** Maximum number of values to predict, and the total time that they may take. */
const VALUES_MAX = 33;
const BUDGET_MS = 10_000;

/** What to predict for each value. */
export interface Asked {
  flag: string;
  /** The other flags. */
  flags: Flags;
  range: Range;
  integer: boolean;
}

/** Returns values across a range: its ends first, then values in between, ever closer. */
export function valuesOf([least, most]: Range, integer: boolean): number[] {
  const steps = VALUES_MAX - 1;
  const values = new Set([least, most]);
  for (let step = steps; step >= 1; step /= 2) {
    for (let at = 0; at <= steps; at += step) {
      const value = least + ((most - least) * at) / steps;
      values.add(integer ? Math.round(value) : value);
    }
  }
  return [...values];
}

/** A curve that grows with each prediction, until it is stopped or takes too long. */
export class Curve {
  readonly #asked: Asked;
  readonly #show: (points: Point[]) => void;
  readonly #request = new AbortController();
  /** Its predictions must not stop others. */
  readonly #page = newPage();
  readonly #points: Point[] = [];

  constructor(asked: Asked, show: (points: Point[]) => void) {
    this.#asked = asked;
    this.#show = show;
    // The prediction itself reports a missing answer.
    this.#predict().catch(() => null);
  }

  end(): void {
    this.#request.abort();
  }

  async #predict(): Promise<void> {
    const { flag, flags, range, integer } = this.#asked;
    const { signal } = this.#request;
    const start = performance.now();
    for (const value of valuesOf(range, integer)) {
      if (performance.now() - start > BUDGET_MS) return;
      const all = withFlag(flags, flag, String(value));
      const { result } = await api.predict(all, signal, { page: this.#page });
      if (signal.aborted) return;
      // A value that the model rejects leaves a gap.
      if (!result) continue;
      this.#points.push([value, result.predicted_time_s]);
      this.#show(this.#points.toSorted(([a], [b]) => a - b));
    }
  }
}
