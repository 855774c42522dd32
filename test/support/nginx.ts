import { readFileSync } from 'node:fs';
import { findProxyProgram, runProxy, type TestProxy, wrapNginxSite } from './reverse-proxies.ts';

/** The program; undefined where it is not installed. */
export const nginxFile = findProxyProgram('nginx');

/** nginx with the configuration of `server/docs/cluster.md`, in front of servers on these ports. */
export function startNginx(ports: readonly number[]): Promise<TestProxy> {
  const text = readFileSync(new URL('../../server/docs/cluster.md', import.meta.url), 'utf8');
  const block = /```nginx\n([\s\S]*?)```/.exec(text)?.[1];
  if (block === undefined) throw new Error('there is no configuration');
  const addresses = [...ports];
  return runProxy('nginx', (port, folder) =>
    wrapNginxSite(
      block
        .replaceAll(/server 10\.0\.0\.\d+:8080/g, () => `server 127.0.0.1:${addresses.shift()}`)
        .replace('listen 80;', `listen 127.0.0.1:${port};`),
      folder,
    ),
  );
}
