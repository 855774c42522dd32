import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const root = join(import.meta.dirname, '..');

export default defineConfig({
  root,
  base: '/cms-admin/',
  plugins: [react()],
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
    rolldownOptions: { input: { index: join(root, 'index.html'), frame: join(root, 'frame.html') } },
  },
});
