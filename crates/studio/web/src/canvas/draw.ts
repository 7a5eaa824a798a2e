/** Draws nodes and flows in UML notation; all colors are in the style sheet. */

import { append, attr, create } from 'tiny-svg';

import { percent } from '../format';
import type { FlowConnection, NodeShape } from './element';
import { caption, formOf, isAction, isIdle, isStructured, summary } from './notation';
import { fit, widthOf, wrap } from './text';

const FAMILY = 'system-ui, sans-serif';
const NAME_FONT = `600 13px ${FAMILY}`;
const SMALL_FONT = `11px ${FAMILY}`;
const PILL_FONT = `600 11px ${FAMILY}`;
const CODE_FONT = '11px ui-monospace, monospace';

const PILL = 16;

interface Place {
  right: number;
  y: number;
}

type Attributes = Record<string, string | number>;

function add(parent: SVGElement, name: string, attributes: Attributes): SVGElement {
  const element = create(name) as SVGElement;
  attr(element, attributes);
  append(parent, element);
  return element;
}

function write(parent: SVGElement, text: string, attributes: Attributes): void {
  // Names are untrusted text and are never parsed as markup.
  add(parent, 'text', attributes).textContent = text;
}

function polygon(points: [number, number][]): string {
  return points.map(([x, y]) => `${x},${y}`).join(' ');
}

export function drawNode(parent: SVGElement, shape: NodeShape): SVGElement {
  const { node, width, height } = shape;
  const outline = drawOutline(parent, shape);
  if (shape.critical !== null) drawCritical(parent, outline, shape);
  const hasRoom = isAction(node.kind) && width >= 40;
  const name = hasRoom ? '' : caption(node);
  if (name !== '') {
    write(parent, fit(name, 140, SMALL_FONT), {
      class: 'uml-caption',
      x: -6,
      y: height / 2 + 4,
      'text-anchor': 'end',
    });
  }
  if (hasRoom) drawContent(parent, shape);
  if (shape.problem) drawProblem(parent, shape);
  return outline;
}

function drawOutline(parent: SVGElement, shape: NodeShape): SVGElement {
  const { node, width, height } = shape;
  const radius = Math.min(width, height) / 2;
  const center = { cx: width / 2, cy: height / 2 };
  switch (formOf(node.kind).outline) {
    case 'circle': {
      if (node.kind === 'InitialNode') {
        return add(parent, 'circle', { class: 'uml-solid', ...center, r: radius });
      }
      const ring = add(parent, 'circle', { class: 'uml-node', ...center, r: radius - 1 });
      if (node.kind === 'ActivityFinalNode') {
        add(parent, 'circle', { class: 'uml-solid', ...center, r: radius * 0.62 });
      } else {
        drawCross(parent, width / 2, height / 2, (radius - 1) * Math.SQRT1_2);
      }
      return ring;
    }
    case 'diamond': {
      const points = polygon([
        [width / 2, 0],
        [width, height / 2],
        [width / 2, height],
        [0, height / 2],
      ]);
      return add(parent, 'polygon', { class: 'uml-node', points });
    }
    case 'bar':
      return add(parent, 'rect', { class: 'uml-solid', width, height, rx: 1 });
    case 'rounded': {
      const dashed = isStructured(node.kind) ? ' uml-dashed' : '';
      const box = { width, height, rx: 10 };
      const rect = add(parent, 'rect', { class: `uml-node${dashed}`, ...box });
      if (shape.share !== null) drawShare(parent, shape, box);
      return rect;
    }
  }
}

function drawCross(parent: SVGElement, x: number, y: number, half: number): void {
  const side = 2 * half;
  const path = `M${x - half} ${y - half}l${side} ${side}m0 ${-side}l${-side} ${side}`;
  add(parent, 'path', { class: 'uml-line', d: path });
}

/** Shows an element's share as a tint, and as a number for those who can't see the tint. */
function drawShare(parent: SVGElement, shape: NodeShape, box: Attributes): void {
  const share = shape.share ?? 0;
  const opacity = (0.75 * Math.sqrt(Math.min(1, share))).toFixed(3);
  const idle = isIdle(shape.node.stereotype?.name) ? ' uml-idle' : '';
  add(parent, 'rect', { class: `uml-heat${idle}`, ...box, 'fill-opacity': opacity });
  if (share < 0.0005) return;
  const text = share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`;
  writePill(parent, text, 'uml-share', { right: shape.width, y: -PILL - 2 });
}

/**
 * Writes a number on its own background at the right end of a node, away from its middle, where
 * flows start and end.
 */
function writePill(parent: SVGElement, text: string, name: string, place: Place): void {
  const width = Math.ceil(widthOf(text, PILL_FONT)) + 12;
  const x = Math.max(place.right - width, place.right / 2 + 7);
  const box = { x, y: place.y, width, height: PILL, rx: PILL / 2 };
  add(parent, 'rect', { class: 'uml-pill', ...box });
  write(parent, text, { class: name, x: x + width / 2, y: place.y + 12, 'text-anchor': 'middle' });
}

/** Marks a node on the critical path, with its part of the predicted time. */
function drawCritical(parent: SVGElement, outline: SVGElement, shape: NodeShape): void {
  outline.classList.add('uml-critical');
  const share = shape.critical ?? 0;
  if (share < 0.0005) return;
  const place = { right: shape.width, y: shape.height + 2 };
  writePill(parent, `path ${percent(share)}`, 'uml-path-share', place);
}

/** Draws stereotype, name, price and code, as far as there is room. */
function drawContent(parent: SVGElement, { node, width, height, share }: NodeShape): void {
  const room = width - 20;
  const fits = Math.max(1, Math.floor((height - 6) / 15));
  const name = node.name || '(no name)';
  const names = fits > 1 ? wrap(name, room, NAME_FONT) : [fit(name, room, NAME_FONT)];
  const about = summary(node);
  const keyword = node.stereotype?.name ?? (isStructured(node.kind) ? 'structured' : '');
  let lines = names.length + (about ? 1 : 0) + (keyword ? 1 : 0);
  const showAbout = about !== '' && lines <= fits;
  if (about && !showAbout) lines -= 1;
  const code = (node.body ?? '').split('\n').slice(0, Math.max(0, fits - lines));
  const shownCode = node.body === null ? [] : code;
  const showKeyword = keyword !== '' && lines <= fits;
  if (keyword && !showKeyword) lines -= 1;
  lines += shownCode.length;
  let y = height / 2 - (lines * 15) / 2 + 11;
  const center = { x: width / 2, 'text-anchor': 'middle' };
  if (showKeyword) {
    const text = fit(`«${keyword}»`, room, SMALL_FONT);
    write(parent, text, { class: 'uml-stereotype', ...center, y });
    y += 15;
  }
  for (const line of names) {
    write(parent, line, { class: 'uml-name', ...center, y });
    y += 15;
  }
  if (showAbout) {
    write(parent, fit(about, room, CODE_FONT), { class: 'uml-detail', ...center, y });
    y += 15;
  }
  for (const line of shownCode) {
    const quiet = share === null ? ' uml-code' : '';
    write(parent, fit(line, room, CODE_FONT), { class: `uml-detail${quiet}`, ...center, y });
    y += 15;
  }
  if (node.kind === 'CallBehaviorAction') drawRake(parent, width - 18, height - 16);
  else if (node.contents.length > 0) drawDoor(parent, width - 18, height - 14);
}

/** UML's symbol for an action that calls an activity. */
function drawRake(parent: SVGElement, x: number, y: number): void {
  const path = `M${x + 5} ${y}v10M${x} ${y + 10}v-5h10v5`;
  add(parent, 'path', { class: 'uml-line', d: path });
}

/** The symbol for a node with its own diagram as content. */
function drawDoor(parent: SVGElement, x: number, y: number): void {
  const circles = `M${x} ${y + 4}a3 3 0 1 0 5 0a3 3 0 1 0 -5 0M${x + 5} ${y + 4}h4`;
  add(parent, 'path', { class: 'uml-line', d: circles });
}

function drawProblem(parent: SVGElement, { problem, height }: NodeShape): void {
  if (!problem) return;
  const group = add(parent, 'g', { class: `uml-problem uml-${problem.severity}` });
  const y = Math.min(2, height / 2 - 4);
  if (problem.severity === 'error') add(group, 'circle', { cx: 2, cy: y, r: 8 });
  else add(group, 'path', { d: `M2 ${y - 9}l9 16h-18z` });
  write(group, '!', { x: 2, y: y + 4.5, 'text-anchor': 'middle' });
  add(group, 'title', {}).textContent = problem.message;
}

export function drawFlow(parent: SVGElement, connection: FlowConnection): SVGElement {
  const points = connection.waypoints;
  const bad = connection.problem ? ' uml-bad' : '';
  const mark = connection.critical === null ? bad : `${bad} uml-critical`;
  const line = add(parent, 'polyline', {
    class: `uml-flow${mark}`,
    points: polygon(points.map(({ x, y }) => [x, y])),
  });
  const end = points.at(-1);
  const before = points.findLast((point) => point.x !== end?.x || point.y !== end?.y);
  if (end && before) {
    const degrees = (Math.atan2(end.y - before.y, end.x - before.x) * 180) / Math.PI;
    const turn = `translate(${end.x} ${end.y}) rotate(${degrees})`;
    add(parent, 'path', { class: `uml-arrow${mark}`, d: 'M-9 -4.5L0 0L-9 4.5', transform: turn });
  }
  drawGuard(parent, connection);
  if (connection.problem) add(line, 'title', {}).textContent = connection.problem.message;
  return line;
}

function drawGuard(parent: SVGElement, { flow, waypoints }: FlowConnection): void {
  if (flow.guard === null || flow.guard === '') return;
  const text = fit(`[${flow.guard}]`, 190, CODE_FONT);
  const place = guardPlace(waypoints, widthOf(text, CODE_FONT));
  write(parent, text, { class: 'uml-guard', ...place });
}

/** Returns a place near a flow's start where no other flow from the same node passes. */
function guardPlace(waypoints: { x: number; y: number }[], width: number): Attributes {
  const across = waypoints.findIndex(({ x, y }, at) => {
    const to = waypoints[at + 1];
    return to !== undefined && at < 2 && Math.abs(to.x - x) > Math.abs(to.y - y);
  });
  const from = waypoints[Math.max(0, across)] ?? { x: 0, y: 0 };
  const to = waypoints[Math.max(0, across) + 1] ?? from;
  const left = to.x < from.x;
  if (across === 0) {
    return { x: from.x + (left ? -6 : 6), y: from.y - 6, 'text-anchor': left ? 'end' : 'start' };
  }
  if (across === 1) {
    // After a bend, the flows have parted; a long text continues beyond the next bend.
    if (width > Math.abs(to.x - from.x) - 8) {
      // If a flow leads up, the bend is on the other side.
      const y = to.y < (waypoints[0]?.y ?? to.y) ? to.y + 14 : to.y - 6;
      return { x: from.x + (left ? -6 : 6), y, 'text-anchor': left ? 'end' : 'start' };
    }
    return { x: to.x + (left ? -4 : 4), y: to.y - 6, 'text-anchor': left ? 'start' : 'end' };
  }
  return { x: from.x + 6, y: from.y + (to.y < from.y ? -8 : 16), 'text-anchor': 'start' };
}

/** Returns the room for a flow's guard, for layouts. */
export function guardSize(guard: string): { width: number; height: number } {
  return { width: Math.min(190, widthOf(`[${guard}]`, CODE_FONT)) + 12, height: 16 };
}
