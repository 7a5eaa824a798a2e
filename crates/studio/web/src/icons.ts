/** Contains the strokes of the page's icons, in a 24 by 24 square. */
export const ICONS = {
  undo: 'M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6',
  redo: 'M15 7l5 5-5 5M20 12H10a6 6 0 0 0-6 6',
  compare: 'M8 4v16M16 4v16M3 9h5M3 14h5M16 12h5M16 16h5',
  folder: 'M3 6h7l2 2h9v11H3z',
  save: 'M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  layout: 'M9 3h6v5H9zM3 16h6v5H3zM15 16h6v5h-6zM12 8v4M6 16v-4h12v4',
  search: 'M11 4a7 7 0 1 0 0 14a7 7 0 1 0 0-14M16 16l5 5',
  help: 'M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2M12 17.5v.5',
  connect: 'M4 20L18 6M11 5h8v8',
  remove: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  rename: 'M4 20l1-5L16 4l4 4L9 19zM14 6l4 4',
  enter: 'M4 4h16v16H4zM12 8v8M8.500 12.500L12 16l3.500-3.500',
  up: 'M12 19V6M6 11l6-6 6 6',
  lasso: 'M4 4h4M10 4h4M16 4h4v4M20 10v4M20 16v4h-4M14 20h-4M8 20H4v-4M4 14v-4M4 8V6',
  space: 'M4 4v16M20 4v16M9 12h6M11 9l-3 3 3 3M13 9l3 3-3 3',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9v.1',
  map: 'M4 5h16v14H4zM12 11h6v6h-6z',
  link: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1-1',
  close: 'M6 6l12 12M18 6L6 18',
  play: 'M7 4l12 8-12 8z',
  pause: 'M8 5v14M16 5v14',
  next: 'M6 5l8 7-8 7zM18 5v14',
  previous: 'M18 5l-8 7 8 7zM6 5v14',
  begin: 'M20 5l-7 7 7 7zM12 5l-7 7 7 7zM3 5v14',
  stop: 'M8 3h8l5 5v8l-5 5H8l-5-5V8z',
  import: 'M12 4v11M7 10l5 5 5-5M4 16v4h16v-4',
  machine: 'M4 4h16v6H4zM4 14h16v6H4zM7 7h.1M7 17h.1M12 10v4',
  kept: 'M4 4h16v4H4zM5 8v12h14V8M10 12h4',
  sweep: 'M4 4v16h16M7 16l4-6 4 3 5-8',
} as const;

export type IconName = keyof typeof ICONS;

/** Returns an icon's markup, for parts of the canvas that accept nothing else. */
export function iconMarkup(name: IconName): string {
  const path = `<path d="${ICONS[name]}"/>`;
  return `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${path}</svg>`;
}
