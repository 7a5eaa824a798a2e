/** The page of a model that a server has. */

import { COMMANDS } from './commands';
import { start } from './start';

// A page without a server has one core, and no room for the rest.
COMMANDS.push(
  {
    keys: ['Shift+W'],
    label: 'Sweep',
    group: 'Document',
    run: (studio) => studio.dialog.set({ type: 'sweep' }),
  },
  {
    keys: ['Shift+I'],
    label: 'Import',
    group: 'Document',
    run: (studio) => studio.dialog.set({ type: 'import' }),
  },
  {
    keys: ['Shift+M'],
    label: 'Machines',
    group: 'Document',
    run: (studio) => studio.dialog.set({ type: 'machines', begin: null }),
  },
);

const place = document.getElementById('studio');
if (place) {
  start(place).catch((error: unknown) => {
    place.textContent = `The studio cannot start: ${String(error)}`;
  });
}
