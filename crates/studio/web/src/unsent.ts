/** Edits that the studio did not get, for the next page on this model. */

import type { Edit } from './protocol';

export interface Unsent {
  label: string;
  edits: Edit[];
  /** The table that is written instead, a file of its own. */
  table?: { name: string; text: string };
}

/** Models of one name in several folders have one origin, if their studios have one port. */
function keyOf(place: string): string {
  return `edits of ${place} that the studio did not get`;
}

/** Keeps edits of the file at a place in the browser; an empty list forgets the kept ones. */
export function keepUnsent(place: string, unsent: Unsent[]): void {
  try {
    if (unsent.length === 0) localStorage.removeItem(keyOf(place));
    else localStorage.setItem(keyOf(place), JSON.stringify(unsent));
  } catch {
    // A browser without room keeps them in the page alone.
  }
}

/** The edits that another page has kept. */
export function keptUnsent(place: string): Unsent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(place)) ?? '[]');
    return Array.isArray(kept) ? (kept as Unsent[]) : [];
  } catch {
    return [];
  }
}

/** Calls back when another page has made or forgotten the edits that are kept. */
export function whenTaken(place: string, taken: () => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === keyOf(place) && newValue === null) taken();
  });
}
