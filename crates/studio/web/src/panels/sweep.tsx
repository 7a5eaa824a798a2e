import { useLayoutEffect, useRef } from 'preact/hooks';

import type { Studio } from '../studio';
import { TextField } from './field';
import { parametersOf } from './prediction';
import { useStore } from './use';

/** Predicts over values of flags and parameters, and shows the page that the command writes. */
export function Sweep({ studio, close }: { studio: Studio; close(): void }) {
  const { document: model, predictor, sweeper } = studio;
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    return () => sweeper.stop();
  }, [sweeper]);
  const wanted = useStore(sweeper.wanted);
  const { swept, error, running } = useStore(sweeper.sweeping);
  const flags = useStore(predictor.flags);
  const [parameter] = parametersOf(model.state.value);
  const example = parameter ? `, or ${parameter.name}=1..100x8` : '';
  const set = Object.entries(flags).map(([flag, value]) => `${flag} ${value}`);
  const change = (part: Partial<typeof wanted>) => sweeper.wanted.set({ ...wanted, ...part });
  return (
    <dialog ref={dialog} class="tool sweep" aria-label="Sweep" onClose={close}>
      <div class="dialog-head">
        <h2>Sweep</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void sweeper.sweep(flags);
        }}
      >
        <TextField
          label="Vary"
          about={`One axis per line: a name and its values, such as processes=1,2,4..64${example}`}
          value={wanted.vary}
          lines={3}
          onChange={(vary) => change({ vary })}
        />
        <TextField
          label="Minimize"
          about="An expression of results and axes, such as predicted_time_s * processes"
          value={wanted.minimize}
          onChange={(minimize) => change({ minimize })}
        />
        <TextField
          label="Subject to"
          about="One condition per line, such as predicted_time_s < 3"
          value={wanted.subjectTo}
          lines={3}
          onChange={(subjectTo) => change({ subjectTo })}
        />
        <button type="submit" class="wide" disabled={running || wanted.vary === ''}>
          Sweep
        </button>
        {running && (
          <button type="button" class="wide" onClick={() => sweeper.stop()}>
            Stop
          </button>
        )}
      </form>
      <p class="hint">
        Each line is an axis: a name and its values, such as <code>processes=1,2,4..64</code>. Other
        flags: {set.join(', ') || 'as in the model'}.
      </p>
      {error !== null && (
        <p class="finding error" role="alert">
          {error}
        </p>
      )}
      {swept && (
        <iframe
          key={swept.address}
          class={running ? 'old' : ''}
          title="Sweep results"
          sandbox="allow-scripts allow-downloads"
          src={swept.address}
        />
      )}
    </dialog>
  );
}
