import { type Clock, unixSeconds } from '../../../base/clock.ts';
import type { ContentDb } from '../../../db/tables.ts';
import type { FindPreviewScope } from '../../../delivery/preview.ts';
import type { Auth } from '../../auth/service.ts';
import { findPreviewedPage } from './service.ts';

export interface PreviewAccessDeps {
  readonly reader: ContentDb;
  readonly auth: Pick<Auth, 'sessionOf'>;
  readonly clock: Clock;
}

/**
 * Decides which drafts a visitor sees: with a session all drafts, with a preview link those of its page. API
 * tokens do not open previews.
 */
export function previewAccess({ reader, auth, clock }: PreviewAccessDeps): FindPreviewScope {
  return async (question) => {
    if (question.kind === 'session') {
      const actor = await auth.sessionOf(question.cookieHeader, question.host);
      return actor.kind === 'session' ? { kind: 'all' } : undefined;
    }
    const pageId = await findPreviewedPage(reader, question.token, unixSeconds(clock));
    return pageId === undefined ? undefined : { kind: 'page', pageId };
  };
}
