import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { api, reasonOf } from '../api';
import type { Studio } from '../studio';

/** Asks for the name of a new file for the model, which is then opened. */
export function SaveAs({ studio, close }: { studio: Studio; close(): void }) {
  const { file, revision } = studio.document.state.value;
  const [name, setName] = useState(`${file.replace(/(\.prophet)?\.[^.]*$/, '')}-copy.uml`);
  const [error, setError] = useState<string | null>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  // Keys pressed once the field appears are meant for it.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const save = async () => {
    try {
      window.location.href = (await api.saveAs(revision, name)).address;
    } catch (failure) {
      setError(reasonOf(failure));
    }
  };
  return (
    <dialog ref={dialog} class="ask" aria-label="Save as" onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <label for="save-as">Save as a new file, in UML 2</label>
        <input
          id="save-as"
          required
          value={name}
          aria-invalid={error !== null}
          aria-describedby="save-as-error"
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <p id="save-as-error" role="alert">
          {error}
        </p>
        <button type="submit">Save</button>
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </form>
    </dialog>
  );
}
