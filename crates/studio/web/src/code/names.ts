/** Finds the names that code at a place in the model may use. */

import { diagramOf, elementOf } from '../model';
import type { Diagram, Id, State, Variable } from '../protocol';

export interface Name {
  label: string;
  type: 'variable' | 'function' | 'constant';
  detail: string;
}

function variable({ name, type, readOnly, length }: Variable): Name {
  const array = length === null ? '' : `[${length}]`;
  return { label: name, type: readOnly ? 'constant' : 'variable', detail: `${type}${array}` };
}

/** Returns a diagram and the diagrams around it. */
function around(state: State, diagram: Id | null): Diagram[] {
  const found: Diagram[] = [];
  for (let next = diagramOf(state, diagram); next && !found.includes(next); ) {
    found.push(next);
    const owner = next.owner;
    next = owner === null ? undefined : elementOf(state, owner)?.diagram;
  }
  return found;
}

/** Returns variables declared by the nodes around a diagram, such as a loop's variable. */
function declared(state: State, diagrams: Diagram[]): Name[] {
  return diagrams.flatMap(({ owner }) => {
    const found = owner === null ? undefined : elementOf(state, owner);
    const name = found?.type === 'node' ? found.node.stereotype?.tags['variable'] : undefined;
    return name ? [{ label: name, type: 'variable', detail: 'of the loop' } satisfies Name] : [];
  });
}

export function namesIn(state: State, diagram: Id | null): Name[] {
  const diagrams = around(state, diagram);
  const functions = state.functions.map(({ name, parameters, result }): Name => {
    const list = parameters.map((one) => `${one.type} ${one.name}`).join(', ');
    return { label: name, type: 'function', detail: `(${list}) ${result ?? ''}` };
  });
  const locals = diagrams.flatMap(({ locals }) => locals.map(variable));
  return [...locals, ...declared(state, diagrams), ...state.globals.map(variable), ...functions];
}
