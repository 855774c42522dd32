import Type, { type Static } from 'typebox';
import { limits } from '../../model.ts';

/** How long a preview link is valid unless said otherwise, and at most, in seconds (open points 5). */
const ttl = { default: 604_800, max: 7_776_000 } as const;

export const PreviewLinkCreate = Type.Object({
  ttl: Type.Optional(Type.Integer({ minimum: 1, maximum: ttl.max, default: ttl.default })),
  note: Type.Optional(Type.String({ maxLength: limits.title })),
});
export type PreviewLinkCreate = Static<typeof PreviewLinkCreate>;
export const defaultTtl = ttl.default;

/** In lists `url` is the page's without the token, which is shown only once. */
export const PreviewLink = Type.Object({
  id: Type.Integer(),
  url: Type.String(),
  note: Type.String(),
  expires_at: Type.Integer(),
  created_at: Type.Integer(),
});
export type PreviewLink = Static<typeof PreviewLink>;
