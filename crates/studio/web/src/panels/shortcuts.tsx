import { useLayoutEffect, useRef } from 'preact/hooks';

import { COMMANDS } from '../commands';
import { IconButton } from './icon';

/** All commands with their keys. */
export function Shortcuts({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const groups = [...new Set(COMMANDS.map(({ group }) => group))];
  return (
    <dialog ref={dialog} class="shortcuts" aria-label="Shortcuts" onClose={onClose}>
      <div class="dialog-head">
        <h2>Shortcuts</h2>
        <IconButton icon="close" label="Close" onClick={() => dialog.current?.close()} />
      </div>
      <div class="columns">
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {COMMANDS.filter((command) => command.group === group).map(({ keys, label }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p>
        Copy, cut and paste are Ctrl+C, Ctrl+X and Ctrl+V, also between windows. Drag on the canvas
        with Shift to select an area; turn the wheel with Ctrl to zoom.
      </p>
    </dialog>
  );
}
