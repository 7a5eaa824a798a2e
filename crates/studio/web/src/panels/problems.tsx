import { useState } from 'preact/hooks';

import { failureOf, hasErrors } from '../failure';
import { diagramOf, isWorkflow, kindOfMain, unfinished } from '../model';
import type { Problem, State } from '../protocol';
import type { Studio } from '../studio';
import { useStore } from './use';

/** A `task` in a program. */
const NO_WORKFLOW = 'PM0442';
/** A program without a node. */
const NO_NODE = 'PM0827';
const ORDER = { error: 0, warning: 1, note: 2 };

function count(problems: Problem[], severity: Problem['severity']): string {
  const number = problems.filter((problem) => problem.severity === severity).length;
  return `${number} ${severity}${number === 1 ? '' : 's'}`;
}

function headline(problems: Problem[]): string {
  if (problems.length === 0) return 'No problems';
  const kinds = (['error', 'warning', 'note'] as const).filter((kind) =>
    problems.some(({ severity }) => severity === kind),
  );
  return kinds.map((kind) => count(problems, kind)).join(', ');
}

/** Summarizes what an unfinished drawing lacks in one line. */
function unconnected(waiting: Problem[]): string {
  if (waiting.some(({ code }) => code === NO_NODE)) return 'Nothing is drawn yet';
  const nodes = new Set(waiting.map(({ owner }) => owner)).size;
  if (nodes === 0) return '';
  return nodes === 1 ? '1 node is not connected yet' : `${nodes} nodes are not connected yet`;
}

function worstOf(problems: Problem[]): Problem | undefined {
  return problems.toSorted((a, b) => ORDER[a.severity] - ORDER[b.severity])[0];
}

function others(problems: Problem[]): string {
  return problems.length === 0 ? '' : `, ${headline(problems)}`;
}

/** Shows where a problem is: the element, or the list that contains it. */
function reveal({ view }: Studio, state: State, { owner, diagram, property }: Problem): void {
  const listed = [...state.globals, ...state.functions].some(({ id }) => id === owner);
  if (listed) view.tab.set('program');
  else if (owner !== null) view.reveal(owner);
  else if (diagram !== null) view.open(diagram);
  if (!listed && property !== null) view.edit(property);
}

/** The checks' findings; a click goes to the place. */
export function ProblemList({ studio }: { studio: Studio }) {
  const state = useStore(studio.document.state);
  const [open, setOpen] = useState(false);
  const waiting = unfinished(state);
  const wrong = state.problems.filter((problem) => !waiting.includes(problem));
  const problems = state.problems.toSorted((a, b) => ORDER[a.severity] - ORDER[b.severity]);
  const { error, running } = useStore(studio.predictor.prediction);
  // Errors in the model itself are listed.
  const failure = error === null || running || hasErrors(state) ? null : failureOf(error);
  const goesOn = unconnected(waiting);
  const told = goesOn !== '' && wrong.length === 0 ? goesOn : headline(wrong);
  const text = failure ? `Prediction failed${others(wrong)}` : told;
  const worst = failure ? 'warning' : (worstOf(wrong)?.severity ?? 'none');
  const first = failure?.sentence ?? worstOf(wrong)?.message;
  return (
    <section class="problems" aria-label="Problems">
      <button
        type="button"
        class={`problems-head ${worst}`}
        aria-expanded={open}
        disabled={problems.length === 0 && !failure}
        onClick={() => {
          if (failure) studio.view.tab.set('prediction');
          setOpen(!open && problems.length > 0);
        }}
      >
        <span aria-live="polite">{text}</span>
        {!open && first !== undefined && <span class="first">{first}</span>}
      </button>
      {open && problems.length > 0 && (
        <ul>
          {problems.map((problem, at) => (
            <li key={at}>
              <button type="button" onClick={() => reveal(studio, state, problem)}>
                <span class={`severity ${problem.severity}`}>{problem.severity}</span>
                <code>{problem.code}</code>
                <span>{problem.message}</span>
                <span class="where">{diagramOf(state, problem.diagram)?.name}</span>
                {problem.help !== null && <span class="help">{problem.help}</span>}
              </button>
              {problem.fix !== null && state.editable && (
                <button
                  type="button"
                  class="fix"
                  onClick={() => void studio.document.fix(state.problems.indexOf(problem))}
                >
                  Write <code>{problem.fix}</code>
                </button>
              )}
              {problem.code === NO_WORKFLOW && state.editable && !isWorkflow(state) && (
                <button
                  type="button"
                  class="fix"
                  onClick={() =>
                    void studio.document.edit('Make it a workflow', kindOfMain(state, true))
                  }
                >
                  Make {diagramOf(state, state.main)?.name || 'the main activity'} a workflow
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
