import { useLayoutEffect, useRef } from 'preact/hooks';

import { canEnd } from '../canvas/notation';
import { appendNamed, templates } from '../creation';
import { hold } from '../hold';
import { diagramOf, elementOf, title } from '../model';
import type { Diagram, Id, State } from '../protocol';
import type { Studio } from '../studio';
import { Chooser, type Item } from './chooser';
import { Compare } from './compare';
import { ExportAs } from './export-as';
import { Import } from './import';
import { Kept } from './kept';
import { Machines } from './machines';
import { SaveAs } from './save-as';
import { Shortcuts } from './shortcuts';
import { Sweep } from './sweep';
import { useStore } from './use';

/** The open dialog. */
export function Dialogs({ studio }: { studio: Studio }) {
  const dialog = useStore(studio.dialog);
  if (!dialog) return null;
  const close = () => {
    studio.dialog.set(null);
    // Elements under an open dialog don't take the focus.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) studio.drawing?.focus();
    });
  };
  switch (dialog.type) {
    case 'append':
      return <Append studio={studio} behind={dialog.behind} close={close} />;
    case 'connect':
      return <Connect studio={studio} source={dialog.source} close={close} />;
    case 'rename': {
      const { node, isNew = false } = dialog;
      return <Rename key={node} {...{ studio, id: node, isNew, close }} />;
    }
    case 'save-as':
      return <SaveAs studio={studio} close={close} />;
    case 'compare':
      return <Compare studio={studio} close={close} />;
    case 'sweep':
      return <Sweep studio={studio} close={close} />;
    case 'import':
      return <Import studio={studio} close={close} />;
    case 'kept':
      return <Kept studio={studio} close={close} />;
    case 'machines':
      return <Machines studio={studio} begin={dialog.begin} close={close} />;
    case 'export':
      return <ExportAs studio={studio} close={close} />;
    case 'search':
      return <Search studio={studio} close={close} />;
    case 'shortcuts':
      return <Shortcuts onClose={close} />;
  }
}

interface Close {
  studio: Studio;
  close(): void;
}

function Append({ studio, behind, close }: Close & { behind: Id | null }) {
  const all = templates(studio.vocabulary).filter(({ kind }) => behind === null || canEnd(kind));
  // Most nodes in a program have a stereotype.
  const known = [
    ...all.filter(({ stereotype }) => stereotype !== null),
    ...all.filter(({ stereotype }) => stereotype === null),
  ];
  const items = known.map(({ key, kind, label, about }) => ({
    key,
    label,
    detail: about || kind,
  }));
  const choose = ({ key }: Item) => {
    close();
    const template = known.find((one) => one.key === key);
    if (!template) return;
    hold(appendNamed(studio, template, behind));
  };
  const title = behind === null ? 'New node' : 'Append a node';
  return <Chooser title={title} items={items} onChoose={choose} onCancel={close} />;
}

function Connect({ studio, source, close }: Close & { source: Id }) {
  const { document, view, drawing } = studio;
  const diagram = diagramOf(document.state.value, view.diagram);
  const items = (diagram?.nodes ?? [])
    .filter(({ id, kind }) => id !== source && canEnd(kind))
    .map((node) => ({
      key: node.id,
      label: title(node),
      detail: node.stereotype?.name ?? node.kind,
    }));
  const choose = ({ key }: Item) => {
    close();
    const [from, to] = [drawing?.shape(source), drawing?.shape(key)];
    if (from && to) drawing?.modeling.connect(from, to);
  };
  return <Chooser title="Connect to" items={items} onChoose={choose} onCancel={close} />;
}

function searched(state: State): Item[] {
  const inDiagram = (diagram: Diagram): Item[] => [
    { key: diagram.id, label: diagram.name, detail: 'diagram' },
    ...diagram.nodes
      .filter(({ name }) => name !== '')
      .map((node) => ({
        key: node.id,
        label: node.name,
        detail: `${node.stereotype?.name ?? node.kind} in ${diagram.name}`,
      })),
    ...diagram.flows
      .filter(({ guard }) => guard !== null)
      .map(({ id, guard }) => ({
        key: id,
        label: `[${guard}]`,
        detail: `guard in ${diagram.name}`,
      })),
  ];
  return state.diagrams.flatMap(inDiagram);
}

function Search({ studio, close }: Close) {
  const choose = ({ key }: Item) => {
    close();
    studio.view.reveal(key);
  };
  const items = searched(studio.document.state.value);
  return <Chooser title="Search" items={items} onChoose={choose} onCancel={close} />;
}

/** A field in place of a name on the canvas. */
function Rename({ studio, id, isNew, close }: Close & { id: Id; isNew: boolean }) {
  const field = useRef<HTMLInputElement>(null);
  const found = elementOf(studio.document.state.value, id);
  const name = found?.type === 'node' ? found.node.name : '';
  useLayoutEffect(() => {
    const { drawing } = studio;
    if (!field.current || !drawing) return;
    // A new node may not be drawn yet.
    if (!drawing.shape(id)) drawing.show();
    const shape = drawing.shape(id);
    const box = shape && drawing.canvas.getAbsoluteBBox(shape);
    const { style } = field.current;
    style.left = box ? `${box.x + box.width / 2}px` : '50%';
    style.top = box ? `${box.y + box.height / 2}px` : '50%';
    style.width = `${Math.max(140, box?.width ?? 0)}px`;
    field.current.select();
    field.current.focus({ preventScroll: true });
  }, [studio, id]);
  const closed = useRef(false);
  const done = (keep: boolean) => {
    if (closed.current) return;
    closed.current = true;
    const text = field.current?.value.trim() ?? name;
    close();
    if (keep && text !== name) {
      const edits = [{ do: 'rename', element: id, name: text } as const];
      void studio.document.edit(`Rename ${name || text}`, edits);
    }
  };
  return (
    <input
      ref={field}
      class="rename"
      aria-label={`Name of ${name || 'the node'}`}
      defaultValue={name}
      onBlur={() => done(true)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          done(true);
          if (isNew) studio.view.named = id;
        }
        else if (event.key === 'Escape') done(false);
        else return;
        event.preventDefault();
      }}
    />
  );
}
