/** Represents a run to play: the stays of threads at elements, sorted by start. */

import type { Animation } from '../protocol';

/** A thread of a process, and the indices of its rows. */
export interface Unit {
  pid: number;
  tid: number;
  rows: number[];
}

/** The position before the first row. */
export const BEGIN = -1;

export class Timeline {
  readonly units: Unit[] = [];
  readonly length: number;
  /** The unit of each row. */
  readonly unitOf: Uint32Array;
  /** The previous row of the same unit for each row, or -1. */
  readonly before: Int32Array;

  constructor(readonly data: Animation) {
    this.length = data.pid.length;
    this.unitOf = new Uint32Array(this.length);
    this.before = new Int32Array(this.length);
    const known = new Map<string, number>();
    for (let row = 0; row < this.length; row += 1) {
      const pid = data.pid[row] ?? 0;
      const tid = data.tid[row] ?? 0;
      let place = known.get(`${pid}.${tid}`);
      if (place === undefined) {
        place = this.units.length;
        known.set(`${pid}.${tid}`, place);
        this.units.push({ pid, tid, rows: [] });
      }
      const rows = this.units[place]?.rows ?? [];
      this.before[row] = rows.at(-1) ?? BEGIN;
      this.unitOf[row] = place;
      rows.push(row);
    }
  }

  /** When the animation ends. */
  get endS(): number {
    return this.data.untilS ?? this.data.endS;
  }

  timeS(row: number): number {
    return this.data.start[row] ?? 0;
  }

  /** Returns the last row that has started at a time. */
  at(timeS: number): number {
    return last(this.length, (row) => this.timeS(row) <= timeS);
  }

  /** Returns a unit's row once `row` has started, or -1. */
  of(unit: number, row: number): number {
    const rows = this.units[unit]?.rows ?? [];
    return rows[last(rows.length, (place) => (rows[place] ?? 0) <= row)] ?? BEGIN;
  }

  /** Returns the number under which predictions list a row's element; null for an end. */
  element(row: number): number | null {
    return this.data.elements[this.data.element[row] ?? -1] ?? null;
  }

  state(row: number): string {
    return this.data.states[this.data.state[row] ?? -1] ?? '';
  }

  /** Returns true if the unit reaches the row's element in this row instead of staying there. */
  arrives(row: number): boolean {
    const { element, number } = this.data;
    const before = this.before[row] ?? BEGIN;
    return element[before] !== element[row] || number[before] !== number[row];
  }

  /** Returns the name of a row's thread: its process, and its number if the process has several. */
  name(unit: number): string {
    const { pid, tid } = this.units[unit] ?? { pid: 0, tid: 0 };
    return tid === 0 ? String(pid) : `${pid}.${tid}`;
  }
}

/** Returns the last index below `length` up to which a condition is true, or -1. */
function last(length: number, holds: (place: number) => boolean): number {
  let low = -1;
  let high = length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}
