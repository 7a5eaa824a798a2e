/** Lists everything that a key does, for the keyboard and for its help. */

import { exportPng, exportSvg } from './canvas/export';
import { layOut } from './canvas/layout';
import { canStart, isAction } from './canvas/notation';
import { newActivity } from './creation';
import { addFunction, addVariable } from './declarations';
import { hold } from './hold';
import { host } from './host';
import { diagramOf, elementOf, inside, isWorkflow, kindOfMain, stereotypeOf } from './model';
import { type Direction, next, nextFlow } from './navigate';
import type { Bounds, Diagram, Id, Node } from './protocol';
import type { Studio } from './studio';
import type { Tab } from './view';

export interface Command {
  /** Keys as displayed; `Ctrl` is Cmd on a Mac. */
  keys: string[];
  label: string;
  group: 'Navigate' | 'Draw' | 'Program' | 'Document' | 'View' | 'Animate';
  /** Whether lists and buttons use the key, too, so that it counts only on the canvas. */
  canvas?: boolean;
  run(studio: Studio): void;
}

function shown(studio: Studio): Diagram | undefined {
  return diagramOf(studio.document.state.value, studio.view.diagram);
}

function selected(studio: Studio): Id | null {
  return studio.view.selection.value.at(-1) ?? null;
}

function go(direction: Direction) {
  return (studio: Studio): void => {
    const diagram = shown(studio);
    const id = diagram ? next(diagram, selected(studio), direction) : null;
    if (id !== null) studio.view.select([id]);
  };
}

function shift(x: number, y: number) {
  return ({ document, view, drawing }: Studio): void => {
    const shapes = view.selection.value.map((id) => drawing?.shape(id));
    document.visit = view.visit;
    drawing?.modeling.shift(shapes, { x, y });
    document.visit = null;
  };
}

/** Moves the focus to the drawing; if it is there already, clears the selection. */
function back({ drawing, view }: Studio): void {
  if (drawing?.canvas.isFocused()) view.select([]);
  else drawing?.focus();
}

/**
 * Opens the selection's name or guard. For a new node that was just named, opens the cost or other
 * required tag.
 */
function rename(studio: Studio): void {
  const id = selected(studio);
  const found = id === null ? undefined : elementOf(studio.document.state.value, id);
  const isNew = id !== null && studio.view.named === id;
  studio.view.named = null;
  const next = isNew && found?.type === 'node' ? neededTag(studio, found.node) : undefined;
  if (next !== undefined) studio.view.edit(next);
  else if (found?.type === 'flow') studio.view.edit('guard');
  else if (found) studio.dialog.set({ type: 'rename', node: found.node.id });
}

/** Returns the tag to ask for on a new node. */
function neededTag({ vocabulary }: Studio, { stereotype }: Node): string | undefined {
  const tags = stereotypeOf(vocabulary, stereotype?.name)?.tags ?? [];
  return (tags.find(({ name }) => name === 'cost') ?? tags.find((tag) => tag.required))?.name;
}

/** Opens a node's diagram; a call without an activity gets one. */
async function enter({ document, view }: Studio): Promise<void> {
  const found = elementOf(document.state.value, view.selection.value.at(-1) ?? '');
  if (found?.type !== 'node') return;
  const { id, kind, name } = found.node;
  const [inner] = inside(found.node);
  if (inner !== undefined) view.enter(inner);
  else if (kind === 'CallBehaviorAction') {
    const keys = await document.edit('Add an activity', newActivity(id, name));
    view.enter(keys?.['d1'] ?? '');
  }
}

function remove({ document, view }: Studio): void {
  const elements = view.selection.value;
  if (elements.length === 0) return;
  void document.edit('Delete', [{ do: 'remove', elements: [...elements] }]);
}

/** Aligns the centers of selected nodes. */
function align(axis: 'x' | 'y') {
  return ({ document, view, drawing }: Studio): void => {
    const nodes = view.selection.value.flatMap((id) => {
      const found = elementOf(document.state.value, id);
      return found?.type === 'node' ? [found.node] : [];
    });
    const [first] = nodes;
    if (!first || nodes.length < 2) return;
    const size = axis === 'x' ? 'width' : 'height';
    const line = first[axis] + first[size] / 2;
    const placed = new Map<Id, Bounds>();
    for (const { id, x, y, width, height } of nodes) {
      const bounds = { x, y, width, height };
      placed.set(id, { ...bounds, [axis]: Math.round(line - bounds[size] / 2) });
    }
    drawing?.modeling.place('Align', placed);
  };
}

function scroll(dx: number, dy: number) {
  return ({ drawing }: Studio): void => {
    drawing?.canvas.scroll({ dx, dy });
  };
}

function nextProblem({ document, view }: Studio): void {
  const owners = document.state.value.problems.flatMap(({ owner }) => owner ?? []);
  const at = owners.indexOf(view.selection.value.at(-1) ?? '');
  const owner = owners[(at + 1) % owners.length];
  if (owner !== undefined) view.reveal(owner);
}

/** Shows the models; the studio keeps unsaved changes. */
function openModels(): void {
  host().showModels();
}

function selectAll(studio: Studio): void {
  studio.view.select(shown(studio)?.nodes.map(({ id }) => id) ?? []);
}

function connect(studio: Studio): void {
  const source = selected(studio);
  const found = source === null ? undefined : elementOf(studio.document.state.value, source);
  if (found?.type !== 'node') return;
  const { id, kind } = found.node;
  if (canStart(kind)) studio.dialog.set({ type: 'connect', source: id });
  else studio.document.notice.set('No flow leaves this node: the program ends there.');
}

function appendBehind(studio: Studio): void {
  const id = selected(studio);
  const found = id === null ? undefined : elementOf(studio.document.state.value, id);
  if (found?.type === 'node' && !canStart(found.node.kind)) {
    studio.document.notice.set('No flow leaves this node: the program ends there.');
    return;
  }
  studio.dialog.set({ type: 'append', behind: found?.type === 'node' ? id : null });
}

/** Opens the editor for a piece of the selected action's code. */
function editCode(property: 'cost' | 'body') {
  return (studio: Studio): void => {
    const found = elementOf(studio.document.state.value, selected(studio) ?? '');
    if (found?.type === 'node' && isAction(found.node.kind)) studio.view.edit(property);
  };
}

/** Shows a panel and focuses it. */
function panel(tab: Tab) {
  return ({ view }: Studio): void => {
    view.tab.set(tab);
    document.getElementById(`tab-${tab}`)?.focus();
  };
}

/** Toggles whether the animation stops at the selected node. */
function stopHere(studio: Studio): void {
  const id = selected(studio);
  if (id === null) return;
  if (studio.player.canStop(id)) studio.player.toggleStop(id);
  else studio.document.notice.set('No process stays here, so the animation cannot stop here.');
}

/** Shows the animation's panel, and runs the model for it. */
function animate(studio: Studio): void {
  panel('animation')(studio);
  if (!studio.player.isOpen) void studio.player.open();
}

/** Turns the main activity into a workflow, or back into a program. */
function changeKind({ document }: Studio): void {
  const state = document.state.value;
  const kind = isWorkflow(state) ? 'program' : 'workflow';
  void document.edit(`Make it a ${kind}`, kindOfMain(state, kind === 'workflow'));
}

export const COMMANDS: Command[] = [
  { keys: ['↑'], label: 'Node above', group: 'Navigate', canvas: true, run: go('up') },
  { keys: ['↓'], label: 'Node below', group: 'Navigate', canvas: true, run: go('down') },
  { keys: ['←'], label: 'Node to the left', group: 'Navigate', canvas: true, run: go('left') },
  {
    keys: ['→'],
    label: 'Node to the right',
    group: 'Navigate',
    canvas: true,
    run: go('right'),
  },
  {
    keys: ['O'],
    label: 'Next outgoing flow',
    group: 'Navigate',
    run: (studio) => {
      const diagram = shown(studio);
      const flow = diagram ? nextFlow(diagram, selected(studio) ?? '') : null;
      if (flow !== null) studio.view.select([flow]);
    },
  },
  { keys: ['Escape'], label: 'Back to the drawing', group: 'Navigate', run: back },
  {
    keys: ['D'],
    label: "Open the node's diagram",
    group: 'Navigate',
    run: (s) => hold(enter(s)),
  },
  {
    keys: ['U'],
    label: 'Back to the enclosing diagram',
    group: 'Navigate',
    run: (s) => s.view.leave(),
  },
  {
    keys: ['Ctrl+F', '/'],
    label: 'Search',
    group: 'Navigate',
    run: (s) => s.dialog.set({ type: 'search' }),
  },
  { keys: ['F8'], label: 'Next problem', group: 'Navigate', run: nextProblem },
  { keys: ['A'], label: 'Append a node', group: 'Draw', run: appendBehind },
  {
    keys: ['N'],
    label: 'New node without a flow',
    group: 'Draw',
    run: (s) => s.dialog.set({ type: 'append', behind: null }),
  },
  { keys: ['C'], label: 'Connect to a node by name', group: 'Draw', run: connect },
  {
    keys: ['Enter', 'F2'],
    label: 'Edit name or guard',
    group: 'Draw',
    canvas: true,
    run: rename,
  },
  { keys: ['E'], label: 'Edit the cost', group: 'Draw', run: editCode('cost') },
  { keys: ['B'], label: 'Edit the code', group: 'Draw', run: editCode('body') },
  { keys: ['P'], label: 'Properties', group: 'Draw', run: (s) => s.view.edit('name') },
  { keys: ['Delete', 'Backspace'], label: 'Delete', group: 'Draw', canvas: true, run: remove },
  { keys: ['Ctrl+A'], label: 'Select all nodes', group: 'Draw', run: selectAll },
  { keys: ['Shift+↑'], label: 'Move up', group: 'Draw', canvas: true, run: shift(0, -10) },
  { keys: ['Shift+↓'], label: 'Move down', group: 'Draw', canvas: true, run: shift(0, 10) },
  {
    keys: ['Shift+←'],
    label: 'Move to the left',
    group: 'Draw',
    canvas: true,
    run: shift(-10, 0),
  },
  {
    keys: ['Shift+→'],
    label: 'Move to the right',
    group: 'Draw',
    canvas: true,
    run: shift(10, 0),
  },
  { keys: ['V'], label: 'Align in a vertical line', group: 'Draw', run: align('x') },
  { keys: ['H'], label: 'Align in a horizontal line', group: 'Draw', run: align('y') },
  { keys: ['L'], label: 'Lay out the diagram', group: 'Draw', run: (s) => void layOut(s) },
  {
    keys: ['Shift+V'],
    label: 'New variable',
    group: 'Program',
    run: (s) => hold(addVariable(s, null, false)),
  },
  {
    keys: ['Shift+N'],
    label: 'New parameter',
    group: 'Program',
    run: (s) => hold(addVariable(s, null, true)),
  },
  {
    keys: ['Shift+F'],
    label: 'New function',
    group: 'Program',
    run: (s) => hold(addFunction(s)),
  },
  { keys: ['Shift+T'], label: 'Workflow or program', group: 'Program', run: changeKind },
  { keys: ['Ctrl+Z'], label: 'Undo', group: 'Document', run: (s) => hold(s.document.undo()) },
  {
    keys: ['Ctrl+Y', 'Ctrl+Shift+Z'],
    label: 'Redo',
    group: 'Document',
    run: (s) => hold(s.document.redo()),
  },
  { keys: ['Ctrl+S'], label: 'Save', group: 'Document', run: (s) => void s.document.save() },
  {
    keys: ['Ctrl+Shift+S'],
    label: 'Save as a new file',
    group: 'Document',
    run: (s) => s.dialog.set({ type: 'save-as' }),
  },
  {
    keys: ['Shift+I'],
    label: 'Import',
    group: 'Document',
    run: (s) => s.dialog.set({ type: 'import' }),
  },
  {
    keys: ['Shift+M'],
    label: 'Machines',
    group: 'Document',
    run: (s) => s.dialog.set({ type: 'machines', begin: null }),
  },
  { keys: ['Ctrl+O'], label: 'All models', group: 'Document', run: openModels },
  {
    keys: ['Shift+C'],
    label: 'Compare',
    group: 'Document',
    run: (s) => s.dialog.set({ type: 'compare' }),
  },
  {
    keys: ['Shift+E'],
    label: 'Export',
    group: 'Document',
    run: (s) => s.dialog.set({ type: 'export' }),
  },
  { keys: ['Shift+S'], label: 'Export as SVG', group: 'Document', run: exportSvg },
  { keys: ['Shift+P'], label: 'Export as PNG', group: 'Document', run: (s) => void exportPng(s) },
  { keys: ['F'], label: 'Fit the diagram', group: 'View', run: (s) => s.drawing?.fit() },
  { keys: ['Ctrl+↑'], label: 'Scroll up', group: 'View', canvas: true, run: scroll(0, 80) },
  { keys: ['Ctrl+↓'], label: 'Scroll down', group: 'View', canvas: true, run: scroll(0, -80) },
  { keys: ['Ctrl+←'], label: 'Scroll left', group: 'View', canvas: true, run: scroll(80, 0) },
  { keys: ['Ctrl+→'], label: 'Scroll right', group: 'View', canvas: true, run: scroll(-80, 0) },
  { keys: ['+', '='], label: 'Zoom in', group: 'View', run: (s) => s.drawing?.zoom(1.2) },
  { keys: ['-'], label: 'Zoom out', group: 'View', run: (s) => s.drawing?.zoom(1 / 1.2) },
  {
    keys: ['M'],
    label: 'Minimap',
    group: 'View',
    run: (s) => s.drawing?.get<{ toggle(): void }>('minimap').toggle(),
  },
  { keys: ['T'], label: 'Prediction', group: 'View', run: panel('prediction') },
  { keys: ['Shift+R'], label: 'Report', group: 'View', run: panel('report') },
  {
    keys: ['K'],
    label: 'Critical path on the diagrams',
    group: 'View',
    run: ({ reporter }) => reporter.marksPath.set(!reporter.marksPath.value),
  },
  { keys: ['R'], label: 'Variables and functions', group: 'View', run: panel('program') },
  { keys: ['Shift+A'], label: 'Animate the run', group: 'Animate', run: animate },
  {
    keys: ['Space'],
    label: 'Play or pause',
    group: 'Animate',
    canvas: true,
    run: (s) => void s.player.toggle(),
  },
  { keys: ['.'], label: 'Next event', group: 'Animate', run: (s) => void s.player.step(1) },
  { keys: [','], label: 'Previous event', group: 'Animate', run: (s) => void s.player.step(-1) },
  {
    keys: ['>'],
    label: 'Next event of the process',
    group: 'Animate',
    run: (s) => void s.player.step(1, true),
  },
  {
    keys: ['<'],
    label: 'Previous event of the process',
    group: 'Animate',
    run: (s) => void s.player.step(-1, true),
  },
  { keys: ['Shift+B'], label: 'Stop at the node', group: 'Animate', run: stopHere },
  {
    keys: ['?'],
    label: 'Shortcuts',
    group: 'View',
    run: (s) => s.dialog.set({ type: 'shortcuts' }),
  },
];
