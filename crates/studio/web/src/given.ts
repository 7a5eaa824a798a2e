/** Reads files that the user drops on the page or chooses. */

/** Maximum total size of a request's files, the same as in the studio. */
const BYTES_MAX = 64 << 20;
/** Maximum number of files in a request. */
const FILES_MAX = 4096;

/** A file with its path in the given folder. */
export interface Given {
  name: string;
  file: File;
}

/** Returns the dropped files, including those in folders. */
export async function dropped(transfer: DataTransfer): Promise<Given[]> {
  // The entries disappear once this function awaits.
  const items = [...transfer.items].filter(({ kind }) => kind === 'file');
  const entries = items.map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const given: Given[] = [];
  for (const entry of entries) {
    if (entry instanceof File) given.push({ name: entry.name, file: entry });
    else if (entry) await walk(entry, '', given);
  }
  return given;
}

/** Collects a file, or the files in a folder, until there are too many. */
async function walk(entry: FileSystemEntry, folder: string, given: Given[]): Promise<void> {
  if (given.length > FILES_MAX) return;
  const name = folder + entry.name;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => {
      (entry as FileSystemFileEntry).file(resolve, reject);
    });
    given.push({ name, file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const inside = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (inside.length === 0) return;
    for (const one of inside) await walk(one, `${name}/`, given);
  }
}

/** Returns the chosen files, including those in a folder. */
export function chosen(files: FileList | null): Given[] {
  return [...(files ?? [])].map((file) => ({ name: file.webkitRelativePath || file.name, file }));
}

/** Packs a request with files: a line of JSON, followed by their bytes. */
export function packed(given: Given[], request: object = {}): Blob {
  const bytes = given.reduce((sum, { file }) => sum + file.size, 0);
  if (given.length > FILES_MAX) throw new Error(`At most ${FILES_MAX} files are supported.`);
  if (bytes > BYTES_MAX) {
    throw new Error(`The files have more than ${BYTES_MAX >> 20} MB in total.`);
  }
  const files = given.map(({ name, file }) => ({ name, length: file.size }));
  const head = `${JSON.stringify({ ...request, files })}\n`;
  return new Blob([head, ...given.map(({ file }) => file)]);
}

/** Accepts all files that are dropped onto the page. */
export function takeDrops(taken: (given: Given[]) => void): void {
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;
  window.addEventListener('dragover', (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  window.addEventListener('drop', (event) => {
    if (event.defaultPrevented || !hasFiles(event) || !event.dataTransfer) return;
    event.preventDefault();
    void dropped(event.dataTransfer).then((given) => given.length > 0 && taken(given));
  });
}
