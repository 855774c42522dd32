import { createHash } from 'node:crypto';
import { forAllOrigins } from '../../api/cross-origin.ts';
import type { Reply } from '../../api/reply.ts';
import { type Body, BodyParts } from '../../http/body/parts.ts';
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

function tagOf({ body }: Reply): (readonly [string, string])[] {
  if (body === undefined) return [];
  return [
    ['ETag', `"${hashOf(body)}"`],
    // Kept by the client, and asked for each time whether it still holds.
    ['Cache-Control', 'private, no-cache'],
  ];
}

const bytesPerStep = 2 ** 20;

function hashOf(body: Body): string {
  const hash = createHash('sha256');
  if (!(body instanceof BodyParts)) return hash.update(body).digest('base64url').slice(0, 22);
  for (let position = 0; position < body.length; ) {
    const part = body.from(position, bytesPerStep);
    hash.update(part);
    position += part.length;
  }
  return hash.digest('base64url').slice(0, 22);
}
