/** Runs a studio as WebAssembly in a worker, which answers requests one after another. */

import type { Asked, Told } from './engine';

interface Calls {
  memory: WebAssembly.Memory;
  room(length: number): number;
  answer(): number;
  place(): number;
}

let calls: Calls | null = null;

function answer(calls: Calls, request: Uint8Array): Uint8Array<ArrayBuffer> {
  const { memory, room, answer, place } = calls;
  const at = room(request.length);
  new Uint8Array(memory.buffer, at, request.length).set(request);
  const length = answer();
  return new Uint8Array(memory.buffer, place(), length).slice();
}

/**
 * Imports that the program never calls: the library that reads archives could request random bytes
 * for encryption.
 */
function unused(module: WebAssembly.Module): WebAssembly.Imports {
  const imports: WebAssembly.Imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = () => {
      throw new Error(`${name} is called`);
    };
  }
  return imports;
}

onmessage = async ({ data }: MessageEvent<WebAssembly.Module | Asked>) => {
  if (data instanceof WebAssembly.Module) {
    const instance = await WebAssembly.instantiate(data, unused(data));
    calls = instance.exports as unknown as Calls;
    postMessage(null);
    return;
  }
  if (calls === null) return;
  const bytes = answer(calls, data.request);
  const told: Told = { number: data.number, bytes };
  postMessage(told, { transfer: [bytes.buffer] });
};
