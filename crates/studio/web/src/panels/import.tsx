import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { api, reasonOf } from '../api';
import type { Importing } from '../importer';
import { title } from '../model';
import { remember } from '../prediction';
import type { FittedCost, Imported, MadeModel, Node } from '../protocol';
import type { Studio } from '../studio';
import { SelectField } from './field';
import { TakeFiles } from './take-files';
import { useStore } from './use';

/** The files that the page accepts, and what it makes of them. */
export const TAKEN =
  'Traces become models (SimGrid, GOAL, liballprof, OTF2, recordings, our own), ' +
  'measurements become costs (CSV, Extra-P, Caliper, Google Benchmark, Criterion, hyperfine). ' +
  'You can also import models of any format, and machine files.';

/** Imports the user's own files: traces, measurements, models, machines. */
export function Import({ studio, close }: { studio: Studio; close(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    return () => studio.importer.forget();
  }, [studio]);
  const importing = useStore(studio.importer.importing);
  const { files, result } = importing;
  return (
    <dialog ref={dialog} class="tool import" aria-label="Import" onClose={close}>
      <div class="dialog-head">
        <h2>Import</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      <p class="hint">Drop files anywhere on the page, or choose them. {TAKEN}</p>
      <TakeFiles onFiles={(given) => void takeFiles(studio, given)} />
      <Outcome importing={importing} />
      {files.some(({ name }) => /(^|\/)rank-0\.calls$/.test(name)) && (
        <Validation {...{ studio, files }} />
      )}
      {result?.costs && (
        <Costs key={result.costs.address} {...{ studio, files, ...result.costs }} />
      )}
    </dialog>
  );
}

/** Sends files to the studio, and shows what they are. */
export async function takeFiles(studio: Studio, given: Importing['files']): Promise<void> {
  studio.dialog.set({ type: 'import' });
  const imported = await studio.importer.take(given);
  if (imported?.machine) studio.dialog.set({ type: 'machines', begin: imported.machine });
}

/** Shows whether files are being read, what is wrong with them, and the model that they became. */
export function Outcome({ importing }: { importing: Importing }) {
  const { files, result, error, running } = importing;
  const [first] = files;
  const more = files.length > 1 ? ` and ${files.length - 1} more` : '';
  return (
    <>
      {running && first && (
        <p role="status">
          Reading {first.name}
          {more} …
        </p>
      )}
      {error !== null && (
        <p class="finding error" role="alert">
          {error}
        </p>
      )}
      {result?.machine && (
        <p role="status">
          {result.machine.name} is a machine file: open a model, and drop the file there.
        </p>
      )}
      {result?.model && <Made {...result.model} />}
    </>
  );
}

function Made({ address, name, about, remark, ranks }: MadeModel) {
  const link = useRef<HTMLAnchorElement>(null);
  useLayoutEffect(() => {
    link.current?.focus();
    // The model runs like the traced program.
    if (ranks !== null) remember(name, { nodes: String(ranks) });
  }, [name, ranks]);
  return (
    <div role="status">
      <p>
        <a ref={link} href={address}>
          Open {name}
        </a>
        : {about}.
      </p>
      {remark !== null && <p class="finding warning">{remark}</p>}
    </div>
  );
}

/** Compares a recording of the program with the open model's prediction. */
function Validation({ studio, files }: { studio: Studio; files: Importing['files'] }) {
  const [told, setTold] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const compare = async () => {
    setError(null);
    const compared = api.validate(files, studio.predictor.flags.value);
    await compared.then(setTold, (why: unknown) => setError(reasonOf(why)));
  };
  return (
    <>
      <button type="button" class="wide" onClick={() => void compare()}>
        Compare the prediction of this model with the recording
      </button>
      {told !== null && (
        <pre tabIndex={0} role="region" aria-label="Predicted and recorded times">
          {told}
        </pre>
      )}
      {error !== null && (
        <p class="finding error" role="alert">
          {error}
        </p>
      )}
    </>
  );
}

/** Returns the nodes that may have a cost. */
function costly({ document: model, vocabulary }: Studio): Node[] {
  const names = vocabulary.stereotypes.filter(({ tags }) =>
    tags.some(({ name }) => name === 'cost'),
  );
  const known = new Set(names.map(({ name }) => name));
  const nodes = model.state.value.diagrams.flatMap((diagram) => diagram.nodes);
  return nodes.filter(({ stereotype }) => stereotype !== null && known.has(stereotype.name));
}

type CostsProps = NonNullable<Imported['costs']> & { studio: Studio; files: Importing['files'] };

/** Shows fitted cost functions, and chooses an element for one of them. */
function Costs({ studio, files, address, costs }: CostsProps) {
  const { document: model, view, dialog } = studio;
  const nodes = costly(studio);
  const selected = view.selection.value.find((id) => nodes.some((node) => node.id === id));
  const [at, setAt] = useState(0);
  const [element, setElement] = useState(selected ?? nodes[0]?.id ?? '');
  const notice = useStore(model.notice);
  const cost = costs[at];
  const insert = async (data: FormData) => {
    if (!cost) return;
    const { region, metric, parameters } = cost;
    const given = parameters.map(([name]) => [name, String(data.get(name))] as const);
    const written = await model.fit(files, {
      region,
      metric,
      element,
      arguments: given.filter(([, text]) => text.trim() !== ''),
    });
    if (!written) return;
    dialog.set(null);
    view.reveal(element);
  };
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void insert(new FormData(event.currentTarget));
        }}
      >
        <div class="fields">
          <SelectField
            label="Region"
            value={String(at)}
            options={costs.map((one, key) => ({ value: String(key), label: labelOf(one) }))}
            onChange={(key) => setAt(Number(key))}
          />
          <SelectField
            label="Cost of"
            value={element}
            options={nodes.map((node) => ({ value: node.id, label: title(node) }))}
            onChange={setElement}
          />
        </div>
        <Arguments key={at} studio={studio} cost={cost} />
        <button type="submit" class="wide" disabled={!model.state.value.editable || element === ''}>
          Make it the cost
        </button>
      </form>
      {notice !== null && (
        <p class="finding error" role="alert">
          {notice}
        </p>
      )}
      {cost && (
        <p>
          <code>{cost.expression}</code>
          <br />
          At {cost.largest}
        </p>
      )}
      <iframe title="Fits of the measurements" sandbox="allow-scripts" src={address} />
    </>
  );
}

function labelOf({ name, metric }: FittedCost): string {
  return name === metric ? name : `${name}, ${metric}`;
}

/** Asks what a cost function's parameters are in the model. */
function Arguments({ studio, cost }: { studio: Studio; cost: FittedCost | undefined }) {
  const { globals, diagrams } = studio.document.state.value;
  const variables = new Set([...globals, ...diagrams.flatMap(({ locals }) => locals)].map(nameOf));
  const known = (name: string) => (variables.has(name) ? name : '');
  return (
    <div class="fields">
      {cost?.parameters.map(([name, identifier]) => (
        <div class="field" key={name}>
          <label for={`argument ${name}`}>{name} in the model</label>
          <input
            id={`argument ${name}`}
            name={name}
            required
            type="text"
            placeholder="such as NUM_PROCESSES"
            defaultValue={known(identifier)}
          />
        </div>
      ))}
    </div>
  );
}

function nameOf({ name }: { name: string }): string {
  return name;
}
