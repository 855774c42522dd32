/**
 * What `npm start` runs: the built command line, or its source. JavaScript, because removing the types from one file
 * takes Node.js 60 ms, more than everything else before the server is loaded.
 */
import { enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const server = import.meta.dirname;
// An import of this module would read all its exports, among them streams of files, which loads them.
const { existsSync } = process.getBuiltinModule('node:fs');

async function findEntry() {
  const built = join(server, 'generated', 'bundle.mjs');
  if (existsSync(built)) {
    const { currentBundle } = await import(pathToFileURL(built).href);
    // Bundles of another folder, or older than the sources, are left alone.
    const entry = currentBundle(dirname(server));
    if (entry !== undefined) return entry;
  }
  const { sources } = await import('./config/build/program-files.ts');
  return sources();
}

// Compiled code is kept from the first start on; where the folder cannot be written, each start compiles anew.
const compiled = join(server, 'generated', 'compiled');
enableCompileCache(compiled);
// Threads, and processes of pools, take it over.
process.env.NODE_COMPILE_CACHE ??= compiled;
const entry = await findEntry();
const { main } = await import(pathToFileURL(entry.main).href);
await main(entry);
