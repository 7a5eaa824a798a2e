/** Finds the nodes where a run's threads are, in each of the enclosing diagrams. */

import type { Diagram, Id, Node, State } from '../protocol';
import { BEGIN, type Timeline } from './timeline';

interface Place {
  node: Node;
  diagram: Diagram;
}

export class Places {
  readonly #byElement = new Map<number, Place>();
  /** For each diagram, the node that it is the content of. */
  readonly #owners = new Map<Id, Place>();
  readonly #callers = new Map<Id, Place[]>();
  readonly #main: Id | null;
  /** For each row, the row of the enclosing call, or -1. */
  readonly #calls: Int32Array;

  constructor(
    state: State,
    private readonly timeline: Timeline,
  ) {
    this.#main = state.main;
    for (const diagram of state.diagrams) {
      for (const node of diagram.nodes) {
        const place = { node, diagram };
        if (node.element !== null) this.#byElement.set(node.element, place);
        for (const content of node.contents) this.#owners.set(content, place);
        if (node.calls === null) continue;
        const callers = this.#callers.get(node.calls) ?? [];
        this.#callers.set(node.calls, [...callers, place]);
      }
    }
    this.#calls = this.#findCalls();
  }

  /** Returns the node of a row, in any diagram. */
  node(row: number): Node | null {
    return this.#place(row)?.node ?? null;
  }

  /** Returns the node of a diagram that contains a unit during a row. */
  within(diagram: Diagram, unit: number, row: number): Id | null {
    if (row === BEGIN || this.timeline.element(row) === null) {
      return this.#end(diagram, unit, row);
    }
    let place = this.#place(row);
    // No diagram should contain itself, but a file may say so.
    for (let depth = 0; place && depth < 1000; depth += 1) {
      if (place.diagram.id === diagram.id) return place.node.id;
      const owner = this.#owners.get(place.diagram.id);
      if (owner) {
        place = owner;
        continue;
      }
      const call: number = this.#calls[row] ?? BEGIN;
      if (call !== BEGIN) row = call;
      place = call === BEGIN ? this.#onlyCaller(place.diagram.id) : this.#place(call);
    }
    return null;
  }

  /** Returns the start or end of the main diagram, for a process that is there. */
  #end(diagram: Diagram, unit: number, row: number): Id | null {
    if (diagram.id !== this.#main || this.timeline.units[unit]?.tid !== 0) return null;
    return row === BEGIN ? initialOf(diagram) : finalOf(diagram);
  }

  #place(row: number): Place | undefined {
    return this.#byElement.get(this.timeline.element(row) ?? NaN);
  }

  #onlyCaller(diagram: Id): Place | undefined {
    const callers = this.#callers.get(diagram) ?? [];
    return callers.length === 1 ? callers[0] : undefined;
  }

  /** Returns the activity around a diagram. */
  #activity(diagram: Id): Id {
    let inner = diagram;
    for (let depth = 0; depth < 1000; depth += 1) {
      const owner = this.#owners.get(inner);
      if (!owner) break;
      inner = owner.diagram.id;
    }
    return inner;
  }

  #findCalls(): Int32Array {
    const calls = new Int32Array(this.timeline.length).fill(BEGIN);
    for (const { rows } of this.timeline.units) {
      const open: { row: number; activity: Id }[] = [];
      for (const row of rows) {
        const place = this.#place(row);
        if (!place) continue;
        const activity = this.#activity(place.diagram.id);
        while (open.length > 0 && open.at(-1)?.activity !== activity) open.pop();
        calls[row] = open.at(-1)?.row ?? BEGIN;
        if (place.node.calls !== null) open.push({ row, activity: place.node.calls });
      }
    }
    return calls;
  }
}

export function initialOf({ nodes }: Diagram): Id | null {
  return nodes.find(({ kind }) => kind === 'InitialNode')?.id ?? null;
}

export function finalOf({ nodes }: Diagram): Id | null {
  return nodes.find(({ kind }) => kind === 'ActivityFinalNode')?.id ?? null;
}

/** Returns the fewest flows that lead from one node to another; empty if there is no way. */
export function flowsBetween({ flows }: Diagram, from: Id, to: Id): Id[] {
  const reached = new Map<Id, { flow: Id; before: Id } | null>([[from, null]]);
  const queue = [from];
  for (let next = queue.shift(); next !== undefined && !reached.has(to); next = queue.shift()) {
    for (const { id, source, target } of flows) {
      if (source !== next || reached.has(target)) continue;
      reached.set(target, { flow: id, before: source });
      queue.push(target);
    }
  }
  const way: Id[] = [];
  for (let step = reached.get(to); step; step = reached.get(step.before)) way.unshift(step.flow);
  return way;
}
