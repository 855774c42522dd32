/**
 * `npm run bench -- package`: packs Incipit, installs the archive into an empty folder, and uses it there as people do.
 * It needs the network for npm, so it is no part of the tests.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { environmentLine } from '../report.ts';

const maxMegabytes = 300;
const projectRoot = join(import.meta.dirname, '..', '..');

export async function runPackageCheck(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'incipit-install-'));
  try {
    const archive = execFileSync('npm', ['run', '--silent', 'package', folder], {
      cwd: projectRoot,
      encoding: 'utf8',
    }).trim();
    const place = join(folder, 'empty');
    mkdirSync(place);
    writeFileSync(join(place, 'package.json'), '{ "type": "module" }\n');
    run('npm', ['install', '--no-audit', '--no-fund', archive], place);
    run('npx', ['--no', '--', 'incipit', '--version'], place);
    run('npx', ['--no', '--', 'incipit', 'init', 'site', '--starter', 'magazine'], place);
    run('npx', ['--no', '--', 'incipit', 'check', 'site'], place);
    writeFileSync(join(place, 'hello.js'), engineExample);
    run('node', ['hello.js'], place);
    await serveOnce(place);
    const megabytes = Math.round(measureBytes(join(place, 'node_modules')) / 2 ** 20);
    process.stdout.write(
      `${environmentLine()}\n\narchive ${toMegabytes(archive)} MB, installed ${megabytes} MB\n`,
    );
    if (megabytes > maxMegabytes) throw new Error(`installed it has more than ${maxMegabytes} MB`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const engineExample = `import { Engine } from 'incipit/engine';
const engine = new Engine({ load: (name) => (name === 'hello' ? 'Hello {{ name }}' : undefined) });
if (engine.render('hello', { name: '<b>' }) !== 'Hello &lt;b&gt;') throw new Error('the engine renders otherwise');
`;

function run(command: string, args: readonly string[], cwd: string): void {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Starts the installed server, asks it for a page of the admin, and ends it. */
async function serveOnce(cwd: string): Promise<void> {
  const file = join(cwd, 'node_modules', 'incipit', 'server', 'program', 'incipit.js');
  const server = spawn(
    process.execPath,
    [file, 'start', '-data', join(cwd, 'data'), '-addr', '127.0.0.1:0'],
    {
      cwd,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = new Promise((resolve) => server.once('close', resolve));
  try {
    for await (const line of createInterface(server.stdout)) {
      const [, url] = /listening on (\S+)/.exec(line) ?? [];
      if (url === undefined) continue;
      const { status } = await fetch(`${url}/cms-admin/`);
      if (status !== 200) throw new Error(`the installed server answers with ${status}`);
      return;
    }
    throw new Error('the installed server did not start');
  } finally {
    server.kill();
    await ended;
  }
}

function measureBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

function toMegabytes(file: string): number {
  return Math.round(statSync(file).size / 2 ** 20);
}
