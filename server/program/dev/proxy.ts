/** What browsers talk to: pages of the throw-away server with drafts, the script of `page-script.ts`, and its events. */

import { readFile } from 'node:fs/promises';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestPlainly,
  type Server,
  type ServerResponse,
} from 'node:http';
import { request as requestSecurely } from 'node:https';
import { basename } from 'node:path';
import { detectMime } from '../../features/folders/format/kinds/media.ts';
import type { DevSite, DevState } from './dev-site.ts';
import type { DevTarget } from './dev-target.ts';
import { createDraftStyle, findDraftPaths } from './drafts.ts';
import { addScript, devPath, pageScript } from './page-script.ts';

export function createProxy(target: DevTarget, site: DevSite): Server {
  return createServer((incoming, outgoing) => {
    const path = new URL(incoming.url ?? '/', 'http://x').pathname;
    if (!isOwnHost(incoming)) outgoing.writeHead(403).end('This address is not that of incipit dev.');
    else if (path === `${devPath}/page.js`) sendScript(outgoing);
    else if (path === `${devPath}/events`) sendEvents(outgoing, site);
    else respond(incoming, outgoing, { target, site, path }).catch(() => outgoing.destroy());
  });
}

/** Another website must not read drafts through a name of its own that leads to this machine. */
function isOwnHost({ headers: { host = '' }, socket }: IncomingMessage): boolean {
  const name = host.replace(/:\d+$/, '');
  if (/^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(name)) return true;
  // With --host, others reach it by addresses of this machine.
  return name === socket.localAddress?.replace('::ffff:', '') || /^\[?[\d.:a-f]+\]?$/i.test(name);
}

function sendScript(outgoing: ServerResponse): void {
  outgoing.writeHead(200, { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-store' });
  outgoing.end(pageScript);
}

function sendEvents(outgoing: ServerResponse, site: DevSite): void {
  outgoing.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  const send = (state: DevState) => outgoing.write(`event: state\ndata: ${JSON.stringify(state)}\n\n`);
  send(site.state);
  outgoing.on('close', site.onState(send));
}

interface ForwardContext {
  readonly target: DevTarget;
  readonly site: DevSite;
  readonly path: string;
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  context: ForwardContext,
): Promise<void> {
  const { target, site, path } = context;
  const file = target.hasOwnMedia ? site.findMedia(decodePath(path)) : undefined;
  if (file === undefined) return forward(incoming, outgoing, context);
  const bytes = await readFile(file);
  const mime = await detectMime(bytes, basename(file));
  outgoing.writeHead(200, { 'Content-Type': mime, 'Cache-Control': 'no-store' }).end(bytes);
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, context: ForwardContext): void {
  const { target, path } = context;
  const { method = 'GET', headers } = incoming;
  const isRead = method === 'GET' || method === 'HEAD';
  const url = new URL(incoming.url ?? '/', target.url);
  // The session of the server is for reading pages alone, never for its API.
  const showsDrafts = isRead && !/^\/(?:api|cms-admin)(?:\/|$)/.test(path);
  const sent: OutgoingHttpHeaders = { ...headers, 'accept-encoding': 'identity' };
  delete sent['cookie'];
  if (target.host !== undefined) sent['host'] = target.host;
  if (showsDrafts) {
    target.preparePage(url, sent);
    for (const name of ['if-none-match', 'if-modified-since']) delete sent[name];
  }
  const request = url.protocol === 'https:' ? requestSecurely : requestPlainly;
  const asked = request(target.url, { method, path: url.pathname + url.search, headers: sent }, (answer) =>
    pass(answer, outgoing, context),
  );
  asked.on('error', () => {
    if (!outgoing.headersSent) outgoing.writeHead(502, { 'Content-Type': 'text/plain' });
    outgoing.end('The server of incipit dev does not answer.');
  });
  outgoing.on('close', () => asked.destroy());
  incoming.pipe(asked);
}

function pass(answer: IncomingMessage, outgoing: ServerResponse, { site, path }: ForwardContext): void {
  const headers: OutgoingHttpHeaders = { ...answer.headers, 'cache-control': 'no-store' };
  for (const name of ['set-cookie', 'content-security-policy', 'connection', 'keep-alive'])
    delete headers[name];
  const { location } = answer.headers;
  if (location !== undefined) headers['location'] = withoutPreview(location);
  if (!/^text\/html\b/.test(answer.headers['content-type'] ?? '')) {
    outgoing.writeHead(answer.statusCode ?? 502, headers);
    answer.pipe(outgoing);
    return;
  }
  const parts: Buffer[] = [];
  answer.on('data', (part: Buffer) => parts.push(part));
  answer.on('end', () => {
    const drafts = findDraftPaths(site.content);
    const page = addScript(
      Buffer.concat(parts).toString() + createDraftStyle(drafts),
      drafts.has(decodePath(path)),
    );
    delete headers['content-length'];
    outgoing.writeHead(answer.statusCode ?? 502, headers);
    outgoing.end(page);
  });
}

function withoutPreview(location: string): string {
  return location.replace(/([?&])preview=1(&|$)/, (_, before: string, after: string) =>
    after === '' ? '' : before,
  );
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
