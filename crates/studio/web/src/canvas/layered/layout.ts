/** Lays diagrams out in layers from top to bottom, with Sugiyama's method. */

import type { Point } from '../../protocol';
import { across } from './across';
import { type Graph, type Layered, type Layout, layered } from './graph';
import { reduceCrossings } from './order';
import { type Part, routed } from './routes';

/** Padding around a diagram. */
const PADDING = 40;

interface Band {
  top: number;
  bottom: number;
}

export function layout(graph: Graph): Layout {
  const { boxes, links } = graph;
  const found = layered(graph);
  reduceCrossings(found, boxes);
  const middles = across(found);
  const { parts, heights } = routed(found.chains, middles, boxes);
  const bands = bandsOf(found, graph, heights);
  const places: Point[] = [];
  for (const one of found.layers.flat()) {
    const [box, band] = [boxes[one.box], bands[one.layer]];
    if (!box || !band) continue;
    const x = Math.round((middles.get(one) ?? 0) - box.width / 2);
    places[one.box] = [x, Math.round((band.top + band.bottom - box.height) / 2)];
  }
  const routes: Point[][] = links.map(() => []);
  found.chains.forEach(({ link, isBack }, at) => {
    const all = parts[at] ?? [];
    const [first, last] = [all[0], all.at(-1)];
    if (!first || !last) return;
    const [upper, lower] = [first.upper.box, last.lower.box];
    const start: Point = [first.from, (places[upper]?.[1] ?? 0) + (boxes[upper]?.height ?? 0)];
    const end: Point = [last.to, places[lower]?.[1] ?? 0];
    const route = [start, ...bends(all, bands), end];
    routes[link] = isBack ? route.reverse() : route;
  });
  return moved({ places, routes });
}

/** Returns the layers' vertical ranges. */
function bandsOf({ layers }: Layered, { boxes }: Graph, heights: number[]): Band[] {
  let next = PADDING;
  return layers.map((layer, at) => {
    const heightOf = ({ box }: (typeof layer)[number]) => boxes[box]?.height ?? 0;
    const top = next;
    const bottom = top + layer.reduce((most, one) => Math.max(most, heightOf(one)), 0);
    next = bottom + (heights[at] ?? 0);
    return { top, bottom };
  });
}

function bends(parts: Part[], bands: Band[]): Point[] {
  return parts.flatMap(({ upper, from, to, track }): Point[] => {
    if (from === to) return [];
    const y = (bands[upper.layer]?.bottom ?? 0) + track;
    return [
      [from, y],
      [to, y],
    ];
  });
}

/** Shifts the layout so that nothing is left of its left edge. */
function moved({ places, routes }: Layout): Layout {
  const all = [places, ...routes];
  let least = Infinity;
  for (const points of all) for (const [x] of points) least = Math.min(least, x);
  for (const points of all) for (const point of points) point[0] += PADDING - least;
  return { places, routes };
}
