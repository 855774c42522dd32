import { Reply } from './reply.ts';

/** Pages of every origin may read the answer. */
export const forAllOrigins = [['Access-Control-Allow-Origin', '*']] as const;

/**
 * Pages of every origin may read the refusal, and when to try again. Only for refusals that tell nothing about what
 * was asked for, or about an object that is public.
 */
export const refusedForAllOrigins = [
  ...forAllOrigins,
  ['Access-Control-Expose-Headers', 'Retry-After'],
] as const;

/** The answer to a preflight (Fetch standard, CORS-preflight). */
export function preflight(methods: readonly string[], requestedHeaders: string): Reply {
  const names = requestedHeaders.split(',').map((name) => name.trim());
  const isSane = names.every((name) => /^[A-Za-z0-9-]{1,100}$/.test(name)) && names.length <= 50;
  return Reply.empty({
    headers: [
      ...forAllOrigins,
      ['Access-Control-Allow-Methods', methods.join(', ')],
      ...(isSane ? [['Access-Control-Allow-Headers', names.join(', ')] as const] : []),
      ['Access-Control-Max-Age', '86400'],
    ],
  });
}
