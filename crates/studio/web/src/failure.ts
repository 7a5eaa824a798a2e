/** What a prediction says that could not be made. */

import type { State } from './protocol';

/** The one sentence that says what is wrong, what to do, and all the rest. */
export interface Failure {
  sentence: string;
  advice: string | null;
  details: string[];
}

/** The message of a run: its first line says what is wrong. */
export function failureOf(error: string): Failure {
  const [first = '', ...others] = error.split('\n').map((line) => line.trimEnd());
  const sentence = first.replace(/:$/, '');
  const details = others.filter((line) => line !== '');
  // What lacks prices is no mistake in the model: it is for a machine that has them.
  const lacksPrices = /^the machine .* does not price /.test(sentence);
  const advice = lacksPrices
    ? 'Choose a machine that prices them under System, or add them to its file.'
    : null;
  return { sentence: capitalized(sentence), advice, details };
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** True if the model itself is wrong, as the list of problems tells. */
export function hasErrors({ problems }: State): boolean {
  return problems.some(({ severity }) => severity === 'error');
}
