/** Shows the studio without a server: this page holds the model. */

import './styles/models.css';

import { render } from 'preact';
import { useState } from 'preact/hooks';

import { api } from './api';
import { COMMANDS } from './commands';
import { choose, dropped, type Opened } from './held/files';
import { Held } from './held/host';
import { linked } from './held/link';
import { setHost } from './host';
import { remember } from './prediction';
import { ModelList } from './panels/models';
import { start } from './start';
import type { Studio } from './studio';

/** The studio as WebAssembly, compressed because few web hosts compress it. */
const PROGRAM = 'studio.bin';
/** Maximum length of an address that other programs pass on completely. */
const LINK_MAX = 32_000;

/** Fetches and compiles the studio. */
async function program(): Promise<WebAssembly.Module> {
  const packed = await fetch(PROGRAM);
  if (!packed.ok || packed.body === null) throw new Error(`${PROGRAM} is missing`);
  const stream = packed.body.pipeThrough(new DecompressionStream('gzip'));
  const headers = { 'content-type': 'application/wasm' };
  return WebAssembly.compileStreaming(new Response(stream, { headers }));
}

/** Puts the model into an address, and copies the address to the clipboard. */
async function share(held: Held, { document: model, predictor }: Studio): Promise<void> {
  const address = await held.link(predictor.flags.value);
  if (address.length > LINK_MAX) {
    model.notice.set('The model is too large for an address: save it, and send the file.');
    return;
  }
  window.history.replaceState(null, '', address);
  const copied = await navigator.clipboard.writeText(address).then(
    () => true,
    () => false,
  );
  model.notice.set(
    copied
      ? 'Copied a link to the model as it is now.'
      : 'The address of this page now contains the current model.',
  );
}

/** Removes the text shown while the studio starts. */
function clear(place: HTMLElement): void {
  place.textContent = '';
  place.removeAttribute('class');
  place.removeAttribute('role');
}

/** Opens and shows a model. */
async function show(place: HTMLElement, held: Held, file: Opened): Promise<void> {
  const why = await held.open(file);
  if (why !== null) throw new Error(why);
  COMMANDS.push({
    keys: ['Shift+L'],
    label: 'Copy a link',
    group: 'Document',
    run: (studio) => void share(held, studio),
  });
  clear(place);
  place.id = 'studio';
  const studio = await start(place);
  // An address that names another model is another page.
  window.addEventListener('hashchange', () => window.location.reload());
  window.addEventListener('beforeunload', (event) => {
    if (!studio.document.state.value.saved) event.preventDefault();
  });
}

interface BeginProps {
  opened(file: Opened): Promise<void>;
}

/** Opens the user's own model, with the files next to it. */
function OpenFile({ opened }: BeginProps) {
  const [error, setError] = useState<string | null>(null);
  const open = async (file: Promise<Opened | null>) => {
    try {
      const chosen = await file;
      if (chosen) await opened(chosen);
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    }
  };
  return (
    <div
      class="drop"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void open(dropped(event.dataTransfer));
      }}
    >
      <button type="button" onClick={() => void open(choose())}>
        Open a file
      </button>
      <p>or drop it here, with machine files and rules. Everything stays in this page.</p>
      <p role="alert">{error}</p>
    </div>
  );
}

async function begin(place: HTMLElement): Promise<void> {
  const held = new Held(await program());
  setHost(held);
  const link = await linked(window.location.hash);
  if (link !== null) {
    remember(link.name, link.flags);
    const bytes = link.model ?? (await held.begun(link.sample, link.name));
    await show(place, held, { name: link.name, bytes, handle: null, beside: new Map() });
    return;
  }
  const { samples } = await api.models();
  const opened = async (file: Opened) => {
    render(null, place);
    await show(place, held, file);
  };
  const none = <OpenFile opened={opened} />;
  clear(place);
  render(<ModelList {...{ list: [], samples, none }} />, place);
  window.addEventListener('hashchange', () => window.location.reload());
}

const place = document.getElementById('models');
if (place) {
  begin(place).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    place.className = 'models';
    place.textContent = `The studio cannot start: ${why}. `;
    const again = document.createElement('a');
    again.href = window.location.pathname;
    again.textContent = 'Start without a model';
    place.append(again);
  });
}
