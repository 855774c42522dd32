import Type, { type Static } from 'typebox';
import { fieldLimits } from '../../model.ts';

/** Default and longest validity of a preview link, in seconds. */
const ttl = { default: 604_800, max: 7_776_000 } as const;

export const PreviewLinkCreate = Type.Object({
  ttl: Type.Optional(Type.Integer({ minimum: 1, maximum: ttl.max, default: ttl.default })),
  note: Type.Optional(Type.String({ maxLength: fieldLimits.title })),
});
export type PreviewLinkCreate = Static<typeof PreviewLinkCreate>;
export const defaultTtl = ttl.default;

/** In lists `url` is the address of the page without the token. The token is shown only once. */
export const PreviewLink = Type.Object({
  id: Type.Integer(),
  url: Type.String(),
  note: Type.String(),
  expires_at: Type.Integer(),
  created_at: Type.Integer(),
});
export type PreviewLink = Static<typeof PreviewLink>;
