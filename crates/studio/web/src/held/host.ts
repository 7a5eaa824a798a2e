/** Hosts the studio in this page: one worker holds the model, and others run it. */

import type { Flags } from '../flags';
import type { Host } from '../host';
import type { Explained, Imported } from '../protocol';
import { Engine } from './engine';
import { type Beside, type Opened, write } from './files';
import { linkTo } from './link';

/** Requests that run the model. */
const RUNS = new Set(['api/predict', 'api/report', 'api/trace', 'api/variables']);
/** How long an abandoned run may take to end before its worker is stopped. */
const GRACE_MS = 100;
/** Maximum number of workers that run the model. */
const RUNNERS_MAX = 4;

/** A worker for the runs of one kind in one part of the page. */
interface Runner {
  engine: Engine;
  has: Running;
}

/** A model's file, and its number of changes. */
interface Current {
  bytes: Uint8Array<ArrayBuffer>;
  revision: string;
}

/** A model to run, with the files next to it. */
type Running = Current & { beside: Beside };

export class Held implements Host {
  readonly #module: WebAssembly.Module;
  #document: Engine;
  readonly #runners = new Map<string, Runner>();
  /** A worker that already has the model, for the first run. */
  #spare: Runner | null = null;
  #file: Opened = { name: '', bytes: new Uint8Array(), handle: null, beside: new Map() };
  /** The file as it would be saved now, since the last change. */
  #current: Promise<Current> | null = null;

  /** The address of the last report. */
  #report = '';

  constructor(module: WebAssembly.Module) {
    this.#module = module;
    this.#document = new Engine(module);
  }

  /** Opens a model; returns the reason if that fails. */
  async open(file: Opened): Promise<string | null> {
    const revision = '1';
    this.#file = file;
    this.#current = Promise.resolve({ bytes: file.bytes, revision });
    // The first prediction doesn't wait for the page.
    this.#spare = this.#with({ bytes: file.bytes, revision, beside: file.beside });
    const opened = await this.#put(this.#document, this.#file, revision);
    if (opened.ok) return null;
    return ((await opened.json()) as { error: string }).error;
  }

  /** Returns the text of a sample, or of an empty model named after a file. */
  async begun(sample: string | null, name: string): Promise<Uint8Array<ArrayBuffer>> {
    const path = sample === null ? `empty/${encodeURIComponent(name)}` : `sample/${sample}`;
    const text = await this.#document.ask(`GET ${path}`);
    if (!text.ok) throw new Error(((await text.json()) as { error: string }).error);
    return new Uint8Array(await text.arrayBuffer());
  }

  get name(): string {
    return this.#file.name;
  }

  /** Returns this page's address with the current model, and flags for its prediction. */
  async link(flags: Flags): Promise<string> {
    const { bytes } = await this.#now();
    return new URL(await linkTo(this.#file.name, bytes, flags), window.location.href).href;
  }

  events(): null {
    return null;
  }

  showModels(): void {
    window.location.href = window.location.pathname;
  }

  async request(path: string, init: RequestInit = {}): Promise<Response> {
    if (init.body instanceof Blob) return this.#withFiles(path, await init.body.arrayBuffer());
    const body = typeof init.body === 'string' ? init.body : '';
    if (RUNS.has(path)) return this.#run(path, body, init.signal ?? null);
    if (path.startsWith('api/progress/')) {
      return Response.json({ prediction: null, report: null, animation: null });
    }
    switch (path) {
      case 'api/models':
        return this.#models();
      case 'api/new': {
        const { name, sample } = JSON.parse(body) as { name: string; sample: string | null };
        const file = /\.[^.]*$/.test(name) ? name : `${name}.uml`;
        return created(`#${new URLSearchParams({ ...(sample && { sample }), name: file })}`);
      }
      case 'api/save':
        await this.#save();
        break;
      case 'api/save-machine':
        return this.#saveMachine(body);
      case 'api/save-as':
        return this.#saveAs((JSON.parse(body) as { name: string }).name);
    }
    return this.#ask(`${init.method ?? 'GET'} ${path}`, body);
  }

  /**
   * Sends a request to the worker with the model; if it breaks, starts another with the same model.
   */
  async #ask(line: string, body: ArrayBuffer | string = ''): Promise<Response> {
    const before = line.startsWith('POST') ? await this.#now().catch(() => null) : null;
    const answer = await this.#document.ask(line, body);
    if (line.startsWith('POST')) this.#current = null;
    if (this.#document.isOver && before !== null) {
      this.#document = new Engine(this.#module);
      const revision = String(Number(before.revision) + 1);
      await this.#put(this.#document, { ...this.#file, bytes: before.bytes }, revision);
    }
    return answer;
  }

  #now(): Promise<Current> {
    this.#current ??= this.#document.ask('GET api/file').then(async (file) => ({
      bytes: new Uint8Array(await file.arrayBuffer()),
      revision: file.headers.get('x-revision') ?? '1',
    }));
    return this.#current;
  }

  async #models(): Promise<Response> {
    const samples = await this.#document.ask('GET samples');
    return Response.json({ models: [], samples: await samples.json() });
  }

  async #save(): Promise<void> {
    const { bytes } = await this.#now();
    await write(this.#file.name, bytes, this.#file.handle);
    this.#file = { ...this.#file, bytes };
  }

  /** Writes a machine file, for all later predictions. */
  async #saveMachine(body: string): Promise<Response> {
    const answer = await this.#ask('POST api/save-machine', body);
    if (!answer.ok) return answer;
    const { name, text } = JSON.parse(body) as { name: string; text: string };
    const bytes = new TextEncoder().encode(text);
    await write(name, bytes, null);
    const beside = new Map([...this.#file.beside, [name, bytes] as const]);
    this.#file = { ...this.#file, beside };
    return answer;
  }

  async #saveAs(name: string): Promise<Response> {
    const text = await this.#document.ask('GET api/uml');
    if (!text.ok) return text;
    const bytes = new Uint8Array(await text.arrayBuffer());
    await write(name, bytes, null);
    return created(await linkTo(name, bytes));
  }

  async #run(path: string, body: string, signal: AbortSignal | null): Promise<Response> {
    const { page, saved } = JSON.parse(body) as { page?: number; saved?: boolean };
    const now = await this.#now();
    const { bytes, beside } = this.#file;
    const model = { ...now, bytes: saved ? bytes : now.bytes, beside };
    signal?.throwIfAborted();
    const runner = this.#runner(`${path} ${page} ${saved ?? false}`, model);
    const { engine } = runner;
    let isOver = false;
    signal?.addEventListener('abort', () => {
      window.setTimeout(() => isOver || engine.end(), GRACE_MS);
    });
    const { has } = runner;
    const isSame = has.bytes === model.bytes && has.revision === model.revision;
    if (!isSame || has.beside !== beside) {
      runner.has = model;
      this.#open(runner);
    }
    const run = engine.ask(`POST ${path}`, body).finally(() => (isOver = true));
    return path === 'api/report' ? this.#shown(engine, await run) : run;
  }

  /** Gives a report an address for its page, which is in this page's memory. */
  async #shown(engine: Engine, answer: Response): Promise<Response> {
    if (!answer.ok) return answer;
    const told = (await answer.json()) as Explained;
    if (told.result) {
      URL.revokeObjectURL(this.#report);
      this.#report = await paged(engine, told.result.address);
      told.result.address = this.#report;
    }
    return Response.json(told);
  }

  /** Sends files such as measurements to the model, and shows the page about them. */
  async #withFiles(path: string, body: ArrayBuffer): Promise<Response> {
    const answer = await this.#ask(`POST ${path}`, body);
    if (!answer.ok || path !== 'api/dropped') return answer;
    const told = (await answer.json()) as Imported;
    if (told.costs) told.costs.address = await paged(this.#document, told.costs.address);
    return Response.json(told);
  }

  /** Returns a worker for some runs: reuses a free one, and stops one that isn't needed. */
  #runner(key: string, has: Running): Runner {
    const known = this.#runners.get(key);
    if (known && !known.engine.isOver && !known.engine.isBusy) return known;
    known?.engine.end();
    this.#runners.delete(key);
    for (const [other, { engine }] of this.#runners) {
      if (this.#runners.size < RUNNERS_MAX) break;
      if (engine.isBusy) continue;
      engine.end();
      this.#runners.delete(other);
    }
    const runner = this.#spare ?? this.#with(has);
    this.#spare = null;
    this.#runners.set(key, runner);
    return runner;
  }

  /** Starts a worker with a model. */
  #with(has: Running): Runner {
    const runner = { engine: new Engine(this.#module), has };
    this.#open(runner);
    return runner;
  }

  #open({ engine, has }: Runner): void {
    this.#put(engine, { ...this.#file, ...has }, has.revision).catch(() => null);
  }

  /** Opens a model in a worker, with the files next to it. */
  #put(engine: Engine, { name, bytes, beside }: Opened, revision: string): Promise<Response> {
    for (const [other, text] of beside) {
      void engine.ask(`POST beside/${encodeURIComponent(other)}`, text).catch(() => null);
    }
    return engine.ask(`POST open/${revision}/${encodeURIComponent(name)}`, bytes);
  }
}

/** Returns an address in this page's memory for a page from the studio. */
async function paged(engine: Engine, address: string): Promise<string> {
  const page = await engine.ask(`GET ${address}`);
  const blob = new Blob([await page.arrayBuffer()], { type: 'text/html;charset=utf-8' });
  return URL.createObjectURL(blob);
}

function created(address: string): Response {
  return Response.json({ address });
}
