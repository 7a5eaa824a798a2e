import { diagramOf } from '../model';
import type { Studio } from '../studio';
import { useStore } from './use';

/** Diagrams from the outermost to the one that is shown. */
export function Crumbs({ studio: { document, view } }: { studio: Studio }) {
  const state = useStore(document.state);
  const path = useStore(view.path);
  return (
    <nav class="crumbs" aria-label="Diagrams">
      <ol>
        {path.map((id, at) => {
          const name = diagramOf(state, id)?.name || '(no name)';
          const here = at === path.length - 1;
          const go = () => {
            view.selection.set([]);
            view.path.set(path.slice(0, at + 1));
          };
          return (
            <li key={`${at} ${id}`}>
              {here ? (
                <span aria-current="page">{name}</span>
              ) : (
                <button type="button" onClick={go}>
                  {name}
                </button>
              )}
            </li>
          );
        })}
      </ol>
      <select
        aria-label="All diagrams"
        value={view.diagram ?? ''}
        onChange={(event) => view.open(event.currentTarget.value)}
      >
        {state.diagrams.map(({ id, path: where, name }) => (
          <option key={id} value={id}>
            {where || name || '(no name)'}
          </option>
        ))}
      </select>
    </nav>
  );
}
