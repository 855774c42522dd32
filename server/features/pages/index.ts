import type { FindPreviewScope } from '../../delivery/preview.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import type { FindOpener } from '../auth/openers.ts';
import type { Auth } from '../auth/service.ts';
import type { FindMedia } from '../media/index.ts';
import { pageKind } from './kind.ts';
import { previewLinkRoutes } from './preview-links/routes.ts';
import { findOpenerWith, previewAccess } from './preview-links/service.ts';
import { previewRoutes } from './previews/routes.ts';
import { impactRoute } from './regions/impact.ts';
import { pageRoutes } from './routes.ts';
import { translationRoutes } from './translations/routes.ts';

/** Websites and pages, with previews, preview links and language versions (Core, "Pages"). */
export interface PagesFeature extends Feature {
  readonly kind: ReturnType<typeof pageKind>;
  /** Finds the drafts that a visitor may see. */
  readonly findPreviewScope: FindPreviewScope;
  readonly findOpener: FindOpener;
}

export function pagesFeature(
  parts: SharedServices,
  auth: Pick<Auth, 'findOpener' | 'sessionOf'>,
  findMedia: FindMedia,
): PagesFeature {
  const kind = pageKind(parts.texts);
  return {
    kind,
    kinds: [kind],
    about: {
      sites: 'Websites.',
      'preview-links': 'Links that show drafts without a login.',
    },
    routes: [
      ...pageRoutes(parts, kind),
      ...translationRoutes(parts),
      ...previewRoutes({ ...parts, findMedia }),
      ...previewLinkRoutes({ ...parts, auth }),
      impactRoute(parts),
    ],
    findPreviewScope: previewAccess({ ...parts, auth }),
    findOpener: findOpenerWith({ ...parts, auth }),
  };
}
