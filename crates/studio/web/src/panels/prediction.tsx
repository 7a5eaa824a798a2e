import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { isIdle } from '../canvas/notation';
import type { Range } from '../curve';
import { hasErrors } from '../failure';
import { flagOf } from '../flags';
import { difference, percent, seconds } from '../format';
import { isWorkflow, nodeOfElement } from '../model';
import type { Predictor } from '../prediction';
import type { Flag, ProcessOutcome, Result, State } from '../protocol';
import type { Studio } from '../studio';
import { CriticalPathPanel } from './critical-path';
import { TimeCurve } from './curve';
import { FailureText } from './failure';
import { SelectField, TextField } from './field';
import { NumberField } from './number-field';
import { RunProgress } from './progress';
import { useStore } from './use';

/** Flags that are always visible: the machine, and the size of the system. */
const FIRST = [
  'machine',
  'nodes',
  'cpus-per-node',
  'processes',
  'threads',
  'hosts',
  'cores',
  'scheduler',
];

function isFirst({ name }: Flag): boolean {
  return FIRST.includes(name);
}

/** Maximum number of bars; more would be thinner than a line. */
const MOST_BARS = 128;

/** The system and the parameters as fields, and the resulting prediction. */
export function PredictionPanel({ studio }: { studio: Studio }) {
  const state = useStore(studio.document.state);
  const { result, error, running } = useStore(studio.predictor.prediction);
  const flags = flagsFor(studio, state);
  const parameters = parametersOf(state);
  /** The flag of the last slider that was moved. */
  const [moved, setMoved] = useState<string | null>(null);
  const field = (flag: Flag) => {
    const below = (range: Range) => <TimeCurve {...{ studio, flag, range }} />;
    const curve = moved === flag.name && { below };
    const onMove = () => setMoved(flag.name);
    return <FlagField key={flag.name} {...{ studio, flag, result, onMove, ...curve }} />;
  };
  return (
    <div class="fields">
      <section>
        <h2>System</h2>
        {flags.filter(isFirst).map(field)}
        <details>
          <summary>More of the system</summary>
          {flags.filter((flag) => !isFirst(flag)).map(field)}
        </details>
      </section>
      {parameters.length > 0 && (
        <section>
          <h2>Parameters</h2>
          {parameters.map(field)}
        </section>
      )}
      {error !== null && <FailureText error={error} />}
      {running && (
        <RunProgress
          run="prediction"
          measure={result && { endS: result.predicted_time_s, exact: false }}
          stop={() => studio.predictor.stop()}
        />
      )}
      {result && (error === null || running || hasErrors(state)) && (
        <div class={running || error !== null ? 'outcome old' : 'outcome'}>
          <Outcome studio={studio} result={result} />
          <CriticalPathPanel studio={studio} result={result} />
          <Elements studio={studio} result={result} />
          <Processes result={result} />
        </div>
      )}
    </div>
  );
}

/** Returns the flags for a model's prediction; a workflow has hosts instead of processes. */
export function flagsFor({ vocabulary }: Pick<Studio, 'vocabulary'>, state: State): Flag[] {
  return isWorkflow(state) ? vocabulary.workflowFlags : vocabulary.flags;
}

/** Returns a model's parameters, which are set like flags. */
export function parametersOf({ parameters }: State): Flag[] {
  return parameters.map(({ name, type, default: value }): Flag => {
    const integer = /int|long|short|unsigned|size_t/i.test(type);
    const kind = integer ? 'integer' : 'number';
    return { name, about: `${type} ${name}`, kind, default: value };
  });
}

interface FlagProps {
  /** The owner of the flags: the page, or one side of a comparison. */
  studio: { predictor: Pick<Predictor, 'flags' | 'set'> };
  flag: Flag;
  /** The prediction, with the size of the system where no flag sets it. */
  result: Result | null;
  /** Called when the slider was moved. */
  onMove?(): void;
  /** Content below the slider, given its ends. */
  below?(range: Range): ComponentChildren;
}

export function FlagField({ studio, flag, result, ...slider }: FlagProps) {
  const flags = useStore(studio.predictor.flags);
  const { name, about, kind, default: standard } = flag;
  const value = flagOf(flags, name) ?? standard ?? '';
  const onChange = (text: string) =>
    studio.predictor.set(name, text === '' || text === standard ? null : text);
  if (kind === 'choice' && flag.values) {
    const options = flag.values.map((one) => ({ value: one, label: one }));
    return <SelectField label={name} {...{ about, value, options, onChange }} />;
  }
  if (kind === 'text' || kind === 'choice') {
    return <TextField label={name} {...{ about, value, onChange }} />;
  }
  const min = flag.min ?? 0;
  const integer = kind === 'integer';
  const sizes: [string, number][] = Object.entries(result?.system ?? {});
  const effective = sizes.find(([size]) => size === name.replaceAll('-', '_'))?.[1] ?? null;
  const props = { about, value, standard, effective, min, integer, onChange, ...slider };
  return <NumberField label={name} {...props} />;
}

function Outcome({ studio, result }: { studio: Studio; result: Result }) {
  const pinned = useStore(studio.predictor.pinned);
  const { predicted_time_s, efficiency, system, workflow, accelerators = [] } = result;
  const name = workflow ? 'Makespan' : 'Predicted time';
  const figures: [string, string][] = [[name, seconds(predicted_time_s)]];
  if (workflow) {
    const { tasks, hosts, cores, utilization } = workflow;
    const on = `${hosts} ${hosts === 1 ? 'host' : 'hosts'}`;
    figures.push(['Tasks', `${tasks} on ${on} with ${cores} ${cores === 1 ? 'core' : 'cores'}`]);
    figures.push(['Utilization', percent(utilization)]);
  } else {
    const { processes, nodes } = system;
    figures.push(['Processes', `${processes} on ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`]);
  }
  // Kernels compute instead of CPUs, so they come first.
  for (const { name, devices, kernels_s, copies_s, copy_engines } of accelerators) {
    const busy = (sum_s: number, units: number) => percent(sum_s / (units * predicted_time_s));
    figures.push([`Kernels on ${devices} x ${name}`, busy(kernels_s, devices)]);
    figures.push(['Copies', busy(copies_s, devices * copy_engines)]);
  }
  if (efficiency) {
    const of = accelerators.length > 0 ? 'CPU efficiency' : 'Parallel efficiency';
    figures.push([of, percent(efficiency.parallel)]);
    figures.push(['Load balance', percent(efficiency.load_balance)]);
    figures.push(['Communication efficiency', percent(efficiency.communication)]);
  }
  if (pinned) {
    const was = pinned.predicted_time_s;
    figures.splice(1, 0, ['Time to compare with', seconds(was)]);
    figures.splice(2, 0, ['Change', difference(predicted_time_s, was)]);
  }
  return (
    <>
      <dl class="figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <button
        type="button"
        class="wide"
        onClick={() => studio.predictor.pinned.set(pinned ? null : result)}
      >
        {pinned ? 'End the comparison' : 'Compare with this from now on'}
      </button>
    </>
  );
}

/** Elements by share; a click shows one in its diagram. */
function Elements({ studio, result }: { studio: Studio; result: Result }) {
  const state = studio.document.state.value;
  const pinned = useStore(studio.predictor.pinned);
  const before = new Map(pinned?.elements.map((one) => [one.id, one.total_s]));
  const sorted = result.elements.toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0)).slice(0, 50);
  return (
    <section>
      <h2>Elements by share of time</h2>
      <ul class="shares">
        {sorted.map(({ name, id, type, share, total_s, count }) => {
          const node = nodeOfElement(state, id);
          const was = before.get(id);
          const where = result.workflow ? 'in total' : 'in all processes';
          const about = `${type}: ${count} times, ${seconds(total_s)} ${where}`;
          return (
            <li key={id}>
              <button
                type="button"
                disabled={node === null}
                title={about}
                onClick={() => node !== null && studio.view.reveal(node)}
              >
                <span class="name">{name}</span>
                <span class="figure">
                  {was !== undefined && <small>{difference(total_s, was)} </small>}
                  {percent(share ?? 0)}
                </span>
                <span class="bar">
                  <span
                    class={isIdle(type) ? 'idle' : ''}
                    style={{ width: `${Math.min(100, (share ?? 0) * 100)}%` }}
                  />
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const PARTS: [keyof ProcessOutcome, string][] = [
  ['compute_s', 'computes'],
  ['communication_s', 'communicates'],
  ['wait_s', 'waits'],
  ['hold_s', 'holds'],
];

/** Bars for the processes, each with its parts. */
function Processes({ result }: { result: Result }) {
  const { processes = [], predicted_time_s: total } = result;
  if (processes.length === 0 || total <= 0) return null;
  const shown = processes.slice(0, MOST_BARS);
  return (
    <section>
      <h2>Processes</h2>
      <p class="legend" aria-hidden="true">
        {PARTS.slice(0, 3).map(([part, name]) => (
          <span key={part}>
            <i class={part} /> {name}
          </span>
        ))}
      </p>
      <ul class="processes">
        {shown.map((process) => {
          const parts = PARTS.filter(([part]) => (process[part] ?? 0) > 0);
          const words = parts.map(([part, name]) => `${name} ${seconds(process[part] ?? 0)}`);
          const text = `Process ${process.pid} on node ${process.nid}: ${words.join(', ')}`;
          return (
            <li key={process.pid} title={text}>
              <span class="pid">{process.pid}</span>
              <span class="bar" role="img" aria-label={text}>
                {parts.map(([part]) => (
                  <span
                    key={part}
                    class={part}
                    style={{ width: `${((process[part] ?? 0) / total) * 100}%` }}
                  />
                ))}
              </span>
            </li>
          );
        })}
      </ul>
      {processes.length > shown.length && (
        <p class="hint">and {processes.length - shown.length} more</p>
      )}
    </section>
  );
}
