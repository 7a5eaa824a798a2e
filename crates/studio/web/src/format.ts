/** Formats numbers for people. */

const digits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 5 });

/** Formats a simulated time with a suitable unit. */
export function seconds(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || size >= 0.5) return `${digits.format(value)} s`;
  if (size >= 5e-4) return `${digits.format(value * 1e3)} ms`;
  if (size >= 5e-7) return `${digits.format(value * 1e6)} µs`;
  return `${digits.format(value * 1e9)} ns`;
}

/** Formats the relative change of a time. */
export function difference(now: number, was: number): string {
  // Sums of the same times in another order differ in their last digits.
  if (Math.abs(now - was) <= 1e-9 * Math.abs(was)) return '±0 %';
  if (was === 0) return 'new';
  const change = (now / was - 1) * 100;
  const size = Math.abs(change);
  const text = size >= 100 ? size.toFixed(0) : size.toPrecision(2);
  return `${change < 0 ? '−' : '+'}${text} %`;
}

export function percent(value: number): string {
  if (value > 0 && value < 0.001) return '< 0.1 %';
  return `${(value * 100).toFixed(value < 0.1 ? 1 : 0)} %`;
}
