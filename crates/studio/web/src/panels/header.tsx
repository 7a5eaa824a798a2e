import { DRAWN_MAX } from '../canvas/reconcile';
import { COMMANDS } from '../commands';
import { hasErrors } from '../failure';
import { difference, seconds } from '../format';
import type { IconName } from '../icons';
import { diagramOf } from '../model';
import type { Studio } from '../studio';
import { Gone } from './gone';
import { IconButton } from './icon';
import { useStore } from './use';

interface CommandButtonProps {
  studio: Studio;
  icon: IconName;
  command: string;
  /** The word shown below the icon. */
  word?: string | undefined;
  label?: string | undefined;
  disabled?: boolean;
}

/** A button for a command, which is identified by its label in the list of commands. */
export function CommandButton({ studio, icon, word, ...props }: CommandButtonProps) {
  const { command, label, disabled } = props;
  const found = COMMANDS.find((one) => one.label === command);
  if (!found) throw new Error(`no command ${command}`);
  return (
    <IconButton
      icon={icon}
      word={word}
      label={label ?? command}
      keys={found.keys[0] ?? ''}
      disabled={disabled ?? false}
      onClick={() => found.run(studio)}
    />
  );
}

/** Commands that need a server, with their icons. */
const BY_SERVER: [IconName, string, string?][] = [
  ['sweep', 'Sweep'],
  ['import', 'Import'],
  ['machine', 'Machines'],
  ['kept', 'Kept runs', 'Runs'],
];

/** Returns true if this page has a command. */
function offered(command: string): boolean {
  return COMMANDS.some(({ label }) => label === command);
}

/** The file, commands for pointers, and the predicted time. */
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
        <CommandButton studio={studio} icon="folder" command="All models" word="Models" />
        <CommandButton studio={studio} icon="save" command="Save" word="Save" disabled={saved} />
        <CommandButton
          studio={studio}
          icon="undo"
          command="Undo" word="Undo"
          label={undo === null ? undefined : `Undo: ${undo}`}
          disabled={undo === null}
        />
        <CommandButton
          studio={studio}
          icon="redo"
          command="Redo" word="Redo"
          label={redo === null ? undefined : `Redo: ${redo}`}
          disabled={redo === null}
        />
        <CommandButton studio={studio} icon="search" command="Search" word="Search" />
        <CommandButton
          studio={studio}
          icon="layout"
          command="Lay out the diagram" word="Lay out"
          disabled={!editable}
        />
        <CommandButton studio={studio} icon="fit" command="Fit the diagram" word="Fit" />
        <CommandButton studio={studio} icon="minus" command="Zoom out" word="Zoom out" />
        <CommandButton studio={studio} icon="plus" command="Zoom in" word="Zoom in" />
        <CommandButton studio={studio} icon="map" command="Minimap" word="Minimap" />
        <CommandButton studio={studio} icon="compare" command="Compare" word="Compare" />
        {BY_SERVER.filter(([, command]) => offered(command)).map(([icon, command, word]) => (
          <CommandButton key={command} {...{ studio, icon, command, word: word ?? command }} />
        ))}
        <CommandButton studio={studio} icon="image" command="Export" word="Export" />
        {offered('Copy a link') && (
          <CommandButton studio={studio} icon="link" command="Copy a link" word="Link" />
        )}
        <CommandButton studio={studio} icon="help" command="Shortcuts" word="Shortcuts" />
      </div>
      <PredictedTime studio={studio} />
    </header>
  );
}

function PredictedTime({ studio }: { studio: Studio }) {
  const { result, error, running, before } = useStore(studio.predictor.prediction);
  const state = useStore(studio.document.state);
  const failed = error !== null && !running;
  // After a failure, the last time no longer belongs to the model.
  let text = result ? seconds(result.predicted_time_s) : '–';
  if (failed) text = hasErrors(state) ? '–' : 'failed';
  return (
    <output
      class={`time${running ? ' running' : ''}${failed ? ' failed' : ''}`}
      title={error ?? 'Predicted time'}
    >
      <span class="label">Predicted time</span> <strong>{text}</strong>
      {result && before !== null && !failed && (
        <span class="change" title="Change by the last edit or flag">
          {difference(result.predicted_time_s, before)}
        </span>
      )}
    </output>
  );
}

/** The server's last message, and the choice after another program's change. */
export function Notice({ studio }: { studio: Studio }) {
  const { document, dialog, view } = studio;
  const notice = useStore(document.notice);
  const state = useStore(document.state);
  useStore(view.path);
  const { conflict, editable, remark, spoiled, why } = state;
  const nodes = diagramOf(state, view.diagram)?.nodes.length ?? 0;
  return (
    <div class="notice" role="status">
      <Gone studio={studio} />
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
      {spoiled !== null && (
        <p>
          <span>
            Another program has emptied or damaged the file ({spoiled}). The model is still here.
          </span>
          <button type="button" onClick={() => void document.save(true)}>
            Save over it
          </button>
          <button type="button" onClick={() => dialog.set({ type: 'save-as' })}>
            Save as a new file
          </button>
        </p>
      )}
      {remark !== null && <p>{remark}</p>}
      {conflict && spoiled === null && (
        <p>
          Another program has changed the file, and you have unsaved edits.
          <button type="button" onClick={() => void document.takeFile()}>
            Use the file
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
