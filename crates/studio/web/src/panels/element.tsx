import { COMMANDS } from '../commands';
import { newActivity } from '../creation';
import {
  begunBy,
  diagramOf,
  elementOf,
  inside,
  isWorkflow,
  kindOfMain,
  stereotypeOf,
  title,
} from '../model';
import type { Applied, Diagram, Edit, Flow, Id, Node, Problem, Tag } from '../protocol';
import type { Studio } from '../studio';
import type { Wish } from '../view';
import { CodeField } from './code-field';
import { SelectField, TextField } from './field';
import { useStore } from './use';

/** Properties of the selection, otherwise of the diagram. */
export function ElementPanel({ studio }: { studio: Studio }) {
  const state = useStore(studio.document.state);
  const selection = useStore(studio.view.selection);
  useStore(studio.view.path);
  useStore(studio.view.focus);
  if (selection.length > 1) return <Several studio={studio} count={selection.length} />;
  const [id] = selection;
  const found = id === undefined ? undefined : elementOf(state, id);
  if (found?.type === 'node') {
    return <NodeFields key={id} studio={studio} node={found.node} diagram={found.diagram} />;
  }
  if (found) {
    return <FlowFields key={id} studio={studio} flow={found.flow} diagram={found.diagram} />;
  }
  const diagram = diagramOf(state, studio.view.diagram);
  return diagram ? <DiagramFields key={diagram.id} studio={studio} diagram={diagram} /> : null;
}

/** Commands for several elements together. */
function Several({ studio, count }: { studio: Studio; count: number }) {
  const labels = ['Align in a vertical line', 'Align in a horizontal line', 'Delete'];
  const commands = COMMANDS.filter(({ label }) => labels.includes(label));
  return (
    <div class="fields">
      <h2>{count} elements</h2>
      {commands.map(({ label, keys, run }) => (
        <button
          key={label}
          type="button"
          class="wide"
          disabled={!studio.document.state.value.editable}
          onClick={() => run(studio)}
        >
          {label} <kbd>{keys[0]}</kbd>
        </button>
      ))}
    </div>
  );
}

/** What all fields of an element share. */
function fieldsOf(studio: Studio, owner: Id, properties: string[]) {
  const { state } = studio.document;
  const readOnly = !state.value.editable;
  const problems = state.value.problems.filter((problem) => problem.owner === owner);
  const known = new Set(properties);
  return {
    readOnly,
    of: (property: string): Problem[] => problems.filter((one) => one.property === property),
    /** Problems that belong to no field. */
    others: problems.filter(({ property }) => property === null || !known.has(property)),
    send: (label: string, ...edits: Edit[]) => void studio.document.edit(label, edits),
    focused: (property: string): Wish | null => {
      const wish = studio.view.focus.value;
      return wish?.property === property ? wish : null;
    },
  };
}

function Others({ problems }: { problems: Problem[] }) {
  return (
    <>
      {problems.map(({ severity, code, message, help }) => (
        <p key={code + message} class={`finding ${severity}`}>
          <code>{code}</code> {message} {help !== null && <span class="help">{help}</span>}
        </p>
      ))}
    </>
  );
}

interface NodeProps {
  studio: Studio;
  node: Node;
  diagram: Diagram;
}

function NodeFields({ studio, node, diagram }: NodeProps) {
  const { vocabulary, view } = studio;
  const known = stereotypeOf(vocabulary, node.stereotype?.name);
  const tags = known?.tags ?? [];
  const fields = fieldsOf(studio, node.id, ['name', 'body', ...tags.map(({ name }) => name)]);
  const { readOnly, send } = fields;
  const applicable = vocabulary.stereotypes.filter(({ on }) => on.includes(node.kind));
  const kind = vocabulary.nodes.find((one) => one.kind === node.kind)?.label ?? node.kind;
  return (
    <div class="fields">
      <h2>
        {title(node)} <small>{kind}</small>
      </h2>
      <Others problems={fields.others} />
      <TextField
        label="Name"
        value={node.name}
        readOnly={readOnly}
        problems={fields.of('name')}
        focused={fields.focused('name')}
        onChange={(name) => send(`Rename ${node.name}`, { do: 'rename', element: node.id, name })}
      />
      {(applicable.length > 0 || node.stereotype) && (
        <SelectField
          label="Stereotype"
          value={node.stereotype?.name ?? ''}
          about={known?.about ?? ''}
          disabled={readOnly}
          problems={fields.of('stereotype')}
          options={[
            { value: '', label: '(none)' },
            ...applicable.map(({ name, about }) => ({ value: name, label: name, about })),
          ]}
          onChange={(name) =>
            send(
              'Stereotype',
              { do: 'stereotype', element: node.id, name: name || null },
              ...begunBy(studio.document.state.value, name),
            )
          }
        />
      )}
      <Tags studio={studio} element={node.id} applied={node.stereotype} diagram={diagram.id} />
      {/Opaque/.test(node.kind) && (
        <CodeField
          studio={studio}
          label="Code that runs before it"
          value={node.body ?? ''}
          single={false}
          readOnly={readOnly}
          diagram={diagram.id}
          problems={fields.of('body')}
          focused={fields.focused('body')}
          onChange={(text) => send('Code', { do: 'body', element: node.id, text: text || null })}
        />
      )}
      {node.kind === 'CallBehaviorAction' && <Called studio={studio} node={node} />}
      <Comment studio={studio} element={node.id} text={node.comment} />
      {inside(node).map((id) => (
        <button key={id} type="button" class="wide" onClick={() => view.enter(id)}>
          Open {diagramOf(studio.document.state.value, id)?.name || 'its diagram'}
        </button>
      ))}
    </div>
  );
}

/** The activity that a node calls, which can be a new one. */
function Called({ studio, node }: { studio: Studio; node: Node }) {
  const { document } = studio;
  const activities = document.state.value.diagrams.filter(({ owner }) => owner === null);
  const call = (value: string): Edit[] => {
    if (value === '+') return newActivity(node.id, node.name);
    return [{ do: 'calls', element: node.id, diagram: value || null }];
  };
  return (
    <SelectField
      label="Calls"
      value={node.calls ?? ''}
      disabled={!document.state.value.editable}
      options={[
        { value: '', label: '(nothing)' },
        ...activities.map(({ id, name }) => ({ value: id, label: name })),
        { value: '+', label: 'A new activity' },
      ]}
      onChange={(value) => void document.edit('Call', call(value))}
    />
  );
}

interface TagsProps {
  studio: Studio;
  element: Id;
  applied: Applied | null;
  diagram: Id;
}

/**
 * Tags of the applied stereotype: first the required ones, then those with a value or a problem;
 * the remaining tags are folded.
 */
function Tags({ studio, element, applied, diagram }: TagsProps) {
  if (!applied) return null;
  const { of } = fieldsOf(studio, element, []);
  const known = stereotypeOf(studio.vocabulary, applied.name)?.tags ?? [];
  const unknown = Object.keys(applied.tags)
    .filter((name) => !known.some((tag) => tag.name === name))
    .map((name): Tag => ({ name, about: '', kind: 'text', required: false, values: null }));
  const all = [...known, ...unknown];
  // Users rarely need an element's number in results.
  const shown = ({ name, required }: Tag) =>
    required ||
    name === 'cost' ||
    (name !== 'id' && applied.tags[name] !== undefined) ||
    of(name).length > 0;
  const field = (tag: Tag) => (
    <TagField
      key={tag.name}
      {...{ studio, element, tag, diagram }}
      value={applied.tags[tag.name] ?? ''}
    />
  );
  const rest = all.filter((tag) => !shown(tag));
  const first = all.filter(shown).toSorted((a, b) => Number(b.required) - Number(a.required));
  return (
    <>
      {first.map(field)}
      {rest.length > 0 && (
        <details>
          <summary>More tags of {applied.name}</summary>
          {rest.map(field)}
        </details>
      )}
    </>
  );
}

interface TagFieldProps {
  studio: Studio;
  element: Id;
  tag: Tag;
  value: string;
  diagram: Id;
}

function TagField({ studio, element, tag, value, diagram }: TagFieldProps) {
  const fields = fieldsOf(studio, element, []);
  const { name, about, kind, values, required } = tag;
  const onChange = (text: string) =>
    fields.send(`Set ${name}`, { do: 'tag', element, tag: name, value: text || null });
  const common = { about, value, problems: fields.of(name), onChange };
  const label = required ? `${name} (required)` : name;
  if (kind === 'choice' && values) {
    const options = values.map((one) => ({ value: one, label: one }));
    const all = required ? options : [{ value: '', label: '(default)' }, ...options];
    return <SelectField label={label} disabled={fields.readOnly} options={all} {...common} />;
  }
  const { readOnly } = fields;
  const focused = fields.focused(name);
  if (kind === 'text' || kind === 'number') {
    return <TextField {...{ label, readOnly, focused, ...common }} />;
  }
  const single = kind === 'expression';
  return <CodeField {...{ studio, label, single, readOnly, diagram, focused, ...common }} />;
}

function Comment({ studio, element, text }: { studio: Studio; element: Id; text: string | null }) {
  const { readOnly, send } = fieldsOf(studio, element, []);
  return (
    <TextField
      label="Comment"
      value={text ?? ''}
      lines={3}
      readOnly={readOnly}
      onChange={(value) => send('Comment', { do: 'comment', element, text: value || null })}
    />
  );
}

interface FlowProps {
  studio: Studio;
  flow: Flow;
  diagram: Diagram;
}

function FlowFields({ studio, flow, diagram }: FlowProps) {
  const { others, of, readOnly, send, focused } = fieldsOf(studio, flow.id, ['guard']);
  const end = (id: Id) => {
    const node = diagram.nodes.find((one) => one.id === id);
    return (
      <button type="button" class="link" onClick={() => studio.view.select([id])}>
        {node ? title(node) : id}
      </button>
    );
  };
  return (
    <div class="fields">
      <h2>Flow</h2>
      <p class="hint">
        From {end(flow.source)} to {end(flow.target)}
      </p>
      <Others problems={others} />
      <CodeField
        studio={studio}
        label="Guard"
        about="An expression, or else"
        value={flow.guard ?? ''}
        single={true}
        readOnly={readOnly}
        diagram={diagram.id}
        problems={of('guard')}
        focused={focused('guard')}
        onChange={(text) => send('Guard', { do: 'guard', flow: flow.id, text: text || null })}
      />
    </div>
  );
}

function DiagramFields({ studio, diagram }: { studio: Studio; diagram: Diagram }) {
  const { others, of, readOnly, send, focused } = fieldsOf(studio, diagram.id, ['name']);
  const applied = diagram.stereotype;
  const state = studio.document.state.value;
  return (
    <div class="fields">
      <h2>
        {diagram.name || '(no name)'} <small>diagram</small>
      </h2>
      <Others problems={others} />
      <TextField
        label="Name"
        value={diagram.name}
        readOnly={readOnly || diagram.owner !== null}
        problems={of('name')}
        focused={focused('name')}
        onChange={(name) => send('Rename diagram', { do: 'rename', element: diagram.id, name })}
      />
      {diagram.id === state.main && (
        <SelectField
          label="Kind"
          about="A program is run by processes; a workflow has tasks that pass files to each other"
          value={isWorkflow(state) ? 'workflow' : 'program'}
          disabled={readOnly}
          options={['program', 'workflow'].map((value) => ({ value, label: value }))}
          onChange={(kind) => send(`Make it a ${kind}`, ...kindOfMain(state, kind === 'workflow'))}
        />
      )}
      <Tags studio={studio} element={diagram.id} applied={applied} diagram={diagram.id} />
      {diagram.owner === null && (
        <Comment studio={studio} element={diagram.id} text={diagram.comment} />
      )}
      {diagram.owner === null && diagram.id !== state.main && (
        <button
          type="button"
          class="wide"
          disabled={readOnly}
          onClick={() =>
            send(`Delete ${diagram.name}`, { do: 'remove', elements: [diagram.id] })
          }
        >
          Delete this diagram
        </button>
      )}
      <p class="hint">
        {diagram.nodes.length} nodes, {diagram.flows.length} flows. Select one to see its
        properties; press ? for shortcuts.
      </p>
    </div>
  );
}
