/** How the console's pages are built: static files that load nothing from anywhere else and need no inline script or style. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const folder = dirname(fileURLToPath(import.meta.url));

export default defineConfig({
  root: folder,
  base: '/',
  clearScreen: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: join(folder, '../../dist/console'),
    emptyOutDir: true,
    target: 'baseline-widely-available',
    // A `data:` address would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
