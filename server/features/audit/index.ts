import { defineRoute } from '../../api/route.ts';
import type { Feature, SharedServices } from '../../feature.ts';
import { AuditLog, AuditQuery } from './model.ts';
import { readAudit } from './service.ts';

/** The log of changes for people: newest first, by kind, object, time and who made them. */
export function auditFeature({ reader }: Pick<SharedServices, 'reader'>): Feature {
  return {
    about: { audit: 'Who changed what.' },
    routes: [
      defineRoute({
        method: 'GET',
        path: '/audit',
        access: 'read',
        summary: 'Who changed what, newest first',
        query: AuditQuery,
        response: AuditLog,
        handle: ({ query }) => readAudit(reader, query),
      }),
    ],
  };
}
