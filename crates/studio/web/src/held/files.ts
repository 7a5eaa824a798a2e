/** Opens and saves the user's files with the browser's own dialogs. */

import { download } from '../canvas/export';

/** Maximum size of a file to open. */
const FILE_MAX = 64 << 20;
/** Extensions of models. */
const ENDINGS = '.uml,.xmi,.uml2,.emx,.mdxml,.mdzip,.zargo,.puml,.prophet.xml,.xml,.zip,.toml';

/** A file that can be written again without asking, in browsers that support it. */
interface Handle {
  getFile(): Promise<File>;
  createWritable(): Promise<{ write(bytes: BufferSource): Promise<void>; close(): Promise<void> }>;
}

interface Pickers {
  showOpenFilePicker?(options: { multiple: boolean }): Promise<Handle[]>;
}

/** Machine files and rules next to a model, by name. */
export type Beside = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

export interface Opened {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  handle: Handle | null;
  beside: Beside;
}

type Chosen = { file: File; handle: Handle | null };

/** Reads a model and the files next to it; returns null if there are no files. */
async function read(chosen: Chosen[]): Promise<Opened | null> {
  const beside = new Map<string, Uint8Array<ArrayBuffer>>();
  let model: Opened | null = null;
  for (const { file, handle } of chosen) {
    const { name, size } = file;
    if (size > FILE_MAX) throw new Error(`${name} has more than ${FILE_MAX >> 20} MB`);
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (isBeside(name, bytes)) beside.set(name, bytes);
    else if (model) throw new Error(`${model.name} and ${name} are both models`);
    else model = { name, bytes, handle, beside };
  }
  if (!model && chosen.length > 0) throw new Error('There is no model among the files.');
  return model;
}

/** Returns true for machine files and rules. */
function isBeside(name: string, bytes: Uint8Array): boolean {
  const head = new TextDecoder().decode(bytes.subarray(0, 2048));
  return name.toLowerCase().endsWith('.toml') || /<mcl[\s>]/.test(head);
}

/** Reads the dropped files. */
export function dropped(transfer: DataTransfer | null): Promise<Opened | null> {
  return read([...(transfer?.files ?? [])].map((file) => ({ file, handle: null })));
}

/** Lets the user choose a model and files next to it; returns null if the user cancels. */
export async function choose(): Promise<Opened | null> {
  const { showOpenFilePicker } = window as Pickers;
  if (showOpenFilePicker) {
    const handles = await showOpenFilePicker({ multiple: true }).catch(() => []);
    return read(
      await Promise.all(handles.map(async (handle) => ({ file: await handle.getFile(), handle }))),
    );
  }
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.accept = ENDINGS;
  return new Promise((resolve, reject) => {
    input.onchange = () => {
      read([...(input.files ?? [])].map((file) => ({ file, handle: null }))).then(resolve, reject);
    };
    input.oncancel = () => resolve(null);
    input.click();
  });
}

/** Writes the file that was opened, or downloads it. */
export async function write(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  handle: Handle | null,
): Promise<void> {
  if (handle === null) {
    download(new Blob([bytes]), name);
    return;
  }
  const writable = await handle.createWritable();
  await writable.write(bytes);
  await writable.close();
}
