/** Imports files that the user gives to the page. */

import { api, reasonOf } from './api';
import type { Given } from './given';
import type { Imported } from './protocol';
import { Store } from './store';

export interface Importing {
  files: Given[];
  result: Imported | null;
  error: string | null;
  running: boolean;
}

const NOTHING: Importing = { files: [], result: null, error: null, running: false };

export class Importer {
  readonly importing = new Store<Importing>(NOTHING);

  /** Sends the files; returns what they are, or null. */
  async take(files: Given[]): Promise<Imported | null> {
    const running = { ...NOTHING, files, running: true };
    this.importing.set(running);
    const done = await api.dropped(files).then(
      (result) => ({ ...NOTHING, files, result }),
      (failure: unknown) => ({ ...NOTHING, files, error: reasonOf(failure) }),
    );
    // Other files were given in the meantime.
    if (this.importing.value !== running) return null;
    this.importing.set(done);
    return done.result;
  }

  forget(): void {
    this.importing.set(NOTHING);
  }
}
