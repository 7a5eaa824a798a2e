/** Shows the page of a model on a server. */

import { COMMANDS } from './commands';
import { start } from './start';
import type { Dialog, Studio } from './studio';

// A page without a server has one core, and no room for these dialogs.
const dialogs: [string, string, Dialog][] = [
  ['Shift+W', 'Sweep', { type: 'sweep' }],
  ['Shift+K', 'Kept runs', { type: 'kept' }],
];
for (const [keys, label, dialog] of dialogs) {
  const run = (studio: Studio) => studio.dialog.set(dialog);
  COMMANDS.push({ keys: [keys], label, group: 'Document', run });
}

const place = document.getElementById('studio');
if (place) {
  start(place).catch((error: unknown) => {
    place.textContent = `The studio cannot start: ${String(error)}`;
  });
}
