/** Groups stereotypes in the palette; their icons are strokes in an area of 24 by 18. */

/** What a process does on its own: time, repetition, part of a program. */
const ALONE = {
  'action+': 'M12 5v4l3 2M7 9a5 5 0 1 0 10 0a5 5 0 1 0-10 0',
  'activity+': 'M6 5h5v3H6zM13 10h5v3h-5zM8.5 8v3.500H13',
  'loop+': 'M16 6.500A5 5 0 1 0 17 10M17 4v3h-3',
  task: 'M5 5h14v8H5zM8 9h8',
  delay: 'M8 4h8l-4 5 4 5H8l4-5z',
} as const;

/** Messages: an outgoing or incoming arrow, dashed if a later wait completes it. */
const MESSAGES = {
  bsend: 'M5 9h13M14 5l4 4-4 4',
  nbsend: 'M5 9h3M10 9h3M15 9h3M14 5l4 4-4 4',
  brecv: 'M19 9H6M10 5L6 9l4 4',
  nbrecv: 'M19 9h-3M14 9h-3M9 9H6M10 5L6 9l4 4',
  sendrecv: 'M5 6h13M15 3l3 3-3 3M19 12H6M9 9l-3 3 3 3',
  wait: 'M9 5v8M15 5v8',
  sendsignal: 'M4 4h11l5 5-5 5H4z',
  acceptsignal: 'M4 4h16v10H4l5-5z',
} as const;

/** Collectives: one process with all, all with one, all with all. */
const COLLECTIVES = {
  broadcast: 'M5 9h5l8-5M10 9h8M10 9l8 5',
  scatter: 'M5 9h4l8-5M9 9h8M9 9l8 5M17 3h2v2h-2zM17 8h2v2h-2zM17 13h2v2h-2z',
  gather: 'M19 9h-4L7 4M15 9H7M15 9l-8 5M5 3h2v2H5zM5 8h2v2H5zM5 13h2v2H5z',
  reduce: 'M5 4l8 5M5 9h8M5 14l8-5M14 9h5M16.500 6.500v5',
  allreduce: 'M4 4l6 5-6 5M20 4l-6 5 6 5M9 9h6M12 6v6',
  allgather: 'M4 4l6 5-6 5M20 4l-6 5 6 5M10 7h4v4h-4z',
  alltoall: 'M5 4l14 10M5 14L19 4M5 9h14',
  reducescatter: 'M4 4l6 5-6 5M10 9l9-5M10 9h9M10 9l9 5',
  scan: 'M4 14h4v-3h4V8h4V5h4',
  barrier: 'M12 3v12M4 6h5M4 12h5M15 6h5M15 12h5',
} as const;

/** Threads of a process. */
const THREADS = {
  parallel: 'M4 9h3M7 9l3-5h7M7 9h10M7 9l3 5h7',
  paralleldo: 'M4 5h9M4 9h9M4 13h9M19 7a3.500 3.500 0 1 0 1 3M20 5v3h-3',
  parallelsections: 'M6 4h12v3H6zM6 8h12v3H6zM6 12h12v3H6z',
  critical: 'M8 8V6a4 4 0 0 1 8 0v2M7 8h10v7H7z',
  single: 'M10 6l2-2v10M9 14h6',
  master: 'M6 13V5l4 4 2-5 2 5 4-4v8z',
  ompbarrier: 'M12 3v12M5 5h4M5 9h4M5 13h4M15 9h5',
  atomic: 'M12 8v2M12 3c3 4 3 8 0 12M12 3c-3 4-3 8 0 12M5 7c5-2 9 0 14 4M5 11c5 2 9 0 14-4',
} as const;

/** Accelerators: a chip, bytes to and from its memory, a flag, a line that all work reaches. */
const ACCELERATORS = {
  kernel: 'M7 4h10v10H7zM10 7h4v4h-4zM9 4V2M15 4V2M9 14v2M15 14v2M7 9H5M17 9h2',
  copy: 'M4 5h6v8H4zM14 5h6v8h-6zM10 9h4M12.500 7.500L14 9l-1.500 1.500',
  event: 'M8 15V3h9l-3 3 3 3H8',
  synchronize: 'M4 6h9M4 12h6M16 3v12M19 3v12M11 4l2 2-2 2M8 10l2 2-2 2',
} as const;

const GROUPS: [string, Record<string, string>][] = [
  ['Work', ALONE],
  ['Messages', MESSAGES],
  ['Collectives', COLLECTIVES],
  ['Threads', THREADS],
  ['Accelerators', ACCELERATORS],
];

/** Names of the groups of stereotypes in order; the last has those without an icon. */
export const GROUP_NAMES = [...GROUPS.map(([name]) => name), 'More'];

/** Returns the group of a stereotype. */
export function groupOf(stereotype: string): string {
  const found = GROUPS.find(([, signs]) => Object.hasOwn(signs, stereotype));
  return found?.[0] ?? 'More';
}

/** Returns the icon of a stereotype; user-defined stereotypes have none. */
export function signOf(stereotype: string | null): string | null {
  if (stereotype === null) return null;
  const found = GROUPS.find(([, signs]) => Object.hasOwn(signs, stereotype));
  return found?.[1][stereotype] ?? null;
}
