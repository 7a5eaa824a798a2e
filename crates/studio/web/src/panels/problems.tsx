import { useState } from 'preact/hooks';

import { diagramOf } from '../model';
import type { Problem, State } from '../protocol';
import type { Studio } from '../studio';
import { useStore } from './use';

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

/** Shows where a problem is: the element, or the list that has it. */
function reveal({ view }: Studio, state: State, { owner, diagram, property }: Problem): void {
  const listed = [...state.globals, ...state.functions].some(({ id }) => id === owner);
  if (listed) view.tab.set('program');
  else if (owner !== null) view.reveal(owner);
  else if (diagram !== null) view.open(diagram);
  if (!listed && property !== null) view.edit(property);
}

/** The findings of the checks; a click goes there. */
export function ProblemList({ studio }: { studio: Studio }) {
  const state = useStore(studio.document.state);
  const [open, setOpen] = useState(false);
  const problems = state.problems.toSorted((a, b) => ORDER[a.severity] - ORDER[b.severity]);
  const text = headline(problems);
  const worst = problems[0]?.severity ?? 'none';
  return (
    <section class="problems" aria-label="Problems">
      <button
        type="button"
        class={`problems-head ${worst}`}
        aria-expanded={open}
        disabled={problems.length === 0}
        onClick={() => setOpen(!open)}
      >
        <span aria-live="polite">{text}</span>
        {!open && problems[0] && <span class="first">{problems[0].message}</span>}
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
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
