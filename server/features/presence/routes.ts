import Type from 'typebox';
import { defineRoute, type Route } from '../../api/route.ts';
import { Presence, PresenceQuery, PresenceReport } from './model.ts';
import type { PresenceService } from './service.ts';

export function presenceRoutes(presence: PresenceService): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/presence',
      access: 'read',
      needs: 'read',
      summary: 'List who has objects open',
      query: PresenceQuery,
      response: Type.Array(Presence),
      errors: ['batch.kindUnknown'],
      handle: ({ actor, query }) => presence.listFor(actor, query),
    }),
    defineRoute({
      method: 'PUT',
      path: '/presence',
      access: 'read',
      needs: 'read',
      summary: 'Tell that you have an object open',
      body: PresenceReport,
      response: Presence,
      errors: ['batch.kindUnknown', 'common.notFound'],
      handle: ({ actor, body }) => presence.report(actor, body),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/presence',
      access: 'read',
      needs: 'read',
      summary: 'Leave one object, or all',
      query: PresenceQuery,
      errors: ['batch.kindUnknown'],
      handle: ({ actor, query }) => presence.leave(actor, query),
    }),
  ];
}
