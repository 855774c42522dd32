import Type, { type Static } from 'typebox';
import { PreviewLink, PreviewLinkCreate } from '../../../content/sites/preview-link.ts';

const siteId = 'ID of the home page of the website.';

export const SetPreviewLinkCreate = Type.Object(
  {
    site_id: Type.Optional(
      Type.Integer({ description: `${siteId} Default: that of the first page in the change set.` }),
    ),
    ...PreviewLinkCreate.properties,
  },
  {
    title: 'SetPreviewLinkCreate',
    description: 'A new preview link of a change set.',
    examples: [{ site_id: 1, ttl: 86_400 }],
  },
);
export type SetPreviewLinkCreate = Static<typeof SetPreviewLinkCreate>;

export const SetPreviewLink = Type.Object(
  { ...PreviewLink.properties, site_id: Type.Integer({ description: siteId }) },
  {
    title: 'SetPreviewLink',
    description: 'A link that shows a website with a change set without a login.',
  },
);
export type SetPreviewLink = Static<typeof SetPreviewLink>;
