import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { defineConfig, type Plugin } from 'vite';

/**
 * Policies of the reports; a page passes its own policy on to reports that it shows from memory.
 */
const POLICIES = ['../../report/src/page/policy.txt', '../../workflow/src/report/policy.txt'];

/** The style sheet of the page about fits, as its tag contains it. */
const FITS = '../../fit/src/cost/page/page.css';

/** Gives the page of the serverless studio the permissions that its reports need. */
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
  // The page is served below a token that no build knows.
  base: './',
  plugins: [reports()],
  build: {
    // The page without a server isn't part of the program.
    outDir: mode === 'page' ? 'dist-page' : 'dist',
    target: 'es2022',
    // The page's policy allows `data:` only for pictures.
    assetsInlineLimit: 0,
    // The licenses of the page's libraries require their notices in copies.
    license: { fileName: 'licenses.md' },
    rolldownOptions: { input: mode === 'page' ? ['page.html'] : ['index.html', 'models.html'] },
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
}));
