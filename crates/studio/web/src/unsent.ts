/** Edits that the studio did not get, for the next page on this model. */

import type { Edit } from './protocol';

export interface Unsent {
  label: string;
  edits: Edit[];
}

function keyOf(file: string): string {
  return `edits of ${file} that the studio did not get`;
}

/** Keeps edits of a file in the browser, or forgets them if there are none. */
export function keepUnsent(file: string, unsent: Unsent[]): void {
  try {
    if (unsent.length === 0) localStorage.removeItem(keyOf(file));
    else localStorage.setItem(keyOf(file), JSON.stringify(unsent));
  } catch {
    // A browser without room keeps them in the page alone.
  }
}

/** The edits that another page has kept. */
export function keptUnsent(file: string): Unsent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(file)) ?? '[]');
    return Array.isArray(kept) ? (kept as Unsent[]) : [];
  } catch {
    return [];
  }
}
