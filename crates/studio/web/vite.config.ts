import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { defineConfig, type Plugin } from 'vite';

/** Policies of the reports: a page that shows reports from its memory passes its own on to them. */
const POLICIES = ['../../report/src/page/policy.txt', '../../workflow/src/report/policy.txt'];

/** The style sheet of the page of fits, as its tag has it. */
const FITS = '../../fit/src/cost/page/page.css';

/** Permits the page of the studio without a server what the reports that it shows need. */
function reports(): Plugin {
  const policies = () => POLICIES.map((path) => readFileSync(path, 'utf8'));
  const hashes = (kind: string) =>
    policies().flatMap((it) => new RegExp(`${kind}-src ([^;]*)`).exec(it)?.[1] ?? []);
  const fits = () => {
    const text = `\n${readFileSync(FITS, 'utf8')}`;
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  };
  return {
    name: 'reports',
    transformIndexHtml: (html) =>
      html
        .replace('REPORT-SCRIPTS', hashes('script').join(' '))
        .replace('REPORT-STYLES', [...hashes('style'), fits()].join(' ')),
  };
}

export default defineConfig(({ mode }) => ({
  // The page is served below a token, which no build knows.
  base: './',
  plugins: [reports()],
  build: {
    // The page without a server is no part of the program.
    outDir: mode === 'page' ? 'dist-page' : 'dist',
    target: 'es2022',
    // The policy of the page allows `data:` only for pictures.
    assetsInlineLimit: 0,
    // What the page is made of asks for its notice in copies.
    license: { fileName: 'licenses.md' },
    rolldownOptions: { input: mode === 'page' ? ['page.html'] : ['index.html', 'models.html'] },
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
}));
