// Shows a model's diagrams next to its text, as the program draws them.

import { randomBytes } from 'node:crypto';

import * as vscode from 'vscode';

/** A diagram in the server's answer to `prophet/diagrams`. */
export interface Diagram {
  title: string;
  svg: string;
}

/** Milliseconds to wait after the last key before diagrams are redrawn. */
const PAUSE_MS = 300;

/** A view of a document's diagrams, redrawn when the document changes. */
export class Diagrams implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private document: vscode.TextDocument | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly changes: vscode.Disposable;

  /** `draw` returns `null` for a document with errors. */
  constructor(private readonly draw: (of: vscode.TextDocument) => Promise<Diagram[] | null>) {
    this.changes = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (this.panel && document === this.document) {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.update(), PAUSE_MS);
      }
    });
  }

  async show(): Promise<void> {
    this.document = vscode.window.activeTextEditor?.document ?? this.document;
    if (!this.panel) {
      const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      const options = { enableScripts: false, localResourceRoots: [] };
      const kind = 'performanceProphet.diagrams';
      this.panel = vscode.window.createWebviewPanel(kind, 'Diagrams', column, options);
      this.panel.onDidDispose(() => {
        this.panel = undefined;
      });
    }
    await this.update();
  }

  private async update(): Promise<void> {
    const diagrams = this.document && (await this.draw(this.document));
    if (this.panel && (diagrams || !this.panel.webview.html)) {
      this.panel.webview.html = page(diagrams ?? []);
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.changes.dispose();
    this.panel?.dispose();
  }
}

/** Returns a page that runs and loads nothing; each diagram is a picture in it. */
export function page(diagrams: Diagram[]): string {
  const nonce = randomBytes(16).toString('base64');
  const picture = ({ title, svg }: Diagram) => {
    const data = Buffer.from(svg).toString('base64');
    return `<figure><img alt="${escaped(title)}" src="data:image/svg+xml;base64,${data}">
<figcaption>${escaped(title)}</figcaption></figure>`;
  };
  const shown = diagrams.map(picture).join('\n') || '<p>The model has errors.</p>';
  return `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; img-src data:; style-src 'nonce-${nonce}'">
<title>Diagrams</title>
<style nonce="${nonce}">
  figure { margin: 1em 0; text-align: center; }
  img { max-width: 100%; color-scheme: light; background: white; }
  .vscode-dark img, .vscode-high-contrast img { color-scheme: dark; background: none; }
</style>
${shown}
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (it) => `&#${it.codePointAt(0)};`);
}
