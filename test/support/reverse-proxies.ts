/** Proxies of Debian in front of a server. They keep connections to it and share them among all clients. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './nodes.ts';
import { freePort } from './postgres.ts';

export interface TestProxy {
  readonly port: number;
  /** Without a trailing slash. */
  readonly url: string;
  stop(): Promise<void>;
}

export const proxyNames = ['nginx', 'haproxy', 'varnish'] as const;
type ProxyName = (typeof proxyNames)[number];

interface ProxyProgram {
  /** Where Debian puts it. */
  readonly files: readonly string[];
  /** @returns the text of its configuration */
  configure(ports: { readonly own: number; readonly server: number }, folder: string): string;
  /** Arguments that keep it in the foreground. */
  argumentsFor(config: string, folder: string, port: number): readonly string[];
}

const programs: Readonly<Record<ProxyName, ProxyProgram>> = {
  nginx: {
    files: ['/usr/sbin/nginx', '/usr/bin/nginx'],
    configure: ({ own, server }, folder) =>
      wrapNginxSite(
        `upstream server { server 127.0.0.1:${server}; keepalive 8; }
         server {
           listen 127.0.0.1:${own};
           client_max_body_size 0;
           location / {
             proxy_pass http://server;
             proxy_http_version 1.1;
             proxy_set_header Connection "";
             proxy_set_header Host $http_host;
             proxy_request_buffering off;
           }
         }`,
        folder,
      ),
    argumentsFor: (config, folder) => ['-p', folder, '-c', config],
  },
  haproxy: {
    files: ['/usr/sbin/haproxy'],
    configure: ({ own, server }) => `
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  http-reuse always
frontend public
  bind 127.0.0.1:${own}
  default_backend server
backend server
  server one 127.0.0.1:${server}
`,
    argumentsFor: (config) => ['-db', '-f', config],
  },
  varnish: {
    files: ['/usr/sbin/varnishd'],
    configure: ({ server }) => `vcl 4.1;
backend server { .host = "127.0.0.1"; .port = "${server}"; }
sub vcl_recv { return (pass); }
`,
    argumentsFor: (config, folder, port) => [
      ...['-F', '-j', 'none', '-n', folder, '-f', config],
      ...['-a', `127.0.0.1:${port}`, '-s', 'malloc,16m'],
    ],
  },
};

/** The program; undefined where it is not installed. */
export function findProxyProgram(name: ProxyName): string | undefined {
  return programs[name].files.find((file) => existsSync(file));
}

/** Starts a proxy in front of the server on a port. */
export function startProxy(name: ProxyName, serverPort: number): Promise<TestProxy> {
  return runProxy(name, (own, folder) => programs[name].configure({ own, server: serverPort }, folder));
}

/** A configuration of nginx around a site, for a process in the foreground that writes below `folder` alone. */
export function wrapNginxSite(site: string, folder: string): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
    events {} http { access_log off; ${paths.join(' ')} ${site} }`;
}

/** Starts a proxy; resolves when `/healthz` is answered through it. */
export async function runProxy(
  name: ProxyName,
  configure: (port: number, folder: string) => string,
): Promise<TestProxy> {
  const file = findProxyProgram(name);
  if (file === undefined) throw new Error(`${name} is not installed`);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), `incipit-${name}-`));
  chmodSync(folder, 0o777);
  const config = join(folder, 'config');
  writeFileSync(config, configure(port, folder));
  const child = spawn(file, programs[name].argumentsFor(config, folder, port), { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${url}/healthz`)).status > 0);
  return {
    port,
    url,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
