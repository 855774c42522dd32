import type { Auth } from '../../auth/service.ts';
import { type Clock, unixSeconds } from '../../clock.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { FindPreviewScope } from '../../site/preview.ts';
import { findPreviewedPage } from './service.ts';

export interface PreviewAccessDeps {
  readonly reader: ContentDb;
  readonly auth: Pick<Auth, 'sessionOf'>;
  readonly clock: Clock;
}

/**
 * Who sees drafts on the website: a session all of them, a preview link those of its page. Tokens of the API do not
 * count (open points 12, "Preview").
 */
export function createPreviewAccess({ reader, auth, clock }: PreviewAccessDeps): FindPreviewScope {
  return async (question) => {
    if (question.kind === 'session') {
      const actor = await auth.sessionOf(question.cookieHeader, question.host);
      return actor.kind === 'session' ? { kind: 'all' } : undefined;
    }
    const pageId = await findPreviewedPage(reader, question.token, unixSeconds(clock));
    return pageId === undefined ? undefined : { kind: 'page', pageId };
  };
}
