/** Keeps edits that the studio didn't get, for the next page of this model. */

import type { Edit } from './protocol';

export interface Unsent {
  label: string;
  edits: Edit[];
  /** The table to write instead, which has its own file. */
  table?: { name: string; text: string };
}

/**
 * Models with the same name in different folders share an origin if their studios use the same
 * port.
 */
function keyOf(place: string): string {
  return `edits of ${place} that the studio did not receive`;
}

/** Keeps a file's edits in the browser; an empty list discards the kept ones. */
export function keepUnsent(place: string, unsent: Unsent[]): void {
  try {
    if (unsent.length === 0) localStorage.removeItem(keyOf(place));
    else localStorage.setItem(keyOf(place), JSON.stringify(unsent));
  } catch {
    // A browser without space keeps them only in the page.
  }
}

/** Returns the edits that another page has kept. */
export function keptUnsent(place: string): Unsent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(place)) ?? '[]');
    return Array.isArray(kept) ? (kept as Unsent[]) : [];
  } catch {
    return [];
  }
}

/** Calls back when another page has made or discarded the kept edits. */
export function whenTaken(place: string, taken: () => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === keyOf(place) && newValue === null) taken();
  });
}
