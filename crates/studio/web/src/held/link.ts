/** Stores models in the page's address: behind `#`, so that servers never get them. */

import type { Flags } from '../flags';

/** Maximum length of the text unpacked from an address. */
const TEXT_MAX = 16 << 20;

const CUT = 'the address does not contain a complete model: it was cut off or changed';

/** What an address names: a sample, or a model with its file name. */
export interface Link {
  sample: string | null;
  name: string;
  model: Uint8Array<ArrayBuffer> | null;
  /** The prediction's flags and parameters. */
  flags: Flags;
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  way: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(way).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Error(CUT);
    });
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    length += value.length;
    // An untrusted address may unpack to more than fits into memory.
    if (length > TEXT_MAX) {
      await reader.cancel();
      throw new Error(`the model in the address has more than ${TEXT_MAX >> 20} MB`);
    }
    parts.push(value as Uint8Array<ArrayBuffer>);
  }
}

/** Returns the fragment of an address with a model, and flags for its prediction. */
export async function linkTo(
  name: string,
  model: Uint8Array<ArrayBuffer>,
  flags: Flags = {},
): Promise<string> {
  const packed = await through(model, new CompressionStream('deflate-raw'));
  let text = '';
  for (const byte of packed) text += String.fromCharCode(byte);
  const base64 = btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const set = Object.entries(flags).map(([flag, value]): [string, string] => [`--${flag}`, value]);
  return `#${new URLSearchParams([['name', name], ...set, ['model', base64]])}`;
}

/** Returns the model in a fragment; null if it contains none. */
export async function linked(fragment: string): Promise<Link | null> {
  const parts = new URLSearchParams(fragment.replace(/^#/, ''));
  const [sample, name, model] = [parts.get('sample'), parts.get('name'), parts.get('model')];
  if (sample === null && name === null && model === null) return null;
  const set = [...parts].filter(([flag]) => flag.startsWith('--'));
  const flags = Object.fromEntries(set.map(([flag, value]) => [flag.slice(2), value]));
  const link = { sample, name: name ?? `${sample ?? 'model'}.uml`, model: null, flags };
  if (model === null) return link;
  let packed: Uint8Array<ArrayBuffer>;
  try {
    const text = atob(model.replaceAll('-', '+').replaceAll('_', '/'));
    packed = Uint8Array.from(text, (sign) => sign.charCodeAt(0));
  } catch {
    throw new Error(CUT);
  }
  const unpacked = await through(packed, new DecompressionStream('deflate-raw'));
  return { ...link, sample: null, model: unpacked };
}
