import { ACTS, type Played } from '../animation/player';
import { BEGIN } from '../animation/timeline';
import { seconds } from '../format';
import { elementOf, title } from '../model';
import type { SeenVariable } from '../protocol';
import type { Studio } from '../studio';
import { IconButton } from './icon';
import { RunProgress } from './progress';
import { useStore } from './use';

/** Maximum number of threads in the list; further threads are chosen by their tokens. */
const MOST_UNITS = 2000;

/** The watched process with its variables, and the nodes where the animation stops. */
export function AnimationPanel({ studio }: { studio: Studio }) {
  const { player } = studio;
  const played = useStore(player.played);
  const loading = useStore(player.loading);
  useStore(player.error);
  return (
    <div class="fields">
      {!player.isOpen && (
        <section>
          <h2>Animation</h2>
          <p class="hint">
            The model is run, and its processes move through the drawing as simulated time passes.
          </p>
          <button type="button" class="wide" onClick={() => void player.open()}>
            Animate the run
          </button>
        </section>
      )}
      {loading && <Loading studio={studio} />}
      {played && <Remarks played={played} />}
      {played && <Watched studio={studio} played={played} />}
      <Stops studio={studio} />
    </div>
  );
}

/** The run that is about to play. */
function Loading({ studio }: { studio: Studio }) {
  const { result, error, running } = useStore(studio.predictor.prediction);
  const exact = !running && error === null;
  return (
    <>
      <p class="hint">The model is running.</p>
      <RunProgress
        run="animation"
        measure={result && { endS: result.predicted_time_s, exact }}
      />
    </>
  );
}

/** Remarks on missing parts of the run. */
function Remarks({ played: { timeline } }: { played: Played }) {
  const { failure, untilS, leftOut } = timeline.data;
  return (
    <>
      {failure !== null && (
        <p class="finding error failure" role="alert">
          {failure}
        </p>
      )}
      {untilS !== null && (
        <p class="finding warning">
          The run is animated up to {seconds(untilS)}: {leftOut.toLocaleString('en-US')} later
          records are omitted.
        </p>
      )}
      {timeline.length === 0 && <p class="hint">Nothing happens in this run.</p>}
    </>
  );
}

/** The watched thread: where it is, and its variables there. */
function Watched({ studio, played }: { studio: Studio; played: Played }) {
  return (
    <section>
      <h2>Process</h2>
      <UnitField studio={studio} played={played} />
      <Whereabouts studio={studio} played={played} />
      <VariableTable studio={studio} />
    </section>
  );
}

function UnitField({ studio: { player }, played }: { studio: Studio; played: Played }) {
  const { timeline } = played;
  const chosen = useStore(player.unit);
  const units = timeline.units.slice(0, MOST_UNITS).map((_, unit) => unit);
  if (!units.includes(chosen)) units.push(chosen);
  const byNumber = (a: number, b: number) => {
    const [one, other] = [timeline.units[a], timeline.units[b]];
    return one && other ? one.pid - other.pid || one.tid - other.tid : 0;
  };
  return (
    <div class="field">
      <label for="watched">Process and thread</label>
      <select
        id="watched"
        value={chosen}
        onChange={(event) => player.unit.set(Number(event.currentTarget.value))}
      >
        {units.sort(byNumber).map((unit) => (
          <option key={unit} value={unit}>
            {timeline.name(unit)}
          </option>
        ))}
      </select>
    </div>
  );
}

function Whereabouts({ studio, played }: { studio: Studio; played: Played }) {
  const { player, view } = studio;
  const { timeline, places } = played;
  const moment = useStore(player.moment);
  const unit = useStore(player.unit);
  const row = timeline.of(unit, moment.row);
  const node = row === BEGIN ? null : places.node(row);
  const [from, to] = [timeline.timeS(row), timeline.data.end[row] ?? 0];
  return (
    <p class="whereabouts">
      {act(played, row)}{' '}
      {node && (
        <>
          <button type="button" class="link" onClick={() => view.reveal(node.id)}>
            {title(node)}
          </button>{' '}
          <small>
            {from < to ? `from ${seconds(from)} to ${seconds(to)}` : `at ${seconds(from)}`}
          </small>
        </>
      )}
    </p>
  );
}

/** Describes what a thread does in a row. */
function act({ timeline }: Played, row: number): string {
  if (row === BEGIN) return 'It has not begun.';
  const state = timeline.state(row);
  if (state === 'ended') return 'It has ended.';
  const isLast = timeline.units[timeline.unitOf[row] ?? 0]?.rows.at(-1) === row;
  // The run has not continued from there.
  if (state === 'pass' && isLast) return 'It stays at';
  return `It ${ACTS[state] ?? state}`;
}

const SCOPES: [SeenVariable['scope'], string][] = [
  ['diagram', 'Variables of the diagram'],
  ['process', 'Global variables'],
  ['run', 'Parameters'],
];

function VariableTable({ studio: { player } }: { studio: Studio }) {
  const { list, error } = useStore(player.variables);
  const playing = useStore(player.playing);
  if (playing) return <p class="hint">Its variables are told when time stands still.</p>;
  if (error !== null) return <p class="finding error">{error}</p>;
  if (!list) return null;
  return (
    <>
      {SCOPES.map(([scope, name]) => {
        const shown = list.filter((variable) => variable.scope === scope);
        if (shown.length === 0) return null;
        return (
          <table key={scope} class="variables">
            <caption>{name}</caption>
            <tbody>
              {shown.map((variable) => (
                <tr key={variable.name}>
                  <th scope="row">{variable.name}</th>
                  <td>{text(variable)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        );
      })}
      {list.length === 0 && <p class="hint">The program has no variables here.</p>}
    </>
  );
}

function text({ values, length }: SeenVariable): string {
  if (length === null) return values[0] ?? '';
  const more = length > values.length ? `, … (${length} in total)` : '';
  return `{${values.join(', ')}${more}}`;
}

/** The nodes where the animation stops. */
function Stops({ studio }: { studio: Studio }) {
  const { player, view, document } = studio;
  const stops = useStore(player.stops);
  const state = useStore(document.state);
  const selection = useStore(view.selection);
  const selected = selection.at(-1) ?? null;
  const nodes = [...stops].flatMap((id) => {
    const found = elementOf(state, id);
    return found?.type === 'node' ? [found.node] : [];
  });
  return (
    <section>
      <h2>Stop at</h2>
      {nodes.length === 0 && <p class="hint">Select a node, and press Shift+B.</p>}
      <ul class="stops">
        {nodes.map((node) => (
          <li key={node.id}>
            <button type="button" class="link" onClick={() => view.reveal(node.id)}>
              {title(node)}
            </button>
            <IconButton
              icon="close"
              label={`Do not stop at ${title(node)}`}
              onClick={() => player.toggleStop(node.id)}
            />
          </li>
        ))}
      </ul>
      {selected !== null && player.canStop(selected) && !stops.has(selected) && (
        <button type="button" class="wide" onClick={() => player.toggleStop(selected)}>
          Stop at the selected node
        </button>
      )}
    </section>
  );
}
