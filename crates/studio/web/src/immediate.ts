/** Drawing without delay: what a key opens has the keyboard before the next key comes. */

import { options } from 'preact';

/** Does something, and draws all that it changes before it returns. */
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
