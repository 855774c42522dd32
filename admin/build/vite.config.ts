import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const root = join(import.meta.dirname, '..');

export default defineConfig({
  root,
  base: '/cms-admin/',
  plugins: [react()],
  css: { transformer: 'lightningcss' },
  build: {
    emptyOutDir: true,
    target: 'es2023',
    // Source maps would double what is installed; the sources come with every installation.
    sourcemap: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // No data: addresses for scripts and fonts, which the policy of the admin forbids.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      // Few files for the first load: small ones compress badly and each costs a request.
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/ },
            {
              name: 'shell',
              test: /node_modules[\\/](?:@tanstack[\\/](?:react-router|router-core|history|store|react-store|react-query|query-core)|i18next|openapi-fetch|idb-keyval)[\\/]/,
            },
            // What the frame itself draws with, and nothing else: only modules that `main.tsx` imports at once.
            {
              name: 'parts',
              tags: ['$initial'],
              test: /[\\/](?:@mantine[\\/](?:core|hooks)|admin[\\/]src[\\/](?:api|app|base|commands|content|editing|ui))[\\/]/,
            },
            // What the first screen shares with the others, then that screen.
            {
              name: 'heads',
              test: /[\\/]admin[\\/]src[\\/](?:ui[\\/](?:layout[\\/]page-header|messages[\\/]status-mark)|base[\\/]router[\\/]object-paths)\./,
            },
            { name: 'dashboard', test: /[\\/]admin[\\/]src[\\/]screens[\\/]dashboard[\\/]/ },
            // Menus and tooltips, which come at the first move of the user (`src/ui/floating`), and the small parts
            // that all other screens draw with: those load this file at once.
            {
              name: 'floating',
              test: /[\\/](?:@floating-ui|@mantine[\\/](?:hooks|core[\\/]esm[\\/](?:core|components[\\/](?:Menu|Popover|Tooltip|Group|Stack|Text)))|admin[\\/]src[\\/](?:api|commands))[\\/]/,
            },
          ],
        },
      },
      input: {
        index: join(root, 'index.html'),
        frame: join(root, 'frame.html'),
        pen: join(root, 'pen-frame.html'),
      },
    },
  },
});
