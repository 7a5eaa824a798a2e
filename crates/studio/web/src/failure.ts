/** Explains why a prediction failed. */

import type { State } from './protocol';

/** A sentence that says what is wrong, what to do, and the remaining details. */
export interface Failure {
  sentence: string;
  advice: string | null;
  details: string[];
}

/** Parses a run's message; its first line says what is wrong. */
export function failureOf(error: string): Failure {
  const [first = '', ...others] = error.split('\n').map((line) => line.trimEnd());
  const sentence = first.replace(/:$/, '');
  const details = others.filter((line) => line !== '');
  // Missing prices aren't a mistake in the model, which needs a machine with these prices.
  const lacksPrices = /^the machine .* does not price /.test(sentence);
  const advice = lacksPrices
    ? 'Choose a machine that prices them under System, or add them to its file.'
    : null;
  return { sentence: capitalized(sentence), advice, details };
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns true if the model itself is wrong, according to the list of problems. */
export function hasErrors({ problems }: State): boolean {
  return problems.some(({ severity }) => severity === 'error');
}
