/** Defines visits: everything typed between entering and leaving a field is a single undo step. */

import type { Document } from './document';

const PAGE = crypto.randomUUID();
let count = 0;

/** Returns a visit that no other page has had. */
export function newVisit(): string {
  count += 1;
  return `${PAGE} ${count}`;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea, .code-host');
}

/** Makes each stay in a field a visit. */
export function watchVisits(model: Document): void {
  document.addEventListener('focusin', ({ target }) => {
    model.visit = isField(target) ? newVisit() : null;
  });
  document.addEventListener('focusout', () => {
    model.visit = null;
  });
}
