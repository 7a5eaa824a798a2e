/** Runs a studio in a worker, and sends it requests. */

/** A numbered request. */
export interface Asked {
  number: number;
  request: Uint8Array<ArrayBuffer>;
}

/** The answer to the request with that number. */
export interface Told {
  number: number;
  bytes: Uint8Array<ArrayBuffer>;
}

interface Waiting {
  resolve(answer: Response): void;
  reject(why: unknown): void;
}

/** The message when a worker ends unexpectedly. */
const BROKEN = 'the model needs more memory than a page has, or the studio has an error';
const NEWLINE = 10;

export class Engine {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  /** Whether it no longer answers. */
  isOver = false;

  constructor(module: WebAssembly.Module) {
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    this.#worker.postMessage(module);
    this.#worker.onmessage = ({ data }: MessageEvent<Told | null>) => {
      if (data === null) return;
      this.#waiting.get(data.number)?.resolve(unpacked(data.bytes));
      this.#waiting.delete(data.number);
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#over(({ resolve }) => {
        resolve(Response.json({ error: BROKEN }, { status: 500 }));
      });
    };
  }

  get isBusy(): boolean {
    return this.#waiting.size > 0;
  }

  /** Sends a method with its address, and a body. */
  ask(line: string, body: BufferSource | string = ''): Promise<Response> {
    const head = new TextEncoder().encode(`${line}\n`);
    const rest = typeof body === 'string' ? new TextEncoder().encode(body) : bytesOf(body);
    const request = new Uint8Array(head.length + rest.length);
    request.set(head);
    request.set(rest, head.length);
    this.#last += 1;
    const asked: Asked = { number: this.#last, request };
    return new Promise((resolve, reject) => {
      this.#waiting.set(asked.number, { resolve, reject });
      this.#worker.postMessage(asked, [request.buffer]);
    });
  }

  /** Stops the worker, whatever it is doing. */
  end(): void {
    this.#over(({ reject }) => reject(new DOMException('the run was ended', 'AbortError')));
  }

  #over(tell: (waiting: Waiting) => void): void {
    this.isOver = true;
    this.#worker.terminate();
    for (const waiting of this.#waiting.values()) tell(waiting);
    this.#waiting.clear();
  }
}

function bytesOf(body: BufferSource): Uint8Array {
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
}

/** Converts an answer to the form in which the server would have sent it. */
function unpacked(bytes: Uint8Array<ArrayBuffer>): Response {
  const end = bytes.indexOf(NEWLINE);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as ResponseInit;
  return new Response(bytes.subarray(end + 1), head);
}
