import { useEffect, useRef } from 'preact/hooks';

import { Drawing } from '../canvas/drawing';
import { Tokens } from '../canvas/tokens';
import { describe, diagramOf, elementOf } from '../model';
import { hasErrors } from '../failure';
import { seconds } from '../format';
import type { Studio } from '../studio';
import { takeTouches } from '../touch';
import type { Tab } from '../view';
import { AnimationPanel } from './animation';
import { Crumbs } from './crumbs';
import { Dialogs } from './dialogs';
import { ElementPanel } from './element';
import { Header, Notice } from './header';
import { Palette } from './palette';
import { PlayerBar } from './player';
import { PredictionPanel } from './prediction';
import { ProblemList } from './problems';
import { ProgramPanel } from './program';
import { ReportPanel } from './report';
import { useStore } from './use';

export function App({ studio }: { studio: Studio }) {
  const isWide = useStore(studio.view.tab) === 'report';
  return (
    <div class={isWide ? 'studio wide-panel' : 'studio'}>
      <nav class="skip" aria-label="Skip">
        <a
          href="#diagram"
          onClick={(event) => {
            event.preventDefault();
            studio.drawing?.focus();
          }}
        >
          Skip to the drawing
        </a>
      </nav>
      <Header studio={studio} />
      <Palette studio={studio} />
      <main>
        <Crumbs studio={studio} />
        <CanvasPlace studio={studio} />
        <PlayerBar studio={studio} />
        <Notice studio={studio} />
        <ProblemList studio={studio} />
      </main>
      <Panel studio={studio} />
      <Spoken studio={studio} />
      <Dialogs studio={studio} />
    </div>
  );
}

/** The place of the drawing, which Preact must not fill. */
function CanvasPlace({ studio }: { studio: Studio }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return;
    const drawing = new Drawing(
      place.current,
      studio.document,
      studio.view,
      studio.predictor,
      studio.reporter,
      {
        append: (behind) => studio.dialog.set({ type: 'append', behind }),
        rename: (node) => studio.dialog.set({ type: 'rename', node }),
        named: (node) => studio.dialog.set({ type: 'rename', node, isNew: true }),
      },
    );
    studio.drawing = drawing;
    new Tokens(studio, drawing);
    takeTouches(place.current, (factor) => drawing.zoom(factor));
    const svg = place.current.querySelector('svg');
    svg?.setAttribute('role', 'application');
    svg?.setAttribute('aria-label', 'Diagram: arrow keys go from node to node, ? lists all keys');
  }, [studio]);
  return (
    <div class="canvas-place">
      <div class="canvas" ref={place} />
      <Hint studio={studio} />
    </div>
  );
}

/** Says what to do with an empty diagram. */
function Hint({ studio: { document, view } }: { studio: Studio }) {
  const state = useStore(document.state);
  useStore(view.path);
  const diagram = diagramOf(state, view.diagram);
  if (!state.editable || !diagram || diagram.nodes.length > 0) return null;
  return (
    <p class="canvas-hint">
      Nothing is drawn yet. Press <kbd>A</kbd>, type <q>initial</q> and press Enter to begin; or
      drag nodes from the palette. <kbd>?</kbd> lists all keys.
    </p>
  );
}

const TABS: [Tab, string][] = [
  ['prediction', 'Prediction'],
  ['element', 'Element'],
  ['program', 'Program'],
  ['animation', 'Animation'],
  ['report', 'Report'],
];

/** One of the panels next to the drawing. */
function Panel({ studio }: { studio: Studio }) {
  const tab = useStore(studio.view.tab);
  const step = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const at = TABS.findIndex(([name]) => name === tab);
    const next = TABS[(at + by + TABS.length) % TABS.length];
    if (!next) return;
    studio.view.tab.set(next[0]);
    document.getElementById(`tab-${next[0]}`)?.focus();
  };
  return (
    <aside class="panel" aria-label="Panels">
      <div class="tabs" role="tablist" aria-label="Panels" onKeyDown={step}>
        {TABS.map(([name, label]) => (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            aria-selected={tab === name}
            aria-controls="panel"
            tabIndex={tab === name ? 0 : -1}
            onClick={() => studio.view.tab.set(name)}
          >
            {label}
          </button>
        ))}
      </div>
      <div
        id="panel"
        class="panel-body"
        role="tabpanel"
        aria-labelledby={`tab-${tab}`}
        tabIndex={0}
      >
        {tab === 'prediction' && <PredictionPanel studio={studio} />}
        {tab === 'element' && <ElementPanel studio={studio} />}
        {tab === 'program' && <ProgramPanel studio={studio} />}
        {tab === 'animation' && <AnimationPanel studio={studio} />}
        {tab === 'report' && <ReportPanel studio={studio} />}
      </div>
    </aside>
  );
}

/** Selection and predicted time for screen readers. */
function Spoken({ studio }: { studio: Studio }) {
  const state = useStore(studio.document.state);
  const selection = useStore(studio.view.selection);
  const { result, error, running } = useStore(studio.predictor.prediction);
  useStore(studio.view.path);
  const diagram = diagramOf(state, studio.view.diagram);
  const [id] = selection;
  const found = id === undefined ? undefined : elementOf(state, id);
  let text = `Diagram ${diagram?.name ?? ''}`;
  if (selection.length > 1) text = `${selection.length} elements selected`;
  else if (found?.type === 'node') text = describe(found.diagram, found.node);
  else if (found) text = `Flow, guard ${found.flow.guard ?? 'none'}`;
  const findings = state.problems.filter(({ owner }) => owner !== null && owner === id);
  let time = result && error === null ? `Predicted time ${seconds(result.predicted_time_s)}` : '';
  if (error !== null && !hasErrors(state)) time = 'The prediction failed';
  return (
    <div class="spoken">
      <p aria-live="polite">{[text, ...findings.map(({ message }) => message)].join('. ')}</p>
      <p aria-live="polite">{running ? '' : time}</p>
    </div>
  );
}
