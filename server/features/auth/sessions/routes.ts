import Type from 'typebox';
import { defineRoute, type Route } from '../../../api/route.ts';
import type { SessionActor } from '../../../base/actor.ts';
import { requireSession } from '../../../base/refusals/confirmation.ts';
import { notAllowed } from '../../../base/refusals/refusal.ts';
import { allows } from '../../../base/rights.ts';
import type { Changes } from '../../../changes/changes.ts';
import type { LiveSessions } from './live-sessions.ts';
import { ListedSession, SessionParams, SessionsQuery } from './model.ts';
import { endOtherSessions, endSession, listSessions } from './service.ts';

export interface SessionRoutesDeps {
  readonly changes: Changes;
  readonly sessions: LiveSessions;
}

/** GET, DELETE /auth/sessions */
export function sessionRoutes({ changes, sessions }: SessionRoutesDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/auth/sessions',
      access: 'admin',
      needs: 'nothing',
      summary: 'List the sessions of a user, the newest first',
      query: SessionsQuery,
      response: Type.Array(ListedSession),
      errors: ['auth.notAllowed'],
      handle({ actor, query }) {
        const session = requireSession(actor);
        const { user_id: userId = session.userId } = query;
        if (!mayAdminister(session, userId)) throw notAllowed({ action: 'users', kind: 'user', id: userId });
        return listSessions(sessions, session, userId);
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/auth/sessions',
      access: 'admin',
      needs: 'nothing',
      summary: "End all other sessions of one's own",
      errors: ['common.busy'],
      handle({ actor }) {
        const { userId, sessionHash } = requireSession(actor);
        return changes.changeUnversioned(actor, ({ tx }) => endOtherSessions(tx, userId, sessionHash));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/auth/sessions/{id}',
      access: 'admin',
      needs: 'nothing',
      summary: 'End a session',
      params: SessionParams,
      errors: ['common.busy'],
      handle({ actor, params }) {
        const session = requireSession(actor);
        return changes.changeUnversioned(actor, (change) =>
          endSession(change, params.id, (userId) => mayAdminister(session, userId)),
        );
      },
    }),
  ];
}

/** One's own sessions, and with `users` those of everybody. */
function mayAdminister({ userId, grants }: SessionActor, ofUser: number): boolean {
  return userId === ofUser || grants === undefined || allows(grants, 'users');
}
