/** A server with a throw-away data directory, which only this process talks to. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { push } from '../../features/folders/sync/push.ts';
import { ProgramError } from '../program-error.ts';
import type { DevTarget } from './dev-target.ts';

const program = join(import.meta.dirname, '..', 'incipit.js');
const options = [
  '-addr',
  '127.0.0.1:0',
  '-workers',
  '1',
  '-rate-limit',
  '0',
  '-no-country-sync',
  '-log',
  'error',
];

/** @throws ProgramError if it does not start */
export async function startDevServer(): Promise<DevTarget> {
  const folder = await mkdtemp(join(tmpdir(), 'incipit-dev-'));
  const token = randomBytes(24).toString('hex');
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('IC_'));
  const child = spawn(process.execPath, [program, 'start', '-data', join(folder, 'data'), ...options], {
    env: { ...Object.fromEntries(inherited), IC_MASTER_TOKEN: token },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A terminal sends its signals to the whole group, and this process ends the server itself.
    detached: true,
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  };
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = `${errors}${text}`.slice(-4000);
  });
  const url = await findAddress(child.stdout);
  if (url === undefined) {
    await stop();
    throw new ProgramError(1, `the server did not start: ${errors.trim()}`);
  }
  const cookie = await signIn(url);
  const stateDir = join(folder, 'state');
  return {
    ...{ url, token, stateDir, host: undefined, hasOwnMedia: false, stop },
    send: (sent) => push({ folder: sent, remote: url, token, stateDir, yes: true, force: true }),
    findTextPath: ({ path }, id) => `${path}/${id}`,
    preparePage(page, headers) {
      page.searchParams.set('preview', '1');
      headers['cookie'] = cookie;
    },
  };
}

/** The address in the first line that the server prints; undefined if it ends before. */
async function findAddress(output: NodeJS.ReadableStream): Promise<string | undefined> {
  for await (const line of createInterface({ input: output })) {
    output.resume();
    return /listening on (\S+)/.exec(line)?.[1];
  }
  return undefined;
}

/** Makes an administrator whom nobody knows: only sessions show drafts. @throws ProgramError */
async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/auth/setup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'developer', password: randomBytes(24).toString('base64url') }),
  });
  const cookie = /^[^;]+/.exec(response.headers.get('set-cookie') ?? '')?.[0];
  if (cookie === undefined) throw new ProgramError(1, `the server refused the set-up: ${response.status}`);
  return cookie;
}
