import type { Reply } from '../../../api/reply.ts';
import { defineRoute, type Route } from '../../../api/route.ts';
import { IdParams } from '../../../content/common-fields.ts';
import type { Scheme } from '../../../http/origin.ts';
import { SignedIn } from '../model.ts';
import type { SignedInUser } from '../users/users.ts';
import { Invitation, InvitationAcceptance, InvitationLink, InvitationQuery } from './model.ts';
import { acceptInvitation, getInvitation, type InvitationDeps, inviteUser } from './service.ts';

/** @param signedIn the answer to whoever has just signed in, with the cookie of the session */
export function invitationRoutes(
  deps: InvitationDeps,
  signedIn: (user: SignedInUser, scheme: Scheme) => Reply,
): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/users/{id}/invitation',
      access: 'admin',
      needs: 'users',
      isSensitive: true,
      summary: 'Invite a user to choose a password; sent by mail if that is set up',
      params: IdParams,
      response: InvitationLink,
      status: 201,
      errors: ['auth.publicUrlMissing', 'auth.notAllowed', 'common.busy'],
      handle: ({ actor, params, host, scheme }) => inviteUser(deps, actor, params.id, { host, scheme }),
    }),
    defineRoute({
      method: 'GET',
      path: '/auth/invitation',
      access: 'public',
      needs: 'nothing',
      summary: 'Who is invited; 404 if the invitation was used or has ended',
      query: InvitationQuery,
      response: Invitation,
      handle: ({ query }) => getInvitation(deps, query.token),
    }),
    defineRoute({
      method: 'POST',
      path: '/auth/invitation',
      access: 'public',
      needs: 'nothing',
      summary: 'Accept an invitation with a password, and sign in',
      body: InvitationAcceptance,
      response: SignedIn,
      errors: [
        'auth.passwordTooShort',
        'auth.passwordTooLong',
        'auth.passwordWeak',
        'common.busy',
        'common.notFound',
      ],
      handle: async ({ actor, client, agent, scheme, body }) =>
        signedIn(await acceptInvitation(deps, actor, { address: client.address, agent }, body), scheme),
    }),
  ];
}
