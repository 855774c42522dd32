/** `incipit dev`: shows a folder in the browser while it is edited. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { relative } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { type ProgramArguments, wrongUse } from '../arguments.ts';
import { DevSite, type DevState } from '../dev/dev-site.ts';
import { createProxy } from '../dev/proxy.ts';
import { RemoteTarget } from '../dev/remote-target.ts';
import { startDevServer } from '../dev/server-process.ts';
import { formatFinding } from '../output.ts';
import { ProgramError } from '../program-error.ts';

const defaultPort = 4400;
/** Editors write a file in several steps. */
const gatherMs = 15;

export async function runDev({ folder, options }: ProgramArguments): Promise<0> {
  const port = readPort(options.text('port'));
  const host = options.text('host') ?? '127.0.0.1';
  const ended = waitForSignal();
  const remote = options.text('remote');
  const target =
    remote === undefined
      ? await startDevServer()
      : await RemoteTarget.open({ folder, url: remote, token: options.token, site: options.text('site') });
  const site = new DevSite(folder, target);
  const proxy = createProxy(target, site);
  let watcher: FSWatcher | undefined;
  try {
    // Before the folder is read, so that no change is missed.
    watcher = await watchFolder(folder, site);
    await site.start();
    const address = await listen(proxy, host, port);
    process.stdout.write(
      `incipit dev shows ${folder}${remote === undefined ? '' : ` over ${remote}`} at ${address}\n`,
    );
    printFindings(site.state);
    site.onState(createPrinter(site.state));
    if (options.has('open')) openBrowser(address);
    await ended;
    return 0;
  } finally {
    await watcher?.close();
    proxy.close();
    proxy.closeAllConnections();
    await site.close();
    await target.stop();
  }
}

function readPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw wrongUse(`--port must be a number from 0 to 65535, not "${text}"`);
}

async function waitForSignal(): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  await Promise.race(signals.map((signal) => once(process, signal)));
}

/** Without a wish it takes the next free port. @returns the address. @throws ProgramError */
async function listen(proxy: Server, host: string, wanted: number | undefined): Promise<string> {
  for (let port = wanted ?? defaultPort; ; port++) {
    try {
      proxy.listen(port, host);
      await once(proxy, 'listening');
      break;
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (isTaken && wanted === undefined && port < defaultPort + 1000) continue;
      throw new ProgramError(
        2,
        `cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : error}`,
      );
    }
  }
  const address = proxy.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const name = host === '127.0.0.1' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}/`;
}

async function watchFolder(folder: string, site: DevSite): Promise<FSWatcher> {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    const files = [...changed];
    changed.clear();
    site.change(files).catch((error: unknown) => process.stderr.write(`incipit: ${String(error)}\n`));
  };
  const isIgnored = (path: string) =>
    /(?:^|[\\/])(?:\.[^\\/]+|node_modules)(?:[\\/]|$)/.test(relative(folder, path));
  const watcher = watch(folder, { ignored: isIgnored, ignoreInitial: true, followSymlinks: false });
  watcher.on('all', (event, path) => {
    if (event === 'addDir') return;
    changed.add(relative(folder, path).replaceAll('\\', '/'));
    clearTimeout(timer);
    timer = setTimeout(flush, gatherMs);
  });
  await once(watcher, 'ready');
  return watcher;
}

/** Prints findings when they are others than before. */
function createPrinter(before: DevState): (state: DevState) => void {
  let printed = JSON.stringify(before.findings);
  return (state) => {
    const now = JSON.stringify(state.findings);
    if (now === printed) return;
    printed = now;
    if (state.findings.length === 0) process.stdout.write('no findings\n');
    printFindings(state);
  };
}

function printFindings({ findings }: DevState): void {
  for (const finding of findings) process.stdout.write(`${formatFinding(finding, process.stdout)}\n`);
}

function openBrowser(address: string): void {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', address]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', address]
        : ['xdg-open', address];
  const child = spawn(command ?? '', args, { stdio: 'ignore', detached: true });
  child.on('error', () => process.stderr.write(`incipit: no browser was found, open ${address}\n`));
  child.unref();
}
