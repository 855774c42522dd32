import { defineRoute, type Route } from '../../api/route.ts';
import { RefParams } from '../../content/common-fields.ts';
import type { SharedServices } from '../../feature.ts';
import { nameOpener } from '../auth/openers.ts';
import { PenPreview, PenPreviewRequest } from './model.ts';
import { previewPen } from './service.ts';

export function penRoutes(deps: Pick<SharedServices, 'reader' | 'pool' | 'clock'>): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/pens/{ref}/preview',
      // Read-only tokens must not use previews.
      access: 'write',
      needs: 'code',
      summary: 'Render a pen with unsaved fields',
      params: RefParams,
      body: PenPreviewRequest,
      bodyOptional: true,
      response: PenPreview,
      errors: ['common.busy'],
      handle: ({ actor, params, body, host, scheme }) =>
        previewPen(deps, params.ref, body, { host, scheme, opener: nameOpener(actor) }),
    }),
  ];
}
