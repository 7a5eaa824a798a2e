/** Fits texts into shapes. */

const context = document.createElement('canvas').getContext('2d');
const widths = new Map<string, number>();

/** Returns the width in pixels; fonts are named as in the style sheet. */
export function widthOf(text: string, font: string): number {
  const key = `${font}|${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    if (!context) return text.length * 7;
    context.font = font;
    width = context.measureText(text).width;
    if (widths.size > 20_000) widths.clear();
    widths.set(key, width);
  }
  return width;
}

/** Returns the text, or as much of its beginning as fits. */
export function fit(text: string, width: number, font: string): string {
  const line = text.replace(/\s+/g, ' ').slice(0, 500);
  if (widthOf(line, font) <= width) return line;
  let fits = 0;
  let over = line.length;
  while (over - fits > 1) {
    const middle = (fits + over) >> 1;
    if (widthOf(`${line.slice(0, middle)}…`, font) <= width) fits = middle;
    else over = middle;
  }
  return `${line.slice(0, fits)}…`;
}

/** Returns at most two lines, broken at word boundaries within program names. */
export function wrap(text: string, width: number, font: string): string[] {
  const line = text.replace(/\s+/g, ' ').slice(0, 500);
  if (widthOf(line, font) <= width) return [line];
  const parts = line.split(/(?<=[\s_.,:/-])|(?<=[a-z])(?=[A-Z])/);
  let first = '';
  while (parts.length > 0 && widthOf(first + (parts[0] ?? ''), font) <= width) {
    first += parts.shift();
  }
  if (first === '') return [fit(line, width, font)];
  return parts.length === 0 ? [first] : [first.trimEnd(), fit(parts.join(''), width, font)];
}
