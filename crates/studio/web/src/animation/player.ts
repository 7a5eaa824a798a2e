import { api, reasonOf } from '../api';
import type { Document } from '../document';
import { elementOf } from '../model';
import type { Predictor } from '../prediction';
import type { Id, SeenVariable } from '../protocol';
import { Store } from '../store';
import { Places } from './places';
import { BEGIN, Timeline } from './timeline';

/** The run being played, with the places of its threads. */
export interface Played {
  timeline: Timeline;
  places: Places;
}

/** A moment of the animation: the last row that has started, and the simulated time. */
export interface Moment {
  row: number;
  timeS: number;
}

export interface Variables {
  list: SeenVariable[] | null;
  error: string | null;
}

/** Pace of an animation: events per second, or seconds for the whole run. */
export type Pace = { perSecond: number } | { wholeInS: number };

export const PACES: [string, Pace][] = [
  ['1 event a second', { perSecond: 1 }],
  ['4 events a second', { perSecond: 4 }],
  ['20 events a second', { perSecond: 20 }],
  ['the run in 60 s', { wholeInS: 60 }],
  ['the run in 20 s', { wholeInS: 20 }],
  ['the run in 5 s', { wholeInS: 5 }],
];

const START: Moment = { row: BEGIN, timeS: 0 };

/** Edits and slider moves arrive faster than runs are traced. */
const DELAY_MS = 250;
const VARIABLES_DELAY_MS = 60;

/** Plays simulated time. */
export class Player {
  readonly played = new Store<Played | null>(null);
  readonly moment = new Store<Moment>(START);
  readonly playing = new Store(false);
  readonly pace = new Store(1);
  /** The thread with the displayed variables. */
  readonly unit = new Store(0);
  /** Nodes where the animation stops. */
  readonly stops = new Store<ReadonlySet<Id>>(new Set());
  readonly error = new Store<string | null>(null);
  readonly loading = new Store(false);
  readonly variables = new Store<Variables>({ list: null, error: null });
  /** Description of the last step, for screen readers. */
  readonly told = new Store('');

  readonly #document: Document;
  readonly #predictor: Predictor;
  #asked = '';
  #timer = 0;
  #frame = 0;
  /** How much of the current event has been played. */
  #part = 0;
  #request: AbortController | null = null;
  #variablesTimer = 0;
  #variablesRequest: AbortController | null = null;

  constructor(document: Document, predictor: Predictor) {
    this.#document = document;
    this.#predictor = predictor;
    document.state.watch(() => this.#follow());
    predictor.flags.watch(() => this.#follow());
    this.moment.watch(() => this.#askVariables());
    this.unit.watch(() => this.#askVariables());
    this.playing.watch(() => this.#askVariables());
  }

  /** Average wall time between two events. */
  get eventMs(): number {
    const pace = PACES[this.pace.value]?.[1] ?? { perSecond: 1 };
    if ('perSecond' in pace) return 1000 / pace.perSecond;
    return (1000 * pace.wholeInS) / Math.max(1, this.played.value?.timeline.length ?? 1);
  }

  get isOpen(): boolean {
    return this.#asked !== '';
  }

  /** Runs the model, to play it from the start. */
  async open(): Promise<void> {
    this.moment.set(START);
    this.unit.set(0);
    await this.#load();
  }

  close(): void {
    this.pause();
    this.#request?.abort();
    window.clearTimeout(this.#timer);
    this.#asked = '';
    this.loading.set(false);
    this.error.set(null);
    this.played.set(null);
  }

  /** Plays or pauses; runs the model first if necessary. */
  async toggle(): Promise<void> {
    if (this.playing.value) return this.pause();
    if (!this.isOpen) await this.open();
    const played = this.played.value;
    if (!played || played.timeline.length === 0) return;
    if (this.moment.value.row >= played.timeline.length - 1) this.moment.set(START);
    this.#part = 0;
    this.playing.set(true);
    let last = performance.now();
    const frame = (now: number) => {
      this.#frame = requestAnimationFrame(frame);
      this.#play((now - last) / 1000);
      last = now;
    };
    this.#frame = requestAnimationFrame(frame);
  }

  pause(): void {
    if (!this.playing.value) return;
    cancelAnimationFrame(this.#frame);
    this.playing.set(false);
    this.#tell();
  }

  /** Goes to the next or previous event, of all threads or of the chosen one. */
  async step(by: 1 | -1, own = false): Promise<void> {
    this.pause();
    if (!this.isOpen) await this.open();
    const { timeline } = this.played.value ?? {};
    if (!timeline) return;
    const { row } = this.moment.value;
    let next = row + by;
    while (own && next >= 0 && next < timeline.length) {
      if (timeline.unitOf[next] === this.unit.value) break;
      next += by;
    }
    this.#goTo(Math.max(BEGIN, Math.min(timeline.length - 1, next)));
    this.#tell();
  }

  /** Goes to a simulated time. */
  seek(timeS: number): void {
    const { timeline } = this.played.value ?? {};
    if (timeline) this.moment.set({ row: timeline.at(timeS), timeS });
  }

  toStart(): void {
    this.pause();
    this.moment.set(START);
    this.#tell();
  }

  /** Toggles whether the animation stops at a node. */
  toggleStop(node: Id): void {
    const stops = new Set(this.stops.value);
    if (!stops.delete(node)) stops.add(node);
    this.stops.set(stops);
  }

  /** Advances by some wall time. */
  #play(elapsedS: number): void {
    const { timeline } = this.played.value ?? {};
    const pace = PACES[this.pace.value]?.[1];
    if (!timeline || !pace) return this.pause();
    const now = this.moment.value;
    let to: Moment;
    if ('perSecond' in pace) {
      this.#part += elapsedS * pace.perSecond;
      const events = Math.floor(this.#part);
      if (events === 0) return;
      this.#part -= events;
      const row = Math.min(timeline.length - 1, now.row + events);
      to = { row, timeS: timeline.timeS(row) };
    } else {
      const timeS = now.timeS + (elapsedS / pace.wholeInS) * timeline.endS;
      to = { row: timeline.at(timeS), timeS: Math.min(timeS, timeline.endS) };
    }
    const stop = this.#stopBetween(now.row, to.row);
    if (stop !== null) {
      this.#goTo(stop);
      return this.pause();
    }
    this.moment.set(to);
    const isOver = to.row >= timeline.length - 1 && to.timeS >= timeline.timeS(to.row);
    if (isOver) this.pause();
  }

  /** Returns the first row after `from`, up to `to`, in which a thread reaches a stop. */
  #stopBetween(from: number, to: number): number | null {
    const { timeline, places } = this.played.value ?? {};
    if (!timeline || !places || this.stops.value.size === 0) return null;
    for (let row = from + 1; row <= to; row += 1) {
      const node = timeline.arrives(row) ? places.node(row) : null;
      if (node && this.stops.value.has(node.id)) return row;
    }
    return null;
  }

  #goTo(row: number): void {
    const { timeline } = this.played.value ?? {};
    if (timeline) this.moment.set({ row, timeS: row === BEGIN ? 0 : timeline.timeS(row) });
  }

  #tell(): void {
    this.told.set(this.describe(this.moment.value.row));
  }

  /** Describes what happens in a row. */
  describe(row: number): string {
    const { timeline, places } = this.played.value ?? {};
    if (!timeline || !places) return '';
    if (row === BEGIN) return 'Before the first event';
    const name = timeline.name(timeline.unitOf[row] ?? 0);
    const node = places.node(row);
    const state = timeline.state(row);
    if (state === 'ended') return `Process ${name} ends`;
    const where = node?.name || node?.kind || 'an element';
    return `Process ${name} ${ACTS[state] ?? state} ${where}`;
  }

  /** Runs the model again after it has changed. */
  #follow(): void {
    if (!this.isOpen || this.#key() === this.#asked) return;
    this.pause();
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#load(), DELAY_MS);
  }

  #key(): string {
    return JSON.stringify([this.#document.state.value.revision, this.#predictor.flags.value]);
  }

  async #load(): Promise<void> {
    this.#request?.abort();
    const request = new AbortController();
    this.#request = request;
    this.#asked = this.#key();
    this.loading.set(true);
    try {
      const flags = this.#predictor.flags.value;
      const { result, error } = await api.trace(flags, request.signal);
      if (request.signal.aborted) return;
      this.error.set(error ?? null);
      this.#take(result ? new Timeline(result) : null);
    } catch (failure) {
      if (request.signal.aborted) return;
      this.error.set(reasonOf(failure));
      this.#take(null);
    }
    this.loading.set(false);
  }

  #take(timeline: Timeline | null): void {
    if (!timeline) {
      this.played.set(null);
      return;
    }
    const places = new Places(this.#document.state.value, timeline);
    const { timeS, row } = this.moment.value;
    if (this.unit.value >= timeline.units.length) this.unit.set(0);
    this.played.set({ timeline, places });
    if (row !== BEGIN) this.seek(Math.min(timeS, timeline.endS));
    this.#askVariables();
  }

  /** Requests the chosen thread's variables, unless the animation is playing. */
  #askVariables(): void {
    window.clearTimeout(this.#variablesTimer);
    if (!this.played.value || this.playing.value) return;
    const ask = () => void this.#fetchVariables();
    this.#variablesTimer = window.setTimeout(ask, VARIABLES_DELAY_MS);
  }

  async #fetchVariables(): Promise<void> {
    this.#variablesRequest?.abort();
    const request = new AbortController();
    this.#variablesRequest = request;
    const { timeline } = this.played.value ?? {};
    const row = timeline?.of(this.unit.value, this.moment.value.row) ?? BEGIN;
    const unit = timeline?.units[this.unit.value];
    if (!timeline || !unit || row === BEGIN || timeline.element(row) === null) {
      this.variables.set({ list: null, error: null });
      return;
    }
    const { revision } = this.#document.state.value;
    const moment = { process: unit.pid, number: timeline.data.number[row] ?? 0 };
    const flags = this.#predictor.flags.value;
    try {
      const { result, error } = await api.variables(revision, flags, moment, request.signal);
      if (request.signal.aborted) return;
      this.variables.set({ list: result ?? null, error: error ?? null });
    } catch {
      if (request.signal.aborted) return;
      this.variables.set({ list: null, error: 'The studio is not responding.' });
    }
  }

  /** Returns true if the animation can stop at a node, because the node takes part in runs. */
  canStop(node: Id): boolean {
    const found = elementOf(this.#document.state.value, node);
    return found?.type === 'node' && found.node.element !== null;
  }
}

/** Descriptions of a thread's states. */
export const ACTS: Record<string, string> = {
  compute: 'computes in',
  send: 'sends in',
  receive: 'receives in',
  wait: 'waits in',
  collective: 'is busy with',
  synchronize: 'waits for threads at',
  hold: 'holds in',
  pass: 'reaches',
};
