import { createHash } from 'node:crypto';
import { forAllOrigins } from '../../api/cross-origin.ts';
import type { Reply } from '../../api/reply.ts';
import { BodyParts } from '../../http/body/parts.ts';
import type { StoredCollection } from './model.ts';

/** The answers with their headers; an answer that the memo keeps is hashed once. */
const known = { open: new WeakMap<Reply, Reply>(), closed: new WeakMap<Reply, Reply>() };

/**
 * An answer about a collection, with a strong entity tag: its hash, because the version of the content would tell
 * everyone about changes of drafts. Pages of all origins may read a public collection. The answer must depend on
 * nothing but its address, content, and whether the caller has a credential.
 */
export function answerAbout(
  { public_api: isPublic }: Pick<StoredCollection, 'public_api'>,
  reply: Reply,
): Reply {
  const answers = known[isPublic ? 'open' : 'closed'];
  const made =
    answers.get(reply) ??
    reply.withHeaders([...tagOf(reply), ...(isPublic ? openHeaders : [])]).cacheUntilChange();
  answers.set(reply, made);
  return made;
}

const openHeaders = [...forAllOrigins, ['Access-Control-Expose-Headers', 'ETag, X-Total-Count']] as const;

function tagOf({ body, compressed }: Reply): (readonly [string, string])[] {
  // Long lists are compressed, so no body comes in parts.
  const hash =
    compressed?.hash ?? (body === undefined || body instanceof BodyParts ? undefined : hashOf(body));
  if (hash === undefined) return [];
  return [
    ['ETag', `"${hash}"`],
    // Kept by the client, and asked for each time whether it still holds.
    ['Cache-Control', 'private, no-cache'],
  ];
}

function hashOf(body: Uint8Array | string): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 22);
}
