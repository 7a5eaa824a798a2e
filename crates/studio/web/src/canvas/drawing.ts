import Diagram from 'diagram-js';
import CommandModule from 'diagram-js/lib/command';
import type Canvas from 'diagram-js/lib/core/Canvas';
import type ElementRegistry from 'diagram-js/lib/core/ElementRegistry';
import type EventBus from 'diagram-js/lib/core/EventBus';
import AutoScroll from 'diagram-js/lib/features/auto-scroll';
import Bendpoints from 'diagram-js/lib/features/bendpoints';
import ChangeSupport from 'diagram-js/lib/features/change-support';
import Connect from 'diagram-js/lib/features/connect';
import Create from 'diagram-js/lib/features/create';
import GridSnapping from 'diagram-js/lib/features/grid-snapping';
import HandTool from 'diagram-js/lib/features/hand-tool';
import HoverFix from 'diagram-js/lib/features/hover-fix';
import LassoTool from 'diagram-js/lib/features/lasso-tool';
import Move from 'diagram-js/lib/features/move';
import Outline from 'diagram-js/lib/features/outline';
import Resize from 'diagram-js/lib/features/resize';
import type Selection from 'diagram-js/lib/features/selection/Selection';
import SelectionModule from 'diagram-js/lib/features/selection';
import Snapping from 'diagram-js/lib/features/snapping';
import SpaceTool from 'diagram-js/lib/features/space-tool';
import CroppingConnectionDocking from 'diagram-js/lib/layout/CroppingConnectionDocking';
import MoveCanvas from 'diagram-js/lib/navigation/movecanvas';
import ZoomScroll from 'diagram-js/lib/navigation/zoomscroll';
import Minimap from 'diagram-js-minimap';

import type { Document } from '../document';
import { diagramOf, inside, marks } from '../model';
import { type Predictor, shares } from '../prediction';
import type { Diagram as Shown, Id } from '../protocol';
import { criticalPath, type Reporter } from '../report';
import type { View } from '../view';
import { ContextPadEntries, ContextPadModule } from './contextpad';
import { isNodeShape } from './element';
import { Glass, GlassSnapping } from './glass';
import { Modeling } from './modeling';
import { Pad } from './pad';
import { Reconciler } from './reconcile';
import { Registry, ROOT } from './registry';
import { Renderer } from './renderer';
import { Routes } from './routes';
import { ActivityRules } from './rules';
import { Scroll } from './scroll';
import { Seen } from './seen';

type Modules = NonNullable<NonNullable<ConstructorParameters<typeof Diagram>[0]>['modules']>;

/** What gestures on the canvas ask the page to do. */
export interface Requests {
  append(id: Id): void;
  rename(id: Id): void;
  /** Opens the name of a new node. */
  named(id: Id): void;
}

const MARGIN = 40;
/**
 * The smallest scale at which names are readable, which is used for a diagram that is too large.
 */
const READABLE = 0.5;
const READ = 0.8;

/** Maximum time between the two clicks of a double click on common systems. */
const DOUBLE_CLICK_MS = 900;

/** The drawing of the displayed diagram. */
export class Drawing {
  readonly diagram: Diagram;
  readonly canvas: Canvas;
  readonly modeling: Modeling;

  readonly #document: Document;
  readonly #view: View;
  readonly #predictor: Predictor;
  readonly #reporter: Reporter;
  readonly #reconciler: Reconciler;
  readonly #viewboxes = new Map<Id, { x: number; y: number; width: number; height: number }>();
  #shown: Id | null = null;
  #pending = 0;
  /** The size that it was last adapted to, and whether the whole diagram was visible then. */
  #size = { width: 0, height: 0 };
  #whole = false;

  constructor(
    container: HTMLElement,
    document: Document,
    view: View,
    predictor: Predictor,
    reporter: Reporter,
    requests: Requests,
  ) {
    this.#document = document;
    this.#view = view;
    this.#predictor = predictor;
    this.#reporter = reporter;
    this.diagram = new Diagram({
      canvas: { container, deferUpdate: false, autoFocus: false },
      minimap: { open: false },
      modules: modules(document, view, requests),
    });
    this.canvas = this.get<Canvas>('canvas');
    this.modeling = this.get<Modeling>('modeling');
    this.#reconciler = this.get<Reconciler>('reconciler');
    this.canvas.setRootElement(
      this.get<{ createRoot(attributes: object): never }>('elementFactory').createRoot({
        id: ROOT,
      }),
    );
    this.get<EventBus>('eventBus').on('canvas.viewbox.changed', () => this.#remember());
    this.#followSelection();
    this.get<EventBus>('eventBus').on('drag.cleanup', () => this.#schedule());
    this.#openOnDoubleClick(requests);
    const { reported, marksPath } = reporter;
    for (const store of [document.state, view.path, predictor.prediction, reported, marksPath]) {
      store.watch(() => this.#schedule());
    }
    this.show();
    new ResizeObserver(() => this.#resize()).observe(container);
  }

  get<T>(service: string): T {
    return this.diagram.get<T>(service);
  }

  /** Draws what has changed. */
  show(): void {
    const state = this.#document.state.value;
    const diagram = diagramOf(state, this.#view.diagram);
    if (!diagram) return;
    if (this.#shown !== null && this.#shown !== diagram.id) {
      const { x, y, width, height } = this.canvas.viewbox();
      this.#viewboxes.set(this.#shown, { x, y, width, height });
    }
    const { marksPath, reported } = this.#reporter;
    this.#reconciler.show(diagram, {
      shares: shares(state, this.#predictor.prediction.value.result),
      problems: marks(state),
      path: criticalPath(state, marksPath.value ? reported.value.path : null),
    });
    this.get<Seen>('seen').update();
    if (this.#shown !== diagram.id) {
      this.#shown = diagram.id;
      const viewbox = this.#viewboxes.get(diagram.id);
      if (viewbox) this.canvas.viewbox(viewbox);
      else this.#open(diagram);
      this.#select();
    }
    this.#remember();
  }

  /** Shows the whole diagram, without enlarging it. */
  fit(): void {
    const { inner, outer } = this.canvas.viewbox();
    if (outer.width === 0) return;
    const width = inner.width + 2 * MARGIN;
    const height = inner.height + 2 * MARGIN;
    const scale = Math.min(1, outer.width / width, outer.height / height);
    const box = { width: outer.width / scale, height: outer.height / scale };
    const x = inner.x - (box.width - inner.width) / 2;
    // A small diagram starts at the top, in reading order.
    const slack = box.height - inner.height;
    this.canvas.viewbox({ x, y: inner.y - Math.min(slack / 2, MARGIN / scale), ...box });
  }

  /** Shows a diagram for the first time: all of it, or as much of its start as is readable. */
  #open(diagram: Shown): void {
    this.fit();
    const { scale, outer, inner } = this.canvas.viewbox();
    if (scale >= READABLE || outer.width === 0) return;
    const box = { width: outer.width / READ, height: outer.height / READ };
    const first = diagram.nodes.find(({ kind }) => kind === 'InitialNode') ?? diagram.nodes[0];
    const at = first ?? { x: inner.x, y: inner.y, width: 0, height: 0 };
    const x = Math.max(inner.x - MARGIN, at.x + at.width / 2 - box.width / 2);
    this.canvas.viewbox({ x, y: Math.min(at.y, inner.y + box.height) - MARGIN, ...box });
  }

  zoom(factor: number): void {
    this.canvas.zoom(Math.max(0.1, Math.min(4, this.canvas.zoom() * factor)));
  }

  focus(): void {
    this.canvas.focus();
  }

  shape(id: Id) {
    const element = this.get<ElementRegistry>('elementRegistry').get(id);
    return isNodeShape(element) ? element : null;
  }

  /** Adapts to the size of its place; a diagram that was fully visible stays so. */
  #resize(): void {
    this.canvas.resized();
    this.#size = this.canvas.getSize();
    if (this.#whole && !this.#isWhole()) this.fit();
    this.#remember();
  }

  /** Remembers what is visible, unless the place has been resized in the meantime. */
  #remember(): void {
    const { width, height } = this.canvas.getSize();
    if (width !== this.#size.width || height !== this.#size.height) return;
    this.#whole = this.#isWhole();
  }

  #isWhole(): boolean {
    const { x, y, width, height, inner } = this.canvas.viewbox();
    return (
      inner.x >= x &&
      inner.y >= y &&
      inner.x + inner.width <= x + width &&
      inner.y + inner.height <= y + height
    );
  }

  /** Simultaneous changes are drawn together. */
  #schedule(): void {
    if (this.#pending !== 0) return;
    this.#pending = requestAnimationFrame(() => {
      this.#pending = 0;
      // Dragged elements, and elements under them, stay unchanged during the drag.
      if (this.get<{ context(): object | null }>('dragging').context()) return;
      this.show();
      this.#select();
    });
  }

  #followSelection(): void {
    const events = this.get<EventBus>('eventBus');
    events.on('selection.changed', ({ newSelection }: { newSelection: { id: Id }[] }) => {
      this.#view.select(newSelection.map(({ id }) => id));
    });
    this.#view.selection.watch(() => this.#select());
  }

  #select(): void {
    const registry = this.get<ElementRegistry>('elementRegistry');
    const selection = this.get<Selection>('selection');
    const elements = this.#view.selection.value
      .map((id) => registry.get(id))
      .filter((element) => element !== undefined);
    const now = selection.get();
    if (now.length === elements.length && elements.every((one, at) => one === now[at])) return;
    // Elements that aren't drawn yet stay selected.
    if (elements.length < this.#view.selection.value.length) return;
    selection.select(elements as never);
    const [only] = elements;
    if (only && elements.length === 1) this.canvas.scrollToElement(only as never, 60);
  }

  #openOnDoubleClick(requests: Requests): void {
    const events = this.get<EventBus>('eventBus');
    // The click that ends a connection doesn't start a double click.
    let connected = -Infinity;
    events.on('connect.end', () => {
      connected = performance.now();
    });
    events.on('element.dblclick', ({ element }: { element: unknown }) => {
      if (!isNodeShape(element) || performance.now() - connected < DOUBLE_CLICK_MS) return;
      const [inner] = inside(element.node);
      if (inner !== undefined) this.#view.enter(inner);
      else requests.rename(element.id);
    });
  }
}

function modules(document: Document, view: View, requests: Requests): Modules {
  const own: Modules[number] = {
    autoScroll: ['type', Scroll],
    __init__: ['renderer', 'rules_', 'contextPadEntries'],
    document: ['value', document],
    view: ['value', view],
    requests: ['value', requests],
    editable: ['value', () => document.state.value.editable],
    connectionDocking: ['type', CroppingConnectionDocking],
    contextPad: ['type', Pad],
    glass: ['type', Glass],
    snapping: ['type', GlassSnapping],
    routes: ['type', Routes],
    modeling: ['type', Modeling],
    reconciler: ['type', Reconciler],
    elementRegistry: ['type', Registry],
    renderer: ['type', Renderer],
    rules_: ['type', ActivityRules],
    seen: ['type', Seen],
    contextPadEntries: ['type', ContextPadEntries],
  };
  return [
    AutoScroll,
    Bendpoints,
    ChangeSupport,
    // Its stack stays empty, but it calls the rules.
    CommandModule,
    Connect,
    ContextPadModule,
    Create,
    GridSnapping,
    HandTool,
    HoverFix,
    LassoTool,
    Minimap,
    Move,
    MoveCanvas,
    Outline,
    Resize,
    SelectionModule,
    Snapping,
    SpaceTool,
    ZoomScroll,
    own,
  ];
}
