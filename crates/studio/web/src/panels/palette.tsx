import { useEffect, useRef, useState } from 'preact/hooks';
import type Create from 'diagram-js/lib/features/create/Create';

import { canEnd, canStart, formOf } from '../canvas/notation';
import { appendNamed, shapeOf, type Template, templates } from '../creation';
import { diagramOf, elementOf } from '../model';
import type { Studio } from '../studio';
import { takeTouches } from '../touch';
import { Icon } from './icon';
import { GROUP_NAMES, groupOf, signOf } from './signs';
import { useStore } from './use';

/** A small icon for a stereotype, otherwise the form of a kind. */
function Sign({ kind, stereotype }: Pick<Template, 'kind' | 'stereotype'>) {
  const { outline, width } = formOf(kind);
  const sign = signOf(stereotype);
  if (sign !== null) {
    return (
      <svg class="sign" viewBox="0 0 24 18" aria-hidden="true">
        <path d={sign} />
      </svg>
    );
  }
  return (
    <svg class="sign" viewBox="0 0 24 18" aria-hidden="true">
      {outline === 'rounded' && <rect x="2" y="3" width="20" height="12" rx="4" />}
      {outline === 'diamond' && <path d="M12 2l8 7-8 7-8-7z" />}
      {outline === 'bar' && <rect class="solid" x="3" y="8" width="18" height="3" />}
      {outline === 'circle' && (
        <circle class={kind === 'InitialNode' ? 'solid' : ''} cx="12" cy="9" r="6" />
      )}
      {kind === 'ActivityFinalNode' && <circle class="solid" cx="12" cy="9" r="3.5" />}
      {kind === 'FlowFinalNode' && <path d="M8 5l8 8M16 5l-8 8" data-width={width} />}
    </svg>
  );
}

/** Everything that can be drawn, to drag into place or to append to the selection. */
export function Palette({ studio }: { studio: Studio }) {
  const state = useStore(studio.document.state);
  const [sought, setSought] = useState('');
  const groups = groupsOf(templates(studio.vocabulary), sought);
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (place.current) takeTouches(place.current, null);
  }, []);
  return (
    <nav class="palette" aria-label="Palette" ref={place}>
      <div class="tools">
        <Tool studio={studio} icon="lasso" label="Select an area" service="lassoTool" />
        <Tool studio={studio} icon="space" label="Add or remove space" service="spaceTool" />
      </div>
      <input
        type="search"
        value={sought}
        placeholder="Find"
        aria-label="Find in the palette"
        onInput={(event) => setSought(event.currentTarget.value)}
      />
      {groups.length === 0 && <p class="hint">Nothing is named so.</p>}
      {groups.map(([name, entries]) => (
        <section key={name}>
          <h2>{name}</h2>
          {entries.map((template) => (
            <Entry
              key={template.key}
              studio={studio}
              template={template}
              disabled={!state.editable}
            />
          ))}
        </section>
      ))}
    </nav>
  );
}

/** Returns the entries with a text in their name or meaning, by group. */
function groupsOf(all: Template[], sought: string): [string, Template[]][] {
  const words = sought.trim().toLowerCase();
  const found = all.filter(({ label, about }) => `${label} ${about}`.toLowerCase().includes(words));
  const group = ({ stereotype }: Template) => (stereotype === null ? 'Nodes' : groupOf(stereotype));
  const groups = ['Nodes', ...GROUP_NAMES].map((name): [string, Template[]] => [
    name,
    found.filter((template) => group(template) === name),
  ]);
  return groups.filter(([, entries]) => entries.length > 0);
}

interface ToolProps {
  studio: Studio;
  icon: 'lasso' | 'space';
  label: string;
  service: string;
}

function Tool({ studio, icon, label, service }: ToolProps) {
  const start = (event: MouseEvent) => {
    const tool = studio.drawing?.get<{ activateSelection(event: Event): void }>(service);
    tool?.activateSelection(event);
  };
  return (
    <button type="button" class="icon-button" title={label} aria-label={label} onClick={start}>
      <Icon name={icon} />
    </button>
  );
}

interface EntryProps {
  studio: Studio;
  template: Template;
  disabled: boolean;
}

/** How far a pointer moves until it drags. */
const DRAG_PX = 4;

function Entry({ studio, template, disabled }: EntryProps) {
  const pressed = useRef<{ x: number; y: number } | null>(null);
  const drag = (event: MouseEvent) => {
    const from = pressed.current;
    if (!from || Math.hypot(event.clientX - from.x, event.clientY - from.y) < DRAG_PX) return;
    pressed.current = null;
    const { drawing, document, view } = studio;
    const diagram = diagramOf(document.state.value, view.diagram);
    if (!drawing || !diagram) return;
    const create = drawing.get<Create>('create');
    const hints = { hints: { autoSelect: false } };
    create.start(event as never, shapeOf(diagram, template) as never, hints as never);
  };
  const add = () => {
    const selected = studio.view.selection.value.at(-1);
    const found = selected ? elementOf(studio.document.state.value, selected) : undefined;
    const starts = found?.type === 'node' && canStart(found.node.kind);
    const behind = starts && canEnd(template.kind) ? found.node.id : null;
    void appendNamed(studio, template, behind);
  };
  return (
    <button
      type="button"
      class="entry"
      disabled={disabled}
      title={template.about || template.kind}
      onMouseDown={(event) => {
        pressed.current = { x: event.clientX, y: event.clientY };
      }}
      onMouseMove={drag}
      onMouseUp={() => {
        pressed.current = null;
      }}
      onMouseLeave={drag}
      onClick={add}
    >
      <Sign {...template} />
      <span>{template.label}</span>
    </button>
  );
}
