import { api, reasonOf } from './api';
import type { Document } from './document';
import { diagramOf, inside } from './model';
import type { Predictor } from './prediction';
import type { Id, Node, PathOfRun, State } from './protocol';
import { Store } from './store';
import type { View } from './view';

/** A report that takes longer than this is made only on request. */
const QUICK_MS = 2000;

export interface Reported {
  /** The page of the last report. */
  address: string | null;
  path: PathOfRun | null;
  error: string | null;
  running: boolean;
  /** Whether the report is for an earlier state of the model, or for another system. */
  outdated: boolean;
}

/** The critical path as a drawing shows it. */
export interface CriticalPath {
  /** Shares of the predicted time by node; nodes that only pass control have 0. */
  nodes: Map<Id, number>;
  /** How often the path passes each flow. */
  flows: Map<Id, number>;
}

/** The report on the displayed prediction, made only while it is visible. */
export class Reporter {
  readonly reported = new Store<Reported>({
    address: null,
    path: null,
    error: null,
    running: false,
    outdated: false,
  });
  /** Whether the critical path is marked on diagrams. */
  readonly marksPath = new Store(false);

  readonly #document: Document;
  readonly #predictor: Predictor;
  readonly #view: View;
  #request: AbortController | null = null;
  /** The state and the flags of the last report. */
  #asked = '';
  #tookMs = 0;

  constructor(document: Document, predictor: Predictor, view: View) {
    this.#document = document;
    this.#predictor = predictor;
    this.#view = view;
    for (const store of [predictor.prediction, view.tab, this.marksPath]) {
      store.watch(() => this.#look());
    }
  }

  stop(): void {
    this.#request?.abort();
    this.reported.set({ ...this.reported.value, running: false, outdated: true });
  }

  /** Makes the report, however long that takes. */
  async update(): Promise<void> {
    this.#request?.abort();
    const request = new AbortController();
    this.#request = request;
    this.#asked = this.#now();
    this.reported.set({ ...this.reported.value, running: true, outdated: false });
    const began = performance.now();
    try {
      const flags = this.#predictor.flags.value;
      const { result, error } = await api.report(flags, request.signal);
      if (request.signal.aborted) return;
      this.#tookMs = performance.now() - began;
      const last = this.reported.value;
      this.reported.set({
        address: result?.address ?? last.address,
        path: result?.path ?? null,
        error: error ?? null,
        running: false,
        outdated: false,
      });
    } catch (failure) {
      if (request.signal.aborted) return;
      const error = reasonOf(failure);
      this.reported.set({ ...this.reported.value, error, running: false });
    }
    this.#look();
  }

  #now(): string {
    return JSON.stringify([this.#document.state.value.revision, this.#predictor.flags.value]);
  }

  /** Follows the displayed prediction, if reports are fast. */
  #look(): void {
    const { result, error, running } = this.#predictor.prediction.value;
    const isWanted = this.#view.tab.value === 'report' || this.marksPath.value;
    if (!isWanted || running || error !== null || result === null) return;
    if (this.#asked === this.#now()) return;
    const { running: reporting, outdated } = this.reported.value;
    if (this.#tookMs <= QUICK_MS) void this.update();
    else if (!reporting && !outdated) {
      this.reported.set({ ...this.reported.value, outdated: true });
    }
  }
}

/** Returns a node and all nodes in the diagrams that it contains or calls. */
function withContent(state: State, node: Node): Node[] {
  const nodes = [node];
  const entered = new Set<Id>();
  // The list grows while it is traversed.
  for (const one of nodes) {
    for (const id of inside(one)) {
      if (entered.has(id)) continue;
      entered.add(id);
      nodes.push(...(diagramOf(state, id)?.nodes ?? []));
    }
  }
  return nodes;
}

/** Returns the numbers that identify a node and its contents in a prediction. */
export function elementsOf(state: State, node: Node): number[] {
  return withContent(state, node).flatMap(({ element }) => element ?? []);
}

/** Returns where the critical path passes; a node includes the time of its content. */
export function criticalPath(state: State, path: PathOfRun | null): CriticalPath {
  const nodes = new Map<Id, number>();
  const flows = new Map<Id, number>();
  if (path === null || path.end_s <= 0) return { nodes, flows };
  const seconds = new Map(path.elements.map((one) => [one.element, one.seconds]));
  const counts = new Map(path.flows.map(({ id, count }) => [id, count]));
  for (const diagram of state.diagrams) {
    for (const { id, source, target } of diagram.flows) {
      const count = counts.get(id);
      if (count === undefined) continue;
      flows.set(id, count);
      for (const end of [source, target]) nodes.set(end, nodes.get(end) ?? 0);
    }
    for (const node of diagram.nodes) {
      const held = elementsOf(state, node).map((element) => seconds.get(element) ?? 0);
      const share = held.reduce((sum, one) => sum + one, 0) / path.end_s;
      if (share > 0) nodes.set(node.id, share);
    }
  }
  return { nodes, flows };
}
