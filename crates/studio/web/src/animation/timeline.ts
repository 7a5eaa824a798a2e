/** A run as it is played: the stays of threads at elements, in the order in which they begin. */

import type { Animation } from '../protocol';

/** A thread of a process, and the places of its rows among all. */
export interface Unit {
  pid: number;
  tid: number;
  rows: number[];
}

/** Place before the first row. */
export const BEGIN = -1;

export class Timeline {
  readonly units: Unit[] = [];
  readonly length: number;
  /** The unit of each row. */
  readonly unitOf: Uint32Array;
  /** The row of the same unit before each row, or -1. */
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

  /** Time at which the animation ends. */
  get endS(): number {
    return this.data.untilS ?? this.data.endS;
  }

  timeS(row: number): number {
    return this.data.start[row] ?? 0;
  }

  /** The last row that has begun at a time. */
  at(timeS: number): number {
    return last(this.length, (row) => this.timeS(row) <= timeS);
  }

  /** The row in which a unit is once `row` has begun, or -1. */
  of(unit: number, row: number): number {
    const rows = this.units[unit]?.rows ?? [];
    return rows[last(rows.length, (place) => (rows[place] ?? 0) <= row)] ?? BEGIN;
  }

  /** The number by which predictions name the element of a row; none of an end. */
  element(row: number): number | null {
    return this.data.elements[this.data.element[row] ?? -1] ?? null;
  }

  state(row: number): string {
    return this.data.states[this.data.state[row] ?? -1] ?? '';
  }

  /** True if the unit comes to the element of the row with it, and does not stay there. */
  arrives(row: number): boolean {
    const { element, number } = this.data;
    const before = this.before[row] ?? BEGIN;
    return element[before] !== element[row] || number[before] !== number[row];
  }

  /** Words for the thread of a row: its process, and its number if that has several. */
  name(unit: number): string {
    const { pid, tid } = this.units[unit] ?? { pid: 0, tid: 0 };
    return tid === 0 ? String(pid) : `${pid}.${tid}`;
  }
}

/** The last place below `length` up to which a condition holds, or -1. */
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
