import { defineConfig } from 'vite';

export default defineConfig({
  // The page is served below a token, which no build knows.
  base: './',
  build: {
    target: 'es2022',
    // The policy of the page allows `data:` only for pictures.
    assetsInlineLimit: 0,
    // What the page is made of asks for its notice in copies.
    license: { fileName: 'licenses.md' },
    rolldownOptions: { input: ['index.html', 'models.html'] },
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
});
