import Type from 'typebox';
import { hostName } from '../../../../runtime/content/site-host.ts';
import { Reply } from '../../../api/reply.ts';
import { defineRoute, type Route } from '../../../api/route.ts';
import { requireSession } from '../../../base/refusals/confirmation.ts';
import { IdParams } from '../../../content/common-fields.ts';
import { requirePublicOrigin } from '../public-address.ts';
import { attemptSecondStep, type SecondStepLocks } from '../second-step.ts';
import { requireBelow, requireUser } from '../users/users.ts';
import {
  Factor,
  PasskeyOptions,
  PasskeyRegistration,
  RecoveryCodes,
  RecoveryState,
  TotpCode,
  TotpCreate,
  TotpSetup,
} from './model.ts';
import { createRegistrationOptions, type PasskeyDeps, registerPasskey } from './passkeys.ts';
import * as service from './service.ts';

export interface FactorRoutesDeps extends PasskeyDeps, SecondStepLocks {}

/** A user's own factors, and the way to remove those of others. */
export function factorRoutes(deps: FactorRoutesDeps): Route[] {
  return [...listRoutes(deps), ...totpRoutes(deps), ...passkeyRoutes(deps), ...recoveryRoutes(deps)];
}

function listRoutes({ reader, changes }: FactorRoutesDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/auth/factors',
      access: 'admin',
      needs: 'nothing',
      summary: "List one's own second factors",
      response: Type.Array(Factor),
      handle: ({ actor }) => service.listFactors(reader, requireSession(actor).userId),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/auth/factors/{id}',
      access: 'admin',
      needs: 'nothing',
      isSensitive: true,
      summary: 'Remove a second factor; recovery codes go with the last one',
      params: IdParams,
      errors: ['common.busy'],
      handle({ actor, params }) {
        const { userId } = requireSession(actor);
        return changes.changeUnversioned(actor, (change) => service.deleteFactor(change, userId, params.id));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/users/{id}/factors',
      access: 'admin',
      needs: 'users',
      isSensitive: true,
      summary: 'Remove all second factors of a user, who has lost them',
      params: IdParams,
      errors: ['common.busy'],
      handle: ({ actor, params }) =>
        changes.changeUnversioned(actor, async (change) => {
          await requireBelow(change, await requireUser(change.tx, params.id));
          await service.deleteAllFactors(change, params.id);
        }),
    }),
  ];
}

function totpRoutes(deps: FactorRoutesDeps): Route[] {
  const { reader, changes, secrets } = deps;
  return [
    defineRoute({
      method: 'POST',
      path: '/auth/factors/totp',
      access: 'admin',
      needs: 'nothing',
      isSensitive: true,
      summary: 'Make a secret for an app; it counts when a code of it was sent',
      body: TotpCreate,
      bodyOptional: true,
      response: TotpSetup,
      errors: ['auth.tooManyFactors', 'common.busy'],
      handle({ actor, host, body }) {
        const session = requireSession(actor);
        const issuer = `Incipit ${hostName(host)}`.replaceAll(':', ' ').trim();
        return changes.changeUnversioned(actor, (change) =>
          service.beginTotp(change, session, { body, issuer, secrets }),
        );
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/auth/factors/totp/verify',
      access: 'admin',
      needs: 'nothing',
      isSensitive: true,
      summary: 'Show with a code that the new secret works',
      body: TotpCode,
      response: RecoveryCodes,
      errors: ['auth.factorMissing', 'auth.invalidCredentials', 'auth.tooManyAttempts', 'common.busy'],
      async handle({ actor, client, body: { code } }) {
        const { userId } = requireSession(actor);
        await service.requirePendingTotp(reader, userId, Math.floor(deps.clock() / 1000));
        const recovery_codes = await attemptSecondStep(deps, client.key, userId, () =>
          changes.changeUnversioned(actor, (change) =>
            service.activateTotp(change, userId, { code, secrets }),
          ),
        );
        return { recovery_codes };
      },
    }),
  ];
}

function passkeyRoutes(deps: FactorRoutesDeps): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/auth/factors/passkeys/options',
      access: 'admin',
      needs: 'nothing',
      isSensitive: true,
      summary: 'Options to make a passkey',
      response: PasskeyOptions,
      errors: ['auth.publicUrlMissing'],
      handle: async (input) =>
        createRegistrationOptions(
          deps,
          await requirePublicOrigin(deps.reader, input),
          requireSession(input.actor),
        ),
    }),
    defineRoute({
      method: 'POST',
      path: '/auth/factors/passkeys',
      access: 'admin',
      needs: 'nothing',
      isSensitive: true,
      summary: 'Add a passkey',
      body: PasskeyRegistration,
      response: Factor,
      status: 201,
      errors: ['auth.publicUrlMissing', 'auth.passkeyInvalid', 'auth.tooManyFactors', 'common.busy'],
      async handle(input) {
        const { actor, body } = input;
        const { userId } = requireSession(actor);
        const origin = await requirePublicOrigin(deps.reader, input);
        return service.presentFactor(await registerPasskey(deps, origin, { actor, userId }, body));
      },
    }),
  ];
}

function recoveryRoutes({ reader, changes }: FactorRoutesDeps): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/auth/factors/recovery-codes',
      access: 'admin',
      needs: 'nothing',
      summary: 'How many recovery codes are left',
      response: RecoveryState,
      handle: async ({ actor }) => ({
        remaining: await service.countRecoveryCodes(reader, requireSession(actor).userId),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: '/auth/factors/recovery-codes',
      access: 'admin',
      needs: 'nothing',
      isSensitive: true,
      summary: 'Make ten new recovery codes; older ones end',
      response: RecoveryCodes,
      errors: ['auth.factorMissing', 'common.busy'],
      async handle({ actor }) {
        const { userId } = requireSession(actor);
        const recovery_codes = await changes.changeUnversioned(actor, (change) =>
          service.renewCodes(change, userId),
        );
        return Reply.json({ recovery_codes });
      },
    }),
  ];
}
