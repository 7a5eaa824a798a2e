/** The page of a model that a server has. */

import { start } from './start';

const place = document.getElementById('studio');
if (place) {
  start(place).catch((error: unknown) => {
    place.textContent = `The studio cannot start: ${String(error)}`;
  });
}
