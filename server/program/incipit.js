#!/usr/bin/env node
/**
 * The program `incipit`: built, or as source. JavaScript, because it also runs where Node.js does not remove types.
 * `incipit start` hands over to a process of its own, with the flags of Node.js that the server needs.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Node.js older than 20.11 has no `import.meta.filename`; it must get as far as to say so.
const program = fileURLToPath(import.meta.url);
const root = dirname(dirname(dirname(program)));
const args = process.argv.slice(2);

/** The same flags as `npm start`; a test compares them. */
const serverFlags = [
  '--disallow-code-generation-from-strings',
  '--disable-proto=delete',
  '--max-semi-space-size=4',
  '--heap-growing-percent=100',
  '--no-allocation-site-pretenuring',
];

/** Node.js of this version or newer runs the program; the package brings one along. */
const oldestNode = 22;

/** Undefined if this one is too old, and the package was installed without its own. */
function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= oldestNode) return process.execPath;
  try {
    const own = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
    return existsSync(own) ? own : undefined;
  } catch {
    return undefined;
  }
}

/** Runs Node.js in a process of its own, and ends as it ends. */
function handOver(node, command) {
  const child = spawn(node, command, { stdio: 'inherit' });
  const forward = (signal) => child.kill(signal);
  process.on('SIGTERM', forward);
  // A terminal sends it to both; alone it comes from a script, and the server counts signals.
  process.on('SIGINT', process.stdin.isTTY ? () => {} : forward);
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}

async function findEntry() {
  const built = join(root, 'server', 'generated', 'bundle.mjs');
  if (existsSync(built)) {
    const { currentBundle } = await import(pathToFileURL(built).href);
    const entry = currentBundle(root);
    if (entry !== undefined) return entry.program;
  }
  return join(root, 'server', 'program', 'main.ts');
}

const node = findNode();
if (node === undefined) {
  const running = process.versions.node;
  process.stderr.write(`incipit needs Node.js ${oldestNode} or newer, and this is ${running}.\n`);
  process.exitCode = 2;
} else if (args[0] === 'start')
  handOver(node, [...serverFlags, join(root, 'server', 'start.js'), ...args.slice(1)]);
else if (node !== process.execPath) handOver(node, [program, ...args]);
else {
  const { main } = await import(pathToFileURL(await findEntry()).href);
  process.exitCode = await main(args);
}
