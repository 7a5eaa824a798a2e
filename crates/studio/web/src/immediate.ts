/** Draws without delay, so that what a key opens has the focus before the next key arrives. */

import { options } from 'preact';

/** Does something, and draws all its effects before returning. */
export function immediately(act: () => void): void {
  const draw: (() => void)[] = [];
  const usual = options.debounceRendering;
  options.debounceRendering = (render) => draw.push(render);
  try {
    act();
  } finally {
    if (usual) options.debounceRendering = usual;
    else delete options.debounceRendering;
    for (const render of draw) render();
  }
}
