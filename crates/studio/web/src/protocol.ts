/** Describes what page and server exchange: the JSON of `api/…`. */

export type Id = string;

export interface Choice {
  name: string;
  about: string;
}

export interface Tag extends Choice {
  kind: 'expression' | 'code' | 'choice' | 'text' | 'number';
  required: boolean;
  values: string[] | null;
}

export interface Stereotype extends Choice {
  on: string[];
  tags: Tag[];
}

export interface Flag extends Choice {
  kind: 'integer' | 'number' | 'choice' | 'text';
  default: string | null;
  values?: string[] | null;
  min?: number | null;
}

export interface Vocabulary {
  nodes: { kind: string; label: string }[];
  stereotypes: Stereotype[];
  flags: Flag[];
  /** Flags for workflows, in place of the regular flags. */
  workflowFlags: Flag[];
}

export interface Variable {
  id: Id;
  name: string;
  type: string;
  readOnly: boolean;
  length: number | null;
  default: string | null;
  comment?: string | null;
}

/**
 * A table of `interpolate`; `text` is null if the file doesn't exist or for the reason in `why`.
 */
export interface Table {
  name: string;
  text: string | null;
  why: string | null;
}

/** A stereotype as applied to one element. */
export interface Applied {
  name: string;
  tags: Record<string, string>;
}

export interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type Point = [number, number];

export interface Node extends Bounds {
  id: Id;
  kind: string;
  name: string;
  stereotype: Applied | null;
  body: string | null;
  calls: Id | null;
  contents: Id[];
  comment: string | null;
  /** The number that identifies the element in a prediction. */
  element: number | null;
}

export interface Flow {
  id: Id;
  source: Id;
  target: Id;
  guard: string | null;
  /** The route drawn by a user; empty if the page should find one. */
  points: Point[];
}

export interface Diagram {
  id: Id;
  name: string;
  path: string;
  owner: Id | null;
  stereotype: Applied | null;
  comment: string | null;
  locals: Variable[];
  nodes: Node[];
  flows: Flow[];
}

export interface Parameter {
  name: string;
  type: string;
}

export interface Function {
  id: Id;
  name: string;
  parameters: Parameter[];
  result: string | null;
  body: string;
}

export interface Problem {
  severity: 'error' | 'warning' | 'note';
  code: string;
  message: string;
  help: string | null;
  /** The text that would fix it. */
  fix: string | null;
  owner: Id | null;
  diagram: Id | null;
  property: string | null;
  /** The affected part of the property's text, in Unicode characters. */
  range: [number, number] | null;
}

export interface State {
  revision: number;
  file: string;
  /** A number for the file's path. */
  place: string;
  name: string;
  editable: boolean;
  why: string | null;
  saved: boolean;
  /** Whether another program has changed the file while there are unsaved edits. */
  conflict: boolean;
  /** Why the file, as another program left it, isn't a model; the document is unchanged. */
  spoiled: string | null;
  /** A message for the user about the last step. */
  remark: string | null;
  undo: string | null;
  redo: string | null;
  main: Id | null;
  diagrams: Diagram[];
  globals: Variable[];
  functions: Function[];
  tables: Table[];
  parameters: { name: string; type: string; default: string | null }[];
  problems: Problem[];
}

export type Edit =
  | { do: 'rename'; element: Id; name: string }
  | { do: 'tag'; element: Id; tag: string; value: string | null }
  | { do: 'stereotype'; element: Id; name: string | null }
  | { do: 'body'; element: Id; text: string | null }
  | { do: 'guard'; flow: Id; text: string | null }
  | { do: 'comment'; element: Id; text: string | null }
  | ({
      do: 'add-node';
      diagram: Id;
      kind: string;
      name: string;
      stereotype: string | null;
      key: string;
    } & Bounds)
  | {
      do: 'add-flow';
      diagram: Id;
      source: Id;
      target: Id;
      guard: string | null;
      key: string | null;
    }
  | { do: 'reconnect'; flow: Id; source: Id; target: Id }
  | { do: 'remove'; elements: Id[] }
  | ({ do: 'move'; element: Id } & Bounds)
  | { do: 'points'; flow: Id; points: Point[] }
  | { do: 'add-activity'; name: string; key: string | null }
  | { do: 'calls'; element: Id; diagram: Id | null }
  | {
      do: 'variable';
      id: Id | null;
      owner: Id | null;
      name: string;
      type: string;
      readOnly: boolean;
      length: number | null;
      default: string | null;
    }
  | {
      do: 'function';
      id: Id | null;
      name: string;
      parameters: Parameter[];
      result: string;
      body: string;
    };

export type Keys = Record<string, Id>;

export interface Edited {
  state: State;
  keys?: Keys;
}

export interface ProcessOutcome {
  pid: number;
  nid: number;
  end_s: number;
  compute_s: number;
  communication_s: number;
  wait_s: number;
  hold_s?: number;
}

export interface ElementOutcome {
  name: string;
  id: number;
  type: string;
  count: number;
  total_s: number;
  mean_s: number;
  max_s: number;
  share: number | null;
}

/** The result of a run, as `--format json` prints it. */
export interface Result {
  model: string;
  system: { nodes: number; cpus_per_node: number; processes: number; threads: number };
  predicted_time_s: number;
  /** Parts that only workflows have. */
  workflow?: {
    tasks: number;
    hosts: number;
    cores: number;
    utilization: number;
    /** Names with values, for people. */
    facts: [string, string][];
  };
  efficiency?: { parallel: number; load_balance: number; communication: number };
  processes?: ProcessOutcome[];
  elements: ElementOutcome[];
  /** The accelerators that were used, by kind, with sums over all of them. */
  accelerators?: {
    name: string;
    devices: number;
    copy_engines: number;
    kernels_s: number;
    copies_s: number;
  }[];
}

/** The critical path of a run: seconds by element, and how often it passes each flow. */
export interface PathOfRun {
  end_s: number;
  elements: { element: number; seconds: number }[];
  flows: { id: Id; count: number }[];
}

export interface Explained {
  revision: number;
  /** The address of the report's page, and the path, if it was found. */
  result?: { address: string; path: PathOfRun | null };
  error?: string;
}

/** A model made from files. */
export interface MadeModel {
  address: string;
  name: string;
  /** What it was made from, and what the user should know. */
  about: string;
  remark: string | null;
  /** Number of ranks in a trace; each had its own CPU. */
  ranks: number | null;
}

/** A cost function fitted to measurements. */
export interface FittedCost {
  region: string;
  metric: string;
  name: string;
  expression: string;
  /** Names in the files, each with its name in the model. */
  parameters: [string, string][];
  /** The prediction at the largest point, with its range. */
  largest: string;
}

/** What files became: exactly one of these. */
export interface Imported {
  model?: MadeModel;
  /** Cost functions, and the address of the page that shows them. */
  costs?: { address: string; costs: FittedCost[] };
  machine?: { name: string; text: string };
}

/** A request to use a cost function as an element's cost. */
export interface FitRequest {
  revision: number;
  region: string;
  metric: string;
  element: Id;
  arguments: (readonly [string, string])[];
}

/** A machine to show, by name or as text, optionally with a change. */
export interface MachineAsk {
  name: string;
  text?: string;
  /** A value at its place; without a place, for a key that the text lacks. */
  change?: { key: string; value: string; range: [number, number] | null } | null;
}

/** A value in a machine's file. */
export interface MachineField {
  /** The table that contains it, with its number if there are several. */
  table: string;
  key: string;
  value: string;
  range: [number, number];
  problem: string | null;
}

export interface MachineView {
  text: string;
  fields: MachineField[];
  /** Keys that the text lacks, with their default values. */
  missing: [string, string][];
  pictures: { title: string; svg: string }[];
  problem: string | null;
}

/** Kept runs, last one first. */
export interface KeptRuns {
  repository: string;
  runs: {
    id: number;
    saved_at: string;
    model: string;
    nodes: number;
    processes: number;
    machine: string;
    predicted_time_s: number;
  }[];
}

/** The number of a kept run. */
export interface Keeping {
  revision: number;
  result?: number;
  error?: string;
}

/** A sweep, with texts as in the command's flags. */
export interface SweepRequest {
  flags: Record<string, string>;
  vary: string[];
  minimize: string | null;
  subject_to: string[];
}

export interface Swept {
  /** The address of its page. */
  address: string;
  points: number;
}

export interface SweepAnswer {
  revision: number;
  result?: Swept;
  error?: string;
}

export interface Progress {
  /** The simulated time that a run has reached. */
  time_s: number;
  events: number;
}

/** The page's last run of each kind. */
export interface Runs {
  prediction: Progress | null;
  report: Progress | null;
  animation: Progress | null;
}

export interface Predicted {
  revision: number;
  result?: Result;
  error?: string;
}

/** A run as a page plays it: the stays of threads at elements, in columns. */
export interface Animation {
  endS: number;
  /** Why the run couldn't continue. */
  failure: string | null;
  /** The end of the animation, if it doesn't cover the whole run. */
  untilS: number | null;
  leftOut: number;
  elements: number[];
  states: string[];
  pid: number[];
  tid: number[];
  /** The element as an index into `elements`; -1 for an end. */
  element: number[];
  /** The state as an index into `states`. */
  state: number[];
  start: number[];
  end: number[];
  /** The moment of the process at which its variables have the stay's values. */
  number: number[];
}

export interface Animated {
  revision: number;
  result?: Animation;
  error?: string;
}

/** A variable at a moment of a run, with its values as texts. */
export interface SeenVariable {
  name: string;
  scope: 'diagram' | 'process' | 'run';
  values: string[];
  /** The length of an array, possibly with only the first values present. */
  length: number | null;
}

export interface Seen {
  revision: number;
  result?: SeenVariable[];
  error?: string;
}

/** A sample to start a model from. */
export interface Sample {
  name: string;
  about: string;
}

/** A folder's models, each with the address that opens it. */
export interface Models {
  models: { name: string; address: string }[];
  samples: Sample[];
}

export interface Created {
  address: string;
}
