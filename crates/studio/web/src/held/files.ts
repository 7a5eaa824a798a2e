/** Files of the user, by the browser's own dialogs. */

import { download } from '../canvas/export';

/** Largest file that is opened. */
const FILE_MAX = 64 << 20;
/** Endings of the names of models. */
const ENDINGS = '.uml,.xmi,.uml2,.emx,.mdxml,.mdzip,.zargo,.puml,.prophet.xml,.xml,.zip';

/** A file that can be written again without asking, as some browsers have it. */
interface Handle {
  getFile(): Promise<File>;
  createWritable(): Promise<{ write(bytes: BufferSource): Promise<void>; close(): Promise<void> }>;
}

export interface Opened {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  handle: Handle | null;
}

/** Reads a file. */
export async function read(file: File, handle: Handle | null = null): Promise<Opened> {
  if (file.size > FILE_MAX) throw new Error(`${file.name} has more than ${FILE_MAX >> 20} MB`);
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()), handle };
}

/** Lets the user choose a file; null if the user chooses none. */
export async function choose(): Promise<Opened | null> {
  const picker = (window as { showOpenFilePicker?: () => Promise<Handle[]> }).showOpenFilePicker;
  if (picker) {
    const handles = await picker.call(window).catch(() => []);
    const [handle] = handles;
    return handle ? read(await handle.getFile(), handle) : null;
  }
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = ENDINGS;
  return new Promise((resolve, reject) => {
    input.onchange = () => {
      const file = input.files?.[0];
      if (file) read(file).then(resolve, reject);
    };
    input.oncancel = () => resolve(null);
    input.click();
  });
}

/** Writes the file that was opened, or gives it to the user as a download. */
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
