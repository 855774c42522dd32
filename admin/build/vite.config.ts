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
              test: /node_modules[\\/](?:@tanstack[\\/](?:react-router|router-core|history|store|react-store|react-query|query-core)|i18next|react-i18next|openapi-fetch|idb-keyval)[\\/]/,
            },
            // What the frame itself draws with.
            {
              name: 'parts',
              test: /[\\/](?:@mantine[\\/]core[\\/]esm[\\/](?:core|components[\\/](?:ActionIcon|Button|UnstyledButton|Group|Stack|Title|Text|Kbd|Menu|Popover|Tooltip|Transition|Portal|FocusTrap|Loader)[\\/])|@mantine[\\/]hooks|@floating-ui|admin[\\/]src[\\/](?:ui[\\/](?:icon|icons|ruler|status-mark|strip|empty-state|toasts|toast-list|theme)|commands|api[\\/]|app[\\/]|frame[\\/](?:band|frame-commands|navigation|current-site|site-switcher|user-menu)|pages[\\/]queries))/,
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
