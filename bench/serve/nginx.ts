import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ServerProcess, startProgram } from './child.ts';
import { headerOf, type PreparedAnswer } from './prepared.ts';

/** Headers that nginx makes from the file. */
const ownHeaders = /^(?:etag|last-modified|accept-ranges|content-type|content-encoding|vary)$/i;

/**
 * Gives the bytes and headers of an answer from a file, by one process without a log. A compressed answer lies beside
 * it and is found by `gzip_static`. Undefined if nginx is not installed.
 *
 * Without `sendfile`, which for files of this size costs more than reading them: 10.3 µs of processor time for 8 KB,
 * 8.3 with `tcp_nopush`, 7.3 without both.
 *
 * @param folder is made
 */
export function startNginx(folder: string, answer: PreparedAnswer): Promise<ServerProcess | undefined> {
  const isCompressed = headerOf(answer, 'content-encoding') === 'gzip';
  const bytes = Buffer.from(answer.body, answer.bodyEncoding);
  const file = join(folder, answer.path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, isCompressed ? '' : bytes);
  if (isCompressed) writeFileSync(`${file}.gz`, bytes);
  const headers = answer.headers
    .filter(([name]) => !ownHeaders.test(name))
    .map(([name, value]) => `add_header ${name} ${JSON.stringify(value)};`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const type = headerOf(answer, 'content-type') ?? 'text/html';
  return startProgram('nginx', (port) => {
    const config = `daemon off; master_process off; pid ${folder}/pid; error_log stderr crit;
      events { worker_connections 1024; }
      http { sendfile off; access_log off; keepalive_requests 100000000; ${temporary.join(' ')}
        open_file_cache max=100 inactive=1h; gzip_static ${isCompressed ? 'always' : 'off'};
        server { listen 127.0.0.1:${port}; root ${folder}; default_type ${JSON.stringify(type)}; ${headers.join(' ')} } }`;
    writeFileSync(join(folder, 'nginx.conf'), config);
    return ['-c', join(folder, 'nginx.conf'), '-p', folder];
  });
}
