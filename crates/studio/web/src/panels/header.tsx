import { DRAWN_MAX } from '../canvas/reconcile';
import { COMMANDS } from '../commands';
import { seconds } from '../format';
import type { IconName } from '../icons';
import { diagramOf } from '../model';
import type { Studio } from '../studio';
import { IconButton } from './icon';
import { useStore } from './use';

interface CommandButtonProps {
  studio: Studio;
  icon: IconName;
  command: string;
  label?: string | undefined;
  disabled?: boolean;
}

/** A button for a command, which the list of commands knows by its label. */
export function CommandButton({ studio, icon, command, label, disabled }: CommandButtonProps) {
  const found = COMMANDS.find((one) => one.label === command);
  if (!found) throw new Error(`no command ${command}`);
  return (
    <IconButton
      icon={icon}
      label={label ?? command}
      keys={found.keys[0] ?? ''}
      disabled={disabled ?? false}
      onClick={() => found.run(studio)}
    />
  );
}

/** The file, the commands that pointers need, and the predicted time. */
export function Header({ studio }: { studio: Studio }) {
  const state = useStore(studio.document.state);
  const { editable, saved, undo, redo } = state;
  return (
    <header class="header">
      <h1>
        {state.name || state.file}
        <small title={state.why ?? ''}>
          {state.file}
          {editable ? '' : ', not editable'}
          {saved ? '' : ', changed'}
        </small>
      </h1>
      <div class="buttons" role="toolbar" aria-label="Commands">
        <CommandButton studio={studio} icon="folder" command="All models" />
        <CommandButton studio={studio} icon="save" command="Save" disabled={saved} />
        <CommandButton
          studio={studio}
          icon="undo"
          command="Undo"
          label={undo === null ? undefined : `Undo: ${undo}`}
          disabled={undo === null}
        />
        <CommandButton
          studio={studio}
          icon="redo"
          command="Redo"
          label={redo === null ? undefined : `Redo: ${redo}`}
          disabled={redo === null}
        />
        <CommandButton studio={studio} icon="search" command="Search" />
        <CommandButton
          studio={studio}
          icon="layout"
          command="Lay out the diagram"
          disabled={!editable}
        />
        <CommandButton studio={studio} icon="fit" command="Fit the diagram" />
        <CommandButton studio={studio} icon="minus" command="Smaller" />
        <CommandButton studio={studio} icon="plus" command="Larger" />
        <CommandButton studio={studio} icon="map" command="Minimap" />
        <CommandButton studio={studio} icon="compare" command="Compare" />
        <CommandButton studio={studio} icon="image" command="Export" />
        <CommandButton studio={studio} icon="help" command="Shortcuts" />
      </div>
      <PredictedTime studio={studio} />
    </header>
  );
}

function PredictedTime({ studio }: { studio: Studio }) {
  const { result, error, running } = useStore(studio.predictor.prediction);
  const text = result ? seconds(result.predicted_time_s) : '–';
  return (
    <output
      class={`time${running ? ' running' : ''}${error === null ? '' : ' failed'}`}
      title={error ?? 'Predicted time'}
    >
      <span class="label">Predicted time</span> <strong>{text}</strong>
    </output>
  );
}

/** What the server said last, and the choice after a change by another program. */
export function Notice({ studio: { document, dialog, view } }: { studio: Studio }) {
  const notice = useStore(document.notice);
  const state = useStore(document.state);
  useStore(view.path);
  const { conflict, editable, why } = state;
  const nodes = diagramOf(state, view.diagram)?.nodes.length ?? 0;
  return (
    <div class="notice" role="status">
      {!editable && why !== null && (
        <p>
          {why}
          <button type="button" onClick={() => dialog.set({ type: 'save-as' })}>
            Save as UML 2
          </button>
        </p>
      )}
      {nodes > DRAWN_MAX && (
        <p>
          This diagram has {nodes.toLocaleString('en-US')} nodes; the first{' '}
          {DRAWN_MAX.toLocaleString('en-US')} are drawn.
        </p>
      )}
      {conflict && (
        <p>
          Another program has changed the file, and there are edits that are not saved.
          <button type="button" onClick={() => void document.takeFile()}>
            Take the file
          </button>
          <button type="button" onClick={() => void document.save(true)}>
            Save over it
          </button>
        </p>
      )}
      {notice !== null && (
        <p>
          {notice}
          <IconButton
            icon="close"
            label="Dismiss"
            onClick={() => document.notice.set(null)}
          />
        </p>
      )}
    </div>
  );
}
