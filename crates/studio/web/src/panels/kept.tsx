import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { api, reasonOf } from '../api';
import { seconds } from '../format';
import type { KeptRuns } from '../protocol';
import type { Studio } from '../studio';

/** Lists, compares and deletes the folder's kept predictions. */
export function Kept({ studio, close }: { studio: Studio; close(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const [list, setList] = useState<KeptRuns | null>(null);
  const [chosen, setChosen] = useState<number[]>([]);
  const [comparison, setComparison] = useState<string | null>(null);
  const [told, setTold] = useState<string | null>(null);
  const act = async (what: () => Promise<void>) => {
    try {
      setTold(null);
      await what();
    } catch (failure) {
      setTold(reasonOf(failure));
    }
  };
  const load = async () => setList(await api.kept());
  useEffect(() => void act(load), []);
  const keep = async () => {
    const { result, error } = await api.keep(studio.predictor.flags.value);
    if (error !== undefined) throw new Error(error);
    await load();
    setTold(`Kept as run ${result}.`);
  };
  const compare = async () => {
    setComparison(await api.compareKept(chosen.toSorted((a, b) => a - b)));
  };
  const remove = async () => {
    setList(await api.deleteKept(chosen));
    setChosen([]);
    setComparison(null);
  };
  return (
    <dialog ref={dialog} class="tool kept" aria-label="Kept runs" onClose={close}>
      <div class="dialog-head">
        <h2>Kept runs</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      <p class="take-files">
        <button type="button" onClick={() => void act(keep)}>
          Keep this prediction
        </button>
        <button type="button" disabled={chosen.length < 2} onClick={() => void act(compare)}>
          Compare
        </button>
        <button type="button" disabled={chosen.length === 0} onClick={() => void act(remove)}>
          Delete
        </button>
      </p>
      <p role="status">{told}</p>
      {list && <Rows list={list} chosen={chosen} choose={setChosen} />}
      {comparison !== null && (
        <pre tabIndex={0} role="region" aria-label="Comparison">
          {comparison}
        </pre>
      )}
    </dialog>
  );
}

interface RowsProps {
  list: KeptRuns;
  chosen: number[];
  choose(change: (runs: number[]) => number[]): void;
}

function Rows({ list: { runs, repository }, chosen, choose }: RowsProps) {
  if (runs.length === 0) return <p>No run is kept in {repository} yet.</p>;
  const toggle = (id: number) =>
    choose((runs) => (runs.includes(id) ? runs.filter((one) => one !== id) : [...runs, id]));
  return (
    <div class="rows" tabIndex={0} role="region" aria-label="Runs">
      <table>
        <thead>
          <tr>
            {['Run', 'Kept', 'Model', 'Processes', 'Nodes', 'Machine', 'Time'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <th scope="row">
                <label>
                  <input
                    type="checkbox"
                    checked={chosen.includes(run.id)}
                    onChange={() => toggle(run.id)}
                  />{' '}
                  {run.id}
                </label>
              </th>
              <td>{run.saved_at.replace('T', ' ').replace('Z', '')}</td>
              <td>{run.model}</td>
              <td>{run.processes}</td>
              <td>{run.nodes}</td>
              <td>{run.machine}</td>
              <td>{seconds(run.predicted_time_s)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
