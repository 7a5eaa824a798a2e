/** Flags and parameters set by the user; parameters can have any name, such as `constructor`. */

export type Flags = Record<string, string>;

export function withFlag(flags: Flags, name: string, value: string | null): Flags {
  const others = Object.entries(flags).filter(([other]) => other !== name);
  return Object.fromEntries(value === null ? others : [...others, [name, value]]);
}

export function flagOf(flags: Flags, name: string): string | undefined {
  return Object.hasOwn(flags, name) ? flags[name] : undefined;
}
