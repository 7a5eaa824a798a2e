import { download } from '../canvas/export';
import type { Studio } from '../studio';
import { useStore } from './use';

/** Says what to do if the studio has ended, or had ended while the user typed. */
export function Gone({ studio: { document } }: { studio: Studio }) {
  const connected = useStore(document.connection.state);
  const kept = useStore(document.kept);
  const count = useStore(document.waiting);
  const gaveAway = useStore(document.gaveAway);
  const { file } = useStore(document.state);
  if (connected !== 'here' && gaveAway) {
    return <p class="gone">Another page has the edits of this one now, so you can close it.</p>;
  }
  if (connected !== 'here') {
    return (
      <p class="gone">
        <span>
          {connected === 'gone'
            ? 'The studio is not responding. Start it again on this model '
            : 'The studio was restarted. '}
          {connected === 'gone' ? `with --port ${window.location.port}, and open` : 'Open'} the
          address that it prints: what it received is there.
          {count > 0 && ` ${edits(count)} wait in this page, and will be offered there.`}
        </span>
        {document.copy !== null && (
          <button
            type="button"
            onClick={() => download(new Blob([document.copy ?? '']), `copy-of-${file}`)}
          >
            Save a copy
          </button>
        )}
      </p>
    );
  }
  if (kept.length === 0) return null;
  return (
    <p>
      <span>
        The studio ended before it received {edits(kept.length)}:{' '}
        {kept.map(({ label }) => label).join(', ')}.
      </span>
      <button type="button" onClick={() => void document.takeKept(true)}>
        Make them now
      </button>
      <button type="button" onClick={() => void document.takeKept(false)}>
        Forget them
      </button>
    </p>
  );
}

function edits(count: number): string {
  return count === 1 ? '1 edit' : `${count} edits`;
}
