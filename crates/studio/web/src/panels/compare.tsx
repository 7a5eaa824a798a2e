import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { Comparison, rowsOf, Side } from '../comparison';
import { difference, seconds } from '../format';
import type { Result } from '../protocol';
import type { Studio } from '../studio';
import { SelectField } from './field';
import { FlagField, flagsFor, parametersOf } from './prediction';
import { useStore } from './use';

/** Maximum number of listed elements. */
const MOST_ROWS = 200;
const NAMES = ['First', 'Second'];

/** Two predictions with their flags, and the difference of each element. */
export function Compare({ studio, close }: { studio: Studio; close(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [sides] = useState(() => {
    const flags = studio.predictor.flags.value;
    return [new Side(true, flags), new Side(false, flags)];
  });
  const [comparison] = useState(() => new Comparison(sides));
  useLayoutEffect(() => {
    dialog.current?.showModal();
    return () => comparison.end();
  }, [comparison]);
  const { results, error, running } = useStore(comparison.predictions);
  const [left, right] = results;
  return (
    <dialog ref={dialog} class="compare" aria-label="Compare" onClose={close}>
      <div class="dialog-head">
        <h2>Compare</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      <div class="sides">
        {sides.map((side, at) => (
          <SideFields key={at} {...{ studio, side }} name={NAMES[at] ?? ''} result={results[at]} />
        ))}
      </div>
      {error !== null && (
        <p class="finding error" role="alert">
          {error}
        </p>
      )}
      {left && right && <Differences left={left} right={right} running={running} />}
    </dialog>
  );
}

interface SideProps {
  studio: Studio;
  side: Side;
  name: string;
  result: Result | null | undefined;
}

function SideFields({ studio, side, name, result = null }: SideProps) {
  const saved = useStore(side.saved);
  const state = studio.document.state.value;
  const flags = [...flagsFor(studio, state), ...parametersOf(state)];
  const set = Object.entries(useStore(side.flags)).map(([flag, value]) => `${flag} ${value}`);
  return (
    <section aria-label={name}>
      <SelectField
        label={name}
        value={saved ? 'saved' : 'now'}
        options={[
          { value: 'saved', label: 'the last saved model' },
          { value: 'now', label: 'the current model' },
        ]}
        onChange={(value) => side.saved.set(value === 'saved')}
      />
      <details>
        <summary>System and parameters: {set.join(', ') || 'as in the model'}</summary>
        {flags.map((flag) => (
          <FlagField key={flag.name} studio={{ predictor: side }} {...{ flag, result }} />
        ))}
      </details>
    </section>
  );
}

interface DifferencesProps {
  left: Result;
  right: Result;
  running: boolean;
}

function Differences({ left, right, running }: DifferencesProps) {
  const [was, is] = [left.predicted_time_s, right.predicted_time_s];
  const shown = (time: number | null) => (time === null ? '–' : seconds(time));
  const change = (before: number | null, now: number | null) => {
    if (before === null) return 'new';
    return now === null ? 'gone' : difference(now, before);
  };
  return (
    <table class={running ? 'old' : ''}>
      <thead>
        <tr>
          <th scope="col">In all processes</th>
          {NAMES.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        <tr class="total">
          <th scope="row">Predicted time</th>
          <td>{seconds(was)}</td>
          <td>{seconds(is)}</td>
          <td>{difference(is, was)}</td>
        </tr>
        {rowsOf(left, right)
          .slice(0, MOST_ROWS)
          .map(({ key, name, type, times: [before = null, now = null] }) => (
            <tr key={key}>
              <th scope="row">
                {name} <small>{type}</small>
              </th>
              <td>{shown(before)}</td>
              <td>{shown(now)}</td>
              <td>{change(before, now)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}
