/** Shows tokens: a run's threads at the drawing's nodes, and on their ways in between. */

import type EventBus from 'diagram-js/lib/core/EventBus';
import { append, attr, create } from 'tiny-svg';

import { initialOf } from '../animation/places';
import type { Player } from '../animation/player';
import { BEGIN } from '../animation/timeline';
import { diagramOf } from '../model';
import type { Diagram, Id } from '../protocol';
import type { Studio } from '../studio';
import type { Drawing } from './drawing';
import { boxOf, RADIUS, stand, wayOf } from './stand';

/**
 * Number of tokens at a node up to which each is drawn; more are drawn as one with their number.
 */
const MOST_SINGLE = 3;
/** Maximum number of ways shown at the same time; more couldn't be told apart. */
const MOST_WAYS = 40;
/** Maximum duration of a way in milliseconds. */
const WAY_MS = 450;
/**
 * Minimum size on the screen, relative to the usual size; tokens grow where the drawing is small.
 */
const LEAST = 0.85;
const MOST_SCALE = 4;

interface Way {
  units: Set<number>;
  to: Id;
  line: SVGPathElement;
  token: SVGElement;
  begun: number;
  lasts: number;
}

/** Draws the tokens of a player above the drawing. */
export class Tokens {
  readonly #layer: SVGGElement;
  readonly #player: Player;
  /** The node of each unit in the displayed diagram. */
  #nodes = new Map<number, Id>();
  #diagram: Id | null = null;
  #ways: Way[] = [];
  #scale = 1;
  #frame = 0;
  /** What each node's tokens were last drawn from. */
  readonly #drawn = new Map<Id, { text: string; group: SVGElement }>();

  constructor(
    private readonly studio: Studio,
    private readonly drawing: Drawing,
  ) {
    this.#player = studio.player;
    // Above all shapes. The library types this as a record, but the layer is the group itself.
    this.#layer = drawing.canvas.getLayer('tokens', 900) as unknown as SVGGElement;
    this.#layer.classList.add('tokens');
    const { played, moment, stops, unit } = this.#player;
    for (const store of [played, moment, stops, unit]) store.watch(() => this.#show());
    for (const store of [studio.view.path, studio.document.state]) {
      // The drawing itself changes in the next frame.
      store.watch(() => requestAnimationFrame(() => this.#redraw()));
    }
    drawing.get<EventBus>('eventBus').on('canvas.viewbox.changed', () => this.#zoomed());
    this.#zoomed();
  }

  /** Keeps tokens readable when zooming. */
  #zoomed(): void {
    const scale = Math.max(1, Math.min(MOST_SCALE, LEAST / this.drawing.canvas.zoom()));
    if (scale === this.#scale) return;
    this.#scale = scale;
    this.#redraw();
  }

  #redraw(): void {
    for (const { group } of this.#drawn.values()) group.remove();
    this.#drawn.clear();
    this.#show();
  }

  #show(): void {
    const diagram = diagramOf(this.studio.document.state.value, this.studio.view.diagram);
    if (!diagram) return;
    const nodes = this.#places(diagram);
    const isSame = this.#diagram === diagram.id;
    if (isSame && this.#player.played.value) this.#move(diagram, nodes);
    else this.#endWays(() => true);
    this.#nodes = nodes;
    this.#diagram = diagram.id;
    this.#drawAll();
  }

  /** Returns the nodes where the units are. */
  #places(diagram: Diagram): Map<number, Id> {
    const nodes = new Map<number, Id>();
    const { timeline, places } = this.#player.played.value ?? {};
    if (!timeline || !places) return nodes;
    const { row } = this.#player.moment.value;
    for (let unit = 0; unit < timeline.units.length; unit += 1) {
      const node = places.within(diagram, unit, timeline.of(unit, row));
      if (node !== null) nodes.set(unit, node);
    }
    return nodes;
  }

  /** Moves units with new nodes along their ways. */
  #move(diagram: Diagram, nodes: Map<number, Id>): void {
    const moved = new Map<string, { from: Id; to: Id; units: Set<number> }>();
    const initial = initialOf(diagram);
    for (const [unit, to] of nodes) {
      const from = this.#nodes.get(unit) ?? initial;
      if (from === null || from === to) continue;
      const key = JSON.stringify([from, to]);
      const way = moved.get(key) ?? { from, to, units: new Set() };
      moved.set(key, way);
      way.units.add(unit);
    }
    const leaves = (unit: number) => this.#nodes.get(unit) !== nodes.get(unit);
    this.#endWays(({ units }) => [...units].some(leaves));
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (still || moved.size > MOST_WAYS) return;
    for (const { from, to, units } of moved.values()) this.#begin(diagram, from, to, units);
    if (this.#ways.length > 0 && this.#frame === 0) {
      this.#frame = requestAnimationFrame((now) => this.#animate(now));
    }
  }

  #begin(diagram: Diagram, from: Id, to: Id, units: Set<number>): void {
    const path = this.#path(diagram, from, to);
    if (path === null) return;
    const line = create('path', { d: path }) as SVGPathElement;
    const token = this.#token([...units], this.#label(units));
    append(this.#layer, token);
    const way = { units, to, line, token, begun: performance.now(), lasts: this.#lasts() };
    this.#ways.push(way);
    this.#place(way, way.begun);
  }

  /** Returns the duration of a way, which is shorter than the time between two events. */
  #lasts(): number {
    return this.#player.playing.value ? Math.min(WAY_MS, this.#player.eventMs * 0.8) : WAY_MS;
  }

  #animate(now: number): void {
    this.#frame = 0;
    this.#endWays(({ begun, lasts }) => now - begun >= lasts);
    for (const way of this.#ways) this.#place(way, now);
    this.#drawAll();
    if (this.#ways.length > 0) {
      this.#frame = requestAnimationFrame((next) => this.#animate(next));
    }
  }

  #place({ line, token, begun, lasts }: Way, now: number): void {
    const part = Math.max(0, Math.min(1, (now - begun) / lasts));
    // Slow at both ends.
    const eased = part * part * (3 - 2 * part);
    const { x, y } = line.getPointAtLength(line.getTotalLength() * eased);
    attr(token, { transform: this.#at(x, y) });
  }

  #at(x: number, y: number): string {
    return `translate(${x} ${y}) scale(${this.#scale})`;
  }

  #endWays(isOver: (way: Way) => boolean): void {
    const over = this.#ways.filter(isOver);
    if (over.length === 0) return;
    for (const { token } of over) token.remove();
    this.#ways = this.#ways.filter((way) => !over.includes(way));
  }

  /** Returns the way along flows between the places of two nodes' tokens. */
  #path(diagram: Diagram, from: Id, to: Id): string | null {
    const way = wayOf(this.drawing, diagram, from, to);
    if (way.length === 0) return null;
    return `M${way.map(({ x, y }) => `${x} ${y}`).join('L')}`;
  }

  #drawAll(): void {
    const travel = new Set(this.#ways.flatMap(({ units }) => [...units]));
    const groups = new Map<Id, number[]>();
    for (const [unit, node] of this.#nodes) {
      if (travel.has(unit)) continue;
      const group = groups.get(node);
      if (group) group.push(unit);
      else groups.set(node, [unit]);
    }
    const stops = this.#player.stops.value;
    for (const stop of stops) if (!groups.has(stop)) groups.set(stop, []);
    for (const [node, { group }] of this.#drawn) {
      if (groups.has(node)) continue;
      group.remove();
      this.#drawn.delete(node);
    }
    for (const [node, units] of groups) this.#drawNode(node, units, stops.has(node));
  }

  #drawNode(node: Id, units: number[], stops: boolean): void {
    const states = units.map((unit) => this.#state(unit));
    const text = JSON.stringify([units, states, stops, this.#player.unit.value]);
    const drawn = this.#drawn.get(node);
    if (drawn?.text === text) return;
    drawn?.group.remove();
    const place = stand(this.drawing, node);
    const shape = this.drawing.shape(node);
    if (!place || !shape) return;
    const group = create('g', { class: 'tokens-of-node', 'data-node': node }) as SVGElement;
    if (stops) this.#drawStop(group, shape.x - 8, shape.y + shape.height / 2);
    const single = units.length <= MOST_SINGLE ? units.map((unit) => [unit]) : [units];
    single.forEach((of, at) => {
      if (of.length === 0) return;
      const token = this.#token(of, this.#label(new Set(of)));
      const aside = at * (2 * RADIUS + 2) * this.#scale;
      attr(token, { transform: this.#at(place.x + aside, place.y) });
      append(group, token);
    });
    append(this.#layer, group);
    this.#drawn.set(node, { text, group });
  }

  #drawStop(group: SVGElement, x: number, y: number): void {
    const stop = create('circle', { class: 'stop-mark', cx: x, cy: y, r: 5 }) as SVGElement;
    const title = create('title') as SVGElement;
    title.textContent = 'The animation stops here';
    append(stop, title);
    append(group, stop);
  }

  #state(unit: number): string {
    const { timeline } = this.#player.played.value ?? {};
    const row = timeline?.of(unit, this.#player.moment.value.row) ?? BEGIN;
    return row === BEGIN || !timeline ? 'begin' : timeline.state(row);
  }

  /** Returns a process's number, or how many processes there are. */
  #label(units: Set<number>): string {
    const [only] = units;
    if (units.size !== 1 || only === undefined) return `×${units.size}`;
    return this.#player.played.value?.timeline.name(only) ?? '';
  }

  #token(units: number[], label: string): SVGElement {
    const states = new Set(units.map((unit) => this.#state(unit)));
    const [state] = states;
    const kind = states.size === 1 ? state : 'mixed';
    const chosen = units.includes(this.#player.unit.value) ? ' chosen' : '';
    const group = create('g', { class: `token ${kind}${chosen}` }) as SVGElement;
    append(group, create('rect', boxOf(label)));
    const text = create('text', { 'text-anchor': 'middle', y: 4 }) as SVGElement;
    text.textContent = label;
    append(group, text);
    const title = create('title') as SVGElement;
    title.textContent = this.#title(units);
    append(group, title);
    for (const event of ['mousedown', 'click', 'dblclick']) {
      group.addEventListener(event, (it) => it.stopPropagation());
    }
    group.addEventListener('click', () => this.#choose(units));
    return group;
  }

  #title(units: number[]): string {
    const name = (unit: number) => this.#player.played.value?.timeline.name(unit) ?? '';
    const shown = units.slice(0, 20).map((unit) => `${name(unit)}: ${this.#state(unit)}`);
    const more = units.length > 20 ? `\nand ${units.length - 20} more` : '';
    return `Processes\n${shown.join('\n')}${more}`;
  }

  /** Selects the next unit in a token. */
  #choose(units: number[]): void {
    const next = (units.indexOf(this.#player.unit.value) + 1) % units.length;
    this.#player.unit.set(units[next] ?? 0);
    this.studio.view.tab.set('animation');
  }
}
