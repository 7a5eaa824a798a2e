/** Declares new variables and functions, with names for the user to change. */

import { diagramOf, freshNumbered } from './model';
import type { Edit, Id, State } from './protocol';
import type { Studio } from './studio';

/** Returns names of types: UML's own, and those in the program. */
export function typeNames({ globals, functions, diagrams }: State): string[] {
  const variables = [...globals, ...diagrams.flatMap(({ locals }) => locals)];
  const results = functions.map(({ result }) => result ?? '');
  const used = [...variables.map(({ type }) => type), ...results].filter(Boolean);
  return [...new Set(['Integer', 'Real', 'Boolean', ...used])];
}

/** Adds a variable, to the whole program if there is no owner, and asks for its name. */
export async function addVariable(
  { document, view }: Studio,
  owner: Id | null,
  readOnly: boolean,
): Promise<void> {
  const state = document.state.value;
  const locals = diagramOf(state, owner)?.locals ?? [];
  const taken = [...state.globals, ...locals].map(({ name }) => name);
  const name = freshNumbered(taken, readOnly ? 'N' : 'v');
  const value = { length: null, default: readOnly ? '1' : null };
  const edit: Edit = { do: 'variable', id: null, owner, name, type: 'long', readOnly, ...value };
  if (await document.edit(`Add ${name}`, [edit])) view.declare(name);
}

/** Adds a cost function, and asks for its name. */
export async function addFunction({ document, view }: Studio): Promise<void> {
  const taken = document.state.value.functions.map(({ name }) => name);
  const name = freshNumbered(taken, 'F');
  const signature = { parameters: [], result: 'double', body: 'return 1;' };
  const edit: Edit = { do: 'function', id: null, name, ...signature };
  if (await document.edit(`Add ${name}`, [edit])) view.declare(name);
}
