import type { Reply } from '../http/reply.ts';
import type { StoredCollection } from './model.ts';

const opened = new WeakMap<Reply, Reply>();

/** The answer as pages of all origins may read it if the collection is public. */
export function sharedWithOrigins(
  { public_api: isPublic }: Pick<StoredCollection, 'public_api'>,
  reply: Reply,
): Reply {
  if (!isPublic) return reply;
  const known = opened.get(reply) ?? reply.withHeaders(forAllOrigins);
  opened.set(reply, known);
  return known;
}

const forAllOrigins = [['Access-Control-Allow-Origin', '*']] as const;
