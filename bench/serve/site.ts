import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { type ServerProcess, startServer } from './child.ts';

const mainFile = fileURLToPath(new URL('../../server/start.js', import.meta.url));
const nodeFlags = [
  '--disallow-code-generation-from-strings',
  '--disable-proto=delete',
  '--max-semi-space-size=4',
  '--heap-growing-percent=100',
  '--no-allocation-site-pretenuring',
];

/** How a server is watched from within. */
export interface Watched {
  readonly flags: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Starts Incipit as `npm start` does, on a free port and without a limit of API requests. */
export function startIncipit(
  dataDir: string,
  extra: readonly string[] = [],
  watched: Watched = { flags: [], env: {} },
): Promise<ServerProcess> {
  return startServer(
    [
      ...nodeFlags,
      ...watched.flags,
      mainFile,
      '-data',
      dataDir,
      '-addr',
      '127.0.0.1:0',
      '-log',
      'warn',
      '-no-country-sync',
      ...extra,
    ],
    { IC_RATE_LIMIT: '0', ...watched.env },
  );
}

/** A new write token. */
export function createToken(dataDir: string, name = 'bench'): string {
  const args = [...nodeFlags, mainFile, '-data', dataDir, '-create-token', name];
  return execFileSync(process.execPath, args).toString().trim();
}

const Created = Type.Object({ id: Type.Integer() });

/** Creates or changes an object through the API. */
export async function callApi(
  url: string,
  token: string,
  method: string,
  path: string,
  body: object,
): Promise<{ id: number }> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return Value.Parse(Created, JSON.parse(text));
}
