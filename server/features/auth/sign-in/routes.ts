import { Reply } from '../../../api/reply.ts';
import { defineRoute, type Input, type Route } from '../../../api/route.ts';
import { requireSession } from '../../../base/refusals/confirmation.ts';
import type { IsSecure } from '../cookie.ts';
import { sessionCookie } from '../cookie.ts';
import { PasskeyAnswer, PasskeyOptions } from '../factors/model.ts';
import { createSignInOptions } from '../factors/passkeys.ts';
import { SignedIn } from '../model.ts';
import { requirePublicOrigin } from '../public-address.ts';
import { saveConfirmation } from '../sessions/service.ts';
import { confirmSession } from './confirm.ts';
import { type LoginDeps, logIn, logInWithPasskey } from './login.ts';
import { Confirmation, ConfirmationState, Login } from './model.ts';

export interface SignInRoutesDeps extends LoginDeps {
  readonly isSecure: IsSecure;
}

const failures = ['auth.invalidCredentials', 'auth.tooManyAttempts', 'common.busy'] as const;

/** Login with password, code and passkey; confirmation of sensitive things. */
export function signInRoutes(deps: SignInRoutesDeps): Route[] {
  return [...loginRoutes(deps), ...confirmationRoutes(deps)];
}

function loginRoutes(deps: SignInRoutesDeps): Route[] {
  const { reader, isSecure } = deps;
  const signedIn = (
    { user, session }: Awaited<ReturnType<typeof logIn>>,
    { scheme }: Pick<Input<unknown, unknown, unknown>, 'scheme'>,
  ): Reply => Reply.json({ user }, { headers: [sessionCookie(session, isSecure(scheme))] });
  return [
    defineRoute({
      method: 'POST',
      path: '/auth/login',
      access: 'public',
      needs: 'nothing',
      summary: 'Sign in',
      body: Login,
      response: SignedIn,
      errors: ['auth.factorRequired', ...failures],
      handle: async (input) => signedIn(await logIn(deps, input, input.body), input),
    }),
    defineRoute({
      method: 'POST',
      path: '/auth/passkeys/options',
      access: 'public',
      needs: 'nothing',
      summary: 'Options to sign in or to confirm with a passkey',
      response: PasskeyOptions,
      errors: ['auth.publicUrlMissing', 'auth.csrf'],
      handle: async (input) => createSignInOptions(deps, await requirePublicOrigin(reader, input)),
    }),
    defineRoute({
      method: 'POST',
      path: '/auth/passkeys',
      access: 'public',
      needs: 'nothing',
      summary: 'Sign in with a passkey alone',
      body: PasskeyAnswer,
      response: SignedIn,
      errors: ['auth.publicUrlMissing', ...failures],
      async handle(input) {
        const origin = await requirePublicOrigin(reader, input);
        return signedIn(await logInWithPasskey(deps, input, origin, input.body), input);
      },
    }),
  ];
}

function confirmationRoutes(deps: SignInRoutesDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/auth/confirm',
      access: 'admin',
      needs: 'nothing',
      summary: 'Confirm who it is: for ten minutes this session may do sensitive things',
      body: Confirmation,
      errors: ['auth.factorRequired', 'auth.publicUrlMissing', ...failures],
      handle: (input) =>
        confirmSession(deps, requireSession(input.actor), input.client, input.body, () =>
          requirePublicOrigin(deps.reader, input),
        ),
    }),
    defineRoute({
      method: 'GET',
      path: '/auth/confirm',
      access: 'admin',
      needs: 'nothing',
      summary: 'Until when this session may do sensitive things',
      response: ConfirmationState,
      handle: ({ actor }) => ({ confirmed_until: requireSession(actor).confirmedUntil }),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/auth/confirm',
      access: 'admin',
      needs: 'nothing',
      summary: 'End the confirmation of this session',
      errors: ['common.busy'],
      handle({ actor }) {
        const { sessionHash } = requireSession(actor);
        return deps.changes.changeUnversioned(actor, ({ tx }) => saveConfirmation(tx, sessionHash, 0));
      },
    }),
  ];
}
