// Starts the language server, and offers the program's commands.

import { dirname } from 'node:path';

import * as vscode from 'vscode';
import { type Executable, LanguageClient, type Middleware } from 'vscode-languageclient/node';

import { Diagrams } from './diagrams';

/** Models and rule files; a setting selects machine files. */
const MODELS = [
  { scheme: 'file', language: 'plantuml' },
  { scheme: 'untitled', language: 'plantuml' },
  { scheme: 'file', pattern: '**/*.{uml,xmi,prophet.xml}' },
];
const RULES = { scheme: 'file', pattern: '**/*.mcl.xml' };

let client: LanguageClient | undefined;

function settings(): { program: string; flags: string[]; machines: string[] } {
  const all = vscode.workspace.getConfiguration('performanceProphet');
  return {
    program: all.get<string>('program') || 'performance-prophet',
    flags: all.get<string[]>('arguments') ?? [],
    machines: all.get<string[]>('machines') ?? [],
  };
}

/** Clicking the prediction above a text predicts in a terminal. */
const middleware: Middleware = {
  provideCodeLenses: async (document, token, next) => {
    const lenses = (await next(document, token)) ?? [];
    for (const { command } of lenses) {
      if (command) {
        command.command = 'performanceProphet.predict';
        command.arguments = [document.uri];
      }
    }
    return lenses;
  },
};

async function start(): Promise<void> {
  const { program, flags, machines } = settings();
  const server: Executable = { command: program, args: ['lsp', ...flags] };
  client = new LanguageClient('performanceProphet', 'Performance Prophet', server, {
    documentSelector: [
      ...MODELS,
      RULES,
      ...machines.map((pattern) => ({ scheme: 'file', pattern })),
    ],
    middleware,
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const why = error instanceof Error ? error.message : String(error);
    const help = 'Set performanceProphet.program to its path.';
    // The answer isn't awaited because the other commands work anyway.
    void offerSettings(`Cannot start ${program}: ${why}. ${help}`);
  }
}

async function offerSettings(problem: string): Promise<void> {
  if ((await vscode.window.showErrorMessage(problem, 'Settings')) === 'Settings') {
    const at = 'workbench.action.openSettings';
    await vscode.commands.executeCommand(at, 'performanceProphet.program');
  }
}

/** Runs one of the program's commands on a model, in a terminal and without a shell. */
async function run(command: string, uri?: vscode.Uri): Promise<void> {
  const model = uri ?? vscode.window.activeTextEditor?.document.uri;
  if (model?.scheme !== 'file') {
    await vscode.window.showErrorMessage('Open a model file.');
    return;
  }
  const document = vscode.workspace.textDocuments.find((it) => `${it.uri}` === `${model}`);
  await document?.save();
  const { program, flags } = settings();
  const call = new vscode.ProcessExecution(program, [command, model.fsPath, ...flags], {
    cwd: dirname(model.fsPath),
  });
  const kind = { type: 'performanceProphet', command };
  const scope = vscode.workspace.getWorkspaceFolder(model) ?? vscode.TaskScope.Workspace;
  const task = new vscode.Task(kind, scope, command, 'Performance Prophet', call);
  await vscode.tasks.executeTask(task);
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const diagrams = new Diagrams(async (document) => {
    const textDocument = { uri: `${document.uri}` };
    return (await client?.sendRequest('prophet/diagrams', { textDocument })) ?? null;
  });
  const command = (name: string, call: (uri?: vscode.Uri) => unknown) =>
    vscode.commands.registerCommand(`performanceProphet.${name}`, call);
  context.subscriptions.push(
    command('predict', (uri) => run('run', uri)),
    command('check', (uri) => run('check', uri)),
    command('studio', (uri) => run('studio', uri)),
    command('diagrams', () => diagrams.show()),
    diagrams,
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration('performanceProphet')) {
        await deactivate();
        await start();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.dispose();
}
