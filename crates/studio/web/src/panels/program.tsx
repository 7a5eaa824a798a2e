import { addFunction, addVariable, typeNames } from '../declarations';
import { diagramOf } from '../model';
import type { Function, Id, Variable } from '../protocol';
import type { Studio } from '../studio';
import type { Wish } from '../view';
import { CodeField } from './code-field';
import { SelectField, TextField } from './field';
import { IconButton } from './icon';
import { Tables } from './tables';
import { useStore } from './use';

/** Variables, parameters and functions, whose names code can use. */
export function ProgramPanel({ studio }: { studio: Studio }) {
  const state = useStore(studio.document.state);
  useStore(studio.view.path);
  useStore(studio.view.focus);
  const diagram = diagramOf(state, studio.view.diagram);
  const parameters = state.globals.filter(({ readOnly }) => readOnly);
  const globals = state.globals.filter(({ readOnly }) => !readOnly);
  return (
    <div class="fields">
      <Variables studio={studio} title="Parameters" list={parameters} owner={null} readOnly />
      <Variables studio={studio} title="Global variables" list={globals} owner={null} />
      {diagram && (
        <Variables
          studio={studio}
          title={`Variables of ${diagram.name || 'this diagram'}`}
          list={diagram.locals}
          owner={diagram.id}
        />
      )}
      <Functions studio={studio} list={state.functions} />
      <Tables studio={studio} />
    </div>
  );
}

function wishOf({ view }: Studio, name: string): Wish | null {
  const wish = view.focus.value;
  return wish?.property === `declaration of ${name}` ? wish : null;
}

interface VariablesProps {
  studio: Studio;
  title: string;
  list: Variable[];
  owner: Id | null;
  readOnly?: boolean;
}

function Variables({ studio, title, list, owner, readOnly = false }: VariablesProps) {
  const { editable } = studio.document.state.value;
  const add = () => void addVariable(studio, owner, readOnly);
  return (
    <section>
      <h2>
        {title}
        <IconButton icon="plus" label={`Add to ${title}`} disabled={!editable} onClick={add} />
      </h2>
      {list.map((variable) => (
        <VariableFields key={variable.id} studio={studio} variable={variable} owner={owner} />
      ))}
    </section>
  );
}

interface VariableProps {
  studio: Studio;
  variable: Variable;
  owner: Id | null;
}

function VariableFields({ studio, variable, owner }: VariableProps) {
  const { document } = studio;
  const { editable, problems } = document.state.value;
  const own = problems.filter((problem) => problem.owner === variable.id);
  const { id, name, type, readOnly, length } = variable;
  const change = (changed: Partial<Variable>) => {
    const now = { name, type, readOnly, length, default: variable.default, ...changed };
    void document.edit(`Change ${name}`, [{ do: 'variable', id, owner, ...now }]);
  };
  const remove = () => void document.edit(`Delete ${name}`, [{ do: 'remove', elements: [id] }]);
  const common = { readOnly: !editable };
  return (
    <div class="row" title={variable.comment ?? ''}>
      <TextField
        label="Name"
        value={name}
        focused={wishOf(studio, name)}
        problems={own.filter(({ property }) => property !== 'default')}
        onChange={(text) => change({ name: text })}
        {...common}
      />
      <SelectField
        label="Type"
        value={type}
        options={typeNames(document.state.value).map((it) => ({ value: it, label: it }))}
        disabled={!editable}
        onChange={(text) => change({ type: text })}
      />
      <TextField
        label="Length"
        about="Number of values of an array"
        value={length === null ? '' : String(length)}
        onChange={(text) => change({ length: Number.parseInt(text, 10) || null })}
        {...common}
      />
      <TextField
        label="Default"
        value={variable.default ?? ''}
        problems={own.filter(({ property }) => property === 'default')}
        onChange={(text) => change({ default: text || null })}
        {...common}
      />
      <IconButton icon="remove" label={`Delete ${name}`} disabled={!editable} onClick={remove} />
    </div>
  );
}

function Functions({ studio, list }: { studio: Studio; list: Function[] }) {
  const { editable } = studio.document.state.value;
  const add = () => void addFunction(studio);
  return (
    <section>
      <h2>
        Functions
        <IconButton icon="plus" label="Add a function" disabled={!editable} onClick={add} />
      </h2>
      {list.map((one) => (
        <FunctionFields key={one.id} studio={studio} definition={one} />
      ))}
    </section>
  );
}

/** Parses `long n, double x` as a list; a single word is a name. */
function parametersOf(text: string): Function['parameters'] {
  return text
    .split(',')
    .map((one) => one.trim().split(/\s+/))
    .filter(([first]) => first)
    .map((words) => ({ name: words.at(-1) ?? '', type: words.slice(0, -1).join(' ') || 'double' }));
}

function FunctionFields({ studio, definition }: { studio: Studio; definition: Function }) {
  const { document, view } = studio;
  const { editable, problems } = document.state.value;
  const own = problems.filter((problem) => problem.owner === definition.id);
  const { id, name, parameters, result, body } = definition;
  const change = (changed: Partial<Omit<Function, 'id' | 'result'> & { result: string }>) => {
    const now = { name, parameters, body, result: result ?? 'double', ...changed } as const;
    void document.edit(`Change ${name}`, [{ do: 'function', id, ...now }]);
  };
  const remove = () => void document.edit(`Delete ${name}`, [{ do: 'remove', elements: [id] }]);
  const readOnly = !editable;
  return (
    <div class="function">
      <div class="row">
        <TextField
          label="Name"
          value={name}
          focused={wishOf(studio, name)}
          readOnly={readOnly}
          problems={own.filter(({ property }) => property !== 'body')}
          onChange={(text) => change({ name: text })}
        />
        <TextField
          label="Parameters"
          about="Types and names, separated by commas"
          value={parameters.map((one) => `${one.type} ${one.name}`).join(', ')}
          readOnly={readOnly}
          onChange={(text) => change({ parameters: parametersOf(text) })}
        />
        <SelectField
          label="Result"
          value={result ?? 'double'}
          options={typeNames(document.state.value).map((it) => ({ value: it, label: it }))}
          disabled={readOnly}
          onChange={(text) => change({ result: text })}
        />
        <IconButton icon="remove" label={`Delete ${name}`} disabled={readOnly} onClick={remove} />
      </div>
      <CodeField
        studio={studio}
        label={`Body of ${name}`}
        value={body}
        single={false}
        readOnly={readOnly}
        diagram={view.diagram}
        problems={own.filter(({ property }) => property === 'body')}
        onChange={(text) => change({ body: text })}
      />
    </div>
  );
}
