/** Sends requests to the studio: to its server, or to the studio in this page. */

import type { Flags } from './flags';
import { type Given, packed } from './given';
import { host } from './host';
import type {
  Animated,
  Choice,
  Created,
  Edit,
  Edited,
  Explained,
  FitRequest,
  Imported,
  Keeping,
  KeptRuns,
  MachineAsk,
  MachineView,
  Models,
  Predicted,
  Runs,
  Seen,
  State,
  SweepRequest,
  SweepAnswer,
  Vocabulary,
} from './protocol';

/** An unsuccessful answer, with the server's message for the user. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(text);
  }
}

async function answer<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  const said = (await response.json().catch(() => null)) as { error?: string } | null;
  throw new Refused(response.status, said?.error ?? `the server answered ${response.status}`);
}

async function get<T>(path: string): Promise<T> {
  return answer(await host().request(`api/${path}`));
}

/** Returns what to tell the user about a failed request. */
export function reasonOf(failure: unknown): string {
  if (failure instanceof TypeError) return 'The studio is not responding.';
  return failure instanceof Error ? failure.message : String(failure);
}

async function send(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const isJson = !(body instanceof Blob);
  const headers = { 'content-type': isJson ? 'application/json' : 'application/octet-stream' };
  const sent = isJson ? JSON.stringify(body) : body;
  const request = { method: 'POST', headers, body: sent, signal: signal ?? null };
  return host().request(`api/${path}`, request);
}

async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return answer(await send(path, body, signal));
}

interface ExportAsk {
  page?: number;
  target: string;
  flags?: Flags;
}

/** Returns a target's files, and the name for saving them. */
async function exported(path: string, ask: ExportAsk): Promise<{ name: string; blob: Blob }> {
  const response = await send(path, ask);
  if (!response.ok) return answer(response);
  const disposition = response.headers.get('content-disposition') ?? '';
  const name = /filename="([^"]*)"/.exec(disposition)?.[1] ?? ask.target;
  return { name, blob: await response.blob() };
}

/**
 * Chooses a number for a page. When a newer run with the same number starts, the server stops the
 * earlier one.
 */
export function newPage(): number {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return number;
}

const PAGE = newPage();

export const api = {
  vocabulary: () => get<Vocabulary>('vocabulary'),
  state: () => get<State>('state'),
  /** Answers if the studio is running. */
  here: () => get<Choice[]>('targets'),
  /** Returns the model's file as it would be saved now. */
  text: async () => (await host().request('api/text')).text(),
  edit: (revision: number, label: string, edits: Edit[], visit: string | null) =>
    post<Edited>('edit', { revision, label, edits, visit }),
  undo: (revision: number) => post<Edited>('undo', { revision }),
  redo: (revision: number) => post<Edited>('redo', { revision }),
  save: (revision: number, over: boolean) => post<Edited>('save', { revision, over }),
  table: (revision: number, name: string, text: string, visit: string | null) =>
    post<Edited>('table', { revision, name, text, visit }),
  takeFile: (revision: number) => post<Edited>('take-file', { revision }),
  models: () => get<Models>('models'),
  create: (name: string, sample: string | null) => post<Created>('new', { name, sample }),
  saveAs: (revision: number, name: string) => post<Created>('save-as', { revision, name }),
  targets: () => get<Choice[]>('targets'),
  export: (target: string) => exported('export', { target }),
  traceFile: (target: string, flags: Flags) =>
    exported('trace-file', { page: PAGE, target, flags }),
  predict: (flags: Flags, signal: AbortSignal, { page = PAGE, saved = false } = {}) =>
    post<Predicted>('predict', { page, flags, saved }, signal),
  fix: (revision: number, problem: number) => post<Edited>('fix', { revision, problem }),
  trace: (flags: Flags, signal: AbortSignal) =>
    post<Animated>('trace', { page: PAGE, flags }, signal),
  variables: (
    revision: number,
    flags: Flags,
    moment: { process: number; number: number },
    signal: AbortSignal,
  ) => post<Seen>('variables', { page: PAGE, revision, flags, ...moment }, signal),
  dropped: async (files: Given[]) => post<Imported>('dropped', packed(files)),
  /** Returns predicted next to recorded times, as text. */
  validate: async (files: Given[], flags: Flags) =>
    post<string>('validate', packed(files, { flags })),
  kept: () => post<KeptRuns>('kept', null),
  keep: (flags: Flags) => post<Keeping>('keep', { page: PAGE, flags }),
  compareKept: (runs: number[]) => post<string>('compare-kept', { runs }),
  deleteKept: (runs: number[]) => post<KeptRuns>('delete-kept', { runs }),
  machine: (ask: MachineAsk) => post<MachineView>('machine', ask),
  saveMachine: (name: string, text: string, over: boolean) =>
    post<{ name: string }>('save-machine', { name, text, over }),
  fitInto: async (files: Given[], ask: FitRequest) => post<Edited>('fit-into', packed(files, ask)),
  report: (flags: Flags, signal: AbortSignal) =>
    post<Explained>('report', { page: PAGE, flags }, signal),
  sweep: (wanted: SweepRequest, signal: AbortSignal) =>
    post<SweepAnswer>('sweep', { page: PAGE, ...wanted }, signal),
  progress: () => get<Runs>(`progress/${PAGE}`),
};
