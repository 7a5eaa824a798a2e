/** Exports pictures of the displayed diagram. */

import { diagramOf } from '../model';
import type { Studio } from '../studio';
import { film, leftOut } from './film';

const MARGIN = 20;

/** Style properties that a picture must keep, because it has no style sheet. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'font-family',
  'font-size',
  'font-weight',
  'font-style',
  'text-anchor',
  'paint-order',
];

/** Copies the style of each original element to its copy. */
function copyStyles(original: Element, copy: Element): void {
  const style = getComputedStyle(original);
  for (const property of STYLES) copy.setAttribute(property, style.getPropertyValue(property));
  copy.removeAttribute('class');
  copy.removeAttribute('style');
  [...original.children].forEach((child, at) => {
    const twin = copy.children[at];
    if (twin) copyStyles(child, twin);
  });
}

interface Picture {
  svg: SVGSVGElement;
  width: number;
  height: number;
}

function picture({ drawing }: Studio): Picture | null {
  // The library types this as a record, but the layer is the group itself.
  const layer = drawing?.canvas.getActiveLayer() as unknown as SVGGElement | null;
  if (!layer) return null;
  const box = layer.getBBox();
  const width = Math.ceil(box.width + 2 * MARGIN);
  const height = Math.ceil(box.height + 2 * MARGIN);
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('width', String(width));
  svg.setAttribute('height', String(height));
  svg.setAttribute('viewBox', `${box.x - MARGIN} ${box.y - MARGIN} ${width} ${height}`);
  const drawn = [...layer.querySelectorAll('.djs-visual')];
  for (const visual of drawn) {
    const copy = visual.cloneNode(true) as Element;
    copyStyles(visual, copy);
    const group = visual.closest('.djs-element');
    copy.setAttribute('transform', matrixOf(group));
    svg.append(copy);
  }
  return { svg, width, height };
}

/** Returns an element's place as an attribute. */
function matrixOf(group: Element | null): string {
  const transform = group instanceof SVGGraphicsElement ? group.transform.baseVal : null;
  const matrix = transform?.consolidate()?.matrix;
  return matrix ? `translate(${matrix.e} ${matrix.f})` : '';
}

/** Downloads a file to the user's computer. */
export function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Returns a file name for a picture of the displayed diagram. */
function nameOf({ document: model, view }: Studio, ending: string): string {
  const name = diagramOf(model.state.value, view.diagram)?.name ?? 'diagram';
  return `${name.replace(/[^\w.-]+/g, '_') || 'diagram'}.${ending}`;
}

export function exportSvg(studio: Studio): void {
  const found = picture(studio);
  if (found) downloadSvg(studio, found.svg, 'svg');
}

function downloadSvg(studio: Studio, svg: SVGSVGElement, ending: string): void {
  download(new Blob([textOf(svg)], { type: 'image/svg+xml' }), nameOf(studio, ending));
}

function textOf(svg: SVGSVGElement): string {
  return new XMLSerializer().serializeToString(svg);
}

/** Exports the picture with a run's tokens, which move in any browser. */
export async function exportFilm(studio: Studio): Promise<void> {
  const { player, document: model } = studio;
  if (!player.isOpen) await player.open();
  const found = picture(studio);
  const tokens = film(studio);
  if (!found || !tokens || !player.played.value) {
    model.notice.set('There is no run to play: the prediction shows what is wrong.');
    return;
  }
  found.svg.append(tokens);
  downloadSvg(studio, found.svg, 'film.svg');
  model.notice.set(leftOut(player.played.value));
}

/**
 * Exports the picture in pixels, at twice the screen's resolution, on the page's background color.
 */
export async function exportPng(studio: Studio): Promise<void> {
  const found = picture(studio);
  if (!found) return;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(textOf(found.svg))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = 2 * found.width;
  canvas.height = 2 * found.height;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => {
    if (blob) download(blob, nameOf(studio, 'png'));
  }, 'image/png');
}
