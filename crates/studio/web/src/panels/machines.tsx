import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { api, reasonOf } from '../api';
import { flagOf } from '../flags';
import type { MachineAsk, MachineField, MachineView, Problem } from '../protocol';
import type { Studio } from '../studio';
import { SelectField, TextField } from './field';

interface MachinesProps {
  studio: Studio;
  /** The machine to start with, and its text if it isn't in a file yet. */
  begin: MachineAsk | null;
  close(): void;
}

/** Shows a list of machines, with pictures, and with values to edit in place. */
export function Machines({ studio, begin, close }: MachinesProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const set = flagOf(studio.predictor.flags.value, 'machine');
  const [name, setName] = useState(begin?.name ?? set ?? 'default');
  const [view, setView] = useState<MachineView | null>(null);
  const [error, setError] = useState<string | null>(null);
  const show = async (ask: MachineAsk) => {
    setName(ask.name);
    try {
      setView(await api.machine(ask));
      setError(null);
    } catch (failure) {
      setError(reasonOf(failure));
    }
  };
  useEffect(() => void show(begin ?? { name }), []);
  const options = machinesOf(studio).map((value) => ({ value, label: value }));
  return (
    <dialog ref={dialog} class="tool machines" aria-label="Machines" onClose={close}>
      <div class="dialog-head">
        <h2>Machines</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      <div class="machine">
        <div class="fields" tabIndex={0} role="group" aria-label={`Values of ${name}`}>
          <SelectField
            label="Machine"
            about="Built-in machines, and machine files in the folder"
            value={name}
            options={options}
            onChange={(name) => void show({ name })}
          />
          {error !== null && (
            <p class="finding error" role="alert">
              {error}
            </p>
          )}
          {view && (
            <>
              <Save key={name} {...{ studio, name, view, begun: begin !== null }} />
              <Values view={view} change={(ask) => void show({ name, ...ask })} />
            </>
          )}
        </div>
        <div class="pictures" tabIndex={0} role="group" aria-label={`Pictures of ${name}`}>
          {view?.pictures.map(({ title, svg }) => (
            <figure key={title}>
              <figcaption>{title}</figcaption>
              <img
                alt={`${title} of ${name}`}
                src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
              />
            </figure>
          ))}
          {view?.pictures.length === 0 && <p class="hint">There is nothing to draw.</p>}
        </div>
      </div>
    </dialog>
  );
}

/** Returns the names of machines for predictions. */
function machinesOf({ vocabulary }: Studio): string[] {
  return vocabulary.flags.find(({ name }) => name === 'machine')?.values ?? [];
}

interface ValuesProps {
  view: MachineView;
  change(ask: Omit<MachineAsk, 'name'>): void;
}

/** The values in a machine's file, and the whole file. */
function Values({ view, change }: ValuesProps) {
  const { text, fields, missing, problem } = view;
  const tables = [...new Set(fields.map(({ table }) => table))];
  const isPlaced = fields.some((field) => field.problem !== null);
  return (
    <>
      {problem !== null && !isPlaced && (
        <p class="finding error" role="alert">
          {problem}
        </p>
      )}
      {tables.map((table) => (
        <section key={table}>
          {table !== '' && <h3>{table}</h3>}
          {fields
            .filter((field) => field.table === table)
            .map(({ key, value, range, problem }) => (
              <TextField
                key={key}
                label={key}
                value={value}
                problems={problemsOf(problem)}
                onChange={(value) => change({ text, change: { key, value, range } })}
              />
            ))}
        </section>
      ))}
      {missing.length > 0 && (
        <details>
          <summary>What the file does not set</summary>
          {missing.map(([key, value]) => (
            <TextField
              key={key}
              label={key}
              value={value}
              onChange={(value) => change({ text, change: { key, value, range: null } })}
            />
          ))}
        </details>
      )}
      <details>
        <summary>The whole file</summary>
        <TextField
          label="TOML"
          value={text}
          lines={20}
          onChange={(text) => change({ text, change: null })}
        />
      </details>
    </>
  );
}

function problemsOf(message: MachineField['problem']): Problem[] {
  if (message === null) return [];
  const nowhere = { owner: null, diagram: null, property: null, range: null };
  return [{ severity: 'error', code: '', message, help: null, fix: null, ...nowhere }];
}

interface SaveProps {
  studio: Studio;
  name: string;
  view: MachineView;
  /** Whether the text comes from elsewhere. */
  begun: boolean;
}

/** Saves a machine to a file in the folder, and predicts on it from then on. */
function Save({ studio, name, view, begun }: SaveProps) {
  const isFile = name.endsWith('.toml');
  const [file, setFile] = useState(isFile ? name : `${name}-copy.toml`);
  const [told, setTold] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const save = async () => {
    try {
      // The opened file is the one being edited.
      await api.saveMachine(file, view.text, file === name && !begun);
      studio.vocabulary = await api.vocabulary();
      studio.predictor.set('machine', file);
      setTold(`Saved ${file}: predictions now use it.`);
      setError(null);
    } catch (failure) {
      setTold(null);
      setError(reasonOf(failure));
    }
  };
  return (
    <form
      class="save"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label for="machine-file">Save as</label>
      <input
        id="machine-file"
        type="text"
        required
        value={file}
        aria-invalid={error !== null}
        aria-describedby="machine-told"
        onInput={(event) => setFile(event.currentTarget.value)}
      />
      <button type="submit" disabled={view.problem !== null}>
        Save
      </button>
      <p id="machine-told" role="alert" class={error === null ? '' : 'finding error'}>
        {error ?? told}
      </p>
    </form>
  );
}
