import Type, { type Static } from 'typebox';
import { fieldLimits, serverFields } from '../common-fields.ts';

/** Default and longest validity of a preview link, in seconds. */
const ttl = { default: 604_800, max: 7_776_000 } as const;

const note = { description: 'Note for people, such as who gets the link.' };

export const PreviewLinkCreate = Type.Object(
  {
    ttl: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: ttl.max,
        default: ttl.default,
        description: 'How long the link is valid, in seconds.',
      }),
    ),
    note: Type.Optional(Type.String({ maxLength: fieldLimits.title, ...note })),
  },
  {
    title: 'PreviewLinkCreate',
    description: 'A new preview link.',
    examples: [{ ttl: 86_400, note: 'for the printer' }],
  },
);
export type PreviewLinkCreate = Static<typeof PreviewLinkCreate>;
export const defaultTtl = ttl.default;

/** In lists `url` is the address of the page without the token. The token is shown only once. */
export const PreviewLink = Type.Object(
  {
    id: serverFields.id,
    url: Type.String({ description: 'Address of the page, with the token only when the link is created.' }),
    note: Type.String(note),
    expires_at: Type.Integer({ description: 'Until when the link is valid, in Unix seconds.' }),
    created_at: serverFields.created_at,
  },
  { title: 'PreviewLink', description: 'A link that shows a page and its drafts without a login.' },
);
export type PreviewLink = Static<typeof PreviewLink>;
