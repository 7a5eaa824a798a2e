import { defineConfig } from 'vite';

export default defineConfig({
  build: {
    target: 'node20',
    ssr: 'src/extension.ts',
    minify: true,
    // What the bundle is made of asks for its notice in copies.
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      external: ['vscode'],
      output: { format: 'cjs', entryFileNames: 'extension.js' },
    },
  },
  ssr: { noExternal: true },
});
