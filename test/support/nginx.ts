import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './nodes.ts';
import { freePort } from './postgres.ts';

/** The program; undefined where it is not installed. */
export const nginxFile = ['/usr/sbin/nginx', '/usr/bin/nginx'].find((file) => existsSync(file));

export interface TestProxy {
  /** Without a trailing slash. */
  readonly url: string;
  stop(): Promise<void>;
}

/** nginx with the configuration of `server/docs/cluster.md`, in front of servers on these ports. */
export async function startNginx(ports: readonly number[]): Promise<TestProxy> {
  const text = readFileSync(new URL('../../server/docs/cluster.md', import.meta.url), 'utf8');
  const block = /```nginx\n([\s\S]*?)```/.exec(text)?.[1];
  if (block === undefined || nginxFile === undefined)
    throw new Error('there is no configuration, or no nginx');
  const port = await freePort();
  const addresses = [...ports];
  const site = block
    .replaceAll(/server 10\.0\.0\.\d+:8080/g, () => `server 127.0.0.1:${addresses.shift()}`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`);
  const folder = mkdtempSync(join(tmpdir(), 'incipit-nginx-'));
  chmodSync(folder, 0o777);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
     events {} http { access_log off; ${paths.join(' ')} ${site} }`,
  );
  const child = spawn(nginxFile, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${url}/healthz`)).status > 0);
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
