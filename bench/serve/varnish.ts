import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServerProcess, startProgram } from './child.ts';

/**
 * Varnish in front of a server, keeping every answer for an hour. Undefined if it is not installed.
 *
 * @param folder is made
 */
export function startVarnish(folder: string, backend: string): Promise<ServerProcess | undefined> {
  mkdirSync(folder, { recursive: true });
  const { hostname, port } = new URL(backend);
  const rules = join(folder, 'rules.vcl');
  writeFileSync(
    rules,
    `vcl 4.1;
    backend default { .host = "${hostname}"; .port = "${port}"; }
    sub vcl_backend_response { set beresp.ttl = 1h; return (deliver); }`,
  );
  return startProgram('varnishd', (own) => [
    ...['-F', '-n', join(folder, 'work'), '-f', rules, '-j', 'none'],
    ...['-a', `127.0.0.1:${own}`, '-s', 'malloc,64m', '-T', 'none'],
  ]);
}
