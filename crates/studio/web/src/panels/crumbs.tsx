import { diagramOf, freshNumbered } from '../model';
import type { Studio } from '../studio';
import { IconButton } from './icon';
import { useStore } from './use';

/** Adds an activity without any calls to it, and shows it. */
async function addDiagram({ document, view }: Studio): Promise<void> {
  const taken = document.state.value.diagrams.map(({ name }) => name);
  const name = freshNumbered(taken, 'Activity');
  const keys = await document.edit(`Add ${name}`, [{ do: 'add-activity', name, key: 'd1' }]);
  const id = keys?.['d1'];
  if (id !== undefined) view.open(id);
}

/** The diagrams from the outermost to the displayed one. */
export function Crumbs({ studio }: { studio: Studio }) {
  const { document, view } = studio;
  const state = useStore(document.state);
  const path = useStore(view.path);
  const names = state.diagrams.map(({ name }) => name);
  return (
    <nav class="crumbs" aria-label="Diagrams">
      <ol>
        {path.map((id, at) => {
          const name = diagramOf(state, id)?.name || '(no name)';
          const here = at === path.length - 1;
          const go = () => view.go(path.slice(0, at + 1));
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
      <IconButton
        icon="plus"
        label="New diagram"
        disabled={!state.editable}
        onClick={() => void addDiagram(studio)}
      />
      <select
        aria-label="All diagrams"
        value={view.diagram ?? ''}
        onChange={(event) => view.open(event.currentTarget.value)}
      >
        {state.diagrams.map(({ id, path: where, name }) => (
          <option key={id} value={id}>
            {names.indexOf(name) === names.lastIndexOf(name) ? name || '(no name)' : where}
          </option>
        ))}
      </select>
    </nav>
  );
}
