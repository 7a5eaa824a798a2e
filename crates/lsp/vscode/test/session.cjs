// Runs the extension as it is packed, under a `vscode` that has what it calls: node session.cjs
// SERVER MODEL. Prints what the user would see, as JSON.

const { readFileSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join } = require('node:path');
const { pathToFileURL } = require('node:url');

const [server, model] = process.argv.slice(2);
// The server alone, as the command `lsp` of the program.
const program = join(dirname(model), 'performance-prophet');
writeFileSync(program, `#!/bin/sh\nshift\nexec '${server}' "$@"\n`, { mode: 0o755 });
const seen = { problems: [], commands: [], errors: [], tasks: [] };

/** Stands for all of `vscode` that nothing here looks at: called, constructed and extended. */
function anything() {
  const target = class {
    dispose() {}
  };
  return new Proxy(target, {
    get: (of, name) => (name in of || typeof name === 'symbol' ? of[name] : anything()),
    apply: () => ({ dispose() {} }),
  });
}

class Disposable {
  constructor(end) {
    this.end = end;
  }
  dispose() {
    this.end?.();
  }
}

class EventEmitter {
  listeners = [];
  event = (call, self) => {
    this.listeners.push(call.bind(self));
    return new Disposable();
  };
  fire(value) {
    for (const call of this.listeners) call(value);
  }
  dispose() {}
}

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}

class Range {
  constructor(start, end) {
    Object.assign(this, { start, end });
  }
}

class Uri {
  constructor(path) {
    this.scheme = 'file';
    this.fsPath = path;
  }
  static parse = (text) => new Uri(decodeURIComponent(new URL(text).pathname));
  static file = (path) => new Uri(path);
  toString() {
    return pathToFileURL(this.fsPath).href;
  }
}

/** A class whose fields are the arguments of its constructor. */
const record = (...names) =>
  class {
    constructor(...values) {
      names.forEach((name, at) => Object.assign(this, { [name]: values[at] }));
    }
  };

const uri = new Uri(model);
const text = readFileSync(model, 'utf8');
const document = {
  uri,
  languageId: 'plantuml',
  version: 1,
  isUntitled: false,
  getText: () => text,
  save: async () => true,
};
const panels = [];
const providers = [];
const calls = new Map();
const nothing = () => new Disposable();

/** Takes listeners and providers that nothing here calls, and has these members. */
const listener = (of) =>
  new Proxy(of, {
    get: (_, name) =>
      name in of ? of[name] : /^(on|register)/.test(String(name)) ? nothing : undefined,
  });
const log = { info: nothing, debug: nothing, trace: nothing, warn: nothing };
const output = {
  ...log,
  append: nothing,
  appendLine: nothing,
  dispose: nothing,
  show: nothing,
  error: (...words) => seen.errors.push(words.join(' ')),
};

const vscode = new Proxy(
  {
    version: '1.100.0',
    Disposable,
    EventEmitter,
    Position,
    Range,
    Uri,
    CodeLens: record('range', 'command'),
    Diagnostic: record('range', 'message', 'severity'),
    ProcessExecution: record('process', 'args', 'options'),
    Task: record('definition', 'scope', 'name', 'source', 'execution'),
    TaskScope: { Workspace: 2 },
    ViewColumn: { Beside: -2 },
    CancellationTokenSource: class {
      token = { isCancellationRequested: false, onCancellationRequested: nothing };
      cancel() {}
      dispose() {}
    },
    env: listener({ appName: 'stub', language: 'en' }),
    extensions: listener({ all: [], getExtension: () => undefined }),
    tasks: { executeTask: async (task) => seen.tasks.push(task.execution) },
    commands: {
      registerCommand: (name, call) => {
        calls.set(name, call);
        return new Disposable();
      },
      executeCommand: async () => undefined,
    },
    window: listener({
      activeTextEditor: { document },
      visibleTextEditors: [{ document }],
      tabGroups: listener({ all: [] }),
      createOutputChannel: () => listener(output),
      showErrorMessage: async (message) => void seen.errors.push(message),
      createWebviewPanel: (_kind, _title, _column, options) => {
        const panel = { webview: { html: '' }, options, onDidDispose: nothing, dispose() {} };
        panels.push(panel);
        return panel;
      },
    }),
    workspace: listener({
      textDocuments: [document],
      notebookDocuments: [],
      workspaceFolders: undefined,
      getWorkspaceFolder: () => undefined,
      getConfiguration: (section) => ({
        get: (name, otherwise) => (section && name === 'program' ? program : otherwise),
        inspect: () => undefined,
      }),
      createFileSystemWatcher: nothing,
    }),
    languages: listener({
      match: (selector, of) => (JSON.stringify(selector).includes(of.languageId) ? 10 : 0),
      createDiagnosticCollection: () => ({
        set: (_uri, problems) => seen.problems.push(problems),
        delete() {},
        clear() {},
        dispose() {},
      }),
      registerCodeLensProvider: (_selector, provider) => {
        providers.push(provider);
        return new Disposable();
      },
    }),
  },
  { get: (of, name) => (name in of ? of[name] : anything()) },
);

const load = Module._load;
Module._load = (request, ...more) =>
  request === 'vscode' ? vscode : load.call(Module, request, ...more);

async function until(is) {
  for (let turns = 0; turns < 400; turns++) {
    if (is()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

async function main() {
  const extension = require(join(__dirname, '../dist/extension.js'));
  const context = { subscriptions: [] };
  await extension.activate(context);
  seen.commands = [...calls.keys()];
  await until(() => seen.problems.length > 0 || seen.errors.length > 0);
  const token = { isCancellationRequested: false, onCancellationRequested: nothing };
  seen.lenses = await providers[0]?.provideCodeLenses(document, token);
  await calls.get('performanceProphet.diagrams')?.();
  await calls.get('performanceProphet.check')?.();
  seen.pages = panels.map(({ webview, options }) => ({ html: webview.html, options }));
  await extension.deactivate();
  for (const it of context.subscriptions) it.dispose();
  console.log(JSON.stringify(seen));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
