/** The latest requests of this window, for people who want to do the same without the admin. */

/** How many are kept. */
const maxSent = 40;

export interface SentRequest {
  readonly request: Request;
  /** Unix seconds. */
  readonly at: number;
}

const sent = new Map<string, SentRequest>();

/**
 * Keeps a copy of a request; of equal addresses the last one. Nothing of a login is kept, and no file: its copy
 * would hold the whole file in memory.
 */
export function noteRequest(request: Request): void {
  const type = request.headers.get('Content-Type') ?? 'application/json';
  const { pathname, href } = new URL(request.url);
  if (!type.startsWith('application/json') || pathname.startsWith('/api/v1/auth/')) return;
  const name = `${request.method} ${href}`;
  sent.delete(name);
  sent.set(name, { request: request.clone(), at: Math.floor(Date.now() / 1000) });
  const [oldest] = sent.keys();
  if (sent.size > maxSent && oldest !== undefined) sent.delete(oldest);
}

/** The newest first. */
export function sentRequests(): readonly SentRequest[] {
  return [...sent.values()].toReversed();
}
