/**
 * Makes an animation of the displayed diagram: one picture that plays anywhere, without scripts.
 */

import type { Point as Place } from 'diagram-js/lib/util/Types';
import { append, create } from 'tiny-svg';

import { initialOf } from '../animation/places';
import type { Played } from '../animation/player';
import { BEGIN } from '../animation/timeline';
import { seconds } from '../format';
import { diagramOf } from '../model';
import type { Diagram } from '../protocol';
import type { Studio } from '../studio';
import type { Drawing } from './drawing';
import { boxOf, RADIUS, stand, wayOf } from './stand';

/** Maximum numbers of threads and events in a film; more make it large and hard to follow. */
const THREADS_MAX = 64;
const EVENTS_MAX = 4000;
/** Playing time for an event, and for the whole film. */
const EVENT_S = 0.5;
const LONGEST_S = 60;
/** The part of an event's time spent moving. */
const WAY = 0.8;
/** Positions for a node's tokens side by side. */
const PLACES = 4;

/** A place at a moment, which is a fraction of the film's time. */
interface Key {
  at: number;
  place: Place | null;
}

/** Returns the animation's moving tokens for a picture; null without a run. */
export function film({ player, document: model, view, drawing }: Studio): SVGGElement | null {
  const played = player.played.value;
  const diagram = diagramOf(model.state.value, view.diagram);
  if (!played || !diagram || !drawing) return null;
  const events = Math.min(played.timeline.length, EVENTS_MAX);
  const length = `${Math.min(LONGEST_S, (events + 2) * EVENT_S).toFixed(1)}s`;
  const group = create('g') as SVGGElement;
  played.timeline.units.slice(0, THREADS_MAX).forEach((_, unit) => {
    const keys = keysOf(played, { diagram, drawing, unit, events });
    if (keys.some(({ place }) => place !== null)) group.append(token(played, unit, keys, length));
  });
  return group;
}

/** Describes what a film omits from a run; null if nothing. */
export function leftOut({ timeline }: Played): string | null {
  const { length, units } = timeline;
  const until = seconds(timeline.timeS(EVENTS_MAX));
  const parts = [
    units.length > THREADS_MAX && `the first ${THREADS_MAX} of ${units.length} processes`,
    length > EVENTS_MAX && `the first ${EVENTS_MAX} of ${length} events, up to ${until}`,
  ];
  const words = parts.filter((part) => part !== false).join(' and ');
  return words ? `The film has ${words}.` : null;
}

interface Scene {
  diagram: Diagram;
  drawing: Drawing;
  unit: number;
  events: number;
}

/** Returns a unit's places whenever they change; in between, it moves along flows. */
function keysOf({ timeline, places }: Played, { diagram, drawing, unit, events }: Scene): Key[] {
  const part = (row: number) => (row + 1) / (events + 1);
  const initial = initialOf(diagram);
  let node = places.within(diagram, unit, BEGIN);
  const keys: Key[] = [{ at: 0, place: node === null ? null : stand(drawing, node) }];
  for (const row of timeline.units[unit]?.rows ?? []) {
    if (row >= events) break;
    const next = places.within(diagram, unit, row);
    if (next === node) continue;
    const from = node ?? initial;
    const begin = part(row);
    const way = next !== null && from !== null ? wayOf(drawing, diagram, from, next) : [];
    const last = Math.max(1, way.length - 1);
    way.forEach((place, at) => keys.push({ at: begin + (WAY * part(0) * at) / last, place }));
    const there = next === null ? null : stand(drawing, next);
    if (way.length === 0) keys.push({ at: begin, place: there });
    node = next;
  }
  return keys;
}

function token(played: Played, unit: number, keys: Key[], length: string): SVGGElement {
  const aside = (unit % PLACES) * (2 * RADIUS + 2);
  const label = played.timeline.name(unit);
  const look = { fill: '#0b62b0', stroke: '#ffffff', 'stroke-width': 1.5 };
  const text = create('text', {
    ...{ 'text-anchor': 'middle', y: 4, fill: '#ffffff' },
    ...{ 'font-family': 'system-ui, sans-serif', 'font-size': 11, 'font-weight': 600 },
  }) as SVGTextElement;
  text.textContent = label;
  let last: Place = keys.find(({ place }) => place !== null)?.place ?? { x: 0, y: 0 };
  const places = keys.map(({ place }) => (last = place ?? last));
  const keyTimes = [...keys.map(timeOf), 1].join(';');
  const times = { dur: length, repeatCount: 'indefinite', keyTimes };
  const values = (of: string[]) => [...of, of.at(-1) ?? ''].join(';');
  const moves = {
    attributeName: 'transform',
    type: 'translate',
    values: values(places.map(({ x, y }) => `${x + aside} ${y}`)),
  };
  const shown = {
    attributeName: 'visibility',
    calcMode: 'discrete',
    values: values(keys.map(({ place }) => (place === null ? 'hidden' : 'visible'))),
  };
  const group = create('g') as SVGGElement;
  append(group, create('rect', { ...boxOf(label), ...look }));
  append(group, text);
  append(group, create('animateTransform', { ...moves, ...times }));
  append(group, create('animate', { ...shown, ...times }));
  return group;
}

function timeOf({ at }: Key): string {
  return Math.min(1, at).toFixed(6);
}
